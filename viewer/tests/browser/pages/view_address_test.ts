import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { drawn, onPage, placeOf } from "../../support/pages.ts";
import { DIGITS } from "../../support/reports.ts";

const hashOf = (page: Page) => page.evaluate(() => location.hash);

async function follow(page: Page, hash: string): Promise<void> {
    await page.evaluate((text) => {
        location.hash = text;
    }, hash);
    await drawn(page);
}

test("the address tells what is looked at, and by it the same is shown again", async () => {
    await onPage(
        DIGITS,
        async (page) => {
            assert.equal(await hashOf(page), "");
            await page.selectOption("[data-axis='0']", "c4");
            await page.selectOption("[data-choice='color']", "kept");
            await page.getByRole("button", { name: "Enlarge" }).click();
            await page.mouse.click(...(await placeOf(page, 7)));
            await drawn(page);
            const [hash, place] = [await hashOf(page), await placeOf(page, 7)];
            assert.match(hash, /^#axes=c4,p1,&color=kept&point=\d+&at=-?[\d.]+,-?[\d.]+,1\.4$/);
            await follow(page, "#axes=p0,p1,&color=label&at=0,0,1");
            assert.notDeepEqual(await placeOf(page, 7), place);
            await follow(page, hash);
            assert.equal(await page.locator("[data-axis='0']").inputValue(), "c4");
            assert.equal(await page.locator("[data-choice='color']").inputValue(), "kept");
            const again = await placeOf(page, 7);
            assert.ok(Math.hypot(again[0] - place[0], again[1] - place[1]) < 0.01);
        },
        { fresh: true },
    );
});

test("an address that asks for what is not there changes nothing", async () => {
    await onPage(
        DIGITS,
        async (page) => {
            const before = await placeOf(page, 3);
            await follow(page, "#axes=c400,m0&color=secret&point=999999&label=77");
            assert.equal(await page.locator("[data-choice='color']").inputValue(), "label");
            assert.equal(await page.locator("[data-panel='point']").getAttribute("data-point"), "");
            assert.deepEqual(await placeOf(page, 3), before);
        },
        { fresh: true },
    );
});
