import assert from "node:assert/strict";
import { test } from "node:test";
import { product, View } from "../../../src/scatter/view.ts";
import { Random } from "../../fixtures/random.ts";

function close(a: number[], b: number[], within = 1e-6): void {
    a.forEach((x, i) => {
        assert.ok(Math.abs(x - b[i]!) < within, `${a} and ${b}`);
    });
}

function viewOf(columns: Float32Array[], width = 400, height = 300): View {
    const view = new View();
    view.resize(width, height);
    view.show(columns);
    return view;
}

const random = new Random(1);
const cloud = [0, 1, 2].map((d) => Float32Array.from({ length: 200 }, () => d + 5 * random.normal()));

test("at first every point is inside the window, flat or turned however far", () => {
    for (const columns of [cloud.slice(0, 2), cloud]) {
        const view = viewOf(columns);
        for (let turn = 0; turn < 8; turn++) {
            for (let i = 0; i < 200; i++) {
                const [x, y] = view.projectPoint(i);
                assert.ok(x >= 0 && x <= 400 && y >= 0 && y <= 300);
            }
            if (columns.length > 2) view.turn(0.7, 0.4);
        }
    }
});

test("units are as long across as up, and up is up", () => {
    const view = viewOf([Float32Array.of(0, 1, 0), Float32Array.of(0, 0, 1)]);
    const [origin, right, top] = [0, 1, 2].map((i) => view.projectPoint(i));
    assert.ok(Math.abs(right![0] - origin![0] - (origin![1] - top![1])) < 1e-6);
    assert.ok(top![1] < origin![1]);
});

test("enlarging keeps the place under the pointer", () => {
    const view = viewOf(cloud.slice(0, 2));
    const [x, y] = view.projectPoint(7);
    view.enlarge(3, x, y);
    close(view.projectPoint(7).slice(0, 2), [x, y]);
    view.enlarge(1 / 3, x, y);
    close(view.projectPoint(3).slice(0, 2), viewOf(cloud.slice(0, 2)).projectPoint(3).slice(0, 2), 1e-3);
});

test("moving moves by pixels", () => {
    const view = viewOf(cloud);
    const [x, y] = view.projectPoint(0);
    view.move(12, -7);
    close(view.projectPoint(0).slice(0, 2), [x + 12, y - 7]);
});

test("turning keeps distances in space and is undone by turning back", () => {
    const view = viewOf(cloud);
    const spread = () =>
        Math.hypot(...view.projectPoint(0).map((x, i) => (x - view.projectPoint(1)[i]!) / (i < 2 ? view.zoom : 1)));
    const before = spread();
    const place = view.projectPoint(0);
    view.turn(0.3, 0.8);
    assert.ok(Math.abs(spread() - before) < 1e-5);
    view.turn(0, -0.8);
    view.turn(-0.3, 0);
    close(view.projectPoint(0), place, 1e-6);
});

test("a window of other size shows the same middle, and all points where all were shown", () => {
    const view = viewOf(cloud.slice(0, 2));
    view.resize(120, 700);
    close(view.projectPoint(4), viewOf(cloud.slice(0, 2), 120, 700).projectPoint(4));
    view.move(30, 10);
    view.enlarge(3);
    const middle = [...view.center];
    view.resize(800, 600);
    assert.deepEqual(view.center, middle);
});

test("reset comes back from anywhere", () => {
    const view = viewOf(cloud);
    const place = view.projectPoint(5);
    view.turn(1, 1);
    view.move(500, 20);
    view.enlarge(7);
    view.reset();
    close(view.projectPoint(5), place);
});

test("a point outside is brought in, and one inside stays", () => {
    const view = viewOf(cloud.slice(0, 2));
    view.move(2000, 0);
    view.bringIn(0);
    const [x, y] = view.projectPoint(0);
    assert.ok(x > 20 && x < 380 && y > 20 && y < 280);
    view.bringIn(0);
    close(view.projectPoint(0).slice(0, 2), [x, y]);
});

