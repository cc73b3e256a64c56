import assert from "node:assert/strict";
import { test } from "node:test";
import { onPage } from "../../support/pages.ts";
import { CHARTS } from "../../support/reports.ts";

test("a map has one path a class, a dot for each point, all inside it", async () => {
    await onPage(CHARTS, async (page) => {
        const [first, second] = await page.locator("svg.map").evaluateAll((maps) =>
            maps.map((map) => ({
                dots: [...map.querySelectorAll("path")].map((path) => path.getAttribute("d")!.split("M").length - 1),
                places: [...map.querySelectorAll("path")].flatMap((path) =>
                    [...path.getAttribute("d")!.matchAll(/M([\d.-]+) ([\d.-]+)/g)].flatMap((match) => [
                        Number(match[1]),
                        Number(match[2]),
                    ]),
                ),
                size: [Number(map.getAttribute("width")), Number(map.getAttribute("height"))],
            })),
        );
        assert.deepEqual(first!.dots, [300, 300, 300, 300, 300]);
        assert.deepEqual(second!.dots, [1500]);
        assert.ok(Math.min(...first!.places) >= 0 && Math.max(...first!.places) <= Math.max(...first!.size));
    });
});
