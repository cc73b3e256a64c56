import assert from "node:assert/strict";
import { test } from "node:test";
import { linearTicks, logTicks, roundTicks, scaleOver } from "../../../src/charts/scales.ts";

test("ticks are round, within the range and neither few nor many", () => {
    assert.deepEqual(linearTicks(0, 10), [0, 2, 4, 6, 8, 10]);
    assert.deepEqual(linearTicks(0, 1, 4), [0, 0.25, 0.5, 0.75, 1]);
    for (const [low, high] of [
        [-3, 17],
        [0.001, 0.0023],
        [1e6, 9e6],
        [-1e-9, 1e-9],
    ] as const) {
        const ticks = linearTicks(low, high);
        assert.ok(ticks.length >= 3 && ticks.length <= 8, `${low} ${high}: ${ticks}`);
        assert.ok(ticks.every((x) => x >= low - 1e-12 && x <= high + 1e-12));
    }
    assert.deepEqual(linearTicks(4, 4), [4]);
});

test("logarithmic ticks are powers of ten, with 2 and 5 between few", () => {
    assert.deepEqual(logTicks(1, 100), [1, 2, 5, 10, 20, 50, 100]);
    assert.deepEqual(logTicks(1, 1e12), [1, 100, 1e4, 1e6, 1e8, 1e10, 1e12]);
    assert.ok(logTicks(3, 4).length >= 2);
});

test("values lie between the ends in proportion, or in ratio", () => {
    const linear = scaleOver([0, 10], [100, 200]);
    assert.deepEqual([linear.at(0), linear.at(5), linear.at(10)], [100, 150, 200]);
    const log = scaleOver([1, 100], [0, 100], { log: true });
    assert.ok(Math.abs(log.at(10) - 50) < 1e-9);
});

test("what has no place is known to have none", () => {
    const log = scaleOver([0, -1, 1, 100, null, Number.NaN], [0, 100], { log: true });
    assert.deepEqual(
        [0, -1, Number.NaN, null, 1].map((x) => log.holds(x)),
        [false, false, false, false, true],
    );
    assert.equal(log.at(1), 0);
});

test("nothing positive makes a logarithmic wish a linear scale", () => {
    assert.equal(scaleOver([0, -1], [0, 1], { log: true }).log, false);
});

test("one value, or none, still has a scale of some width", () => {
    for (const values of [[], [5], [0]]) {
        const scale = scaleOver(values, [0, 100]);
        assert.ok(Number.isFinite(scale.at(values[0] ?? 0)));
    }
});

test("own ticks are used while they are few", () => {
    assert.deepEqual(scaleOver([4, 32], [0, 100], { log: true, ticks: [4, 8, 16, 32] }).ticks, [4, 8, 16, 32]);
    assert.notEqual(scaleOver([0, 32], [0, 100], { ticks: Array.from({ length: 30 }, (_, i) => i) }).ticks.length, 30);
});

test("where only whole numbers have a meaning, ticks are whole", () => {
    for (const most of [2, 3, 11, 24, 700]) {
        const { ticks } = scaleOver([1, most], [0, 400], { whole: true });
        assert.ok(ticks.length >= 2 && ticks.every(Number.isInteger), `${most}: ${ticks}`);
    }
});

test("round ticks hold all values, with a tick at either end", () => {
    assert.deepEqual(roundTicks(0.02, 0.91, false), [0, 0.2, 0.4, 0.6, 0.8, 1]);
    assert.deepEqual(roundTicks(3, 26, true), [2, 5, 10, 20, 50]);
    assert.deepEqual(roundTicks(-3, 17, false), [-5, 0, 5, 10, 15, 20]);
    for (const [low, high, log] of [
        [0.9918, 0.996, false],
        [-3, 17, false],
        [1e-9, 3e4, true],
        [3, 4, true],
        [1.71e-8, 0.05576, true],
        [7, 7, false],
        [7, 7, true],
    ] as const) {
        const { at, ticks } = scaleOver([low, high], [0, 200], { log, round: true });
        const name = `${low} ${high}: ${ticks}`;
        assert.ok(Math.abs(at(ticks[0]!)) < 1e-6 && Math.abs(at(ticks.at(-1)!) - 200) < 1e-6, name);
        assert.ok(at(low) >= -1e-6 && at(high) <= 200 + 1e-6, name);
        assert.ok(ticks.length >= 2 && ticks.length <= 9, name);
    }
});
