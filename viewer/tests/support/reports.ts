// Documents that many tests look at, made once.
import { chartsFixture } from "../fixtures/charts_fixture.ts";
import { embeddingFixture } from "../fixtures/embedding_fixture.ts";

export const DIGITS = embeddingFixture();
export const WORDS = embeddingFixture({
    count: 120,
    images: false,
    labels: ["noun", "verb", "name"],
    words: Array.from({ length: 120 }, (_, i) => `${["tree", "walk", "paris"][i % 3]}${i}`),
});
export const FLAT = embeddingFixture({ count: 60, dimension: 2, labels: null, images: false });
export const CHARTS = chartsFixture();
