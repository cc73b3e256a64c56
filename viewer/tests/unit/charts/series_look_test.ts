import assert from "node:assert/strict";
import { test } from "node:test";
import { looksOf } from "../../../src/charts/series_look.ts";

const hues = (...names: string[]) => looksOf(names.map((name) => ({ name, points: [] }))).map(({ hue }) => hue);

test("a series and its published twin share a colour, others do not", () => {
    assert.deepEqual(hues("tsm", "tsm (published)", "svd", "TSM, ours"), [0, 0, 1, 0]);
});

test("the program's names and those of published numbers share a colour for each method", () => {
    assert.deepEqual(
        hues("isogon isomap", "isogon tsm", "isogon svd", "Isomap, published", "TSM, published", "SVD, published"),
        [0, 1, 2, 0, 1, 2],
    );
    assert.deepEqual(
        hues("isogon tsm", "TSM, published (FastText)", "isogon faithful", "isogon tsm + LLX", "TSM + LLX, published"),
        [0, 0, 1, 2, 2],
    );
});

test("brackets that belong to a name tell apart", () => {
    assert.deepEqual(hues("LLL", "LE(Z)", "LE(Nys.)"), [0, 1, 2]);
});

test("names that are nothing but marks are told apart", () => {
    assert.deepEqual(hues("(a)", "(b)"), [0, 1]);
});

test("a series without a role is one of the others", () => {
    assert.equal(looksOf([{ name: "x", points: [] }])[0]!.role, "other");
});
