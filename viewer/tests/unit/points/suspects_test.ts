import assert from "node:assert/strict";
import { test } from "node:test";
import { type Neighbors, readNeighbors } from "../../../src/points/neighbors.ts";
import { readPoints } from "../../../src/points/points.ts";
import { confusions, worstPoints } from "../../../src/points/suspects.ts";
import { pack, packCoordinates } from "../../fixtures/packing.ts";

async function lists(input: number[][], embedding: number[][]): Promise<Neighbors> {
    const side = (rows: number[][]) => ({
        index: pack(Uint32Array.from(rows.flat()), [rows.length, rows[0]!.length]),
    });
    return (await readNeighbors({ k: input[0]!.length, input: side(input), embedding: side(embedding) }))!;
}

test("the worst are those that keep fewest, and one that keeps all is none of them", async () => {
    const none = 4294967295;
    const neighbors = await lists(
        [
            [1, 2],
            [0, 2],
            [0, 1],
            [none, none],
        ],
        [
            [1, 3],
            [0, 2],
            [3, 3],
            [0, 1],
        ],
    );
    assert.deepEqual(worstPoints(neighbors, 4, 10), [
        { point: 2, kept: 0 },
        { point: 0, kept: 0.5 },
    ]);
    assert.deepEqual(worstPoints(neighbors, 4, 1), [{ point: 2, kept: 0 }]);
    assert.ok(Number.isNaN(neighbors.keptShares(4)[3]));
});

test("a label is confused with the one that most of its points' nearest have", async () => {
    const points = await readPoints({
        count: 5,
        dimension: 1,
        coordinates: packCoordinates([[0], [1], [2], [3], [4]], 1),
        labels: { names: ["a", "b"], index: pack(Uint8Array.of(0, 0, 0, 1, 1), [5]) },
    });
    const rows = [
        [3, 4, 1],
        [0, 2, 3],
        [0, 1, 3],
        [4, 0, 1],
        [3, 0, 3],
    ];
    const found = confusions(points, await lists(rows, rows), 9);
    assert.deepEqual(
        found.map(({ label, among, members, share }) => [label, among, [...members], share]),
        [
            [0, 1, [0], 1 / 3],
            [1, 0, [3], 1 / 2],
        ],
    );
});
