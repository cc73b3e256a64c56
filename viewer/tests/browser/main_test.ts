import assert from "node:assert/strict";
import { test } from "node:test";
import { onPage, textOf } from "../support/pages.ts";
import { CHARTS, DIGITS, FLAT, WORDS } from "../support/reports.ts";

for (const [name, document] of Object.entries({ digits: DIGITS, words: WORDS, flat: FLAT, charts: CHARTS })) {
    test(`a report of ${name} opens from disk without an error or a request`, async () => {
        await onPage(document, async (page) => {
            assert.equal(await page.locator("h1").count(), 1);
            assert.equal(await page.locator(".fault").count(), 0);
            assert.equal(await page.title(), document.title);
        });
    });
}

test("a page without a report says so, and what to do", async () => {
    await onPage(null, async (page) =>
        assert.match(await textOf(page, "#page"), /no report in this page yet.*isogon embed/),
    );
});

test("damage is told in a sentence", async () => {
    const cut = {
        ...DIGITS,
        points: { ...DIGITS.points, coordinates: { ...DIGITS.points.coordinates, shape: [201, 8] } },
    };
    await onPage(cut, async (page) =>
        assert.match(await textOf(page, "#page"), /coordinates hold .* the file is damaged/),
    );
    await onPage({ ...DIGITS, version: 9 }, async (page) =>
        assert.match(await textOf(page, "#page"), /version 9; this page reads version 1/),
    );
});

test("what was not expected is told too, without a blank page", async () => {
    const strange = { ...DIGITS, points: { count: 3 } };
    await onPage(strange, async (page) => assert.match(await textOf(page, "#page"), /cannot be shown/), {
        expect: /TypeError/,
    });
});

test("nothing but the points is needed", async () => {
    const { format, version, kind, points } = DIGITS;
    const bare = {
        format,
        version,
        kind,
        points: { count: points.count, dimension: points.dimension, coordinates: points.coordinates },
    };
    await onPage(bare, async (page) => {
        assert.equal(await page.locator(".scatter").count(), 1);
        assert.deepEqual(
            await page
                .locator("[data-panel]")
                .evaluateAll((all) => all.map((one) => (one as HTMLElement).dataset.panel)),
            ["picture", "group", "point"],
        );
    });
});

test("the page may not fetch, even where its script would", async () => {
    await onPage(
        DIGITS,
        async (page) => {
            const refused = await page.evaluate(() =>
                fetch("https://example.org/").then(
                    () => "fetched",
                    () => "refused",
                ),
            );
            assert.equal(refused, "refused");
            const parsed = await page.evaluate(() => {
                try {
                    document.body.insertAdjacentHTML("beforeend", "<b>x</b>");
                    return "parsed";
                } catch {
                    return "refused";
                }
            });
            assert.equal(parsed, "refused");
        },
        { expect: /Content Security Policy|TrustedHTML|example\.org/ },
    );
});
