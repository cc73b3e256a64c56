import assert from "node:assert/strict";
import { test } from "node:test";
import { isolationOf } from "../../../src/points/isolation.ts";
import { readPoints } from "../../../src/points/points.ts";
import { pack, packCoordinates } from "../../fixtures/packing.ts";

const bare = { count: 3, dimension: 1, coordinates: packCoordinates([[0], [1], [2]], 1) };

test("a point of length zero is neither isolated nor near others", async () => {
    const points = await readPoints({
        ...bare,
        isolated: pack(Uint8Array.of(0, 1, 0), [3]),
        norm: pack(Float32Array.of(1, 2, 0), [3]),
    });
    assert.deepEqual([...isolationOf(points)!], [0, 1, 2]);
});

test("without lengths no vector is known to be zero, and without marks nothing is known", async () => {
    const points = await readPoints({ ...bare, isolated: pack(Uint8Array.of(0, 1, 0), [3]) });
    assert.deepEqual([...isolationOf(points)!], [0, 1, 0]);
    assert.equal(isolationOf(await readPoints(bare)), null);
});
