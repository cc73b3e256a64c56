import assert from "node:assert/strict";
import { test } from "node:test";
import { readPoints } from "../../../src/points/points.ts";
import { pack } from "../../fixtures/packing.ts";
import { onPage, placeOf, textOf } from "../../support/pages.ts";
import { WORDS } from "../../support/reports.ts";

test("a point of a sample goes by its row in the input", async () => {
    const points = await readPoints(WORDS.points);
    const rows = pack(
        Uint32Array.from({ length: 120 }, (_, i) => 1000 + 10 * i),
        [120],
    );
    await onPage({ ...WORDS, points: { ...WORDS.points, rows, points_in_all: 5000 } }, async (page) => {
        await page.mouse.click(...(await placeOf(page, 6)));
        assert.equal(await textOf(page, "[data-panel='point'] h2"), `tree6 ${points.labelOf(6)} #1,060`);
        await page.locator(".search").fill("1070");
        assert.equal(await textOf(page, ".hits li"), `walk7 ${points.labelOf(7)} #1,070`);
        assert.match(await textOf(page, ".subtitle"), /a sample of 5,000/);
    });
});
