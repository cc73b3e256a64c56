import assert from "node:assert/strict";
import { test } from "node:test";
import { colorBy, colorKeys, colorWords, usualRange } from "../../../src/points/coloring.ts";
import { CLASS_COUNT, MISSING, rgb } from "../../../src/points/palette.ts";
import { type Points, readPoints } from "../../../src/points/points.ts";
import { pack, packCoordinates, packDegrees } from "../../fixtures/packing.ts";

function pointsWith(count: number, more: object): Promise<Points> {
    return readPoints({
        count,
        dimension: 1,
        coordinates: packCoordinates(
            Array.from({ length: count }, (_, i) => [i]),
            1,
        ),
        ...more,
    });
}

const look = (looks: Uint8Array, i: number) => Array.from(looks.subarray(4 * i, 4 * i + 4));

test("points of one label look alike, others differ, one without a label is grey", async () => {
    const points = await pointsWith(4, {
        labels: { names: ["x", "y"], index: pack(Uint8Array.of(0, 1, 0, 200), [4]) },
    });
    const { looks, legend } = colorBy(points, "label", "light");
    assert.deepEqual(look(looks, 0), look(looks, 2));
    assert.notDeepEqual(look(looks, 0), look(looks, 1));
    assert.deepEqual(look(looks, 3), [...rgb(MISSING.light), 0]);
    assert.ok(legend.kind === "classes" && legend.others === 1);
    assert.deepEqual(legend.kind === "classes" && legend.entries.map(({ name, count }) => [name, count]), [
        ["x", 2],
        ["y", 1],
    ]);
});

test("past the tenth class shapes differ, and past the last look the smallest classes are grey", async () => {
    const classes = CLASS_COUNT + 5;
    // Class c has c + 1 points.
    const index = Array.from({ length: classes }, (_, c) => new Array<number>(c + 1).fill(c)).flat();
    const points = await pointsWith(index.length, {
        labels: {
            names: Array.from({ length: classes }, (_, c) => `class ${c}`),
            index: pack(Uint8Array.from(index), [index.length]),
        },
    });
    const { looks, legend } = colorBy(points, "label", "dark");
    assert.ok(legend.kind === "classes");
    assert.equal(legend.entries.length, CLASS_COUNT);
    assert.equal(legend.others, 1 + 2 + 3 + 4 + 5);
    const distinct = new Set(index.map((_, i) => look(looks, i).join()));
    assert.equal(distinct.size, CLASS_COUNT + 1);
});

test("errors of angles begin at zero, lie on the scale, and grey where there is none", async () => {
    const points = await pointsWith(3, { angle_error: packDegrees([0, 10, Number.NaN], [3]) });
    const { looks, legend } = colorBy(points, "angle_error", "light");
    assert.ok(legend.kind === "scale" && legend.low === 0 && Math.abs(legend.high - 10) < 0.01 && legend.missing === 1);
    assert.deepEqual(look(looks, 2).slice(0, 3), rgb(MISSING.light));
    assert.notDeepEqual(look(looks, 0), look(looks, 1));
});

test("a few extreme values do not make all others one colour", () => {
    const values = Float32Array.from({ length: 1000 }, (_, i) => (i === 0 ? 1e6 : i / 1000));
    assert.ok(usualRange(values)[1] < 1.1);
    assert.deepEqual(usualRange(Float32Array.of(Number.NaN)), [0, 1]);
    const [low, high] = usualRange(Float32Array.of(3, 3));
    assert.ok(low < high);
});

test("only what the document knows can be chosen, and one colour always", async () => {
    assert.deepEqual(colorKeys(await pointsWith(2, {})), ["none"]);
    const points = await pointsWith(2, {
        isolated: pack(Uint8Array.of(0, 1), [2]),
        norm: pack(Float32Array.of(1, 2), [2]),
    });
    assert.deepEqual(colorKeys(points), ["norm", "isolated", "none"]);
    const { legend } = colorBy(points, "isolated", "light");
    assert.deepEqual(legend.kind === "classes" && legend.entries.map(({ name, count }) => [name, count]), [
        ["has near points", 1],
        ["isolated", 1],
    ]);
});

test("a legend's ends say whether values lie beyond them, and one value for all is told as such", async () => {
    const legendOf = async (values: number[]) => {
        const points = await pointsWith(values.length, { norm: pack(Float32Array.from(values), [values.length]) });
        const { legend } = colorBy(points, "norm", "light");
        assert.ok(legend.kind === "scale");
        return [legend.below, legend.above, legend.only, legend.known];
    };
    assert.deepEqual(await legendOf([1, 2, 3]), [false, false, null, 3]);
    assert.deepEqual(await legendOf(Array.from({ length: 1000 }, (_, i) => i)), [true, true, null, 1000]);
    assert.deepEqual(await legendOf([4, 4]), [false, false, 4, 2]);
    assert.deepEqual((await legendOf([Number.NaN])).slice(2), [null, 0]);
});

test("each colour is one label only where there are as many looks as labels", async () => {
    const wordsFor = async (count: number) =>
        colorWords(
            colorBy(
                await pointsWith(count, {
                    labels: {
                        names: Array.from({ length: count }, (_, i) => `l${i}`),
                        index: pack(
                            Uint8Array.from({ length: count }, (_, i) => i),
                            [count],
                        ),
                    },
                }),
                "label",
                "light",
            ),
        );
    assert.match(await wordsFor(CLASS_COUNT), /^Each colour and shape is one label/);
    assert.match(await wordsFor(3), /^Each colour is one label/);
    assert.match(await wordsFor(CLASS_COUNT + 1), /^The 40 labels with the most points/);
});
