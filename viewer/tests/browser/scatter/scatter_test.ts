import assert from "node:assert/strict";
import { test } from "node:test";
import { drawn, framesOf, onPage, placesOf, upTo } from "../../support/pages.ts";
import { DIGITS } from "../../support/reports.ts";

test("the picture is drawn when something changes, and rests otherwise", async () => {
    await onPage(DIGITS, async (page) => {
        await drawn(page);
        const before = await framesOf(page);
        await page.waitForTimeout(150);
        assert.equal(await framesOf(page), before);
        await page.getByRole("button", { name: "Enlarge" }).click();
        await drawn(page);
        assert.ok((await framesOf(page)) > before);
    });
});

test("a window of other size keeps all points in it", async () => {
    await onPage(DIGITS, async (page) => {
        await page.setViewportSize({ width: 700, height: 900 });
        await drawn(page);
        const box = (await page.locator(".scatter").boundingBox())!;
        for (const [x, y] of await placesOf(page, upTo(200))) {
            assert.ok(x >= box.x && x <= box.x + box.width && y >= box.y && y <= box.y + box.height);
        }
    });
});
