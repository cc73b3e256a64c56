import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { drawn, onPage, placeOf, placesOf, upTo } from "../../support/pages.ts";
import { DIGITS } from "../../support/reports.ts";

async function drag(page: Page, path: [number, number][], options: { shift?: boolean } = {}): Promise<void> {
    if (options.shift) await page.keyboard.down("Shift");
    await page.mouse.move(...path[0]!);
    await page.mouse.down();
    for (const place of path.slice(1)) await page.mouse.move(...place, { steps: 3 });
    await page.mouse.up();
    if (options.shift) await page.keyboard.up("Shift");
}

const box = async (page: Page) => (await page.locator(".scatter").boundingBox())!;
const count = (page: Page) => page.locator("[data-panel='group']").getAttribute("data-count");

test("dragging moves every point by as much", async () => {
    await onPage(DIGITS, async (page) => {
        const { x, y } = await box(page);
        const before = [await placeOf(page, 0), await placeOf(page, 9)];
        await drag(page, [
            [x + 50, y + 300],
            [x + 110, y + 270],
        ]);
        for (const [k, i] of [0, 9].entries()) {
            const [px, py] = await placeOf(page, i);
            assert.ok(Math.abs(px - before[k]![0] - 60) < 0.01 && Math.abs(py - before[k]![1] + 30) < 0.01);
        }
        // A drag picks nothing.
        assert.equal(await page.locator("[data-panel='point']").getAttribute("data-point"), "");
    });
});

test("the wheel enlarges around the pointer", async () => {
    await onPage(DIGITS, async (page) => {
        const before = await placesOf(page, [5, 6]);
        const pointer = before[0]!.map(Math.round) as [number, number];
        await page.mouse.move(...pointer);
        await page.mouse.wheel(0, -900);
        // The wheel is handled some time after the call returns.
        let after = before;
        for (let i = 0; i < 200 && after[1]![0] === before[1]![0]; i++) after = await placesOf(page, [5, 6]);
        const apart = ([a, b]: [number, number][]) => Math.hypot(a![0] - b![0], a![1] - b![1]);
        const factor = apart(after) / apart(before);
        assert.ok(factor > 3 && factor < 5, String(factor));
        for (const [k, axis] of [
            [0, 0],
            [0, 1],
            [1, 0],
            [1, 1],
        ] as const) {
            const expected = pointer[axis] + factor * (before[k]![axis] - pointer[axis]);
            assert.ok(Math.abs(after[k]![axis] - expected) < 0.1);
        }
    });
});

test("a lasso selects exactly the points inside it, by its mode and by shift", async () => {
    await onPage(DIGITS, async (page) => {
        const { x, y, width, height } = await box(page);
        const half: [number, number][] = [
            [x + 3, y + 3],
            [x + width / 2, y + 3],
            [x + width / 2, y + height - 3],
            [x + 3, y + height - 3],
        ];
        const expected = (await placesOf(page, upTo(200))).filter(([across]) => across < x + width / 2).length;
        await drag(page, half, { shift: true });
        assert.equal(await count(page), String(expected));
        await page.keyboard.press("Escape");
        assert.equal(await count(page), "0");
        await page.click("[data-mode='lasso'].mode");
        await drag(page, half);
        assert.equal(await count(page), String(expected));
        // Around nothing: no points stand out.
        await drag(page, [
            [x + 3, y + 3],
            [x + 9, y + 3],
            [x + 9, y + 9],
        ]);
        assert.equal(await count(page), "0");
    });
});

test("keys move, enlarge, pick at the cross, and take back", async () => {
    await onPage(DIGITS, async (page) => {
        await page.locator(".scatter").focus();
        const before = await placeOf(page, 0);
        await page.keyboard.press("ArrowRight");
        const moved = await placeOf(page, 0);
        assert.ok(moved[0] < before[0] && Math.abs(moved[1] - before[1]) < 0.01);
        await page.keyboard.press("+");
        assert.notDeepEqual(await placeOf(page, 0), moved);
        await drawn(page);
        assert.equal(await page.locator(".crosshair").count(), 1);
        await page.keyboard.press("0");
        assert.ok(Math.abs((await placeOf(page, 0))[0] - before[0]) < 0.01);
        await page.keyboard.press("Enter");
        const point = Number(await page.locator("[data-panel='point']").getAttribute("data-point"));
        assert.equal(await page.locator(".tooltip").getAttribute("data-point"), String(point));
        await page.keyboard.press("Escape");
        assert.equal(await page.locator("[data-panel='point']").getAttribute("data-point"), "");
    });
});

test("arrow keys turn a picture in space", async () => {
    await onPage(DIGITS, async (page) => {
        await page.selectOption("[data-axis='2']", "p2");
        await page.locator(".scatter").focus();
        const distance = async () => {
            const [a, b] = [await placeOf(page, 0), await placeOf(page, 1)];
            return Math.hypot(a[0] - b[0], a[1] - b[1]);
        };
        const before = await distance();
        for (let i = 0; i < 5; i++) await page.keyboard.press("ArrowLeft");
        assert.ok(Math.abs((await distance()) - before) > 0.5);
    });
});

test("two fingers enlarge", async () => {
    await onPage(
        DIGITS,
        async (page) => {
            await page.locator(".scatter").scrollIntoViewIfNeeded();
            const { x, y } = await box(page);
            const before = [await placeOf(page, 0), await placeOf(page, 1)];
            const session = await page.context().newCDPSession(page);
            const touch = (type: "touchStart" | "touchMove" | "touchEnd", spread: number) =>
                session.send("Input.dispatchTouchEvent", {
                    type,
                    touchPoints:
                        type === "touchEnd"
                            ? []
                            : [
                                  { x: x + 150 - spread, y: y + 200, id: 0 },
                                  { x: x + 150 + spread, y: y + 200, id: 1 },
                              ],
                });
            await touch("touchStart", 30);
            for (const spread of [40, 50, 60]) await touch("touchMove", spread);
            await touch("touchEnd", 0);
            const after = [await placeOf(page, 0), await placeOf(page, 1)];
            const apart = ([a, b]: [number, number][]) => Math.hypot(a![0] - b![0], a![1] - b![1]);
            assert.ok(apart(after) > 1.7 * apart(before) && apart(after) < 2.3 * apart(before));
        },
        { width: 420, touch: true },
    );
});

test("one finger upwards on the picture scrolls the page, flat or in space", async () => {
    await onPage(
        DIGITS,
        async (page) => {
            for (const depth of ["", "p2"]) {
                await page.selectOption("[data-axis='2']", depth);
                await page.evaluate(() => window.scrollTo(0, 0));
                await page.locator(".scatter").scrollIntoViewIfNeeded();
                const before = await page.evaluate(() => window.scrollY);
                const { x, y } = await box(page);
                const session = await page.context().newCDPSession(page);
                const touch = (type: "touchStart" | "touchMove" | "touchEnd", up = 0) =>
                    session.send("Input.dispatchTouchEvent", {
                        type,
                        touchPoints: type === "touchEnd" ? [] : [{ x: x + 150, y: y + 200 - up, id: 0 }],
                    });
                await touch("touchStart");
                for (let up = 15; up <= 150; up += 15) {
                    await touch("touchMove", up);
                    await drawn(page);
                }
                await touch("touchEnd");
                await page.waitForFunction((from) => window.scrollY > from + 80, before);
            }
        },
        { width: 420, touch: true },
    );
});
