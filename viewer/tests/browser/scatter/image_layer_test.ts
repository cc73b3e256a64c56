import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { drawn, onPage } from "../../support/pages.ts";
import { DIGITS, WORDS } from "../../support/reports.ts";

const shownImages = async (page: Page) => Number((await page.locator("canvas.images").getAttribute("data-count")) ?? 0);

test("enlarged far enough points are shown as their images, and as dots again before", async () => {
    await onPage(DIGITS, async (page) => {
        await drawn(page);
        assert.equal(await shownImages(page), 0);
        for (let i = 0; i < 4; i++) await page.getByRole("button", { name: "Enlarge" }).click();
        await page.waitForTimeout(300);
        assert.ok((await shownImages(page)) > 5);
        await page.getByRole("button", { name: "Show all points" }).click();
        await drawn(page);
        assert.equal(await shownImages(page), 0);
    });
});

test("points without images have no layer for them", async () => {
    await onPage(WORDS, async (page) => assert.equal(await page.locator("canvas.images").count(), 0));
});
