import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { shown } from "../../../src/parts/plain_text.ts";
import { chartsFixture } from "../../fixtures/charts_fixture.ts";
import { embeddingFixture } from "../../fixtures/embedding_fixture.ts";
import { HOSTILE, hostileFixture } from "../../fixtures/hostile_fixture.ts";
import { onPage, placeOf } from "../../support/pages.ts";

const BAD = hostileFixture();

// Nothing ran, nothing was made of text, and nothing is wider than the window.
async function unharmed(page: Page): Promise<void> {
    const found = await page.evaluate(() => ({
        harmed: (window as unknown as { harmed?: unknown }).harmed,
        images: document.querySelectorAll("#page img, #page iframe, #page script, #page b, #page a, #page style")
            .length,
        handlers: [...document.querySelectorAll("#page *")].filter((one) =>
            [...one.attributes].some(({ name }) => name.startsWith("on")),
        ).length,
        wide: document.documentElement.scrollWidth - window.innerWidth,
        tall: document.documentElement.scrollHeight,
        longest: Math.max(
            ...[...document.querySelectorAll("#page *")].flatMap((one) =>
                [...one.attributes].map(({ name, value }) =>
                    name === "href" || name === "points" || name === "d" ? 0 : value.length,
                ),
            ),
        ),
    }));
    assert.deepEqual(
        { ...found, wide: found.wide > 0, tall: found.tall > 12000, longest: found.longest > 700 },
        { harmed: undefined, images: 0, handlers: 0, wide: false, tall: false, longest: false },
    );
}

test("hostile labels, words, names and sentences are text on the page and nothing else", async () => {
    await onPage(BAD, async (page) => {
        await unharmed(page);
        const labels = await page.locator("button.class bdi").allTextContents();
        assert.deepEqual(
            labels.slice(0, 3),
            HOSTILE.slice(0, 3).map((text) => shown(text, 22)),
        );
        assert.equal(await page.title(), shown(HOSTILE[0]!, 120));
    });
});

test("they are text in tooltips, lists, groups and search too", async () => {
    await onPage(BAD, async (page) => {
        for (const i of [0, 1, 2, 7, 10, 11, 14]) {
            const place = await placeOf(page, i);
            await page.mouse.move(...place);
            await page.mouse.click(...place);
            await unharmed(page);
        }
        for (const query of ["<", "script", "\u202E", "xxx", "proto", "${"]) {
            await page.locator(".search").fill(query);
            await page.locator(".hits li").first().waitFor();
            await unharmed(page);
        }
        await page.locator(".search").fill("<img");
        await page.keyboard.press("Enter");
        await page.getByRole("button", { name: "Select the points in view" }).click();
        await unharmed(page);
    });
});

test("a text's direction of writing ends with it", async () => {
    await onPage(BAD, async (page) => {
        const entry = page.locator("button.class", { hasText: "gnp.exe" }).first();
        const order = await entry.evaluate((button) => {
            const left = (selector: string) => button.querySelector(selector)!.getBoundingClientRect().left;
            return left("svg") < left("bdi") && left("bdi") < left(".number");
        });
        assert.ok(order);
    });
});

test("ten thousand characters are one line with an ellipsis, on a phone as well", async () => {
    await onPage(
        BAD,
        async (page) => {
            await unharmed(page);
            const text = await page.locator("button.class bdi").filter({ hasText: "xxxxx" }).first().textContent();
            assert.equal(text, `${"x".repeat(21)}…`);
        },
        { width: 420 },
    );
});

test("charts, tables and maps take hostile names as text too", async () => {
    const good = chartsFixture();
    const text = (i: number) => HOSTILE[i % HOSTILE.length]!;
    const bad = {
        ...good,
        title: text(0),
        notes: HOSTILE,
        tables: [
            {
                title: text(1),
                columns: HOSTILE.slice(0, 6),
                rows: [HOSTILE.slice(0, 6), HOSTILE.slice(6, 12)],
                note: text(10),
            },
        ],
        charts: [
            {
                title: text(2),
                x: { label: text(10) },
                y: { label: text(7) },
                series: HOSTILE.map((name) => ({
                    name,
                    points: [
                        [1, 2],
                        [2, 3],
                    ] as [number, number][],
                })),
                note: text(0),
            },
        ],
        maps: good.maps!.map((map) => ({
            ...map,
            title: text(11),
            labels: map.labels && { ...map.labels, names: HOSTILE.slice(0, 5) },
        })),
    };
    await onPage(bad, unharmed);
});

test("words of ten thousand letters leave nothing wider than a phone", async () => {
    const long = (letter: string) => letter.repeat(10000);
    const names = [long("x"), long("y"), long("z")];
    const words = Array.from({ length: 60 }, () => long("w"));
    const base = embeddingFixture({ count: 60, labels: names, words });
    const data = { ...base, title: long("t"), warnings: [long("v")], run: { ...base.run!, method: long("m") } };
    await onPage(
        data,
        async (page) => {
            await unharmed(page);
            await page.locator(".search").fill("w");
            await unharmed(page);
            await page.locator(".search").fill("#7");
            await page.keyboard.press("Enter");
            await unharmed(page);
            await page.locator("button.class").first().click();
            await unharmed(page);
            const out = await page.evaluate(() =>
                [...document.querySelectorAll("main *")]
                    .filter((one) => !one.closest(".table-scroll, .command, svg, .unseen"))
                    .filter((one) => one.getBoundingClientRect().right > window.innerWidth)
                    .map((one) => `${one.tagName}.${one.className}`),
            );
            assert.deepEqual(out, []);
        },
        { width: 390, height: 844 },
    );
});
