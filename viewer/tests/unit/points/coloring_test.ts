import assert from "node:assert/strict";
import { test } from "node:test";
import { colorBy, firstColor, usualRange } from "../../../src/points/coloring.ts";
import type { ClassColumn, Column, ScaleColumn } from "../../../src/points/columns.ts";
import { CLASS_COUNT, MISSING, rgb } from "../../../src/points/palette.ts";

const look = (looks: Uint8Array, i: number) => Array.from(looks.subarray(4 * i, 4 * i + 4));

const classes = (names: string[], index: number[], key = "label"): ClassColumn => ({
    kind: "classes",
    key,
    name: "Label",
    names,
    index,
    words: "",
});

const scale = (values: number[], key = "norm"): ScaleColumn => ({
    kind: "scale",
    key,
    name: "n",
    values,
    unit: "",
    words: "",
});

// Class c has c + 1 points.
const graded = (count: number) =>
    classes(
        Array.from({ length: count }, (_, c) => `class ${c}`),
        Array.from({ length: count }, (_, c) => new Array<number>(c + 1).fill(c)).flat(),
    );

function legendOf(column: Column) {
    const { legend } = colorBy(column, 0, "light");
    assert.ok(legend.kind === column.kind);
    return legend;
}

test("points of one class look alike, others differ, one of no known class is grey", () => {
    const column = classes(["x", "y"], [0, 1, 0, 200]);
    const { looks } = colorBy(column, 4, "light");
    assert.deepEqual(look(looks, 0), look(looks, 2));
    assert.notDeepEqual(look(looks, 0), look(looks, 1));
    assert.deepEqual(look(looks, 3), [...rgb(MISSING), 0]);
    const legend = legendOf(column);
    assert.ok(legend.kind === "classes" && legend.unknown === 1 && legend.others.length === 0);
    assert.deepEqual(
        legend.entries.map(({ name, count }) => [name, count]),
        [
            ["x", 2],
            ["y", 1],
        ],
    );
});

test("a class keeps its colour on other ground", () => {
    const column = graded(30);
    const light = colorBy(column, 0, "light").looks;
    assert.deepEqual(light, colorBy(column, 0, "dark").looks);
});

test("past the tenth class shapes differ, and of more classes than looks the twenty most frequent have one", () => {
    const all = legendOf(graded(CLASS_COUNT));
    assert.ok(all.kind === "classes" && all.entries.length === CLASS_COUNT && all.others.length === 0);
    const column = graded(CLASS_COUNT + 5);
    const { looks } = colorBy(column, 0, "dark");
    const legend = legendOf(column);
    assert.ok(legend.kind === "classes");
    assert.equal(legend.entries.length, 20);
    assert.deepEqual(
        legend.others.map(({ count }) => count),
        Array.from({ length: 25 }, (_, i) => 25 - i),
    );
    assert.equal(new Set(Array.from(column.index, (_, i) => look(looks, i).join())).size, 21);
});

test("ten thousand classes have a legend of twenty in a moment", () => {
    const count = 70_000;
    const column = classes(
        Array.from({ length: 10_000 }, (_, c) => `c${c}`),
        Array.from({ length: count }, (_, i) => (i * i) % 10_007),
    );
    const began = performance.now();
    const legend = legendOf(column);
    assert.ok(legend.kind === "classes" && legend.entries.length === 20 && legend.others.length > 1000);
    assert.ok(performance.now() - began < 2000);
});

test("errors of angles begin at zero, shares fill their scale, and what is unknown is grey", () => {
    const column = scale([1, 10, Number.NaN], "angle_error");
    const { looks } = colorBy(column, 3, "light");
    const legend = legendOf(column);
    assert.ok(legend.kind === "scale" && legend.low === 0 && legend.high === 10 && legend.unknown === 1);
    assert.deepEqual(look(looks, 2).slice(0, 3), rgb(MISSING));
    assert.notDeepEqual(look(looks, 0), look(looks, 1));
    const shares = legendOf(scale([0.4, 0.6], "kept"));
    assert.ok(shares.kind === "scale" && shares.low === 0 && shares.high === 1);
});

test("a few extreme values do not make all others one colour", () => {
    const values = Float32Array.from({ length: 1000 }, (_, i) => (i === 0 ? 1e6 : i / 1000));
    assert.ok(usualRange(values)[1] < 1.1);
    assert.deepEqual(usualRange(Float32Array.of(Number.NaN)), [0, 1]);
    const [low, high] = usualRange(Float32Array.of(3, 3));
    assert.ok(low < high);
});

test("a legend's ends say whether values lie beyond them, and one value for all is told as such", () => {
    const told = (values: number[]) => {
        const legend = legendOf(scale(values));
        assert.ok(legend.kind === "scale");
        return [legend.below, legend.above, legend.only, legend.known];
    };
    assert.deepEqual(told([1, 2, 3]), [false, false, null, 3]);
    assert.deepEqual(told(Array.from({ length: 1000 }, (_, i) => i)), [true, true, null, 1000]);
    assert.deepEqual(told([4, 4]), [false, false, 4, 2]);
    assert.deepEqual(told([Number.NaN]).slice(2), [null, 0]);
});

test("the words say what each look is", () => {
    const words = (count: number) => colorBy(graded(count), 0, "light").words;
    assert.match(words(3), /^Each colour is one label/);
    assert.match(words(CLASS_COUNT), /^Each colour and shape is one label/);
    assert.match(words(CLASS_COUNT + 1), /^The 20 labels with the most points/);
});

test("labels come first, then classes of the table, then its values, then what was measured; else one colour", () => {
    const [kept, age, kind, label] = [
        scale([1], "kept"),
        scale([1], "column0"),
        classes(["x"], [0], "column1"),
        classes(["x"], [0]),
    ];
    assert.equal(firstColor([label, age, kind, kept]), label);
    assert.equal(firstColor([age, kind, kept]), kind);
    assert.equal(firstColor([age, kept]), age);
    assert.equal(firstColor([kept]), kept);
    assert.equal(firstColor([]), null);
    assert.equal(colorBy(null, 3, "light").legend.kind, "none");
});
