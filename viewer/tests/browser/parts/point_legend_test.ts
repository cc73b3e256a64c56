import assert from "node:assert/strict";
import { test } from "node:test";
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
        assert.match(await textOf(page, ".legend .others"), /grey: not known for \d+ points?/);
        await page.selectOption("[data-choice='color']", "norm");
        assert.match(await textOf(page, ".legend .scale"), /^[\d.]+[\d.]+ or more$/);
    });
});

test("isolated points can be picked out", async () => {
    await onPage(DIGITS, async (page) => {
        await page.selectOption("[data-choice='color']", "isolated");
        await page.locator("button.class[data-class='1']").click();
        assert.equal(await textOf(page, "[data-panel='group'] h2"), "isolated");
        const count = Number(await page.locator("[data-panel='group']").getAttribute("data-count"));
        assert.ok(count > 0 && (await textOf(page, ".group-facts")).includes(`${count} of them isolated`));
    });
});
