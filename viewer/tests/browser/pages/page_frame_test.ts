import assert from "node:assert/strict";
import { test } from "node:test";
import { onPage, textOf } from "../../support/pages.ts";
import { CHARTS, DIGITS } from "../../support/reports.ts";

test("title, first sentence and foot say what this is and who made it", async () => {
    await onPage(DIGITS, async (page) => {
        assert.equal(await textOf(page, "h1"), "Drawn digits, 784 to 8 dimensions");
        assert.match(await textOf(page, ".subtitle"), /^200 points of 784 numbers each/);
        assert.match(
            await textOf(page, ".foot"),
            /Made by isogon 0\.1\.0, 2026-11-22 on 2 cores, x86_64\..*fetches nothing/,
        );
    });
    await onPage(CHARTS, async (page) => assert.equal(await page.locator(".subtitle").count(), 0));
});
