import assert from "node:assert/strict";
import { test } from "node:test";
import { onPage } from "../../support/pages.ts";
import { CHARTS } from "../../support/reports.ts";

test("a chart has axes with names and ticks, and is told in words", async () => {
    await onPage(CHARTS, async (page) => {
        const chart = page.locator("[data-panel='chart'] svg").first();
        assert.deepEqual(await chart.locator(".axis-title").allTextContents(), ["dimensions", "degrees"]);
        const ticks = await chart.locator(".tick").allTextContents();
        assert.deepEqual(ticks.slice(0, 4), ["4", "8", "16", "32"]);
        assert.equal(
            await page.getByRole("img", { name: /Small angles are off by.*faithful: from 15.5 at 4/ }).count(),
            1,
        );
    });
});

test("a chart is drawn anew for the width it has, and no text leaves it", async () => {
    await onPage(CHARTS, async (page) => {
        const width = () => page.locator("[data-panel='chart'] svg").first().getAttribute("width");
        const wide = Number(await width());
        await page.setViewportSize({ width: 420, height: 800 });
        await page.waitForTimeout(100);
        assert.ok(Number(await width()) < wide);
        const outside = await page.evaluate(
            () =>
                [...document.querySelectorAll("svg.chart")].flatMap((chart) => {
                    const box = chart.getBoundingClientRect();
                    return [...chart.querySelectorAll("text")].filter((text) => {
                        const { left, right, width } = text.getBoundingClientRect();
                        return width > 0 && (left < box.left - 2 || right > box.right + 2);
                    });
                }).length,
        );
        assert.equal(outside, 0);
    });
});
