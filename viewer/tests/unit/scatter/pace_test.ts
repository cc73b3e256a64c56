import assert from "node:assert/strict";
import { test } from "node:test";
import { Pace } from "../../../src/scatter/pace.ts";

// A machine that needs `cost` milliseconds for each thousand points drawn, and shows at most sixty frames a second.
function movement(pace: Pace, count: number, cost: number, begin: number, frames = 60): number {
    let now = begin;
    for (let i = 0; i < frames; i++) {
        pace.frame(now, i === 0);
        now += Math.max(1000 / 60, (cost * count) / pace.every / 1000);
    }
    return now;
}

test("a machine that keeps up draws all points", () => {
    const pace = new Pace(100000);
    movement(pace, 100000, 0.25, 0);
    assert.equal(pace.every, 1);
});

test("a slow one draws as many as it can at thirty frames a second, and no fewer", () => {
    for (const cost of [0.5, 1, 3]) {
        const pace = new Pace(100000);
        movement(pace, 100000, cost, 0);
        const between = (cost * 100000) / pace.every / 1000;
        assert.ok(between < 1000 / 30 && between > 1000 / 70, `${cost}: every ${pace.every}, ${between} ms`);
    }
});

test("few points are all drawn, however slow", () => {
    const pace = new Pace(5000);
    movement(pace, 5000, 50, 0);
    assert.equal(pace.every, 1);
});

test("each movement begins with twice as many points as the last, until a busy machine is a quick one again", () => {
    const pace = new Pace(100000);
    let now = movement(pace, 100000, 1, 0);
    const learnt = pace.every;
    assert.equal(learnt, 4);
    for (const expected of [2, 1, 1]) {
        now += 5000;
        pace.frame(now, true);
        assert.equal(pace.every, expected);
    }
});

test("a pause is not taken for a slow frame, nor a slow frame for a pause", () => {
    const quick = new Pace(100000);
    for (let i = 0; i < 50; i++) quick.frame(1000 * i, true);
    assert.equal(quick.every, 1);
    const slow = new Pace(1_000_000);
    for (let i = 0; i < 50; i++) slow.frame(1000 * i, i === 0);
    assert.equal(slow.every, 32);
});

test("however slow, every 32nd point is drawn and no fewer: WebGL cannot step further", () => {
    const pace = new Pace(10_000_000);
    for (let i = 0; i < 100; i++) pace.frame(50 * i, i === 0);
    assert.equal(pace.every, 32);
});

test("of a million points the first movement draws few enough for a slow machine, and a quick one comes to all of them", () => {
    const pace = new Pace(1_000_000);
    let now = 0;
    for (const expected of [8, 4, 2, 1, 1]) {
        now = movement(pace, 1_000_000, 0.01, now) + 5000;
        assert.equal(pace.every, expected);
    }
});

test("a machine that is far too slow is not asked three times", () => {
    const pace = new Pace(1_000_000);
    let now = 0;
    for (let i = 0; i < 4; i++) {
        pace.frame(now, i === 0);
        now += 130;
    }
    assert.equal(pace.every, 32);
});
