import assert from "node:assert/strict";
import { test } from "node:test";
import { classLook, rgb } from "../../../src/points/palette.ts";
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
            const blue = rgb(classLook(0, "light").color);
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
