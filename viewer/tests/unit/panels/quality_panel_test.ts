import assert from "node:assert/strict";
import { test } from "node:test";
import { bestRow } from "../../../src/panels/quality_panel.ts";

const rows = (...values: (number | null)[]) =>
    values.map((value, i) => ({
        name: `row ${i}`,
        measures: { jaccard: value, mean_angular_deviation_degrees: value, recall_at_5: value, other: value },
    }));

test("larger is better of some measures, smaller of others, and of those unknown here neither", () => {
    assert.equal(bestRow(rows(0.5, 0.7), "jaccard"), 1);
    assert.equal(bestRow(rows(0.5, 0.7), "recall_at_5"), 1);
    assert.equal(bestRow(rows(0.5, 0.7), "mean_angular_deviation_degrees"), 0);
    assert.equal(bestRow(rows(0.5, 0.7), "other"), -1);
});

test("nothing is best of one, or where all are the same", () => {
    assert.equal(bestRow(rows(0.5), "jaccard"), -1);
    assert.equal(bestRow(rows(0.5, null), "jaccard"), -1);
    assert.equal(bestRow(rows(0.5, 0.5), "jaccard"), -1);
});
