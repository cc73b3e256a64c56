import assert from "node:assert/strict";
import { test } from "node:test";
import { chanceWords, tailProbability } from "../../../src/points/chance.ts";

test("the tail is that of drawing without replacement", () => {
    // Of 5 others 2 are near and 2 are drawn: 3 of the 10 draws hold none of them, 6 one, 1 both.
    assert.equal(tailProbability(0, 2, 5), 1);
    assert.ok(Math.abs(tailProbability(1, 2, 5) - 0.7) < 1e-12);
    assert.ok(Math.abs(tailProbability(2, 2, 5) - 0.1) < 1e-12);
    assert.equal(tailProbability(4, 5, 5), 1);
});

test("a point is told to be trusted only where chance would hardly keep so many", () => {
    assert.match(chanceWords(0, 10, 1001), /^A place at random would keep 0.1: this is no better than chance/);
    assert.match(chanceWords(5, 10, 1001), /^A place at random would keep 0.1, and this many .* below 10⁻⁸\.$/);
    assert.match(chanceWords(1, 10, 31), /no better than chance/);
});
