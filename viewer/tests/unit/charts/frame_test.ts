import assert from "node:assert/strict";
import { test } from "node:test";
import { tickText } from "../../../src/charts/frame.ts";
import { scaleOver } from "../../../src/charts/scales.ts";

test("ticks of any size are short", () => {
    const linear = scaleOver([0, 1], [0, 1]);
    const written = [0, 0.25, 12, 10000, 2.5e9, -2.5e9, 1.25e-5].map((value) => tickText(linear, value));
    assert.deepEqual(written, ["0", "0.25", "12", "10,000", "2.5e9", "-2.5e9", "1.25e-5"]);
    assert.equal(tickText(scaleOver([1e-7, 1e7], [0, 1], { log: true }), 1e-6), "1e-6");
});
