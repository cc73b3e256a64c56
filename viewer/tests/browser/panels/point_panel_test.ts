import assert from "node:assert/strict";
import { test } from "node:test";
import { PLANTED } from "../../fixtures/embedding_fixture.ts";
import { onPage, placeOf, textOf } from "../../support/pages.ts";
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
                title: "in the input",
                rows: PLANTED.input.map((point, place) =>
                    row(point, place, PLANTED.lost.includes(point) ? "lost" : ""),
                ),
            },
            {
                title: "in the embedding",
                rows: PLANTED.embedding.map((point, place) =>
                    row(point, place, PLANTED.invented.includes(point) ? "invented" : ""),
                ),
            },
        ]);
        assert.match(
            await textOf(page, `${PANEL} .kept-sentence`),
            /^6 of its 8 nearest neighbours in the input are among/,
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
        isolated: (await import("../../fixtures/packing.ts")).pack(new Uint8Array(60).fill(1), [60]),
    };
    await onPage({ ...rest, points: isolated }, async (page) => {
        await page.mouse.click(...(await placeOf(page, 0)));
        assert.match(await textOf(page, PANEL), /Isolated: nothing is near it/);
        assert.match(await textOf(page, PANEL), /holds no lists of neighbours/);
    });
});
