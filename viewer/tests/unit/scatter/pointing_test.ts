import assert from "node:assert/strict";
import { test } from "node:test";
import { Pointing } from "../../../src/scatter/pointing.ts";
import { View } from "../../../src/scatter/view.ts";

function scene() {
    const view = new View();
    view.resize(400, 400);
    view.show([Float32Array.of(-1, 1, 0), Float32Array.of(-1, 1, 0)]);
    const told: unknown[] = [];
    const pointing = new Pointing(
        view,
        3,
        {
            hover: (point, _x, _y, atCross) => told.push(["hover", point, atCross]),
            pick: (point) => told.push(["pick", point]),
            lasso: (members) => told.push(["lasso", ...members]),
            escape: () => told.push(["escape"]),
        },
        () => undefined,
    );
    return { view, pointing, told };
}

test("what is under the pointer is told, and picked by a press", () => {
    const { view, pointing, told } = scene();
    const [x, y] = view.projectPoint(1);
    pointing.hover(x + 3, y);
    pointing.pick(x, y - 3);
    pointing.hover(x + 40, y + 40);
    assert.deepEqual(told, [
        ["hover", 1, false],
        ["hover", 1, false],
        ["pick", 1],
        ["hover", -1, false],
    ]);
});

test("the cross of the keyboard picks the point nearest to the middle", () => {
    const { pointing, told } = scene();
    pointing.lookAtCross();
    assert.deepEqual(told, []);
    pointing.setCrosshair(true);
    pointing.lookAtCross();
    pointing.key("Enter");
    pointing.key("Escape");
    assert.deepEqual(told, [["hover", 2, true], ["pick", 2], ["escape"]]);
});

test("a lasso holds the points inside it, once it is drawn to its end", () => {
    const { pointing, told } = scene();
    const outline: [number, number][] = [
        [0, 0],
        [400, 0],
        [400, 190],
        [0, 190],
    ];
    pointing.lasso(outline, false);
    assert.deepEqual(told, []);
    assert.equal(pointing.marks.lasso.length, 4);
    pointing.lasso(outline, true);
    assert.deepEqual(told, [["lasso", 1]]);
    assert.equal(pointing.marks.lasso.length, 0);
});
