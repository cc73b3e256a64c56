import assert from "node:assert/strict";
import { test } from "node:test";
import { readPoints } from "../../../src/points/points.ts";
import { placedFixture } from "../../fixtures/placed_fixture.ts";
import { tableFixture } from "../../fixtures/table_fixture.ts";
import { drawn, onPage, pixelsAt, placeOf, placesOf, textOf, upTo } from "../../support/pages.ts";
import { DIGITS, FLAT, WORDS } from "../../support/reports.ts";

const picked = "[data-panel='point']";

test("clicking a point picks that point", async () => {
    await onPage(WORDS, async (page) => {
        const place = await placeOf(page, 17);
        await page.mouse.click(...place);
        await page.locator(`${picked}[data-point='17']`).waitFor({ timeout: 2000 });
        assert.match(await textOf(page, `${picked} h2`), /paris17/);
        // Where nothing is, nothing is picked.
        await page.mouse.click(place[0] < 400 ? 800 : 40, 420);
    });
});

test("changing axes moves points to where those coordinates are", async () => {
    await onPage(DIGITS, async (page) => {
        const before = await placeOf(page, 3);
        await page.selectOption("[data-axis='0']", "c4");
        await page.selectOption("[data-axis='1']", "c5");
        await drawn(page);
        assert.notDeepEqual(await placeOf(page, 3), before);
        // Points are ordered across as their fifth coordinates are.
        const fifth = (await readPoints(DIGITS.points)).coordinate(4);
        for (const [i, j] of [
            [0, 1],
            [2, 3],
            [4, 5],
        ] as const) {
            const across = (await placeOf(page, i))[0] - (await placeOf(page, j))[0];
            assert.equal(Math.sign(across), Math.sign(fifth[i]! - fifth[j]!));
        }
        assert.match(await textOf(page, ".overlay"), /coordinate 5/);
    });
});

test("a third axis makes a picture that can be turned, and none makes it flat again", async () => {
    await onPage(DIGITS, async (page) => {
        assert.equal(await page.locator("button.turn").isVisible(), false);
        await page.selectOption("[data-axis='2']", "p2");
        assert.equal(await page.locator("button.turn").getAttribute("aria-pressed"), "true");
        const box = (await page.locator(".scatter").boundingBox())!;
        const before = await placeOf(page, 0);
        await page.mouse.move(box.x + 200, box.y + 200);
        await page.mouse.down();
        await page.mouse.move(box.x + 320, box.y + 200, { steps: 4 });
        await page.mouse.up();
        const after = await placeOf(page, 0);
        assert.ok(Math.hypot(after[0] - before[0], after[1] - before[1]) > 1);
        await drawn(page);
        assert.match(await textOf(page, ".overlay"), /principal axis 3/);
        await page.selectOption("[data-axis='2']", "");
        assert.equal(await page.locator("button.turn").isVisible(), false);
    });
});

test("where the first principal axes are all there is, no coordinates are offered", async () => {
    const data = {
        ...DIGITS,
        points: { ...DIGITS.points, output_dimension: 300 },
        axes: { variances: new Array(16).fill(1) },
    };
    await onPage(data, async (page) => {
        assert.deepEqual(
            await page
                .locator("[data-axis='0'] optgroup")
                .evaluateAll((all) => all.map((one) => one.getAttribute("label"))),
            ["Principal axes (share of the spread)"],
        );
        assert.equal(await page.locator("[data-axis='0'] option").count(), 8);
        assert.match(await textOf(page, ".spread"), /^These 2 axes show [1-4]\d% of how the points are spread; /);
    });
});

test("two dimensions are shown as they are, with no third to choose", async () => {
    await onPage(FLAT, async (page) => {
        assert.equal(await page.locator("[data-axis='2']").count(), 0);
        assert.equal(await page.locator("[data-axis='0']").inputValue(), "c0");
    });
});

test("changing the colour changes legend and points", async () => {
    await onPage(DIGITS, async (page) => {
        const place = await placeOf(page, 8);
        await drawn(page);
        const [byLabel] = await pixelsAt(page, ...place);
        for (const key of ["angle_error", "norm", "isolated", "none", "label"]) {
            await page.selectOption("[data-choice='color']", key);
            await page.locator(`.legend[data-color='${key}']`).waitFor({ state: "attached" });
        }
        await page.selectOption("[data-choice='color']", "angle_error");
        await drawn(page);
        const [byError] = await pixelsAt(page, ...place);
        assert.notDeepEqual(byError, byLabel);
        assert.match(await textOf(page, ".color-row"), /degrees/);
    });
});

test("how much of the spread can be seen is said", async () => {
    await onPage(DIGITS, async (page) => {
        const share = Number((await textOf(page, ".spread")).match(/show (\d+)%/)?.[1]);
        const options = await page.locator("[data-axis='0'] option").allInnerTexts();
        const sum = [0, 1].reduce((total, i) => total + Number(options[i]!.match(/\((\d+)%\)/)![1]), 0);
        assert.ok(Math.abs(share - sum) <= 1);
        await page.selectOption("[data-axis='0']", "c0");
        assert.equal(await page.locator(".spread").textContent(), "");
    });
});

