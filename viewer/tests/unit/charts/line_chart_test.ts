import assert from "node:assert/strict";
import { test } from "node:test";
import { describe } from "../../../src/charts/line_chart.ts";
import { chartsFixture } from "../../fixtures/charts_fixture.ts";

test("a chart is described by where each series begins and ends", () => {
    const text = describe(chartsFixture().charts![0]!);
    assert.match(text, /^degrees over dimensions\. faithful: from 15\.5 at 4 to 0\.2 at 32; tsm: /);
});

test("a series of nothing is said to have no values", () => {
    assert.match(describe({ x: {}, y: {}, series: [{ name: "a", points: [[1, null]] }] }), /a: no values/);
});
