import assert from "node:assert/strict";
import { test } from "node:test";
import { firstAxesOf, readPoints } from "../../../src/points/points.ts";
import { pack, packCoordinates, packDegrees, packText } from "../../fixtures/packing.ts";

const rows = [
    [0, 1],
    [2, 3],
    [4, -5],
];
const data = {
    count: 3,
    dimension: 2,
    coordinates: packCoordinates(rows, 2),
    norm: pack(Uint16Array.of(65535, 1, 2), [3], { scale: 0.001 }),
    angle_error: packDegrees([1, Number.NaN, 90], [3]),
    labels: { names: ["a", "b"], index: pack(Uint8Array.of(1, 0, 7), [3]) },
    words: packText(["one", "two", "three"]),
};

test("coordinates come back to within a step of their packing", async () => {
    const points = await readPoints(data);
    rows.forEach((row, i) => {
        row.forEach((x, j) => {
            assert.ok(Math.abs(points.coordinate(j)[i]! - x) < 1e-3);
        });
    });
    assert.equal(points.coordinate(0), points.coordinate(0));
});

test("what is not known of a point is NaN, and the longest length is known", async () => {
    const { details } = await readPoints(data);
    assert.ok(Number.isNaN(details.angleError![1]!) && Math.abs(details.angleError![2]! - 90) < 0.01);
    assert.ok(Math.abs(details.norm![0]! - 65.535) < 1e-4);
});

test("labels and words have names, and a label without one has none", async () => {
    const points = await readPoints(data);
    assert.deepEqual(
        [0, 1, 2].map((i) => points.labelOf(i)),
        ["b", "a", null],
    );
    assert.equal(points.wordOf(2), "three");
});

test("what the document lacks is null", async () => {
    const points = await readPoints({ count: 3, dimension: 2, coordinates: data.coordinates });
    assert.deepEqual(points.details, {
        isolated: null,
        norm: null,
        angleError: null,
        labels: null,
        words: null,
        table: [],
        rows: null,
    });
    assert.deepEqual(
        [points.labelOf(0), points.wordOf(0), points.rowOf(2), points.atRow(2), points.atRow(3)],
        [null, null, 2, 2, -1],
    );
});

test("of a sample, points go by the rows of the input", async () => {
    const points = await readPoints({ ...data, rows: pack(Uint32Array.of(10, 20, 70), [3]), points_in_all: 100 });
    assert.deepEqual([points.rowOf(1), points.atRow(70), points.atRow(1)], [20, 2, -1]);
});

test("shares of the spread are of the whole embedding, where the document tells it", async () => {
    const part = { ...data, output_dimension: 4 };
    const shares = async (axes?: { variances: (number | null)[] }) =>
        (await readPoints(part, axes)).variances().reduce((sum, share) => sum + share, 0);
    assert.ok(Math.abs((await shares({ variances: [5, 3, 1, 1] })) - 0.8) < 1e-12);
    assert.ok(Math.abs((await shares()) - 1) < 1e-12);
    assert.deepEqual(firstAxesOf(part, { variances: [5, 3, 2] }), { share: 0.8, among: null });
    assert.deepEqual(firstAxesOf(part, { variances: [5] }), { share: 1, among: 2 });
    assert.deepEqual(firstAxesOf(part, { variances: [0, 0, null] }), { share: 1, among: 2 });
    assert.equal(firstAxesOf(data, { variances: [5, 3] }), null);
});

test("an embedding has more than its picture shows where an axis is missing, or coordinates are", async () => {
    const data = {
        count: 2,
        dimension: 3,
        coordinates: packCoordinates(
            [
                [0, 1, 2],
                [3, 4, 5],
            ],
            3,
        ),
    };
    const points = await readPoints(data);
    assert.equal(points.hasMoreThan(["p0", "p1", ""]), true);
    assert.equal(points.hasMoreThan(["p0", "p1", "p1"]), true);
    assert.equal(points.hasMoreThan(["p0", "p1", "p2"]), false);
    assert.equal((await readPoints({ ...data, output_dimension: 300 })).hasMoreThan(["p0", "p1", "p2"]), true);
});

test("a zero vector is one of length zero, where lengths are known", async () => {
    const data = { count: 2, dimension: 1, coordinates: packCoordinates([[0], [3]], 1) };
    assert.equal((await readPoints(data)).isZero(0), false);
    const points = await readPoints({ ...data, norm: pack(Float32Array.of(0, 1), [2]) });
    assert.deepEqual([points.isZero(0), points.isZero(1)], [true, false]);
});
