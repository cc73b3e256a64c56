import assert from "node:assert/strict";
import { test } from "node:test";
import { axesShown, axisName, firstAxes, spreadSentence } from "../../../src/parts/axis_choice.ts";
import { type FirstAxes, readPoints } from "../../../src/points/points.ts";
import { packCoordinates } from "../../fixtures/packing.ts";

const data = {
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
};
const points = await readPoints(data);

test("the picture begins with what says most", () => {
    const first = (all: FirstAxes | null, dimensions: number[]) =>
        dimensions.map((dimension) => firstAxes({ dimension, firstAxes: all }));
    assert.deepEqual(first(null, [1, 2, 3, 50]), [
        ["c0", "", ""],
        ["c0", "c1", ""],
        ["p0", "p1", ""],
        ["p0", "p1", ""],
    ]);
    // Columns that are principal axes are never called coordinates.
    assert.deepEqual(first({ share: 0.5, among: null }, [1, 2, 20]), [
        ["p0", "", ""],
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

test("of an embedding whose first axes only are there, the share is that of all its spread, as far as it is known", async () => {
    const part = { ...data, output_dimension: 300 };
    const sentence = async (variances: number[]) =>
        spreadSentence(await readPoints(part, { variances }), ["p0", "p1", ""])!;
    assert.match(await sentence([6, 3, 1, 6, 4]), /2 axes show 50% of how the points are spread; the rest/);
    assert.match(await sentence(new Array(256).fill(1)), /show 1% .* spread along the 256 axes of largest variance;/);
    assert.match(await sentence([]), /show 100% .* spread along the 3 axes of largest variance;/);
});

test("where all that there is can be seen, nothing is said to lie elsewhere", () => {
    assert.equal(spreadSentence(points, ["p0", "p1", "p2"]), null);
    assert.match(spreadSentence(points, ["p0", "p1", "p1"])!, /2 axes show/);
});
