import assert from "node:assert/strict";
import { test } from "node:test";
import { DocumentError } from "../../../src/document/read_document.ts";
import { readTable } from "../../../src/points/table.ts";
import { numberColumn, textColumn } from "../../fixtures/table_fixture.ts";

test("numbers come back with all their digits, texts with their names", async () => {
    const [number, text] = await readTable([numberColumn("n", [0.1, 1e300]), textColumn("t", ["b", "", "a"])]);
    assert.ok(number?.kind === "number" && text?.kind === "text");
    assert.deepEqual(Array.from(number.values), [0.1, 1e300]);
    assert.deepEqual(
        [text.names, Array.from(text.index)],
        [
            ["a", "b"],
            [1, 2, 0],
        ],
    );
    assert.deepEqual(await readTable(null), []);
});

test("a damaged column is told of", async () => {
    const column = numberColumn("n", [1, 2]);
    assert.ok(column.kind === "number");
    await assert.rejects(readTable([{ ...column, values: { ...column.values, shape: [3] } }]), DocumentError);
});
