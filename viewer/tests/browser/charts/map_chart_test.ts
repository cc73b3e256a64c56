import assert from "node:assert/strict";
import { test } from "node:test";
import { pack, packCoordinates } from "../../fixtures/packing.ts";
import { onPage, textOf } from "../../support/pages.ts";
import { CHARTS } from "../../support/reports.ts";

test("a map has one path a class, a dot for each point, all inside it", async () => {
    await onPage(CHARTS, async (page) => {
        const [first, second] = await page.locator("svg.map").evaluateAll((maps) =>
            maps.map((map) => ({
                dots: [...map.querySelectorAll("path:not(:has(~ text))")].map(
                    (path) => path.getAttribute("d")!.split("M").length - 1,
                ),
                places: [...map.querySelectorAll("path:not(:has(~ text))")].flatMap((path) =>
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

test("past the tenth label marks have other shapes, and the legend says of how many labels it is silent", async () => {
    const count = 45;
    const labels = {
        names: Array.from({ length: count }, (_, i) => `label ${i}`),
        index: pack(
            Uint8Array.from({ length: 90 }, (_, i) => i % count),
            [90],
        ),
    };
    const coordinates = packCoordinates(
        Array.from({ length: 90 }, (_, i) => [i % 9, Math.floor(i / 9)]),
        2,
    );
    await onPage({ ...CHARTS, maps: [{ title: "many labels", coordinates, labels }] }, async (page) => {
        const marks = await page.locator("svg.map > path").evaluateAll((paths) =>
            paths.map((path) => ({
                color: path.getAttribute("stroke") ?? path.getAttribute("fill"),
                // Of the first of its points: a dot is Mh, a triangle has three corners, square and diamond have four.
                corners: path
                    .getAttribute("d")!
                    .match(/^M[^M]*/)![0]
                    .replace(/[-\d. ]/g, ""),
            })),
        );
        // First the 24 signs of the legend.
        const classes = marks.slice(24);
        assert.equal(classes.length, count);
        assert.equal(new Set(classes.map(({ color }) => color)).size, 11);
        assert.deepEqual(
            ["Mh", "MLLLZ", "MLLZ"].map((kind) => classes.filter(({ corners }) => corners === kind).length),
            [15, 20, 10],
        );
        assert.ok((await textOf(page, "svg.map")).includes("and 21 more labels, 5 of them grey"));
    });
});
