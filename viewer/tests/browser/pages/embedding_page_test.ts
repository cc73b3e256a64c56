import assert from "node:assert/strict";
import { test } from "node:test";
import { embeddingFixture } from "../../fixtures/embedding_fixture.ts";
import { onPage, placeOf, textOf } from "../../support/pages.ts";
import { DIGITS, FLAT } from "../../support/reports.ts";

test("all panels are there, each with words for a newcomer", async () => {
    await onPage(DIGITS, async (page) => {
        for (const name of [
            "headline",
            "warnings",
            "picture",
            "point",
            "quality",
            "angles",
            "density",
            "trace",
            "spectrum",
            "run",
        ]) {
            assert.equal(await page.locator(`[data-panel='${name}']`).count(), 1, name);
        }
        for (const name of ["quality", "angles", "density", "trace", "spectrum", "run"]) {
            assert.ok((await textOf(page, `[data-panel='${name}'] > .words`)).length > 60, name);
        }
    });
});

test("quality stands beside SVD's, each measure explained, the better one marked in words", async () => {
    await onPage(DIGITS, async (page) => {
        const row = "[data-measure='jaccard_without_self']";
        assert.deepEqual(await page.locator(`${row} td`).allTextContents(), ["71.5% better", "6.1%", "", "0.9%"]);
        assert.match(await textOf(page, `${row} th`), /closer than 41° before or after.*Larger is better/);
        assert.deepEqual(await page.locator("[data-measure='knn_accuracy'] td").allTextContents(), [
            "91.5%",
            "93.4% better",
            "94.1%",
            "13.0%",
        ]);
        assert.equal(await page.locator("[data-panel='quality'] tbody tr").count(), 10);
        assert.match(
            await textOf(page, ".headline"),
            /1\.4°is how far angles under 41° are off, on average \(chance 58°, SVD 20°\)/,
        );
    });
});

test("a sentence is said once, though it stands in two places", async () => {
    const said = "Images were left out: they would take 40 MB.";
    const data = {
        ...DIGITS,
        warnings: [said, "Another."],
        points: { ...DIGITS.points, images: null, images_left_out: said },
    };
    await onPage(data, async (page) =>
        assert.deepEqual(await page.locator(".warnings li").allTextContents(), [said, "Another."]),
    );
});

test("tab reaches search, axes, picture, modes and legend in this order, with a visible focus", async () => {
    await onPage(DIGITS, async (page) => {
        const seen: string[] = [];
        for (let i = 0; i < 18; i++) {
            await page.keyboard.press("Tab");
            const [name, width] = await page.evaluate(() => {
                const focused = document.activeElement!;
                return [
                    focused.className || focused.getAttribute("data-axis") || focused.tagName,
                    getComputedStyle(focused).outlineWidth,
                ];
            });
            assert.equal(width, "3px", String(name));
            seen.push(String(name));
        }
        assert.deepEqual(seen.slice(0, 6), ["quiet theme-switch", "search", "0", "1", "2", "scatter"]);
        assert.ok(seen.includes("mode lasso") && seen.some((name) => name.startsWith("class")));
    });
});

test("a slash leads to the search, and escape takes back from anywhere", async () => {
    await onPage(DIGITS, async (page) => {
        await page.mouse.click(...(await placeOf(page, 3)));
        await page.locator("h1").click();
        await page.keyboard.press("Escape");
        assert.equal(await page.locator("[data-panel='point']").getAttribute("data-point"), "");
        await page.keyboard.press("/");
        assert.equal(await page.evaluate(() => document.activeElement?.className), "search");
        assert.equal(await page.locator(".search").inputValue(), "");
    });
});

test("it prints on light ground without tools, the points in it", async () => {
    await onPage(
        DIGITS,
        async (page) => {
            const pdf = await page.pdf({ format: "A4", printBackground: true });
            assert.ok(pdf.length > 50000, String(pdf.length));
            await page.emulateMedia({ media: "print" });
            assert.equal(await page.locator(".toolbar").isVisible(), false);
            assert.equal(
                await page.locator("html").evaluate((root) => getComputedStyle(root).backgroundColor),
                "rgb(255, 255, 255)",
            );
        },
        { dark: true, fresh: true },
    );
});

test("on a phone nothing is wider than the screen", async () => {
    await onPage(
        DIGITS,
        async (page) => {
            await page.mouse.click(...(await placeOf(page, 7)));
            const [inner, whole] = await page.evaluate(() => [window.innerWidth, document.documentElement.scrollWidth]);
            assert.ok(whole! <= inner!, `${whole} of ${inner}`);
        },
        { width: 420, height: 800 },
    );
});

test("one short line is read aloud when something changes, and what scrolls has a name", async () => {
    await onPage(DIGITS, async (page) => {
        await page.mouse.click(...(await placeOf(page, 7)));
        assert.equal(await page.locator("[aria-live], [role='status']").count(), 1);
        assert.match(await textOf(page, "[aria-live]"), /^Point 7, label \d picked$/);
        for (const one of await page.locator("[tabindex='0']:not(.scatter)").all()) {
            assert.equal(await one.getAttribute("role"), "region");
            assert.ok((await one.getAttribute("aria-label"))!.length > 3);
        }
    });
});