test("no points, one point, and points all the same are shown in finite places", () => {
    for (const values of [[], [3], [2, 2, 2]]) {
        const view = viewOf([Float32Array.from(values), Float32Array.from(values)]);
        assert.ok(view.project(2, 2, 0).every(Number.isFinite));
    }
});

test("the product of a matrix and the unit is the matrix", () => {
    assert.deepEqual(product([1, 2, 3, 4, 5, 6, 7, 8, 9], [1, 0, 0, 0, 1, 0, 0, 0, 1]), [1, 2, 3, 4, 5, 6, 7, 8, 9]);
});

test("margins stay free of points at first, flat or turned, and in a window of other size", () => {
    for (const columns of [cloud.slice(0, 2), cloud]) {
        const view = new View();
        view.resize(400, 300, { top: 60, bottom: 20 });
        view.show(columns);
        for (const [width, height] of [
            [400, 300],
            [200, 500],
        ] as const) {
            view.resize(width, height);
            for (let i = 0; i < 200; i++) {
                const [x, y] = view.projectPoint(i);
                assert.ok(x >= 0 && x <= width && y >= 60 && y <= height - 20, `${x} ${y}`);
            }
            if (columns.length > 2) view.turn(0.7, 0.4);
        }
    }
});

test("what is in the middle of the screen is there with margins too", () => {
    const view = new View();
    view.resize(400, 300, { top: 60, bottom: 20 });
    view.show(cloud.slice(0, 2));
    view.enlarge(3, 100, 50);
    const [across, up] = view.centerOfScreen();
    close(view.project(across + view.middle[0], up + view.middle[1], 0).slice(0, 2), [200, 150]);
});

test("it is enlarged no further than coordinates of 16 bits go", () => {
    const view = viewOf(cloud.slice(0, 2));
    const before = view.zoom;
    for (let i = 0; i < 60; i++) view.enlarge(1.5);
    close([view.zoom / before], [200]);
});

test("the shape of a frame is that of the points, of a ball in space, and never a line's", () => {
    const flat = (width: number, height: number) =>
        viewOf([Float32Array.of(0, width), Float32Array.of(0, height)]).shape;
    assert.deepEqual([flat(4, 3), flat(1, 900), flat(900, 1), flat(0, 0)], [0.75, 2, 0.25, 1]);
    assert.equal(viewOf(cloud).shape, 1);
});

const withOutliers = () => {
    const columns = cloud.slice(0, 2).map((column) => Float32Array.of(...column, 4000, -3000));
    return { columns, view: viewOf(columns) };
};
const inside = (view: View, i: number) => {
    const [x, y] = view.projectPoint(i);
    return x >= 0 && x <= 400 && y >= 0 && y <= 300;
};

test("outliers do not shrink the rest, and are there when all is shown", () => {
    const { view } = withOutliers();
    close(view.projectPoint(7).slice(0, 2), viewOf(cloud.slice(0, 2)).projectPoint(7).slice(0, 2), 1e-2);
    assert.equal(view.outliers, 2);
    assert.ok(!inside(view, 200) && !inside(view, 201));
    view.showAll();
    assert.ok([0, 200, 201].every((i) => inside(view, i)));
    view.reset();
    assert.ok(!inside(view, 200));
});

test("a frame around points has them in the middle, and a single point as large as is asked for", () => {
    const { view } = withOutliers();
    view.frame([7], 1, 4);
    close(view.projectPoint(7).slice(0, 2), [200, 150], 1e-3);
    close([view.enlarged], [4]);
    view.frame([200], 1, 4);
    close(view.projectPoint(200).slice(0, 2), [200, 150], 1e-2);
    view.frame([1, 2, 3]);
    assert.ok([1, 2, 3].every((i) => inside(view, i)));
    assert.ok(view.enlarged >= 1 && view.enlarged <= 12);
    const before = [...view.center];
    view.frame([]);
    assert.deepEqual(view.center, before);
});
