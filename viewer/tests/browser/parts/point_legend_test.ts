import assert from "node:assert/strict";
import { test } from "node:test";
import { embeddingFixture } from "../../fixtures/embedding_fixture.ts";
import { pack, packDegrees } from "../../fixtures/packing.ts";
import { onPage, textOf } from "../../support/pages.ts";
import { DIGITS } from "../../support/reports.ts";

test("a class that is pressed stands out, and pressed again does no more", async () => {
    await onPage(DIGITS, async (page) => {
        const button = page.locator("button.class[data-class='3']");
        assert.match((await button.textContent())!, /^3\d+$/);
        await button.click();
        assert.equal(await button.getAttribute("aria-pressed"), "true");
        const count = await page.locator("[data-panel='group']").getAttribute("data-count");
        assert.equal(`3${count}`, await button.textContent());
        await button.click();
        assert.equal(await button.getAttribute("aria-pressed"), "false");
        assert.equal(await page.locator("[data-panel='group']").isVisible(), false);
    });
});

test("a scale has its ends in words, and says what grey means", async () => {
    await onPage(DIGITS, async (page) => {
        await page.selectOption("[data-choice='color']", "angle_error");
        assert.match(await textOf(page, ".legend .scale"), /^0\.0°\d+\.\d° or more$/);
        assert.match(await textOf(page, ".legend .others"), /grey: unknown, \d+ points?/);
        await page.selectOption("[data-choice='color']", "norm");
        assert.match(await textOf(page, ".legend .scale"), /^[\d.]+ or less[\d.]+ or more$/);
    });
});

test("isolated points can be picked out", async () => {
    await onPage(DIGITS, async (page) => {
        await page.selectOption("[data-choice='color']", "isolated");
        await page.locator("button.class[data-class='1']").click();
        assert.equal(await textOf(page, "[data-panel='group'] h2"), "Isolated or not: isolated");
        const count = Number(await page.locator("[data-panel='group']").getAttribute("data-count"));
        assert.ok(count > 0 && (await textOf(page, ".group-facts")).includes(`${count} of them isolated`));
    });
});

const normOf = (values: number[]) => pack(Float32Array.from(values), [values.length]);

test("where all values are the same that value is the legend, and where none is known only that is said", async () => {
    const points = { ...DIGITS.points, norm: normOf(new Array<number>(200).fill(2.5)) };
    await onPage({ ...DIGITS, points }, async (page) => {
        await page.selectOption("[data-choice='color']", "norm");
        assert.equal(await textOf(page, ".legend"), "2.5, the same for all");
        assert.equal(await page.locator(".ramp").count(), 0);
    });
    const unknown = { ...DIGITS.points, angle_error: packDegrees(new Array<number>(200).fill(Number.NaN), [200]) };
    await onPage({ ...DIGITS, points: unknown }, async (page) => {
        await page.selectOption("[data-choice='color']", "angle_error");
        assert.equal(await textOf(page, ".legend"), "grey: unknown, 200 points");
    });
});

test("zero vectors are a class of their own", async () => {
    const norm = normOf(Array.from({ length: 200 }, (_, i) => (i % 50 === 3 ? 0 : 1)));
    await onPage({ ...DIGITS, points: { ...DIGITS.points, norm } }, async (page) => {
        await page.selectOption("[data-choice='color']", "isolated");
        assert.equal(await textOf(page, "button.class[data-class='2']"), "zero vector4");
        await page.locator("button.class[data-class='2']").click();
        assert.equal(await page.locator("[data-panel='group']").getAttribute("data-count"), "4");
    });
});

const MANY = embeddingFixture({
    count: 300,
    images: false,
    labels: Array.from({ length: 60 }, (_, i) => `label ${i}`),
});

test("with more labels than looks the grey ones are told of outside the list that scrolls", async () => {
    await onPage(MANY, async (page) => {
        assert.match(
            await textOf(page, ".legend > .others"),
            /^grey: other: \d+ points of 40 labels without a colour of their own\.$/,
        );
        assert.equal(await page.locator(".classes .others").count(), 0);
        assert.match(await textOf(page, ".color-row .words"), /^The 20 labels with the most points/);
    });
});

test("the ring around a class that has the focus is not cut off", async () => {
    await onPage(MANY, async (page) => {
        const [first, box] = await page.evaluate(() => {
            const list = document.querySelector(".classes")!;
            const edges = (one: Element) => one.getBoundingClientRect();
            return [edges(list.querySelector("button")!), edges(list)].map(({ left, top }) => ({ left, top }));
        });
        // Three pixels of ring, two from the edge.
        assert.ok(first!.left - box!.left >= 5 && first!.top - box!.top >= 5);
    });
});
