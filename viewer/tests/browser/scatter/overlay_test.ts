import assert from "node:assert/strict";
import { test } from "node:test";
import { embeddingFixture, PLANTED } from "../../fixtures/embedding_fixture.ts";
import { drawn, onPage, placeOf } from "../../support/pages.ts";
import { DIGITS } from "../../support/reports.ts";

test("lines lead from the point picked to its neighbours, each kind drawn in its own way", async () => {
    await onPage(DIGITS, async (page) => {
        await page.mouse.click(...(await placeOf(page, PLANTED.point)));
        await drawn(page);
        const lines = await page
            .locator(".overlay line.link")
            .evaluateAll((all) =>
                all.map(
                    (one) =>
                        [
                            one.getAttribute("class"),
                            Number(one.getAttribute("x2")),
                            Number(one.getAttribute("y2")),
                        ] as const,
                ),
            );
        assert.deepEqual(
            lines.map(([kind]) => kind),
            [...new Array(6).fill("link kept"), "link lost", "link lost", "link invented", "link invented"],
        );
        const box = (await page.locator(".scatter").boundingBox())!;
        const ends = [...PLANTED.input, ...PLANTED.invented];
        for (const [k, i] of ends.entries()) {
            const [x, y] = await placeOf(page, i);
            assert.ok(Math.hypot(lines[k]![1] + box.x + 1 - x, lines[k]![2] + box.y + 1 - y) < 0.01);
        }
        assert.equal(await page.locator(".ring.picked").count(), 1);
    });
});

test("axes go through the origin and have names", async () => {
    await onPage(DIGITS, async (page) => {
        assert.deepEqual(await page.locator(".axis-name").allTextContents(), [
            "principal axis 1 →",
            "↑ principal axis 2",
        ]);
    });
});

test("the overlay's drawing is as large as the picture it was drawn for, so that both are scaled alike on paper", async () => {
    await onPage(DIGITS, async (page) => {
        const [drawn, size] = await page.evaluate(() => {
            const { clientWidth, clientHeight } = document.querySelector(".scatter")!;
            return [document.querySelector(".overlay")!.getAttribute("viewBox"), `0 0 ${clientWidth} ${clientHeight}`];
        });
        assert.equal(drawn, size);
        const fit = await page.locator("canvas.points").evaluate((canvas) => getComputedStyle(canvas).objectFit);
        assert.equal(fit, "contain");
    });
});

test("an axis that is none has no name", async () => {
    await onPage(embeddingFixture({ count: 20, dimension: 1, images: false }), async (page) =>
        assert.deepEqual(await page.locator(".axis-name").allTextContents(), ["coordinate 1 →"]),
    );
});

test("in space the names of the axes are in the picture, however it is turned", async () => {
    await onPage(
        DIGITS,
        async (page) => {
            await page.selectOption("[data-axis='2']", "p2");
            const box = (await page.locator(".scatter").boundingBox())!;
            await page.locator(".scatter").focus();
            for (let turn = 0; turn < 6; turn++) {
                await drawn(page);
                // All at once: a frame in between replaces them.
                const sides = await page.evaluate(() =>
                    [...document.querySelectorAll(".axis-name")]
                        .map((one) => one.getBoundingClientRect())
                        .map((b) => [b.left, b.right]),
                );
                for (const [left, right] of sides) {
                    const inside = left! >= box.x - 1 && right! <= box.x + box.width + 1;
                    assert.ok(inside, `${left} to ${right} of ${box.x} to ${box.x + box.width}`);
                }
                for (let step = 0; step < 8; step++) await page.keyboard.press("ArrowLeft");
            }
        },
        { width: 390 },
    );
});
