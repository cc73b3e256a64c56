import assert from "node:assert/strict";
import { test } from "node:test";
import { onPage, textOf } from "../../support/pages.ts";
import { DIGITS } from "../../support/reports.ts";

test("a panel is named by its heading", async () => {
    await onPage(DIGITS, async (page) => {
        assert.equal(await page.getByRole("region", { name: "How far to believe it" }).count(), 1);
    });
});

test("a part that cannot be shown leaves a sentence, and the others are there", async () => {
    const strange = { ...DIGITS, quality: { rows: [{ name: "x", measures: null }] } };
    await onPage({ ...strange, spectrum: { name: "x", values: 5 } }, async (page) => {
        for (const name of ["headline", "quality", "spectrum"]) {
            assert.match(await textOf(page, `[data-panel='${name}'] .fault`), /cannot be shown/);
        }
        assert.equal(await page.locator("[data-panel='run'] h2").count(), 1);
    });
});
