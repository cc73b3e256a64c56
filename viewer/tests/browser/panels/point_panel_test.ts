import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { embeddingFixture, PLANTED } from "../../fixtures/embedding_fixture.ts";
import { pack } from "../../fixtures/packing.ts";
import { drawn, onPage, placeOf, textOf } from "../../support/pages.ts";
import { DIGITS, FLAT } from "../../support/reports.ts";

const PANEL = "[data-panel='point']";

test("a clicked point lists its neighbours in input and embedding, the lost and the invented marked by text", async () => {
    await onPage(DIGITS, async (page) => {
        await page.mouse.click(...(await placeOf(page, PLANTED.point)));
        const lists = await page.locator(`${PANEL} .neighbor-list`).evaluateAll((all) =>
            all.map((list) => ({
                title: list.querySelector("h3")?.textContent,
                rows: [...list.querySelectorAll("li")].map((row) => [
                    Number(row.dataset.point),
                    row.querySelector(".angles")?.textContent,
                    row.querySelector(".fate")?.textContent ?? "",
                ]),
            })),
        );
        const row = (point: number, place: number, fate: string) => [
            point,
            `${place + 10}° → ${2 * place + 12}°`,
            fate,
        ];
        assert.deepEqual(lists, [
            {
                title: "in the input, by angle",
                rows: PLANTED.input.map((point, place) =>
                    row(point, place, PLANTED.lost.includes(point) ? "lost" : ""),
                ),
            },
            {
                title: "in the embedding, by angle",
                rows: PLANTED.embedding.map((point, place) =>
                    row(point, place, PLANTED.invented.includes(point) ? "invented" : ""),
                ),
            },
        ]);
        assert.match(
            await textOf(page, `${PANEL} .kept-sentence`),
            /^6 of its 8 nearest neighbours in the input are among.*at random would keep 0\.3,.* \d of its 8 nearest in the embedding (has|have) its label\.$/,
        );
    });
});

test("lost and invented differ in colour from the kept, and from each other", async () => {
    await onPage(DIGITS, async (page) => {
        await page.mouse.click(...(await placeOf(page, PLANTED.point)));
        const ground = (fate: string) =>
            page
                .locator(`${PANEL} li.${fate} .neighbor`)
                .first()
                .evaluate((row) => getComputedStyle(row).backgroundColor);
        assert.equal(new Set([await ground("kept"), await ground("lost"), await ground("invented")]).size, 3);
    });
});

test("a neighbour that is clicked is picked itself, and closing brings back the first words", async () => {
    await onPage(DIGITS, async (page) => {
        await page.mouse.click(...(await placeOf(page, PLANTED.point)));
        await page.locator(`${PANEL} li[data-fate='lost'] button`).first().click();
        assert.equal(await page.locator(PANEL).getAttribute("data-point"), String(PLANTED.lost[0]));
        await page.getByRole("button", { name: "Close this point" }).click();
        assert.match(await textOf(page, PANEL), /^Ask any point/);
    });
});

test("an isolated point is said to be one", async () => {
    const { points, neighbors: _, ...rest } = FLAT;
    const isolated = {
        ...points,
        isolated: pack(new Uint8Array(60).fill(1), [60]),
    };
    await onPage({ ...rest, points: isolated }, async (page) => {
        await page.mouse.click(...(await placeOf(page, 0)));
        assert.match(await textOf(page, PANEL), /Isolated: nothing is near it/);
        assert.match(await textOf(page, PANEL), /holds no lists of neighbours/);
    });
});

test("a zero vector has no direction, so no neighbours by angle", async () => {
    const norm = pack(
        Float32Array.from({ length: 200 }, (_, i) => (i === PLANTED.point ? 0 : 1)),
        [200],
    );
    await onPage({ ...DIGITS, points: { ...DIGITS.points, norm } }, async (page) => {
        await page.locator(".search").fill(`#${PLANTED.point}`);
        await page.keyboard.press("Enter");
        assert.match(await textOf(page, `${PANEL} .caution`), /^Zero vector: it has no direction/);
        assert.match(
            await textOf(page, PANEL),
            /This input is zero: it has no direction, so no neighbours by angle\.$/,
        );
        assert.equal(await page.locator(`${PANEL} .neighbor-list`).count(), 0);
        await drawn(page);
        assert.equal(await page.locator(".overlay .link").count(), 0);
    });
});

test("a map that keeps distances is compared by distance, zero vectors too", async () => {
    const count = DIGITS.points.count;
    const norm = pack(new Float32Array(count), [count]);
    const side = (first: number) => ({
        index: pack(
            Uint32Array.from({ length: count }, (_, i) => (i + first) % count),
            [count, 1],
        ),
        distance_in: pack(new Uint16Array(count).fill(5), [count, 1], { scale: 0.25 }),
        distance_out: pack(new Uint16Array(count).fill(8), [count, 1], { scale: 2 }),
    });
    const neighbors = { k: 1, by: "distance" as const, input: side(1), embedding: side(2) };
    await onPage({ ...DIGITS, points: { ...DIGITS.points, norm }, neighbors }, async (page) => {
        await page.locator(".search").fill(`#${PLANTED.point}`);
        await page.keyboard.press("Enter");
        assert.deepEqual(await page.locator(`${PANEL} .neighbor-list h3`).allTextContents(), [
            "in the input, by distance",
            "in the embedding, by distance",
        ]);
        assert.deepEqual(await page.locator(`${PANEL} .angles`).allTextContents(), ["1.25 → 16", "1.25 → 16"]);
        assert.match(
            await textOf(page, `${PANEL} .kept-sentence`),
            /^0 of its 1 nearest neighbour in the input .*no better than chance/,
        );
        assert.match(
            await textOf(page, PANEL),
            /Each row says how far that point is: distance in the input → distance in the embedding/,
        );
        assert.match(await textOf(page, "[data-measure='recall_at_10']"), /, by distance\./);
    });
});

test("other dimensions are warned of only where there are some that cannot be seen", async () => {
    const warned = async (page: Page) => /other dimensions/.test(await textOf(page, PANEL));
    await onPage(DIGITS, async (page) => assert.equal(await warned(page), true));
    await onPage(FLAT, async (page) => assert.equal(await warned(page), false));
    await onPage(embeddingFixture({ count: 30, dimension: 3, images: false }), async (page) => {
        assert.equal(await warned(page), true);
        await page.selectOption("[data-axis='2']", "p2");
        assert.equal(await warned(page), false);
        await page.selectOption("[data-axis='2']", "p0");
        assert.equal(await warned(page), true);
    });
});

test("the keyboard follows a neighbour to its heading, and goes back to the picture when the point is closed", async () => {
    const focused = (page: Page) =>
        page.evaluate(() => [document.activeElement!.tagName, document.activeElement!.className]);
    await onPage(DIGITS, async (page) => {
        for (const close of ["Enter", "Escape"]) {
            await page.mouse.click(...(await placeOf(page, PLANTED.point)));
            await page.locator(`${PANEL} .neighbor`).first().focus();
            await page.keyboard.press("Enter");
            assert.equal((await focused(page))[0], "H2");
            assert.equal(await page.locator(PANEL).getAttribute("data-point"), String(PLANTED.input[0]));
            if (close === "Enter") await page.keyboard.press("Tab");
            await page.keyboard.press(close);
            assert.deepEqual(await focused(page), ["DIV", "scatter"]);
            assert.equal(await page.locator(PANEL).getAttribute("data-point"), "");
        }
    });
});
