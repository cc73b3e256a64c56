import assert from "node:assert/strict";
import { test } from "node:test";
import { readPoints } from "../../../src/points/points.ts";
import { pack } from "../../fixtures/packing.ts";
import { drawn, onPage, placeOf, placesOf, textOf, upTo } from "../../support/pages.ts";
import { DIGITS, WORDS } from "../../support/reports.ts";

test("hovering shows the point's word and label, and leaving hides them", async () => {
    await onPage(WORDS, async (page) => {
        await page.mouse.move(...(await placeOf(page, 33)));
        assert.equal(await textOf(page, ".tooltip"), `tree33 ${(await readPoints(WORDS.points)).labelOf(33)} #33`);
        await drawn(page);
        assert.equal(await page.locator(".ring.hovered").count(), 1);
        await page.mouse.move(3, 3);
        assert.equal(await page.locator(".tooltip").isVisible(), false);
    });
});

test("hovering shows the point's image", async () => {
    await onPage(DIGITS, async (page) => {
        await page.mouse.move(...(await placeOf(page, 4)));
        await page.locator(".tooltip canvas").waitFor();
        assert.equal(await page.locator(".tooltip canvas").getAttribute("aria-label"), "image of point 4");
        assert.match(await textOf(page, ".tooltip"), /^\d #4$/);
    });
});

test("hovering over a point of a sample shows its number in the input", async () => {
    const rows = pack(
        Uint32Array.from({ length: 200 }, (_, i) => 5000 + 3 * i),
        [200],
    );
    await onPage({ ...DIGITS, points: { ...DIGITS.points, rows, points_in_all: 9000 } }, async (page) => {
        await page.mouse.move(...(await placeOf(page, 4)));
        assert.match(await textOf(page, ".tooltip"), /^\d #5,012$/);
        assert.equal(await page.locator(".tooltip canvas").getAttribute("aria-label"), "image of point 5012");
        await page.mouse.click(...(await placeOf(page, 7)));
        const listed = page.locator("[data-panel='point'] .neighbor-list .number");
        assert.deepEqual((await listed.allTextContents()).slice(0, 2), ["#5,024", "#5,027"]);
    });
});

test("the tooltip stays inside the picture, wherever the point is", async () => {
    await onPage(DIGITS, async (page) => {
        const box = (await page.locator(".scatter").boundingBox())!;
        const places = (await placesOf(page, upTo(200))).sort((a, b) => a[0] - b[0]);
        for (const place of [
            places[0]!,
            places.at(-1)!,
            ...places.sort((a, b) => a[1] - b[1]).slice(0, 1),
            places.at(-1)!,
        ]) {
            await page.mouse.move(...place);
            const tip = (await page.locator(".tooltip").boundingBox())!;
            assert.ok(tip.x >= box.x - 1 && tip.x + tip.width <= box.x + box.width + 1);
            assert.ok(tip.y >= box.y - 1 && tip.y + tip.height <= box.y + box.height + 1);
        }
    });
});
