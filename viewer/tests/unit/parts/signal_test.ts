import assert from "node:assert/strict";
import { test } from "node:test";
import { Signal } from "../../../src/parts/signal.ts";

test("followers are told at once and at every change, not of the same value again", () => {
    const signal = new Signal(1);
    const told: number[] = [];
    signal.follow((value) => told.push(value));
    signal.set(2);
    signal.set(2);
    signal.set(3);
    assert.deepEqual(told, [1, 2, 3]);
    assert.equal(signal.value, 3);
});
