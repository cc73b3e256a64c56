import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { tableFixture, textColumn } from "../../fixtures/table_fixture.ts";
import { drawn, onPage, pixelsAt, placeOf, placesOf, textOf } from "../../support/pages.ts";

const TABLE = tableFixture(120);
const PANEL = "[data-panel='filters']";
const row = (name: string) => `${PANEL} tr:has-text("${name}")`;
const passing = (page: Page) => textOf(page, `${PANEL} .passing`);

async function opened(page: Page): Promise<void> {
    await page.click(`${PANEL} > summary`);
    await page.locator(`${PANEL} tbody tr`).first().waitFor();
}

async function choose(page: Page, column: string, value: string): Promise<void> {
    const details = page.locator(`${row(column)} details`);
    if ((await details.getAttribute("open")) === null) await details.locator("summary").click();
    await details.locator(`label:has-text("${value}") input`).click();
}

test("filters of a class, a range and a date combine, and the points that pass are counted", async () => {
    await onPage(TABLE, async (page) => {
        await opened(page);
        await choose(page, "kind", "dog");
        assert.equal(await passing(page), "30 of 120 points pass");
        assert.equal(await textOf(page, `${row("kind")} summary`), "1 of 4");
        await choose(page, "kind", "cat");
        assert.equal(await passing(page), "60 of 120 points pass");
        await page.fill(`${row("seen")} [data-end='high']`, "2020-01-08");
        assert.equal(await passing(page), "4 of 120 points pass");
        await page.fill(`${row("age")} [data-end='low']`, "24");
        assert.equal(await passing(page), "2 of 120 points pass");
        assert.equal(await textOf(page, "[aria-live]"), "2 of 120 points pass");
        await page.click(`${PANEL} .clear`);
        assert.equal(await passing(page), "");
        assert.equal(await page.locator(`${PANEL} input:checked:not(.told-choice)`).count(), 0);
        assert.equal(await page.inputValue(`${row("age")} [data-end='low']`), "");
    });
});

test("points that do not pass step back, and cannot be pointed at, drawn around or counted in view", async () => {
    await onPage(TABLE, async (page) => {
        await opened(page);
        const cats = Array.from({ length: 12 }, (_, i) => 4 * i);
        const light = async () => {
            const values: number[] = [];
            for (const [x, y] of await placesOf(page, cats)) values.push(...(await pixelsAt(page, x, y))[0]!);
            return values.reduce((a, b) => a + b) / values.length;
        };
        const before = await light();
        await choose(page, "kind", "dog");
        await drawn(page);
        const after = await light();
        assert.ok(after > before + 40, `${before} ${after}`);
        await page.getByRole("button", { name: "Select the points in view" }).click();
        assert.equal(await page.locator("[data-panel='group']").getAttribute("data-count"), "30");
        await page.mouse.move(...(await placeOf(page, 0)));
        assert.notEqual(await page.locator(".tooltip").getAttribute("data-point"), "0");
        await page.mouse.click(...(await placeOf(page, 1)));
        assert.equal(await page.locator("[data-panel='point']").getAttribute("data-point"), "1");
    });
});

test("of many values those of most points are listed, and others are found by typing", async () => {
    const columns = [
        textColumn(
            "shop",
            Array.from({ length: 120 }, (_, i) => `shop ${i % 90}`),
        ),
    ];
    await onPage({ ...TABLE, points: { ...TABLE.points, columns } }, async (page) => {
        await opened(page);
        await page.locator(`${row("shop")} summary`).click();
        assert.equal(await textOf(page, `${row("shop")} .words`), "and 30 more"); // waits for the list to open
        assert.equal(await page.locator(`${row("shop")} li`).count(), 60);
        await page.fill(`${row("shop")} input[type='search']`, "shop 89");
        await page.locator(`${row("shop")} li input`).click();
        assert.equal(await passing(page), "1 of 120 points pass");
    });
});

test("what is told of the point under the pointer is chosen here", async () => {
    await onPage(TABLE, async (page) => {
        await page.mouse.move(...(await placeOf(page, 5)));
        const told = () => page.locator(".tooltip .told dt").allTextContents();
        assert.deepEqual(await told(), ["kind", "age", "seen", "title"]);
        assert.match(await textOf(page, ".tooltip .told"), /kinddogage25(\.5)?seen2020-01-06titleitem number 5/);
        await page.mouse.move(3, 3);
        await opened(page);
        await page.click(`${row("age")} .told-choice`);
        await page.mouse.move(...(await placeOf(page, 5)));
        assert.deepEqual(await told(), ["kind", "seen", "title"]);
    });
});
