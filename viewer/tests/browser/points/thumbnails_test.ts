import assert from "node:assert/strict";
import { test } from "node:test";
import { gunzipSync } from "node:zlib";
import { onPage } from "../../support/pages.ts";
import { DIGITS } from "../../support/reports.ts";

test("a thumbnail has the pixels of its image, of 16 levels", async () => {
    const stored = gunzipSync(Buffer.from(DIGITS.points.images!.pixels.gzip, "base64")).subarray(7 * 784, 8 * 784);
    await onPage(DIGITS, async (page) => {
        await page.locator(".search").fill("#7");
        await page.keyboard.press("Enter");
        await page.waitForTimeout(200);
        const seen = await page.locator("[data-panel='point'] canvas.large").evaluate((element) => {
            const canvas = element as HTMLCanvasElement;
            const { data } = canvas.getContext("2d")!.getImageData(0, 0, canvas.width, canvas.height);
            return Array.from({ length: data.length / 4 }, (_, i) => data[4 * i]!);
        });
        assert.deepEqual(
            seen,
            Array.from(stored, (level) => Math.round((255 * level) / 15)),
        );
    });
});

test("images that cannot be unpacked are left out, and the point is still there", async () => {
    const images = { ...DIGITS.points.images!, pixels: { ...DIGITS.points.images!.pixels, gzip: "AAAA" } };
    await onPage({ ...DIGITS, points: { ...DIGITS.points, images } }, async (page) => {
        await page.locator(".search").fill("#7");
        await page.keyboard.press("Enter");
        await page.waitForTimeout(200);
        assert.equal(await page.locator("canvas.thumbnail").count(), 0);
        assert.equal(await page.locator("[data-panel='point'] .neighbor").count(), 16);
    });
});
