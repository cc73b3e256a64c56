import assert from "node:assert/strict";
import { test } from "node:test";
import { bestRow, worstSentence } from "../../../src/panels/quality_panel.ts";
import { embeddingFixture } from "../../fixtures/embedding_fixture.ts";

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

test("the points that keep fewest neighbours are named, and of how many where not all were measured", () => {
    const data = embeddingFixture({ count: 20, images: false });
    const worst = [
        { point: 1234, kept: 0.2 },
        { point: 7, kept: 0.5 },
    ];
    const told = (quality: object) => worstSentence({ ...data, quality: { rows: [], ...quality } });
    assert.equal(told({}), null);
    assert.equal(told({ worst_points: [] }), null);
    assert.equal(told({ worst_points: worst, rank_rows: 20 }), "Fewest neighbours kept: #1,234 (20%), #7 (50%).");
    assert.equal(
        told({ worst_points: worst, rank_rows: 5 }),
        "Fewest neighbours kept of the 5 points measured: #1,234 (20%), #7 (50%).",
    );
});
