import assert from "node:assert/strict";
import { test } from "node:test";
import { madeSentence, thresholdAngle } from "../../../src/panels/headline.ts";
import { embeddingFixture } from "../../fixtures/embedding_fixture.ts";
import { pack } from "../../fixtures/packing.ts";

test("the threshold is an angle, where there is one", () => {
    assert.ok(Math.abs(thresholdAngle(0.5)! - 60) < 1e-9);
    assert.deepEqual(
        [thresholdAngle(null), thresholdAngle(undefined), thresholdAngle(1), thresholdAngle(7)],
        [null, null, null, null],
    );
});

test("the first sentence says what there is, and that a sample is one", () => {
    const data = embeddingFixture({ count: 20, images: false });
    assert.equal(madeSentence(data), "20 points of 784 numbers each, shown by 8 numbers each, by the method faithful.");
    const sample = { ...data, run: null, points: { ...data.points, points_in_all: 5000, output_dimension: 300 } };
    assert.equal(madeSentence(sample), "20 points (a sample of 5,000) of 784 numbers each, shown by 300 numbers each.");
});

test("one is one point, of one number", () => {
    const data = embeddingFixture({ count: 20, images: false });
    const one = { ...data, run: null, points: { ...data.points, count: 1, input_dimension: 1, dimension: 1 } };
    assert.equal(madeSentence(one), "1 point of 1 number each, shown by 1 number each.");
});

test("rows that were picked are no sample", () => {
    const data = embeddingFixture({ count: 20, images: false });
    const rows = pack(
        Uint32Array.from({ length: 20 }, (_, i) => 10 * i),
        [20],
    );
    assert.equal(/sample/.test(madeSentence({ ...data, points: { ...data.points, rows } })), false);
});
