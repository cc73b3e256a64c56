import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { classLook, rgb } from "../../../src/points/palette.ts";
import { EVERY_LOOK } from "../../fixtures/placed_fixture.ts";
import { drawn, onPage, pixelsAt, placeOf } from "../../support/pages.ts";
import { FLAT } from "../../support/reports.ts";

test("without WebGL the same points are at the same places", async () => {
    await onPage(
        FLAT,
        async (page) => {
            await page.selectOption("[data-choice='color']", "none");
            await drawn(page);
            const has = await page.evaluate(() => document.createElement("canvas").getContext("webgl2") !== null);
            assert.equal(has, false);
            const blue = rgb(classLook(0).color);
            for (const i of [0, 20, 40]) {
                const [color] = await pixelsAt(page, ...(await placeOf(page, i)));
                assert.ok(Math.hypot(...color!.map((x, c) => x - blue[c]!)) < 80, String(color));
            }
            await page.mouse.click(...(await placeOf(page, 20)));
            await page.locator("[data-panel='point'][data-point='20']").waitFor({ timeout: 2000 });
        },
        { flags: ["--disable-3d-apis"], expect: /WebGL/ },
    );
});

// How dark the points are at which every shape has the first colour, and all around them.
async function patches(page: Page): Promise<number[][]> {
    await page.mouse.move(5, 5);
    await drawn(page);
    const found: number[][] = [];
    for (const i of [0, 10, 20, 30]) {
        const pixels = await pixelsAt(page, ...(await placeOf(page, i)), 11);
        found.push(pixels.map((color) => 255 - Math.min(...color)));
    }
    return found;
}

test("each shape is drawn as WebGL draws it, and as no other", async () => {
    let withWebgl: number[][] = [];
    await onPage(EVERY_LOOK, async (page) => {
        withWebgl = await patches(page);
    });
    await onPage(
        EVERY_LOOK,
        async (page) => {
            for (const [shape, patch] of (await patches(page)).entries()) {
                const apart = withWebgl.map((other) => other.reduce((sum, x, i) => sum + Math.abs(x - patch[i]!), 0));
                assert.equal(apart.indexOf(Math.min(...apart)), shape, String(apart));
                assert.ok(apart[shape]! < 0.25 * patch.reduce((sum, x) => sum + x, 0), String(apart));
            }
        },
        { flags: ["--disable-3d-apis"], expect: /WebGL/ },
    );
});
