import assert from "node:assert/strict";
import { test } from "node:test";
import { inside, nearestPoint, type Outline, pointsInside } from "../../../src/scatter/picking.ts";
import { View } from "../../../src/scatter/view.ts";
import { Random } from "../../fixtures/random.ts";

const random = new Random(2);
const count = 300;
const columns = [0, 1].map(() => Float32Array.from({ length: count }, () => random.normal()));
const view = new View();
view.resize(400, 300);
view.show(columns);

test("the nearest point is the nearest of all, and none where all are far", () => {
    for (let trial = 0; trial < 50; trial++) {
        const [x, y] = [400 * random.uniform(), 300 * random.uniform()];
        const distances = Array.from({ length: count }, (_, i) =>
            Math.hypot(view.projectPoint(i)[0] - x, view.projectPoint(i)[1] - y),
        );
        const least = Math.min(...distances);
        const found = nearestPoint(view, count, x, y, 20);
        assert.equal(found, least <= 20 ? distances.indexOf(least) : -1);
    }
});

test("in space the front one of two at the same place is taken", () => {
    const space = new View();
    space.resize(200, 200);
    space.show([Float32Array.of(0, 0, 1), Float32Array.of(0, 0, 1), Float32Array.of(-1, 1, 0)]);
    space.rotation = [1, 0, 0, 0, 1, 0, 0, 0, 1];
    const [x, y] = space.projectPoint(0);
    assert.equal(nearestPoint(space, 3, x, y, 10), 1);
});

test("inside a square and inside the arms of a U", () => {
    const square: Outline = [
        [0, 0],
        [10, 0],
        [10, 10],
        [0, 10],
    ];
    assert.ok(inside(square, 5, 5) && !inside(square, 15, 5) && !inside(square, 5, -1));
    const u: Outline = [
        [0, 0],
        [3, 0],
        [3, 7],
        [7, 7],
        [7, 0],
        [10, 0],
        [10, 10],
        [0, 10],
    ];
    assert.ok(inside(u, 1, 1) && inside(u, 9, 1) && inside(u, 5, 9) && !inside(u, 5, 3));
});

test("a lasso holds exactly the points inside its line", () => {
    const circle: Outline = Array.from({ length: 80 }, (_, k) => [
        200 + 70 * Math.cos(k / 12.73),
        150 + 70 * Math.sin(k / 12.73),
    ]);
    const found = new Set(pointsInside(view, count, circle));
    for (let i = 0; i < count; i++) {
        const [x, y] = view.projectPoint(i);
        const distance = Math.hypot(x - 200, y - 150);
        if (Math.abs(distance - 70) > 1) assert.equal(found.has(i), distance < 70);
    }
    assert.ok(found.size > 5);
});

test("an outline of no area holds nothing", () => {
    assert.equal(
        pointsInside(view, count, [
            [1, 1],
            [1, 1],
        ]).length,
        0,
    );
});

test("in space a point that is only near does not take what is right under the pointer", () => {
    // Of the first two points one is asked for; the other lies in front of it, a few pixels aside. Two more set the scale.
    for (const asked of [0, 1]) {
        const other = 1 - asked;
        const space = new View();
        space.resize(200, 200);
        const columns = [0, 1, 2].map(() => new Float32Array(4));
        columns[0]!.set([90, -90], 2);
        columns[0]![other] = 6;
        columns[2]![other] = 1;
        space.show(columns);
        space.rotation = [1, 0, 0, 0, 1, 0, 0, 0, 1];
        const [x, y] = space.projectPoint(asked);
        const aside = space.projectPoint(other)[0] - x;
        assert.ok(aside > 3 && aside < 14);
        assert.equal(nearestPoint(space, 4, x, y, 14), asked);
    }
});

test("points that do not count are neither nearest nor inside", () => {
    const [x, y] = view.projectPoint(5);
    const mask = new Uint8Array(count).fill(1);
    assert.equal(nearestPoint(view, count, x, y, 20, mask), 5);
    mask[5] = 0;
    assert.notEqual(nearestPoint(view, count, x, y, 20, mask), 5);
    const all: Outline = [
        [0, 0],
        [400, 0],
        [400, 300],
        [0, 300],
    ];
    assert.equal(pointsInside(view, count, all, mask).includes(5), false);
    const space = new View();
    space.resize(200, 200);
    space.show([...columns, columns[0]!]);
    const [a, b] = space.projectPoint(5);
    assert.notEqual(nearestPoint(space, count, a, b, 20, mask), 5);
});
