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

test("points fill their frame: it takes their shape, with as many pixels for a unit across as up", async () => {
    await onPage(DIGITS, async (page) => {
        const extent = (values: number[]) => Math.max(...values) - Math.min(...values);
        for (const axis of ["p1", "p2"]) {
            await page.selectOption("[data-axis='1']", axis);
            await drawn(page);
            const box = (await page.locator(".scatter").boundingBox())!;
            const places = await placesOf(page, upTo(200));
            assert.ok(extent(places.map(([x]) => x)) > 0.85 * box.width, axis);
            assert.ok(extent(places.map(([, y]) => y)) > 0.72 * box.height, axis);
        }
    });
});

test("a mark under the pointer is drawn over the points, which stay as they are", async () => {
    await onPage(DIGITS, async (page) => {
        await drawn(page);
        const drawings = () =>
            page.evaluate(() => (window as unknown as { isogon: { pointsDrawn: () => number } }).isogon.pointsDrawn());
        const before = await drawings();
        await page.mouse.move(...(await placesOf(page, [5]))[0]!);
        await page.locator(".ring.hovered").waitFor({ state: "attached" });
        assert.equal(await drawings(), before);
        await page.getByRole("button", { name: "Enlarge" }).click();
        await drawn(page);
        assert.ok((await drawings()) > before);
    });
});
