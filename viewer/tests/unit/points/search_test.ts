import assert from "node:assert/strict";
import { test } from "node:test";
import { readPoints } from "../../../src/points/points.ts";
import { search } from "../../../src/points/search.ts";
import { pack, packCoordinates, packText } from "../../fixtures/packing.ts";

const words = ["recat", "catalogue", "Cat", "dog", "12"];
const points = await readPoints({
    count: 5,
    dimension: 1,
    coordinates: packCoordinates(
        words.map((_, i) => [i]),
        1,
    ),
    words: packText(words),
    labels: { names: ["animal", "cat-like"], index: pack(Uint8Array.of(0, 1, 0, 0, 1), [5]) },
});

const found = (query: string) =>
    search(points, query).map((hit) => (hit.kind === "point" ? hit.point : `label ${hit.label}`));

test("labels come first, then the word itself, then beginnings, then the rest, whatever the case", () => {
    assert.deepEqual(found("CAT"), ["label 1", 2, 1, 0]);
});

test("a number finds its row, and words that hold it", () => {
    assert.deepEqual(found("3"), [3]);
    assert.deepEqual(found("#1"), [1]);
    assert.deepEqual(found("12"), [4]);
    assert.deepEqual(found("99"), []);
});

test("a label tells how many points have it", () => {
    assert.deepEqual(search(points, "animal"), [{ kind: "label", label: 0, name: "animal", count: 3 }]);
});

test("nothing typed finds nothing, and what has a meaning to regular expressions is text", () => {
    assert.deepEqual(found("   "), []);
    assert.deepEqual(found(".*"), []);
});

test("no more than forty are listed", async () => {
    const many = await readPoints({
        count: 500,
        dimension: 1,
        coordinates: packCoordinates(
            Array.from({ length: 500 }, (_, i) => [i]),
            1,
        ),
        words: packText(Array.from({ length: 500 }, (_, i) => `word${i}`)),
    });
    assert.equal(search(many, "word").length, 40);
});