test("what a button is called holds what is written on it", async () => {
    await onPage(DIGITS, async (page) => {
        const differing = await page
            .locator("button[aria-label]")
            .evaluateAll((all) =>
                all
                    .map((one) => [one.textContent!.replace(/[^ -~−]/g, "").trim(), one.getAttribute("aria-label")!])
                    .filter(([written, name]) => !name!.toLowerCase().includes(written!.toLowerCase())),
            );
        assert.deepEqual(differing, []);
    });
});

test("where no two points are near, the measures of near pairs are not known, and all others are", async () => {
    const none = {
        mean_angular_deviation_degrees: null,
        jaccard: null,
        deviation_without_self_degrees: null,
        jaccard_without_self: null,
    };
    const rows = DIGITS.quality!.rows.map(({ name, measures }) => ({ name, measures: { ...measures, ...none } }));
    await onPage({ ...DIGITS, quality: { rows } }, async (page) => {
        assert.deepEqual(await page.locator(".figure").allTextContents(), ["80%", "–", "–"]);
        assert.match(await textOf(page, ".card:nth-child(2)"), /no two different points are that near$/);
        assert.deepEqual(await page.locator("[data-measure='jaccard'] td").allTextContents(), ["–", "–", ""]);
        assert.equal(await page.locator("[data-panel='quality'] tbody tr").count(), 10);
    });
});

test("the words say by what neighbours are near, and where a point's pair with itself is counted", async () => {
    await onPage(DIGITS, async (page) => {
        const row = (name: string) => textOf(page, `[data-measure='${name}']`);
        assert.match(await row("recall_at_10"), /^Neighbours kept \(recall\).*, by angle\./s);
        for (const name of ["mean_angular_deviation_degrees", "jaccard"])
            assert.match(await row(name), /as in Saul 2022.*Each point's pair with itself counted/);
        assert.match(await textOf(page, ".card"), /neighbours of a point \(by angle\)/);
    });
});

test("the verdict stands on top, what it is good for before what it is not for", async () => {
    await onPage(DIGITS, async (page) => {
        assert.deepEqual(await page.locator(".verdict-line").allTextContents(), [
            "Good for: finding similar items (80% of the 10 nearest kept; chance 5.0%).",
            "PCA to 8 dimensions does better at: k-NN label accuracy (79% right; the inputs 91%; PCA 90%; chance 10%).",
            "Not for: lengths (off by 30%), distances between groups.",
            "Not shown to be better than chance at: seeing which points belong together (trustworthiness 0.52 of 1; chance 0.5).",
        ]);
    });
});

test("a map by distance has no word of angles, lengths or spectra", async () => {
    const neighbors = { ...DIGITS.neighbors!, by: "distance" as const, by_input: "angle" as const };
    await onPage({ ...FLAT, neighbors, quality: DIGITS.quality! }, async (page) => {
        for (const name of ["angles", "density", "spectrum"])
            assert.equal(await page.locator(`[data-panel='${name}']`).count(), 0, name);
        assert.deepEqual(
            await page
                .locator("[data-panel='quality'] tbody tr")
                .evaluateAll((all) => all.map((one) => one.getAttribute("data-measure"))),
            ["recall_at_10", "trustworthiness", "continuity", "knn_accuracy"],
        );
        assert.deepEqual(await page.locator(".figure").allTextContents(), ["80%", "0.981", "92%"]);
        assert.match(await textOf(page, ".card"), /by angle in the input and by distance in the embedding/);
        assert.deepEqual(
            await page
                .locator("[data-choice='color'] option")
                .evaluateAll((all) => all.map((one) => (one as HTMLOptionElement).value)),
            ["kept", "norm", "none"],
        );
    });
});

test("more dimensions than can be seen open on a map of them, the axes a click away", async () => {
    const points = {
        ...DIGITS.points,
        layout: { coordinates: embeddingFixture({ dimension: 2 }).points.coordinates, kept: 0.62, kept_inputs: 0.55 },
    };
    await onPage({ ...DIGITS, points }, async (page) => {
        assert.match(
            await textOf(page, ".spread"),
            /made by UMAP.*keeps 62% of the nearest.*and 55% of those in the input/,
        );
        assert.equal(await page.locator("[data-axis='0']").isVisible(), false);
        const before = await placeOf(page, 3);
        await page.locator("[data-shown='axes']").click();
        assert.notDeepEqual(await placeOf(page, 3), before);
        assert.match(await textOf(page, ".spread"), /^These 2 axes show/);
        await page.locator("[data-shown='map']").click();
        assert.deepEqual(await placeOf(page, 3), before);
    });
});

test("the whole map is in the first screen, of a laptop and of a phone", async () => {
    for (const [width, height] of [
        [1366, 768],
        [390, 844],
    ] as const) {
        await onPage(
            DIGITS,
            async (page) => {
                const box = (await page.locator(".scatter").boundingBox())!;
                assert.ok(box.y > 0 && box.y + box.height <= height, `${box.y + box.height} of ${height}`);
                assert.ok(box.height >= 0.33 * height, String(box.height));
                if (width < 500) assert.ok((await page.locator(".search").boundingBox())!.y > box.y + box.height);
            },
            { width, height },
        );
    }
});
