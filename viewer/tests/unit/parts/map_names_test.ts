import assert from "node:assert/strict";
import { test } from "node:test";
import { classPlaces, mapNames } from "../../../src/parts/map_names.ts";
import { columnsOf } from "../../../src/points/columns.ts";
import { readPoints } from "../../../src/points/points.ts";
import { pack, packCoordinates, packText } from "../../fixtures/packing.ts";
import { textColumn } from "../../fixtures/table_fixture.ts";

test("a label stands in the middle of its points, and one without points nowhere", () => {
    const across = Float32Array.of(0, 1, 100, 5);
    const up = Float32Array.of(2, 3, 4, 7);
    assert.deepEqual(classPlaces([across, up], [0, 0, 0, 2], 3), [[1, 3], null, [5, 7]]);
});

test("a point without a label is in nobody's way", () => {
    assert.deepEqual(classPlaces([Float32Array.of(1, 2)], [0, 200], 1), [[1]]);
});

test("the largest label comes first, then words as they stand", async () => {
    const points = await readPoints({
        count: 3,
        dimension: 1,
        coordinates: packCoordinates([[0], [1], [2]], 1),
        labels: { names: ["one", "two"], index: pack(Uint8Array.of(0, 1, 1), [3]) },
        words: packText(["a", "b", "c"]),
    });
    const [labels] = columnsOf(points);
    assert.ok(labels?.kind === "classes");
    const names = mapNames(points, [points.coordinate(0)], labels);
    assert.deepEqual(
        names.map(({ text }) => text),
        ["two", "one", "a", "b", "c"],
    );
});

test("of more classes than can be read the most frequent ones are named", async () => {
    const count = 600;
    const points = await readPoints({
        count,
        dimension: 1,
        coordinates: packCoordinates(
            Array.from({ length: count }, (_, i) => [i]),
            1,
        ),
        columns: [
            textColumn(
                "c",
                Array.from({ length: count }, (_, i) => (i < 100 ? "often" : `once ${i}`)),
            ),
        ],
    });
    const [column] = columnsOf(points);
    assert.ok(column?.kind === "classes");
    const names = mapNames(points, [points.coordinate(0)], column);
    assert.equal(names.length, 20);
    assert.equal(names[0]?.text, "often");
});
