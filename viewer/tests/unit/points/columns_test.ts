import assert from "node:assert/strict";
import { test } from "node:test";
import { cellOf, colorable, columnsOf, textOf, written } from "../../../src/points/columns.ts";
import { readPoints } from "../../../src/points/points.ts";
import { pack, packCoordinates } from "../../fixtures/packing.ts";
import { numberColumn, tableFixture, textColumn } from "../../fixtures/table_fixture.ts";

function pointsWith(count: number, more: object) {
    const places = Array.from({ length: count }, (_, i) => [i]);
    return readPoints({ count, dimension: 1, coordinates: packCoordinates(places, 1), ...more });
}

const keysOf = async (count: number, more: object) => columnsOf(await pointsWith(count, more)).map(({ key }) => key);

test("only what the document knows is there", async () => {
    assert.deepEqual(await keysOf(2, {}), []);
    assert.deepEqual(
        await keysOf(2, { isolated: pack(Uint8Array.of(0, 1), [2]), norm: pack(Float32Array.of(1, 2), [2]) }),
        ["norm", "isolated"],
    );
    const table = await readPoints(tableFixture().points);
    assert.deepEqual(
        columnsOf(table)
            .map(({ name }) => name)
            .slice(0, 4),
        ["kind", "age", "seen", "title"],
    );
});

test("few whole numbers are a scale, and classes too", async () => {
    const columns = columnsOf(
        await pointsWith(3, { columns: [numberColumn("cluster", [7, -1, 7]), numberColumn("x", [0.5, 1, 2])] }),
    );
    assert.deepEqual(
        columns.map(({ key, kind }) => [key, kind]),
        [
            ["column0", "scale"],
            ["value0", "classes"],
            ["column1", "scale"],
        ],
    );
    const [, classes] = columns;
    assert.ok(classes?.kind === "classes");
    assert.deepEqual(
        [classes.names, Array.from(classes.index)],
        [
            ["-1", "7"],
            [1, 0, 1],
        ],
    );
});

test("a text of its own for each point is no colour", async () => {
    const columns = columnsOf(
        await pointsWith(3, { columns: [textColumn("name", ["a", "b", ""]), textColumn("kind", ["x", "x", "y"])] }),
    );
    assert.deepEqual(
        colorable(columns).map(({ name }) => name),
        ["kind"],
    );
});

test("values are told as people read them, dates as ISO 8601, and what is not known as unknown", async () => {
    const columns = columnsOf(
        await pointsWith(2, {
            columns: [
                numberColumn("day", [86400, Number.NaN], "date"),
                numberColumn("time", [90061, 0], "date"),
                numberColumn("n", [1234.56789, Number.NaN]),
                textColumn("t", ["", "x"]),
            ],
        }),
    );
    assert.deepEqual(
        columns.map((column) => textOf(column, 0)),
        ["1970-01-02", "1970-01-02 01:01:01", "1234.56789", "unknown"],
    );
    assert.deepEqual(
        columns.map((column) => cellOf(column, 1)),
        ["", "1970-01-01 00:00", "", "x"],
    );
    assert.equal(written(0.25, "%"), "25%");
    assert.equal(written(-62135596800, "day"), "0001-01-01");
    assert.equal(written(1e300, "day"), "1e+300");
});
