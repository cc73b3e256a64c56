import assert from "node:assert/strict";
import { test } from "node:test";
import { onPage, textOf } from "../../support/pages.ts";
import { CHARTS } from "../../support/reports.ts";

test("notes, charts, maps and tables are all there, with their numbers", async () => {
    await onPage(CHARTS, async (page) => {
        assert.equal(await page.locator("[data-panel='notes'] p").count(), 2);
        assert.deepEqual(await page.locator(".panel h2").allTextContents(), [
            "tsne, 2 dimensions",
            "umap, 2 dimensions",
            "All measures at 16 dimensions",
            "Small angles are off by",
            "Jaccard index of near pairs",
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

test("the best of each measure is marked, ties too, with what chance would give below", async () => {
    const table = {
        title: "2 dimensions",
        columns: ["method", "recall", "seconds"],
        rows: [
            ["tsne", 0.9, 3],
            ["umap", 0.9, 2],
            ["svd", 0.3, null],
        ],
        best: [null, "high" as const, "low" as const],
        chance: ["chance", 0.01, null],
    };
    await onPage({ ...CHARTS, tables: [table] }, async (page) => {
        const cells = (row: number) =>
            page.locator("[data-panel='table'] tbody tr").nth(row).locator("th, td").allTextContents();
        assert.deepEqual(await cells(0), ["tsne", "0.90best", "3"]);
        assert.deepEqual(await cells(1), ["umap", "0.90best", "2best"]);
        assert.deepEqual(await cells(3), ["chance", "0.01", "–"]);
    });
});

test("charts of one range have the same scale", async () => {
    const [first, second] = CHARTS.charts!;
    const range: [number, number] = [2, 64];
    const charts = [first!, second!].map((chart) => ({ ...chart, x: { ...chart.x, range } }));
    const few = { ...second!, x: { ...second!.x, range }, series: [{ ...second!.series[0]!, points: [[16, 0.5]] }] };
    await onPage({ ...CHARTS, charts: [...charts, few] as typeof charts }, async (page) => {
        const placesOf16 = await page
            .locator("[data-panel='chart'] svg")
            .evaluateAll((all) =>
                all.map((svg) =>
                    [...svg.querySelectorAll(".tick")].find((t) => t.textContent === "16")?.getAttribute("x"),
                ),
            );
        assert.equal(placesOf16.length, 3);
        assert.ok(placesOf16[0]);
        assert.equal(new Set(placesOf16).size, 1);
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
