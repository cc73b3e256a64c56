import assert from "node:assert/strict";
import { test } from "node:test";
import { labelPlaces, mapNames } from "../../../src/parts/map_names.ts";
import { readPoints } from "../../../src/points/points.ts";
import { pack, packCoordinates, packText } from "../../fixtures/packing.ts";

test("a label stands in the middle of its points, and one without points nowhere", () => {
    const across = Float32Array.of(0, 1, 100, 5);
    const up = Float32Array.of(2, 3, 4, 7);
    assert.deepEqual(labelPlaces([across, up], [0, 0, 0, 2], 3), [[1, 3], null, [5, 7]]);
});

test("a point without a label is in nobody's way", () => {
    assert.deepEqual(labelPlaces([Float32Array.of(1, 2)], [0, 200], 1), [[1]]);
});

test("the largest label comes first, then words as they stand", async () => {
    const points = await readPoints({
        count: 3,
        dimension: 1,
        coordinates: packCoordinates([[0], [1], [2]], 1),
        labels: { names: ["one", "two"], index: pack(Uint8Array.of(0, 1, 1), [3]) },
        words: packText(["a", "b", "c"]),
    });
    const names = mapNames(points, [points.coordinate(0)]);
    assert.deepEqual(
        names.map(({ text }) => text),
        ["two", "one", "a", "b", "c"],
    );
});
