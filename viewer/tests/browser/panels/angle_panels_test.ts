import assert from "node:assert/strict";
import { test } from "node:test";
import { onPage, textOf } from "../../support/pages.ts";
import { DIGITS } from "../../support/reports.ts";

test("histograms of angles have a bar for each bin and the threshold at its angle", async () => {
    await onPage(DIGITS, async (page) => {
        const panel = "[data-panel='angles']";
        await page.locator(`${panel} svg.chart`).waitFor();
        assert.equal(await page.locator(`${panel} rect.bar`).count(), 90 + 1);
        const [mark, first, last] = await page.evaluate(() => {
            const at = (selector: string, name: string) =>
                Number(document.querySelector(`[data-panel='angles'] ${selector}`)?.getAttribute(name));
            return [at(".threshold", "x1"), at(".frame-line", "x1"), at(".frame-line", "x2")];
        });
        const angle = (180 * (mark! - first!)) / (last! - first!);
        assert.ok(Math.abs(angle - (180 / Math.PI) * Math.acos(0.75)) < 0.5, String(angle));
        assert.match(await textOf(page, panel), /angles below 41°, 1\.0% of all pairs/);
    });
});

test("angle before against angle after is a picture of cells with a diagonal", async () => {
    await onPage(DIGITS, async (page) => {
        const panel = "[data-panel='density']";
        await page.locator(`${panel} image.cells`).waitFor({ state: "attached" });
        assert.match((await page.locator(`${panel} image.cells`).getAttribute("href"))!, /^data:image\/png/);
        assert.equal(await page.locator(`${panel} .diagonal`).count(), 1);
        assert.equal(await page.locator(`${panel} .threshold`).count(), 2);
    });
});

test("counts that are damaged leave a sentence in their place, and the rest as it is", async () => {
    const density = { ...DIGITS.angles!.density!, counts: { ...DIGITS.angles!.density!.counts, gzip: "AAAA" } };
    await onPage({ ...DIGITS, angles: { ...DIGITS.angles!, density } }, async (page) => {
        assert.match(
            await textOf(page, "[data-panel='density'] .fault"),
            /cannot be shown: The report's counts of angles cannot be unpacked/,
        );
        assert.equal(await page.locator("[data-panel='angles'] .fault").count(), 0);
    });
});

test("charts of angles are told in words, with medians and the share of pairs that kept their angle", async () => {
    await onPage(DIGITS, async (page) => {
        await page.locator("[data-panel='density'] svg").waitFor();
        const medians = /median angle is \d[\d.]*° in the input and \d[\d.]*° in the embedding/;
        assert.match(await textOf(page, "[data-panel='angles'] svg desc"), medians);
        const words = await textOf(page, "[data-panel='density'] svg desc");
        assert.match(words, medians);
        assert.match(words, /\d+% of the pairs lie near it: their angle changed by less than 6\.0°\.$/);
    });
});
