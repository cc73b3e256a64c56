import assert from "node:assert/strict";
import { test } from "node:test";
import { axesShown, axisName, firstAxes, spreadSentence } from "../../../src/parts/axis_choice.ts";
import { readPoints } from "../../../src/points/points.ts";
import { packCoordinates } from "../../fixtures/packing.ts";

const points = await readPoints({
    count: 4,
    dimension: 3,
    coordinates: packCoordinates(
        [
            [0, 0, 1],
            [1, 0, 1],
            [0, 5, 1],
            [1, 5, 1],
        ],
        3,
    ),
});

test("the picture begins with what says most", () => {
    assert.deepEqual([1, 2, 3, 50].map(firstAxes), [
        ["c0", "", ""],
        ["c0", "c1", ""],
        ["p0", "p1", ""],
        ["p0", "p1", ""],
    ]);
});

test("axes are columns, with names; without a third the picture is flat", () => {
    const { columns, names } = axesShown(points, ["c1", "p0", ""]);
    assert.deepEqual(names, ["coordinate 2", "principal axis 1"]);
    assert.deepEqual(Array.from(columns[0]!), [0, 0, 5, 5]);
    assert.equal(columns.length, 2);
    assert.equal(axesShown(points, ["c0", "c1", "p2"]).columns.length, 3);
    assert.equal(axisName(""), "");
});

test("an axis left out is one where all points are at zero", () => {
    assert.deepEqual(Array.from(axesShown(points, ["c0", "", ""]).columns[1]!), [0, 0, 0, 0]);
});

test("the share of the spread is that of the axes shown, each counted once", () => {
    assert.match(spreadSentence(points, ["p0", "p1", ""])!, /2 axes show 100%/);
    assert.match(spreadSentence(points, ["p0", "p0", ""])!, /This axis shows 96%/);
    assert.equal(spreadSentence(points, ["p0", "c1", ""]), null);
});
