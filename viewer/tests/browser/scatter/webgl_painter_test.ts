import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { classLook, type Rgb, rgb } from "../../../src/points/palette.ts";
import { readPoints } from "../../../src/points/points.ts";
import { View } from "../../../src/scatter/view.ts";
import { placedFixture } from "../../fixtures/placed_fixture.ts";
import { drawn, onPage, pixelsAt, placeOf, placesOf, upTo } from "../../support/pages.ts";
import { DIGITS, FLAT } from "../../support/reports.ts";

const BLUE = rgb(classLook(0).color);
const near = (a: number[], b: Rgb) => Math.hypot(...a.map((x, i) => x - b[i]!)) < 80;

// The points alone at their places, so that no others are seen there.
async function farFromOthers(page: Page, count: number): Promise<number[]> {
    const places = await placesOf(page, upTo(count));
    const gap = ([x, y]: [number, number], i: number) =>
        Math.min(...places.map(([px, py], j) => (i === j ? 1e9 : Math.hypot(px - x, py - y))));
    return places.map((_, i) => i).sort((i, j) => gap(places[j]!, j) - gap(places[i]!, i));
}

test("a point is drawn in its colour at its place, and nothing where there is none", async () => {
    await onPage(FLAT, async (page) => {
        await page.selectOption("[data-choice='color']", "none");
        await drawn(page);
        for (const i of [0, 20, 40]) {
            const [color] = await pixelsAt(page, ...(await placeOf(page, i)));
            assert.ok(near(color!, BLUE), `point ${i}: ${color}`);
        }
        const box = (await page.locator(".scatter").boundingBox())!;
        assert.deepEqual((await pixelsAt(page, box.x + 30, box.y + box.height - 30))[0], [255, 255, 255]);
    });
});

test("points that do not stand out step back", async () => {
    const { index } = (await readPoints(DIGITS.points)).details.labels!;
    await onPage(DIGITS, async (page) => {
        const lonely = (await farFromOthers(page, 60)).slice(0, 4);
        const class0 = index[lonely[0]!]!;
        await page.locator(`button.class[data-class='${class0}']`).click();
        await page.mouse.move(5, 5);
        await drawn(page);
        for (const i of lonely) {
            const [color] = await pixelsAt(page, ...(await placeOf(page, i)));
            const pale = color!.every((x) => x > 200);
            assert.equal(pale, index[i] !== class0, `point ${i}: ${color}`);
        }
    });
});

test("the picture comes back when the browser takes WebGL's memory away and gives it back", async () => {
    await onPage(
        FLAT,
        async (page) => {
            await page.selectOption("[data-choice='color']", "none");
            const place = await placeOf(page, 0);
            await page.evaluate(async () => {
                const canvas = document.querySelector<HTMLCanvasElement>("canvas.points")!;
                const loss = canvas.getContext("webgl2")!.getExtension("WEBGL_lose_context")!;
                const restored = new Promise((done) => canvas.addEventListener("webglcontextrestored", done));
                loss.loseContext();
                await new Promise((done) => setTimeout(done, 50));
                loss.restoreContext();
                await restored;
            });
            await drawn(page);
            assert.ok(near((await pixelsAt(page, ...place))[0]!, BLUE));
        },
        { expect: /CONTEXT_LOST|context/i },
    );
});

test("in space a point that stands out is not hidden by one in front that steps back", async () => {
    const corners = [-1, 1].flatMap((x) => [-1, 1].flatMap((y) => [-1, 1].map((z) => [x, y, z])));
    const view = new View();
    view.show([0, 1, 2].map((d) => Float32Array.from(corners, (corner) => corner[d]!)));
    // Along the line of sight of the first look at space, one behind the other.
    const sight = view.rotation.slice(6);
    const places = [sight.map((x) => -0.5 * x), sight.map((x) => 0.5 * x), ...corners];
    const data = placedFixture(places, [0, ...new Array<number>(9).fill(1)], ["behind", "others"]);
    await onPage(data, async (page) => {
        for (const axis of [0, 1, 2]) await page.selectOption(`[data-axis='${axis}']`, `c${axis}`);
        const [behind, front] = await placesOf(page, [0, 1]);
        assert.ok(Math.hypot(behind![0] - front![0], behind![1] - front![1]) < 0.1);
        await page.locator("button.class[data-class='0']").click();
        await page.mouse.move(5, 5);
        await drawn(page);
        const [color] = await pixelsAt(page, ...behind!);
        assert.ok(
            color!.some((x) => x < 150),
            String(color),
        );
    });
});
