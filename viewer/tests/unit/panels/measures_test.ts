import assert from "node:assert/strict";
import { test } from "node:test";
import { describe, keyOf, MEASURES } from "../../../src/panels/measures.ts";

test("a measure of so many neighbours is one measure, whatever their number", () => {
    assert.deepEqual(["recall_at_10", "all_kept_at_5", "kept_in_order_at_7", "jaccard"].map(keyOf), [
        "recall",
        "all_kept",
        "kept_in_order",
        "jaccard",
    ]);
    assert.equal(describe("recall_at_10"), MEASURES["recall"]);
});

test("a measure that is not known here is shown by its own name", () => {
    assert.equal(describe("new_measure").title, "new measure");
    assert.equal(describe("new_measure").show(0.25), "0.25");
});

test("what says nothing of a map by distance is marked", () => {
    const marked = Object.keys(MEASURES).filter((name) => MEASURES[name]!.angles);
    assert.deepEqual(marked.sort(), [
        "deviation_without_self_degrees",
        "jaccard",
        "jaccard_without_self",
        "mean_angular_deviation_degrees",
        "norm_deviation_max",
        "norm_deviation_mean",
    ]);
});

test("shares are written in percent, grades as numbers and angles in degrees, and what is an error is better smaller", () => {
    const written = (name: string) => `${describe(name).show(0.25)} ${describe(name).better}`;
    const wanted: Record<string, string> = {
        recall_at_10: "25.0% larger",
        all_kept_at_10: "25.0% larger",
        trustworthiness: "0.250 larger",
        knn_accuracy: "25.0% larger",
        deviation_without_self_degrees: "0.3° smaller",
        jaccard: "25.0% larger",
        norm_deviation_max: "25.0% smaller",
    };
    for (const [name, text] of Object.entries(wanted)) assert.equal(written(name), text);
    const none = Object.keys(MEASURES).filter((name) => MEASURES[name]!.mayBeNone);
    assert.deepEqual(none.sort(), [
        "deviation_without_self_degrees",
        "jaccard",
        "jaccard_without_self",
        "mean_angular_deviation_degrees",
    ]);
});
