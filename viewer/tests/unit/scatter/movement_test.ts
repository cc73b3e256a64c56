import assert from "node:assert/strict";
import { test } from "node:test";
import { Movement } from "../../../src/scatter/movement.ts";

// One timer, of a time that passes when it is told to.
class Clock {
    private left = Number.POSITIVE_INFINITY;
    private act: () => void = () => undefined;

    setTimeout(act: () => void, after: number): number {
        this.act = act;
        this.left = after;
        return 1;
    }

    clearTimeout(): void {
        this.left = Number.POSITIVE_INFINITY;
    }

    pass(milliseconds: number): void {
        this.left -= milliseconds;
        if (this.left > 0) return;
        this.clearTimeout();
        this.act();
    }
}

test("a movement thins many points out, rests a while after its last frame, and then all are drawn", () => {
    let rests = 0;
    const clock = new Clock();
    const rested = () => {
        rests += 1;
    };
    const movement = new Movement(1_000_000, rested, clock as unknown as Window);
    assert.equal(movement.frame(0), 1);
    movement.changed();
    assert.equal(movement.frame(10), 8);
    // Frames that take longer than the rest are of one movement, if what moves it goes on.
    for (let now = 210; now < 2000; now += 200) {
        clock.pass(200);
        movement.frame(now);
    }
    assert.equal(rests, 0);
    assert.equal(movement.pace.every, 32);
    clock.pass(251);
    assert.equal(rests, 1);
    assert.equal(movement.frame(3000), 1);
    // The next one begins with twice as many.
    movement.changed();
    assert.equal(movement.frame(5000), 16);
});
