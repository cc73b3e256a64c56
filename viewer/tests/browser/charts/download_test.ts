import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { onPage } from "../../support/pages.ts";
import { CHARTS, DIGITS } from "../../support/reports.ts";

/** The first picture of a panel, as its button saves it. */
async function saved(page: Page, panel: string): Promise<string> {
    await page.locator(`[data-panel='${panel}'] svg`).first().waitFor();
    const waiting = page.waitForEvent("download");
    await page.locator(`[data-panel='${panel}'] .save`).first().click();
    return readFileSync((await (await waiting).path())!, "utf8");
}

test("a chart saved from a dark page stands for itself, in light colours", async () => {
    for (const [document_, panel] of [
        [CHARTS, "chart"],
        [CHARTS, "map"],
        [DIGITS, "angles"],
        [DIGITS, "density"],
    ] as const) {
        await onPage(
            document_,
            async (page) => {
                const text = await saved(page, panel);
                assert.match(text, /^<svg [^>]*xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
                assert.ok(!/class=|var\(|not-copied|readout/.test(text));
                const reader = await page.context().newPage();
                const problems = await reader.evaluate(
                    (svg) =>
                        new DOMParser().parseFromString(svg, "image/svg+xml").querySelectorAll("parsererror").length,
                    text,
                );
                assert.equal(problems, 0);
                // Text is dark: its ground will be paper.
                const fills = [...text.matchAll(/<text[^>]* fill="rgb\((\d+), (\d+), (\d+)\)"/g)];
                if (panel !== "map" || fills.length > 0)
                    assert.ok(fills.length > 0 && fills.every(([, r]) => Number(r) < 120));
            },
            { dark: true },
        );
    }
});

test("a chart is saved from a dark page as it is from a light one, cells and dots too", async () => {
    for (const [document_, panel] of [
        [DIGITS, "density"],
        [CHARTS, "map"],
    ] as const) {
        const texts: string[] = [];
        for (const dark of [false, true]) {
            await onPage(
                document_,
                async (page) => {
                    const text = await saved(page, panel);
                    texts.push(text.replace(/(chart|map)-\d+/g, "$1"));
                },
                { dark },
            );
        }
        assert.equal(texts[0], texts[1]);
    }
});
