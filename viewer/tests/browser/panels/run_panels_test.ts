import assert from "node:assert/strict";
import { test } from "node:test";
import { onPage, textOf } from "../../support/pages.ts";
import { DIGITS } from "../../support/reports.ts";

test("what was run says method, seed, version, machine, memory, options and time by phase", async () => {
    await onPage(DIGITS, async (page) => {
        const text = await textOf(page, "[data-panel='run']");
        for (const part of [
            "methodfaithful",
            "seed0",
            "threads2",
            "isogon 0.1.0",
            "2026-11-22 05:00 UTC",
            "memory at most310 MB",
            "converged",
            "metriceuclidean",
            "matching3.5 s",
            "isogon embed digits.npy",
        ]) {
            assert.ok(text.includes(part), part);
        }
        assert.equal(await page.locator("[data-panel='run'] .share-bar").count(), 4);
    });
});

test("options are written to their last figure", async () => {
    const options = { threshold: 0.7531234567891, tolerance: 1.25e-7, iterations: 1234567, balance: null };
    await onPage({ ...DIGITS, run: { ...DIGITS.run!, options } }, async (page) => {
        const text = await textOf(page, "[data-panel='run']");
        for (const part of ["threshold0.7531234567891", "tolerance1.25e-7", "iterations1234567", "balanceauto"]) {
            assert.ok(text.includes(part), part);
        }
    });
});

test("of coordinates alone it is said that their making is not recorded, and only that time of the report is given", async () => {
    const made = { ...DIGITS.made!, phases: { neighbours: 1.5, measures: 0.25 } };
    await onPage({ ...DIGITS, made, run: null, spectrum: null }, async (page) => {
        const text = await textOf(page, "[data-panel='run']");
        assert.match(text, /How these coordinates were made is not recorded here\./);
        assert.equal(/do it again/.test(text), false);
        assert.match(text, /Time by phase ?neighbours1\.5 s ?measures250 ms/);
        assert.equal(await page.locator("[data-panel='trace'], [data-panel='spectrum']").count(), 0);
    });
});

test("the course of the run and the spectrum are curves of as many points", async () => {
    await onPage(DIGITS, async (page) => {
        const corners = (name: string) =>
            page
                .locator(`[data-panel='${name}'] polyline.curve`)
                .evaluate((line) => line.getAttribute("points")!.split(" ").length);
        assert.deepEqual([await corners("trace"), await corners("spectrum")], [60, 24]);
        assert.match(await textOf(page, "[data-panel='trace'] svg"), /objective \(logarithmic\)/);
    });
});

test("a run that looked for its dimension shows what each kept", async () => {
    const measures = {
        kept_neighbors_in_16: 0.98,
        kept_neighbors_in_8: 0.7,
        kept_neighbors_in_12: 0.9,
        kept_neighbors: 0.98,
    };
    const run = { ...DIGITS.run!, options: { dimension: 16 }, measures };
    await onPage({ ...DIGITS, run }, async (page) => {
        const curve = page.locator("[data-panel='dimension'] polyline.curve");
        const heights = await curve.evaluate((line) =>
            line
                .getAttribute("points")!
                .split(" ")
                .map((corner) => Number(corner.split(",")[1])),
        );
        assert.equal(heights.length, 3);
        assert.ok(heights[0]! > heights[1]! && heights[1]! > heights[2]!); // higher on the page is less
        assert.match(await textOf(page, "[data-panel='dimension']"), /needs 16 numbers/);
    });
    await onPage(DIGITS, async (page) => assert.equal(await page.locator("[data-panel='dimension']").count(), 0));
});

test("a search that kept too little, or was interrupted, does not say what the data needs", async () => {
    const measures = { kept_neighbors_in_8: 0.7, kept_neighbors_in_16: 0.98996 };
    const textAfter = async (more: object) => {
        const run = { ...DIGITS.run!, options: { dimension: 16, recall: 0.99 }, measures, ...more };
        let text = "";
        await onPage({ ...DIGITS, run }, async (page) => {
            text = await textOf(page, "[data-panel='dimension']");
        });
        return text;
    };
    const keep = /16 numbers for each point keep 98\.99% of the nearest neighbours; 99% were asked for/;
    const short = await textAfter({});
    assert.match(short, /No dimension that was tried keeps enough: /);
    assert.match(short, keep);
    const early = await textAfter({ termination: "time-limit" });
    assert.match(early, /The search was interrupted: /);
    assert.match(early, keep);
    for (const text of [short, early]) assert.doesNotMatch(text, /needs/);
    const enough = { ...measures, kept_neighbors_in_16: 0.99 };
    assert.match(await textAfter({ measures: enough }), /needs 16 numbers/);
    const ofSample = { measures: enough, termination: "cancelled", counts: { points_of_the_search: 10000 } };
    assert.match(await textAfter(ofSample), /needs 16 numbers/);
});

test("the headline counts neighbours as the table below it does, not as the fit did", async () => {
    const run = { ...DIGITS.run!, options: { neighbors: 12 }, measures: { all_kept: 0.873, kept_in_order: 0.512 } };
    await onPage({ ...DIGITS, run }, async (page) => {
        assert.doesNotMatch(await textOf(page, ".headline"), /87|51|12/);
    });
});

test("the numbers of a spectrum are counted in whole ones", async () => {
    const spectrum = { name: "singular values", values: Array.from({ length: 11 }, (_, i) => 20 - i) };
    await onPage({ ...DIGITS, spectrum }, async (page) => {
        const ticks = await page
            .locator("[data-panel='spectrum'] .tick[text-anchor='middle']")
            .evaluateAll((all) => all.map((one) => Number(one.textContent)));
        assert.ok(ticks.length > 1 && ticks.every(Number.isInteger), String(ticks));
    });
});
