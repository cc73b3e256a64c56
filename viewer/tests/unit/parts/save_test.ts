import assert from "node:assert/strict";
import { test } from "node:test";
import { csvCell, fileName } from "../../../src/parts/save.ts";

test("a file's name has what any file system takes", () => {
    assert.equal(fileName("Ünïcode & <b>: 70 points", "png"), "u-ni-code-b-70-points.png");
    assert.equal(fileName("../../etc/passwd", "svg"), "etc-passwd.svg");
    assert.equal(fileName("שלום", "svg"), "chart.svg");
    assert.ok(fileName("x".repeat(10000), "svg").length < 80);
});

test("a cell is quoted where it must be, and never a formula", () => {
    assert.equal(csvCell("plain"), "plain");
    assert.equal(csvCell('say "a, b"'), '"say ""a, b"""');
    assert.equal(csvCell("=1+1"), "'=1+1");
    assert.equal(csvCell("two\nlines"), '"two\nlines"');
});
