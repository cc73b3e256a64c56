import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { inlined, policy } from "../../../tools/one_page.ts";
import { filledPage } from "../../fixtures/packing.ts";

const page = readFileSync("dist/report.html", "utf8");

test("script and style are put in as they are, also where they hold what replacing would read", () => {
    const made = inlined(
        '<head><script type="module" src="./x.js"></script><link rel="stylesheet" href="./x.css"></head>',
        'a("$&$1")',
        "b{}",
    );
    assert.ok(made.includes('<script type="module">a("$&$1")</script>') && made.includes("<style>b{}</style>"));
    assert.ok(!made.includes("x.js") && !made.includes("x.css"));
});

test("what would end its own element is refused", () => {
    assert.throws(() => inlined("<head></head>", '"</script>"', ""));
    assert.throws(() => inlined("<head></head>", "", "/*</style>*/"));
});

test("the policy forbids everything but this script and this style", () => {
    const text = policy("alert()", "a{}");
    assert.ok(
        text.startsWith("default-src 'none'") && text.includes(createHash("sha256").update("alert()").digest("base64")),
    );
});

test("the page has one place for data, on a line of its own, and names no address", () => {
    const lines = page.split("\n").filter((line) => line.includes("isogon-data") && line.startsWith("<script"));
    assert.deepEqual(lines, ['<script id="isogon-data" type="application/json">null</script>']);
    const addresses = page.match(/https?:\/\/[^"'`\s)]*/g) ?? [];
    assert.deepEqual(
        [...new Set(addresses)].filter((address) => !address.startsWith("http://www.w3.org/")),
        [],
    );
});

test("data that holds the end of its own element does not end it", () => {
    const filled = filledPage(page, { title: "</script><script>alert(1)</script>" });
    assert.equal(filled.split("</script>").length, page.split("</script>").length);
});
