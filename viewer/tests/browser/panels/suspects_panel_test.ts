import assert from "node:assert/strict";
import { test } from "node:test";
import { readNeighbors } from "../../../src/points/neighbors.ts";
import { readPoints } from "../../../src/points/points.ts";
import { confusions, worstPoints } from "../../../src/points/suspects.ts";
import { onPage, textOf } from "../../support/pages.ts";
import { DIGITS } from "../../support/reports.ts";

const PANEL = "[data-panel='suspects']";

test("the worst points stand beside the picture and lead to themselves", async () => {
    const neighbors = (await readNeighbors(DIGITS.neighbors))!;
    const [worst] = worstPoints(neighbors, DIGITS.points.count, 10);
    await onPage(DIGITS, async (page) => {
        const first = page.locator(`${PANEL} [data-part='worst'] .member`).first();
        assert.equal(await first.getAttribute("data-point"), String(worst!.point));
        await first.click();
        assert.equal(await page.locator("[data-panel='point']").getAttribute("data-point"), String(worst!.point));
        assert.equal(await page.locator(PANEL).isVisible(), false);
        await page.keyboard.press("Escape");
        assert.equal(await page.locator(PANEL).isVisible(), true);
    });
});

test("the labels most confused are counted, and selected by a click", async () => {
    const neighbors = (await readNeighbors(DIGITS.neighbors))!;
    const [most] = confusions(await readPoints(DIGITS.points), neighbors, 6);
    await onPage(DIGITS, async (page) => {
        const row = page.locator(`${PANEL} .confused`).first();
        assert.match(
            (await row.textContent())!,
            new RegExp(`^${most!.label} among ${most!.among}${most!.members.length} `),
        );
        await row.click();
        assert.equal(
            await page.locator("[data-panel='group']").getAttribute("data-count"),
            String(most!.members.length),
        );
        assert.equal(await textOf(page, "[data-panel='group'] h2"), `${most!.label} among ${most!.among}`);
    });
});

test("without lists of neighbours there is nothing to suspect", async () => {
    await onPage({ ...DIGITS, neighbors: null }, async (page) => {
        assert.equal(await page.locator(PANEL).count(), 0);
    });
});
