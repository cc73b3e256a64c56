import assert from "node:assert/strict";
import { test } from "node:test";
import { Explorer } from "../../../src/pages/explorer.ts";
import { readPoints } from "../../../src/points/points.ts";
import { packCoordinates } from "../../fixtures/packing.ts";

test("escape takes back the point, then the group", async () => {
    const explorer = new Explorer(
        await readPoints({ count: 2, dimension: 1, coordinates: packCoordinates([[0], [1]], 1) }),
        null,
        null,
    );
    explorer.group.set({ key: "k", title: "some", members: Uint32Array.of(0) });
    explorer.pick(1);
    explorer.escape();
    assert.deepEqual([explorer.picked.value, explorer.group.value?.title], [-1, "some"]);
    explorer.escape();
    assert.equal(explorer.group.value, null);
    explorer.pick(2);
    assert.equal(explorer.picked.value, -1);
});
