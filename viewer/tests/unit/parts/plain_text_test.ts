import assert from "node:assert/strict";
import { test } from "node:test";
import { LONGEST, shown } from "../../../src/parts/plain_text.ts";

test("short text stays as it is, of any script", () => {
    for (const text of ["word", "<b>bold</b>", "שלום עולם", "a 👩‍👩‍👧 b", 'say "hi"']) assert.equal(shown(text), text);
});

test("long text is cut with an ellipsis, to the length asked for", () => {
    const cut = shown("x".repeat(10000));
    assert.equal(Array.from(cut).length, LONGEST);
    assert.ok(cut.endsWith("…"));
    assert.equal(shown("x".repeat(LONGEST)), "x".repeat(LONGEST));
    assert.equal(shown("x".repeat(LONGEST + 1)), `${"x".repeat(LONGEST - 1)}…`);
    assert.equal(Array.from(shown("😀".repeat(100), 10)).length, 10);
});

test("a character is never cut in two", () => {
    for (let limit = 1; limit < 12; limit++)
        assert.doesNotThrow(() => encodeURIComponent(shown("😀".repeat(40), limit)));
});

test("lines, tabs, control characters and halves of characters are spaces", () => {
    assert.equal(shown("a\nb\tc\u0000d\u001b[31m\ud800e"), "a b c d [31m e");
});

test("nothing to be seen is said to be empty", () => {
    for (const text of ["", "  ", "\n\n", "\u0007"]) assert.equal(shown(text), "(empty)");
});

test("what turns the direction of writing is shown as a sign, not obeyed", () => {
    assert.equal(shown("\u202Egnp.exe\u202C"), "\uFFFDgnp.exe\uFFFD");
    assert.equal(shown("\u2066a\u2069"), "\uFFFDa\uFFFD");
    // Marks that turn nothing else stay.
    assert.equal(shown("\u05D0\u200F"), "\u05D0\u200F");
});

test("a text of characters that cannot be seen is empty", () => {
    for (const text of ["\u200B", "\u200D \uFEFF", "\u2800", "\u3164", "\u00AD\u2060"])
        assert.equal(shown(text), "(empty)");
});