test("the buttons enlarge, show all, and select what is in view", async () => {
    await onPage(DIGITS, async (page) => {
        const before = await placeOf(page, 0);
        await page.getByRole("button", { name: "Enlarge" }).click();
        assert.notDeepEqual(await placeOf(page, 0), before);
        for (let i = 0; i < 4; i++) await page.getByRole("button", { name: "Enlarge" }).click();
        await page.getByRole("button", { name: "Select the points in view" }).click();
        const some = Number(await page.locator("[data-panel='group']").getAttribute("data-count"));
        assert.ok(some > 0 && some < 200);
        await page.getByRole("button", { name: "Show all points" }).click();
        await page.getByRole("button", { name: "Select the points in view" }).click();
        assert.equal(await page.locator("[data-panel='group']").getAttribute("data-count"), "200");
        const after = await placeOf(page, 0);
        assert.ok(Math.hypot(after[0] - before[0], after[1] - before[1]) < 0.01);
    });
});

test("at first no point lies under the tools or the names of the axes, on a phone as well", async () => {
    const size = 7;
    for (const width of [1280, 390]) {
        await onPage(
            DIGITS,
            async (page) => {
                await drawn(page);
                const places = await placesOf(page, upTo(200));
                const boxes = await page
                    .locator(".stage-tools button, .axis-name")
                    .evaluateAll((all) => all.map((one) => one.getBoundingClientRect()).map((box) => box.toJSON()));
                const seen = boxes.filter((box) => box.width > 0);
                const [, up, ...tools] = seen;
                assert.equal(tools.length, 6);
                for (const tool of tools) assert.ok(up!.right < tool.left || up!.bottom < tool.top);
                for (const { left, right, top, bottom } of seen) {
                    const under = places.filter(
                        ([x, y]) =>
                            x + size / 2 > left && x - size / 2 < right && y + size / 2 > top && y - size / 2 < bottom,
                    );
                    assert.deepEqual(under, []);
                }
            },
            { width },
        );
    }
});

test("a click leaves the picture where it is, even near its edge; a search brings the point in", async () => {
    await onPage(DIGITS, async (page) => {
        await page.getByRole("button", { name: "Enlarge" }).click();
        const box = (await page.locator(".scatter").boundingBox())!;
        const places = await placesOf(page, upTo(200));
        const inside = places.filter(([x, y]) => y > box.y + 80 && x > box.x + 6 && y < box.y + box.height - 6);
        const lowest = places.indexOf(inside.sort((a, b) => b[1] - a[1])[0]!);
        const before = await placeOf(page, lowest);
        assert.ok(box.y + box.height - before[1] < 0.12 * box.height);
        await page.mouse.click(...before);
        assert.equal(await page.locator(picked).getAttribute("data-point"), String(lowest));
        assert.deepEqual(await placeOf(page, lowest), before);
        await page.keyboard.press("Escape");
        await page.locator(".search").fill(`#${lowest}`);
        await page.keyboard.press("Enter");
        assert.notDeepEqual(await placeOf(page, lowest), before);
    });
});

test("the point at the keyboard's cross is told", async () => {
    await onPage(DIGITS, async (page) => {
        await page.locator("[data-axis='2']").focus();
        await page.keyboard.press("Tab");
        assert.match(await textOf(page, "[aria-live]"), /^At the cross: Point \d+, label \d$/);
        await page.keyboard.press("ArrowRight");
        const point = await page.locator(".tooltip").getAttribute("data-point");
        assert.match(await textOf(page, "[aria-live]"), new RegExp(`^At the cross: Point ${point}, label \\d$`));
        await page.keyboard.press("Enter");
        assert.match(await textOf(page, "[aria-live]"), new RegExp(`^Point ${point}, label \\d picked$`));
    });
});

test("points far from all others do not shrink the rest, and All shows them", async () => {
    const places = Array.from({ length: 100 }, (_, i) => [i % 10, Math.floor(i / 10)]);
    const data = placedFixture([...places, [900, 900], [-700, 3]], new Array<number>(102).fill(0), ["all"]);
    await onPage(data, async (page) => {
        assert.equal(
            await textOf(page, ".outliers"),
            "2 points far from all others lie outside at first: All shows them.",
        );
        const box = (await page.locator(".scatter").boundingBox())!;
        const inside = ([x, y]: [number, number]) =>
            x > box.x && y > box.y && x < box.x + box.width && y < box.y + box.height;
        const shown = async () => (await placesOf(page, [0, 99, 100, 101])).map(inside);
        assert.deepEqual(await shown(), [true, true, false, false]);
        const [first, last] = await placesOf(page, [0, 99]);
        assert.ok(last![0] - first![0] > 0.3 * box.width);
        await page.getByRole("button", { name: "Show all points" }).click();
        assert.deepEqual(await shown(), [true, true, true, true]);
    });
});

test("classes have their names on the map, none over another, whichever column colours them", async () => {
    await onPage(tableFixture(120), async (page) => {
        await drawn(page);
        const names = () => page.locator(".map-text.label").allTextContents();
        assert.deepEqual((await names()).sort(), ["bird", "cat", "dog"]);
        const boxes = await page.evaluate(() =>
            [...document.querySelectorAll(".map-text.label")].map((one) => one.getBoundingClientRect()),
        );
        assert.ok(boxes.every(({ width }) => width > 10));
        for (const [i, a] of boxes.entries())
            for (const b of boxes.slice(0, i))
                assert.ok(a.right <= b.left || b.right <= a.left || a.bottom <= b.top + 3 || b.bottom <= a.top + 3);
        await page.selectOption("[data-choice='color']", "column1");
        await drawn(page);
        assert.deepEqual(await names(), []);
        assert.match(await textOf(page, ".legend"), /^20.*grey: unknown, 12 points$/);
        await page.selectOption("[data-choice='color']", "column2");
        assert.match(await textOf(page, ".legend"), /^2020-01-0\d.*2020-04-\d\d/);
    });
});
