import assert from "node:assert/strict";
import { test } from "node:test";
import { onPage } from "../../support/pages.ts";
import { CHARTS } from "../../support/reports.ts";

test("a legend names every series, in rows that do not run into each other", async () => {
    const series = Array.from({ length: 14 }, (_, i) => ({
        name: `a method of number ${i}`,
        points: [
            [1, i],
            [2, i + 1],
        ] as [number, number][],
    }));
    await onPage({ ...CHARTS, charts: [{ ...CHARTS.charts![0]!, series }] }, async (page) => {
        const texts = page.locator("[data-panel='chart'] .legend-text");
        assert.equal(await texts.count(), 14);
        const boxes = await texts.evaluateAll((all) =>
            all
                .map((one) => one.getBoundingClientRect())
                .map(({ left, right, top, bottom }) => ({ left, right, top, bottom })),
        );
        for (const [i, a] of boxes.entries()) {
            for (const b of boxes.slice(0, i))
                assert.ok(a.left >= b.right || b.left >= a.right || a.top >= b.bottom - 1 || b.top >= a.bottom - 1);
        }
    });
});
