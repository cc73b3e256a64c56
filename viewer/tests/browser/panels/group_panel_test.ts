import assert from "node:assert/strict";
import { test } from "node:test";
import { columnsOf } from "../../../src/points/columns.ts";
import { classGroup, groupFacts } from "../../../src/points/group.ts";
import { readPoints } from "../../../src/points/points.ts";
import { onPage, textOf } from "../../support/pages.ts";
import { DIGITS } from "../../support/reports.ts";

const PANEL = "[data-panel='group']";

test("the group of a label is counted, with the mean error of its angles and its labels", async () => {
    const points = await readPoints(DIGITS.points);
    const group = classGroup(columnsOf(points)[0] as never, 4);
    const facts = groupFacts(points, group.members);
    await onPage(DIGITS, async (page) => {
        assert.equal(await page.locator(PANEL).isVisible(), false);
        await page.locator("button.class[data-class='4']").click();
        assert.equal(await textOf(page, `${PANEL} h2`), "Label: 4");
        const text = await textOf(page, `${PANEL} .group-facts`);
        assert.ok(
            text.startsWith(
                `${facts.count} points. Their small angles are off by ${facts.meanAngleError!.toFixed(1)}° on average (pairs of different points counted).`,
            ),
            text,
        );
        assert.equal(await textOf(page, `${PANEL} .composition tr`), `4${facts.count} 100%`);
        assert.equal(await page.locator(`${PANEL} .member`).count(), Math.min(24, facts.count));
    });
});

test("a member that is clicked is picked, and closing lets all points stand out", async () => {
    await onPage(DIGITS, async (page) => {
        await page.locator("button.class[data-class='2']").click();
        const member = page.locator(`${PANEL} .member`).first();
        const point = await member.getAttribute("data-point");
        await member.click();
        assert.equal(await page.locator("[data-panel='point']").getAttribute("data-point"), point);
        await page.getByRole("button", { name: "Let all points stand out again" }).click();
        assert.equal(await page.locator(PANEL).isVisible(), false);
    });
});

test("after closing the group the keyboard is in the picture", async () => {
    await onPage(DIGITS, async (page) => {
        await page.locator("button.class[data-class='2']").click();
        await page.getByRole("button", { name: "Let all points stand out again" }).focus();
        await page.keyboard.press("Enter");
        assert.equal(await page.evaluate(() => document.activeElement!.className), "scatter");
    });
});
