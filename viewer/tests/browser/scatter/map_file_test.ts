import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { onPage } from "../../support/pages.ts";
import { WORDS } from "../../support/reports.ts";

async function saved(page: Page, name: string): Promise<{ bytes: Buffer; file: string }> {
    const waiting = page.waitForEvent("download");
    await page.locator(".files").getByRole("button", { name }).click();
    const download = await waiting;
    return { bytes: readFileSync((await download.path())!), file: download.suggestedFilename() };
}

test("the picture is saved on light ground with its points and names, from a dark page as well", async () => {
    await onPage(
        WORDS,
        async (page) => {
            const { bytes, file } = await saved(page, "Save as SVG");
            assert.match(file, /\.svg$/);
            const text = bytes.toString("utf8");
            assert.match(text, /^<svg [^>]*xmlns="http:\/\/www\.w3\.org\/2000\/svg"[^>]*viewBox=/);
            assert.match(text, /fill="rgb\(255,255,255\)"/);
            // One path a look; a circle is two arcs.
            assert.equal(text.match(/<path/g)!.length, 3);
            assert.equal(text.match(/Z/g)!.length, 120);
            assert.match(text, />noun<\/text>/);
        },
        { dark: true },
    );
});

test("and as an image of twice as many pixels", async () => {
    await onPage(WORDS, async (page) => {
        const { bytes, file } = await saved(page, "Save as PNG");
        assert.match(file, /\.png$/);
        assert.equal(bytes.subarray(1, 4).toString(), "PNG");
        const width = await page.locator(".scatter").evaluate((one) => one.clientWidth);
        assert.equal(bytes.readUInt32BE(16), 2 * width);
    });
});
