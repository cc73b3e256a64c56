import assert from "node:assert/strict";
import { test } from "node:test";
import { onPage, textOf } from "../../support/pages.ts";
import { CHARTS } from "../../support/reports.ts";

test("notes, charts, maps and tables are all there, with their numbers", async () => {
    await onPage(CHARTS, async (page) => {
        assert.equal(await page.locator("[data-panel='notes'] p").count(), 2);
        assert.deepEqual(await page.locator(".panel h2").allTextContents(), [
            "Small angles are off by",
            "Jaccard index of near pairs",
            "tsne, 2 dimensions",
            "umap, 2 dimensions",
            "All measures at 16 dimensions",
        ]);
        const row = page.locator("[data-panel='table'] tbody tr").nth(3);
        assert.deepEqual(await row.locator("th, td").allTextContents(), ["isomap", "–", "0.310", "0.610", "12.5"]);
        await page.locator("details summary").first().click();
        assert.deepEqual(
            await page.locator("details").first().locator("tbody tr").first().locator("th, td").allTextContents(),
            ["4", "15.5", "17.5", "18.0", "25.7", "21.20"],
        );
        assert.match(await textOf(page, ".command"), /isogon compare/);
    });
});

test("warnings stand on top, before the notes", async () => {
    await onPage(CHARTS, async (page) => {
        assert.equal(await textOf(page, ".warnings h2"), "Before you trust the charts");
        assert.deepEqual(await page.locator(".warnings li").allTextContents(), CHARTS.warnings);
        assert.equal(await page.locator("main > :first-child").getAttribute("data-panel"), "warnings");
    });
    await onPage({ ...CHARTS, warnings: [] }, async (page) => assert.equal(await page.locator(".warnings").count(), 0));
});

test("every sign of a chart is explained, the dotted lines too", async () => {
    await onPage(CHARTS, async (page) => {
        const words = page.locator("main > .words");
        assert.equal(
            await words.textContent(),
            "In the charts solid lines are what the chart is about, dashed lines are what to hold it against, " +
                "dotted lines are other runs, to compare with, hollow marks without a line are published numbers.",
        );
    });
});

test("a map that is damaged leaves a sentence, and the other maps are there", async () => {
    const [first, second] = CHARTS.maps!;
    const broken = { ...first!, coordinates: { ...first!.coordinates, shape: [7, 2] } };
    await onPage({ ...CHARTS, maps: [broken, second!] }, async (page) => {
        assert.match(await textOf(page, "[data-panel='map'] .fault"), /cannot be shown/);
        assert.equal(await page.locator("[data-panel='map'] svg").count(), 1);
    });
});

test("a page of nothing but its kind is a page", async () => {
    const { format, version, kind } = CHARTS;
    await onPage({ format, version, kind }, async (page) => assert.equal(await textOf(page, "h1"), "isogon report"));
});
