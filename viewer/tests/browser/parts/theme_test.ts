import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import type { Rgb } from "../../../src/points/palette.ts";
import { contrast } from "../../support/contrast.ts";
import { drawn, onPage, pixelsAt } from "../../support/pages.ts";
import { DIGITS } from "../../support/reports.ts";

const themeOf = (page: Page) => page.evaluate(() => document.documentElement.dataset.theme);

async function ground(page: Page): Promise<number> {
    await drawn(page);
    const box = (await page.locator(".scatter").boundingBox())!;
    return (await pixelsAt(page, box.x + 40, box.y + box.height - 40))[0]![0]!;
}

test("the page is as dark as the system, until its switch is pressed", async () => {
    await onPage(
        DIGITS,
        async (page) => {
            assert.equal(await themeOf(page), "dark");
            assert.ok((await ground(page)) < 40);
            await page.getByRole("button", { name: "Change to light colours" }).click();
            assert.equal(await themeOf(page), "light");
            assert.ok((await ground(page)) > 240);
            await page.reload();
            await page.locator(".scatter").waitFor();
            assert.equal(await themeOf(page), "light");
        },
        { dark: true, fresh: true },
    );
});

test("text is readable on both grounds: a contrast of 4.5 or more", async () => {
    for (const dark of [false, true]) {
        await onPage(
            DIGITS,
            async (page) => {
                await page.locator(".search").fill("#7");
                await page.keyboard.press("Enter");
                const poor = await page.evaluate(() => {
                    const parse = (color: string) => (color.match(/[\d.]+/g) ?? []).map(Number);
                    const light = (color: number[]) =>
                        color
                            .slice(0, 3)
                            .reduce(
                                (sum, x, i) =>
                                    sum +
                                    [0.2126, 0.7152, 0.0722][i]! *
                                        (x / 255 <= 0.04045 ? x / 255 / 12.92 : ((x / 255 + 0.055) / 1.055) ** 2.4),
                                0,
                            );
                    const behind = (element: Element | null): number[] => {
                        if (!element) return [255, 255, 255];
                        const color = parse(getComputedStyle(element).backgroundColor);
                        return color.length > 3 && color[3] === 0 ? behind(element.parentElement) : color;
                    };
                    return [
                        ...document.querySelectorAll<HTMLElement>(
                            "#page h1, #page h2, #page h3, #page p, #page td, #page th, #page dt, #page dd, #page li, #page button, #page .angles, #page .fate",
                        ),
                    ]
                        .filter((element) => element.offsetParent !== null && element.textContent !== "")
                        .flatMap((element) => {
                            const [a, b] = [light(parse(getComputedStyle(element).color)), light(behind(element))];
                            const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
                            return contrast < 4.5
                                ? [`${element.className || element.tagName} ${contrast.toFixed(2)}`]
                                : [];
                        });
                });
                assert.deepEqual([...new Set(poor)], []);
            },
            { dark },
        );
    }
});

test("what a field asks for can be read, and its edge can be seen", async () => {
    for (const dark of [false, true]) {
        await onPage(
            DIGITS,
            async (page) => {
                const colors = await page.locator(".search").evaluate((field) => {
                    const { backgroundColor, borderTopColor } = getComputedStyle(field);
                    const panel = getComputedStyle(field.closest(".panel")!).backgroundColor;
                    return [getComputedStyle(field, "::placeholder").color, borderTopColor, backgroundColor, panel];
                });
                const [words, edge, ground, around] = colors.map((color) => color.match(/[\d.]+/g)!.map(Number) as Rgb);
                assert.ok(contrast(words!, ground!) >= 4.5);
                assert.ok(contrast(edge!, ground!) >= 3 && contrast(edge!, around!) >= 3);
            },
            { dark },
        );
    }
});
