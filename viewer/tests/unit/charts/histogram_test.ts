import assert from "node:assert/strict";
import { test } from "node:test";
import { shares } from "../../../src/charts/histogram.ts";

test("shares of all are in percent, and of nothing are zero", () => {
    assert.deepEqual(shares([1, 3, 0]), [25, 75, 0]);
    assert.deepEqual(shares([0, 0]), [0, 0]);
});
