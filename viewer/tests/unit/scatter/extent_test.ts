import assert from "node:assert/strict";
import { test } from "node:test";
import { extent, usualExtent } from "../../../src/scatter/extent.ts";
import { Random } from "../../fixtures/random.ts";

test("the extent is from the least to the largest, and of nothing nothing", () => {
    assert.deepEqual(extent([3, -1, Number.NaN, 2]), [-1, 3]);
    assert.deepEqual(extent([]), [0, 0]);
    assert.deepEqual(usualExtent([]), [0, 0]);
});

test("a few values far from all others are left out", () => {
    const random = new Random(4);
    const values = Array.from({ length: 1000 }, () => random.normal());
    assert.deepEqual(usualExtent(values), extent(values));
    assert.deepEqual(usualExtent([...values, 1000, -300]), extent(values));
});

test("of few values none is an outlier, of ten one is", () => {
    assert.deepEqual(usualExtent([0, 1, 100]), [0, 100]);
    assert.deepEqual(usualExtent([0, 1, 2, 3, 4, 5, 6, 7, 8, 100]), [0, 8]);
});

test("where most are one value, the others count", () => {
    assert.deepEqual(usualExtent([...new Array<number>(100).fill(0), 5]), [0, 5]);
});
