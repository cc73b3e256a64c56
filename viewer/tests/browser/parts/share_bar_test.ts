import assert from "node:assert/strict";
import { test } from "node:test";
import { onPage } from "../../support/pages.ts";
import { DIGITS } from "../../support/reports.ts";

test("a bar is as long as its share", async () => {
    await onPage(DIGITS, async (page) => {
        const lengths = await page
            .locator("[data-panel='run'] .share-bar .part")
            .evaluateAll((all) => all.map((one) => Number(one.getAttribute("width"))));
        assert.equal(Math.max(...lengths), 100);
        assert.ok(Math.abs(lengths[1]! - (100 * 0.326) / 3.473) < 0.01);
    });
});
