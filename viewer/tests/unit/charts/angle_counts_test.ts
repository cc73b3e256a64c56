import assert from "node:assert/strict";
import { test } from "node:test";
import { marginOf, medianOf, nearDiagonal } from "../../../src/charts/angle_counts.ts";

test("half of the pairs lie below the median", () => {
    assert.equal(medianOf([0, 10, 20, 30], [1, 0, 1]), 10);
    assert.equal(medianOf([0, 10, 20], [0, 4]), 15);
    assert.equal(medianOf([0, 10, 20], [1, 5]), 14);
    assert.equal(medianOf([0, 10], [0]), null);
});

// Before by rows, after by columns.
const COUNTS = [5, 1, 0, 0, 2, 0, 3, 0, 1];

test("pairs near the diagonal are those whose angle changed little", () => {
    assert.deepEqual(nearDiagonal([0, 2, 4, 6], COUNTS, 0), { share: 8 / 12, degrees: 2 });
    assert.deepEqual(nearDiagonal([0, 2, 4, 6], COUNTS, 1), { share: 9 / 12, degrees: 4 });
    assert.equal(nearDiagonal([0, 2], [0], 1), null);
});

test("the margins of a square of counts are its sums by row and by column", () => {
    assert.deepEqual(marginOf(3, COUNTS, "row"), [6, 2, 4]);
    assert.deepEqual(marginOf(3, COUNTS, "column"), [8, 3, 1]);
});
