import assert from "node:assert/strict";
import { test } from "node:test";
import { onPage, textOf } from "../../support/pages.ts";
import { CHARTS } from "../../support/reports.ts";

const CHART = "[data-panel='chart'] svg";

test("ours is a solid line, a baseline dashed, published numbers hollow marks without a line", async () => {
    await onPage(CHARTS, async (page) => {
        const chart = page.locator(CHART).first();
        const style = (selector: string, name: string) =>
            chart
                .locator(selector)
                .last()
                .evaluate((one, key) => getComputedStyle(one).getPropertyValue(key), name);
        assert.equal(await style(".curve.ours", "stroke-dasharray"), "none");
        assert.notEqual(await style(".curve.baseline", "stroke-dasharray"), "none");
        assert.equal(await chart.locator(".curve.published").count(), 0);
        assert.equal(await style(".marker.published", "fill"), "rgb(255, 255, 255)");
        assert.notEqual(await style(".marker.ours", "fill"), "rgb(255, 255, 255)");
    });
});

test("the pointer reads the numbers of the nearest point", async () => {
    await onPage(CHARTS, async (page) => {
        const marks = page.locator(CHART).first().locator(".marker.baseline");
        const box = (await marks.nth(2).boundingBox())!;
        await page.mouse.move(box.x + box.width / 2 + 3, box.y + 2);
        assert.match(await textOf(page, `${CHART} .readout`), /^svd: [\d.]+ at \d+$/);
        await page.mouse.move(2, 2);
        assert.equal(await page.locator(`${CHART} .not-copied`).first().getAttribute("visibility"), "hidden");
    });
});

test("values that have no place on a logarithmic scale are left out", async () => {
    const chart = {
        ...CHARTS.charts![0]!,
        series: [
            {
                name: "a",
                role: "ours" as const,
                points: [
                    [1, 0],
                    [2, 5],
                    [4, null],
                    [8, 1],
                ] as [number, number | null][],
            },
        ],
    };
    await onPage({ ...CHARTS, charts: [chart] }, async (page) => {
        assert.equal(await page.locator(`${CHART} .marker`).count(), 2);
        assert.equal(
            /NaN|Infinity/.test(
                await page
                    .locator(CHART)
                    .first()
                    .evaluate((one) => one.outerHTML),
            ),
            false,
        );
    });
});
