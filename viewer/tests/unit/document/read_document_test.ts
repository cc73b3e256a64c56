import assert from "node:assert/strict";
import { test } from "node:test";
import { DocumentError, readDocument } from "../../../src/document/read_document.ts";

const good = { format: "isogon-report", version: 1, kind: "embedding" };

test("a document is read, and null is none", () => {
    assert.equal(readDocument("null"), null);
    assert.deepEqual(readDocument(JSON.stringify(good)), good);
    assert.equal(readDocument(JSON.stringify({ ...good, kind: "charts" }))?.kind, "charts");
});

for (const [what, text] of [
    ["no JSON", "{"],
    ["a number", "7"],
    ["another format", JSON.stringify({ ...good, format: "other" })],
    ["another version", JSON.stringify({ ...good, version: 2 })],
    ["another kind", JSON.stringify({ ...good, kind: "film" })],
] as const) {
    test(`${what} is refused in a sentence`, () => {
        assert.throws(
            () => readDocument(text),
            (error) => error instanceof DocumentError && error.message.endsWith("."),
        );
    });
}

test("a newer version is named with the one that is read", () => {
    assert.throws(() => readDocument(JSON.stringify({ ...good, version: 2 })), /version 2; this page reads version 1/);
});
