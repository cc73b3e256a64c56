import assert from "node:assert/strict";
import { test } from "node:test";
import { type MapText, placeTexts } from "../../../src/scatter/map_texts.ts";
import { View } from "../../../src/scatter/view.ts";

function viewOf(count: number): View {
    const view = new View();
    view.resize(600, 400);
    view.show([
        Float32Array.from({ length: count }, (_, i) => i % 20),
        Float32Array.from({ length: count }, (_, i) => Math.floor(i / 20)),
    ]);
    return view;
}

const words = (count: number): MapText[] =>
    Array.from({ length: count }, (_, i) => ({
        text: `word number ${i}`,
        kind: "word",
        at: (view) => view.projectPoint(i),
    }));

test("texts do not lie over each other, and the first have their place before others", () => {
    const view = viewOf(400);
    const placed = placeTexts(words(400), view, 7);
    assert.ok(placed.length > 10 && placed.length < 120, String(placed.length));
    assert.equal(placed[0]!.text.startsWith("word number"), true);
    for (const [i, a] of placed.entries()) {
        for (const b of placed.slice(0, i)) {
            const across = Math.abs(a.x - b.x) > 6.4 * 0.5 * (a.text.length + b.text.length);
            assert.ok(across || Math.abs(a.y - b.y) >= 14, `${a.text} ${b.text}`);
        }
    }
});

test("enlarged, more of those in the window find room", () => {
    const view = viewOf(400);
    const inWindow = (i: number) =>
        view
            .projectPoint(i)
            .slice(0, 2)
            .every((x, d) => x > 0 && x < [600, 400][d]!);
    const share = () => placeTexts(words(400), view, 7).length / words(400).filter((_, i) => inWindow(i)).length;
    const before = share();
    view.enlarge(6);
    assert.ok(share() > 2 * before);
});

test("what lies outside the window is not written", () => {
    const view = viewOf(40);
    view.move(10000, 0);
    assert.deepEqual(placeTexts(words(40), view, 7), []);
});

const labels = (names: string[], place: (i: number) => number): MapText[] =>
    names.map((text, i) => ({ text, kind: "label", at: (view) => view.projectPoint(place(i)) }));

test("labels whose places are one stand around it, all of them and none over another", () => {
    const view = viewOf(400);
    const names = Array.from({ length: 9 }, (_, i) => `class number ${i}`);
    const placed = placeTexts(
        labels(names, () => 210),
        view,
        7,
    );
    assert.deepEqual(placed.map(({ text }) => text).sort(), names);
    for (const [i, a] of placed.entries())
        for (const b of placed.slice(0, i))
            assert.ok(Math.abs(a.y - b.y) >= 17 || Math.abs(a.x - b.x) >= 8.2 * 14, `${a.text} ${b.text}`);
});

test("a label at the edge is moved into the window, and a wider one takes more room", () => {
    const view = viewOf(400);
    const [first] = placeTexts(
        labels(["a long name of a class"], () => 0),
        view,
        7,
        () => 300,
    );
    assert.ok(first!.x >= 150 && first!.x <= 450);
    const many = labels(
        Array.from({ length: 60 }, (_, i) => `l${i}`),
        () => 210,
    );
    const count = (width: number) => placeTexts(many, view, 7, () => width).length;
    assert.ok(count(300) < count(40));
});
