import assert from "node:assert/strict";
import { test } from "node:test";
import { onPage } from "../../support/pages.ts";
import { DIGITS } from "../../support/reports.ts";

test("on paper there is a picture on light ground with points in it, and the charts; afterwards all is as before", async () => {
    await onPage(
        DIGITS,
        async (page) => {
            await page.locator("[data-panel='density'] svg").waitFor();
            const printed = await page.evaluate(async () => {
                const cells = () => document.querySelector(".cells")!.getAttribute("href");
                const dark = cells();
                window.dispatchEvent(new Event("beforeprint"));
                // What is asked for at once is what the print will hold.
                const image = document.querySelector<HTMLImageElement>("img.points")!;
                const charts = document.querySelectorAll(
                    "[data-panel='density'] svg, [data-panel='angles'] svg",
                ).length;
                const theme = document.documentElement.dataset.theme;
                await image.decode();
                const canvas = new OffscreenCanvas(image.width, image.height);
                const context = canvas.getContext("2d")!;
                context.drawImage(image, 0, 0, image.width, image.height);
                const { data } = context.getImageData(0, 0, image.width, image.height);
                let inked = 0;
                for (let i = 0; i < data.length; i += 4)
                    if (Math.min(data[i]!, data[i + 1]!, data[i + 2]!) < 200) inked += 1;
                return { charts, theme, redrawn: cells() !== dark, corner: [...data.slice(0, 3)], inked };
            });
            assert.ok(printed.inked > 1000, String(printed.inked));
            assert.deepEqual(
                { ...printed, inked: 0 },
                { charts: 2, theme: "light", redrawn: true, corner: [255, 255, 255], inked: 0 },
            );
            await page.evaluate(() => window.dispatchEvent(new Event("afterprint")));
            assert.equal(await page.locator("img.points").count(), 0);
            assert.equal(await page.locator("html").getAttribute("data-theme"), "dark");
        },
        { dark: true, fresh: true },
    );
});
