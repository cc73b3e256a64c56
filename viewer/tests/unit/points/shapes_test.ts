import assert from "node:assert/strict";
import { test } from "node:test";
import { SHAPES } from "../../../src/points/palette.ts";
import { CORNERS, outline } from "../../../src/points/shapes.ts";

test("every shape of the palette has an outline of its own, closed and around its place", () => {
    const drawn = SHAPES.map((_, shape) => outline(shape, 10, 20, 4));
    assert.equal(new Set(drawn).size, SHAPES.length);
    assert.ok(drawn.every((path) => path.startsWith("M") && path.endsWith("Z")));
    assert.equal(outline(3, 10, 20, 4), "M10.0 16.0L14.0 20.0L10.0 24.0L6.0 20.0Z");
    for (const corners of CORNERS) assert.ok(corners.flat().every((at) => Math.abs(at) <= 1));
});

test("an unknown shape is a circle", () => {
    assert.equal(outline(9, 10, 20, 4), outline(0, 10, 20, 4));
});
