import assert from "node:assert/strict";
import { test } from "node:test";
import { columnsOf } from "../../../src/points/columns.ts";
import { type Points, readPoints } from "../../../src/points/points.ts";
import { searchable, search as searchIn } from "../../../src/points/search.ts";
import { pack, packCoordinates, packText } from "../../fixtures/packing.ts";
import { tableFixture } from "../../fixtures/table_fixture.ts";

const search = (points: Points, query: string) => searchIn(points, searchable(columnsOf(points)), query);

const words = ["recat", "catalogue", "Cat", "dog", "12"];
const points = await readPoints({
    count: 5,
    dimension: 1,
    coordinates: packCoordinates(
        words.map((_, i) => [i]),
        1,
    ),
    words: packText(words),
    labels: { names: ["animal", "cat-like"], index: pack(Uint8Array.of(0, 1, 0, 0, 1), [5]) },
});

const found = (query: string) =>
    search(points, query).map((hit) => (hit.kind === "point" ? hit.point : `label ${hit.label}`));

test("labels come first, then the word itself, then beginnings, then the rest, whatever the case", () => {
    assert.deepEqual(found("CAT"), ["label 1", 2, 1, 0]);
});

test("a number finds its row, and words that hold it", () => {
    assert.deepEqual(found("3"), [3]);
    assert.deepEqual(found("#1"), [1]);
    assert.deepEqual(found("12"), [4]);
    assert.deepEqual(found("99"), []);
});

test("of a sample, numbers are those of the input, written with or without commas", async () => {
    const sample = await readPoints({
        count: 3,
        dimension: 1,
        coordinates: packCoordinates([[0], [1], [2]], 1),
        rows: pack(Uint32Array.of(4, 1060, 1234567), [3]),
        points_in_all: 2000000,
    });
    const at = (query: string) => search(sample, query).map((hit) => (hit.kind === "point" ? hit.point : -1));
    assert.deepEqual([at("1060"), at("#1,060"), at("1,234,567"), at("1"), at("10,60")], [[1], [1], [2], [], []]);
});

test("a label tells how many points have it", () => {
    const [hit] = search(points, "animal");
    assert.ok(hit?.kind === "class");
    assert.deepEqual([hit.label, hit.name, hit.count, hit.column.key], [0, "animal", 3, "label"]);
});

test("nothing typed finds nothing, and what has a meaning to regular expressions is text", () => {
    assert.deepEqual(found("   "), []);
    assert.deepEqual(found(".*"), []);
});

test("no more than forty are listed", async () => {
    const many = await readPoints({
        count: 500,
        dimension: 1,
        coordinates: packCoordinates(
            Array.from({ length: 500 }, (_, i) => [i]),
            1,
        ),
        words: packText(Array.from({ length: 500 }, (_, i) => `word${i}`)),
    });
    assert.equal(search(many, "word").length, 40);
});

const labelled = (names: string[], words?: string[]) =>
    readPoints({
        count: 100,
        dimension: 1,
        coordinates: packCoordinates(
            Array.from({ length: 100 }, (_, i) => [i]),
            1,
        ),
        labels: {
            names,
            index: pack(
                Uint8Array.from({ length: 100 }, (_, i) => i % names.length),
                [100],
            ),
        },
        ...(words ? { words: packText(words) } : {}),
    });

test("a label that is the query comes first, however many hold it, then those that begin with it", async () => {
    const names = [...Array.from({ length: 60 }, (_, i) => `x${i} cat`), "catalogue", "cat"];
    const hits = search(await labelled(names), "cat");
    assert.deepEqual(
        hits.slice(0, 3).map(({ name }) => name),
        ["cat", "catalogue", "x0 cat"],
    );
    assert.equal(hits.length, 40);
});

test("a label that is the number comes before the point of that number, unless a number is asked for", async () => {
    const points = await labelled(["7", "17"]);
    assert.deepEqual(
        search(points, "7").map((hit) => (hit.kind === "class" ? hit.name : hit.point)),
        ["7", 7, "17"],
    );
    assert.deepEqual(
        search(points, "#7").map((hit) => hit.kind === "point" && hit.point),
        [7],
    );
});

test("differences of writing that cannot be seen do not matter", async () => {
    const points = await labelled(
        ["caf\u00e9"],
        Array.from({ length: 100 }, (_, i) => (i === 5 ? "\ufb01ne" : "\uff21")),
    );
    assert.equal(search(points, "cafe\u0301")[0]?.kind, "class");
    assert.deepEqual(
        search(points, "fine").map((hit) => hit.kind === "point" && hit.point),
        [5],
    );
    assert.equal(search(points, "a").length, 40);
    assert.deepEqual(
        search(points, "\uff15").map((hit) => hit.kind === "point" && hit.point),
        [5],
    );
});

test("texts of a table are found: those of many points as a class, those of one as that point", async () => {
    const table = await readPoints(tableFixture(120).points);
    const [kind] = search(table, "dog");
    assert.ok(kind?.kind === "class" && kind.count === 30 && kind.column.name === "kind");
    assert.deepEqual(search(table, "item number 77"), [
        { kind: "point", point: 77, name: "item number 77", column: "title" },
    ]);
});
