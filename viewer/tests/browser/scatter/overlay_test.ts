import assert from "node:assert/strict";
import { test } from "node:test";
import { PLANTED } from "../../fixtures/embedding_fixture.ts";
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
