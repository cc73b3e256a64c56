import assert from "node:assert/strict";
import { test } from "node:test";
import { darkness } from "../../../src/charts/density_chart.ts";

test("more pairs are darker, one pair can be seen, none cannot", () => {
    const most = 100000;
    const values = [0, 1, 2, 10, 1000, most].map((count) => darkness(count, most));
    assert.equal(values[0], 0);
    assert.ok(values[1]! > 0.05);
    assert.ok(values.every((x, i) => i === 0 || x > values[i - 1]!));
    assert.equal(values.at(-1), 1);
});
