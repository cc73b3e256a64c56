import assert from "node:assert/strict";
import { test } from "node:test";
import { columnsOf } from "../../../src/points/columns.ts";
import { passing, withFilter } from "../../../src/points/filters.ts";
import { readPoints } from "../../../src/points/points.ts";
import { tableFixture } from "../../fixtures/table_fixture.ts";

const [kind, age, seen] = columnsOf(await readPoints(tableFixture(120).points));
assert.ok(kind?.kind === "classes" && age?.kind === "scale" && seen?.kind === "scale");

const through = (...filters: Parameters<typeof passing>[1] extends Iterable<infer F> ? F[] : never) => {
    const mask = passing(120, filters);
    return mask && Array.from(mask.keys()).filter((i) => mask[i] === 1);
};

test("points of the classes chosen pass, and of none chosen all", () => {
    const dogs = { column: kind, chosen: new Set([kind.names.indexOf("dog")]) };
    assert.deepEqual(
        through(dogs),
        Array.from({ length: 30 }, (_, i) => 4 * i + 1),
    );
    assert.equal(through({ column: kind, chosen: new Set() }), null);
    const unknown = { column: kind, chosen: new Set([kind.names.length]) };
    assert.deepEqual(
        through(unknown),
        Array.from({ length: 30 }, (_, i) => 4 * i + 3),
    );
});

test("of a range both ends pass, and what is unknown does not", () => {
    const days = { column: seen, low: (18262 + 5) * 86400, high: (18262 + 7) * 86400 };
    assert.deepEqual(through(days), [5, 6, 7]);
    assert.ok(!through({ column: age, low: 0, high: null })!.includes(9));
    assert.equal(through({ column: age, low: null, high: null }), null);
});

test("filters combine, and another one of a column replaces the first", () => {
    const early = { column: seen, low: null, high: (18262 + 10) * 86400 };
    const dogs = { column: kind, chosen: new Set([kind.names.indexOf("dog")]) };
    assert.deepEqual(through(early, dogs), [1, 5, 9]);
    const filters = withFilter(withFilter(new Map(), early), { ...early, high: 18262 * 86400 });
    assert.equal(filters.size, 1);
    assert.deepEqual(Array.from(passing(120, filters.values())!).indexOf(1), 0);
});
