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
            "favorbalanced",
            "matching3.5 s",
            "isogon embed digits.npy",
        ]) {
            assert.ok(text.includes(part), part);
        }
        assert.equal(await page.locator("[data-panel='run'] .share-bar").count(), 4);
    });
});

test("coordinates of another tool are said to be so", async () => {
    await onPage({ ...DIGITS, run: null, spectrum: null }, async (page) => {
        assert.match(await textOf(page, "[data-panel='run']"), /made by another tool/);
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
