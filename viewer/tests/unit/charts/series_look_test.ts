import assert from "node:assert/strict";
import { test } from "node:test";
import { looksOf } from "../../../src/charts/series_look.ts";

const hues = (...names: string[]) => looksOf(names.map((name) => ({ name, points: [] }))).map(({ hue }) => hue);

test("a series and its published twin share a colour, others do not", () => {
    assert.deepEqual(hues("tsm", "tsm (published)", "svd", "TSM, ours"), [0, 0, 1, 0]);
});

test("names that are nothing but marks are told apart", () => {
    assert.deepEqual(hues("(a)", "(b)"), [0, 1]);
});

test("a series without a role is one of the others", () => {
    assert.equal(looksOf([{ name: "x", points: [] }])[0]!.role, "other");
});
