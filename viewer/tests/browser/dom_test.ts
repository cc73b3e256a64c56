import assert from "node:assert/strict";
import { test } from "node:test";
import { onPage } from "../support/pages.ts";
import { CHARTS, DIGITS } from "../support/reports.ts";

test("no id stands twice, and whatever names or describes something is there", async () => {
    for (const document_ of [DIGITS, CHARTS]) {
        await onPage(document_, async (page) => {
            const { ids, lost } = await page.evaluate(() => {
                const names = ["aria-labelledby", "aria-controls", "aria-describedby"];
                const wanted = [...document.querySelectorAll("*")].flatMap((one) =>
                    names.flatMap((name) => (one.getAttribute(name) ?? "").split(" ").filter(Boolean)),
                );
                return {
                    ids: [...document.querySelectorAll("#page [id]")].map(({ id }) => id),
                    lost: wanted.filter((id) => !document.getElementById(id)),
                };
            });
            assert.equal(new Set(ids).size, ids.length);
            assert.deepEqual(lost, []);
        });
    }
});

test("everything that can be pressed or chosen has a name, and every picture words", async () => {
    await onPage(DIGITS, async (page) => {
        const nameless = await page.evaluate(() =>
            [...document.querySelectorAll("button, select, input, [role=img]")]
                .filter(
                    (one) =>
                        !(
                            one.textContent?.trim() ||
                            one.getAttribute("aria-label") ||
                            one.getAttribute("aria-labelledby") ||
                            (one as HTMLInputElement).labels?.length
                        ),
                )
                .map((one) => one.outerHTML.slice(0, 80)),
        );
        assert.deepEqual(nameless, []);
    });
});
