import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { readPoints } from "../../../src/points/points.ts";
import { tableFixture } from "../../fixtures/table_fixture.ts";
import { drawn, onPage, placeOf, placesOf, textOf } from "../../support/pages.ts";
import { DIGITS, WORDS } from "../../support/reports.ts";

const picked = "[data-panel='point']";

const points = await readPoints(WORDS.points);

test("a word that is typed is found, ringed in the picture, and picked by Enter", async () => {
    await onPage(WORDS, async (page) => {
        await page.keyboard.press("/");
        await page.keyboard.type("paris11");
        const expected = [11, 110, 113, 116, 119].map((i) => `paris${i} ${points.labelOf(i)} #${i}`);
        assert.deepEqual(await page.locator(".hits li").allTextContents(), expected);
        await drawn(page);
        assert.equal(await page.locator(".ring.found").count(), 5);
        const ring = (await page.locator(".ring.found").first().boundingBox())!;
        const [x, y] = await placeOf(page, 11);
        assert.ok(Math.hypot(ring.x + ring.width / 2 - x, ring.y + ring.height / 2 - y) < 1);
        await page.keyboard.press("Enter");
        assert.equal(await page.locator(picked).getAttribute("data-point"), "11");
        assert.equal(await page.locator("[role='listbox']").isVisible(), false);
    });
});

test("arrow keys move through what was found, and say where they are", async () => {
    await onPage(WORDS, async (page) => {
        await page.locator(".search").fill("tree1");
        for (let i = 0; i < 3; i++) await page.keyboard.press("ArrowDown");
        await page.keyboard.press("ArrowUp");
        const active = await page.locator(".search").getAttribute("aria-activedescendant");
        assert.equal(await page.locator(`#${active}`).getAttribute("aria-selected"), "true");
        const text = await page.locator(`#${active}`).textContent();
        await page.keyboard.press("Enter");
        assert.ok(text!.includes(`#${await page.locator(picked).getAttribute("data-point")}`));
    });
});

test("a label lets its points stand out, a number picks that point", async () => {
    await onPage(DIGITS, async (page) => {
        await page.locator(".search").fill("7");
        const hits = await page.locator(".hits li").allTextContents();
        assert.match(hits[0]!, /^label 7 \d+ points$/);
        assert.match(hits[1]!, /#7$/);
        await page.locator(".hits li").first().click();
        assert.equal(await textOf(page, "[data-panel='group'] h2"), "Label: 7");
        assert.equal(await page.locator("button.class[data-class='7']").getAttribute("aria-pressed"), "true");
    });
});

test("what is not there is said not to be, and Escape clears", async () => {
    await onPage(DIGITS, async (page) => {
        await page.locator(".search").fill("nowhere");
        assert.equal(await textOf(page, ".hits.none"), "Nothing found.");
        assert.equal(await page.locator(".hits.none").isVisible(), true);
        assert.equal(await textOf(page, "[aria-live]"), "Nothing found.");
        assert.equal(await page.locator("[role='listbox']").isVisible(), false);
        await page.keyboard.press("Escape");
        assert.equal(await page.locator(".search").inputValue(), "");
        for (const one of await page.locator(".hits").all()) assert.equal(await one.isVisible(), false);
    });
});

test("Enter leads the keyboard to what was chosen", async () => {
    const focused = (page: Page) => page.evaluate(() => document.activeElement!.textContent);
    await onPage(DIGITS, async (page) => {
        await page.locator(".search").fill("#31");
        await page.keyboard.press("Enter");
        assert.match((await focused(page))!, /#31$/);
        await page.locator(".search").fill("4");
        await page.keyboard.press("Enter");
        assert.equal(await focused(page), "Label: 4");
    });
});

test("a list that is closed is opened again before anything in it is chosen", async () => {
    await onPage(WORDS, async (page) => {
        const list = page.locator("[role='listbox']");
        for (const key of ["Enter", "ArrowDown"]) {
            await page.locator(".search").fill("paris11");
            await page.locator("h1").click();
            assert.equal(await list.isVisible(), false);
            await page.locator(".search").focus();
            await page.keyboard.press(key);
            assert.equal(await list.isVisible(), true);
            assert.equal(await page.locator(picked).getAttribute("data-point"), "");
            assert.equal(await page.locator(".hits [aria-selected='true']").count(), 0);
        }
    });
});

test("the picture goes to what was chosen: a point to its middle, a class as large as fits", async () => {
    await onPage(tableFixture(120), async (page) => {
        const box = (await page.locator(".scatter").boundingBox())!;
        // Tools lie above, the name of an axis below.
        const near = ([x, y]: [number, number]) =>
            Math.abs(x - box.x - box.width / 2) < 2 && Math.abs(y - box.y - box.height / 2) < 40;
        for (const [query, point] of [
            ["item number 31", 31],
            ["#77", 77],
        ] as const) {
            assert.equal(near(await placeOf(page, point)), false);
            await page.locator(".search").fill(query);
            await page.keyboard.press("Enter");
            assert.equal(await page.locator(picked).getAttribute("data-point"), String(point));
            assert.equal(near(await placeOf(page, point)), true);
        }
        await page.locator(".search").fill("dog");
        await page.keyboard.press("Enter");
        assert.equal(await page.locator("[data-panel='group']").getAttribute("data-count"), "30");
        const dogs = Array.from({ length: 30 }, (_, i) => 4 * i + 1);
        const seen = (await placesOf(page, dogs)).filter(
            ([x, y]) => x > box.x && y > box.y && x < box.x + box.width && y < box.y + box.height,
        );
        assert.ok(seen.length > 25);
    });
});
