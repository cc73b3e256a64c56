import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { onPage } from "../../support/pages.ts";
import { CHARTS, DIGITS } from "../../support/reports.ts";

// What the table says of its columns, once its size is known.
async function seen(page: Page, kind: string): Promise<{ hint: boolean; more: boolean }> {
    await page.waitForTimeout(100);
    const frame = page.locator(`.table-frame:has(table.${kind})`).last();
    return {
        hint: await frame.locator(".table-hint").isVisible(),
        more: await frame.evaluate((element) => element.classList.contains("more")),
    };
}

test("a table that hides columns says that it scrolls, until the last one is in sight", async () => {
    await onPage(
        DIGITS,
        async (page) => {
            assert.deepEqual(await seen(page, "quality"), { hint: true, more: true });
            await page.locator(".table-scroll:has(table.quality)").evaluate((box) => box.scrollTo(9999, 0));
            // The words stay: they would make the page jump.
            assert.deepEqual(await seen(page, "quality"), { hint: true, more: false });
        },
        { width: 420 },
    );
});

test("a table that is all in sight says nothing", async () => {
    await onPage(CHARTS, async (page) => {
        assert.deepEqual(await seen(page, "data"), { hint: false, more: false });
    });
});

test("no word of a table's head is broken on a phone", async () => {
    await onPage(
        DIGITS,
        async (page) => {
            const broken = await page.locator("table.quality thead th").evaluateAll((cells) =>
                cells.flatMap((cell) => {
                    const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
                    const words: string[] = [];
                    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
                        for (const match of node.textContent!.matchAll(/\S+/g)) {
                            const range = document.createRange();
                            range.setStart(node, match.index);
                            range.setEnd(node, match.index + match[0].length);
                            if (new Set([...range.getClientRects()].map(({ top }) => top)).size > 1)
                                words.push(match[0]);
                        }
                    }
                    return words;
                }),
            );
            assert.deepEqual(broken, []);
        },
        { width: 420 },
    );
});
