import assert from "node:assert/strict";
import { test } from "node:test";
import { columnsOf } from "../../../src/points/columns.ts";
import { classGroup, groupFacts, membersOf } from "../../../src/points/group.ts";
import { readPoints } from "../../../src/points/points.ts";
import { pack, packCoordinates, packDegrees } from "../../fixtures/packing.ts";

const points = await readPoints({
    count: 4,
    dimension: 1,
    coordinates: packCoordinates([[0], [1], [2], [3]], 1),
    angle_error: packDegrees([2, 4, Number.NaN, 9], [4]),
    isolated: pack(Uint8Array.of(0, 0, 1, 0), [4]),
    labels: { names: ["a", "b"], index: pack(Uint8Array.of(0, 1, 1, 1), [4]) },
});

test("facts of a group count what they should", () => {
    const facts = groupFacts(points, Uint32Array.of(0, 1, 2));
    assert.equal(facts.count, 3);
    assert.ok(Math.abs(facts.meanAngleError! - 3) < 0.01);
    assert.equal(facts.isolated, 1);
    assert.deepEqual(facts.labels, [
        { name: "b", label: 1, count: 2 },
        { name: "a", label: 0, count: 1 },
    ]);
});

test("an empty group, and points of which nothing is known", async () => {
    assert.equal(groupFacts(points, new Uint32Array(0)).meanAngleError, null);
    const bare = await readPoints({ count: 1, dimension: 1, coordinates: packCoordinates([[0]], 1) });
    assert.deepEqual(groupFacts(bare, Uint32Array.of(0)), {
        count: 1,
        meanAngleError: null,
        isolated: null,
        labels: [],
    });
});

test("the group of a label are the points that have it", () => {
    const [labels] = columnsOf(points);
    assert.ok(labels?.kind === "classes");
    assert.deepEqual(Array.from(classGroup(labels, 1).members), [1, 2, 3]);
    assert.equal(classGroup(labels, 1).title, "Label: b");
    assert.deepEqual(Array.from(membersOf([5, 6, 5], 5)), [0, 2]);
});
