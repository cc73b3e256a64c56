// How soon a large report can be used, and how smoothly its picture moves. bench/viewer/run calls this.
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { cpus, loadavg, totalmem } from "node:os";
import { resolve } from "node:path";
import type { Browser, Page } from "playwright-core";
import { embeddingFixture } from "../tests/fixtures/embedding_fixture.ts";
import { filledPage } from "../tests/fixtures/packing.ts";
import { planeFixture } from "../tests/fixtures/plane_fixture.ts";
import { launch } from "../tests/support/browser.ts";

const REPEAT = 5;
// More points than these are a map on a plane, without images.
const PLANE = 200_000;
const PANNING_SECONDS = 4;

type Hook = { isogon: { frames: () => number; every: () => number } };

interface Row {
    points: number;
    megabytes: number;
    interactive: number[];
    frames: number[];
    /** Of every how many points one was drawn while panning. */
    every: number[];
    still: number[];
}

function write(count: number): string {
    const path = resolve(`build/pages/bench-${count}.html`);
    mkdirSync("build/pages", { recursive: true });
    writeFileSync(
        path,
        filledPage(
            readFileSync("dist/report.html", "utf8"),
            count > PLANE ? planeFixture(count) : embeddingFixture({ count, dimension: 16 }),
        ),
    );
    return path;
}

async function opened(browser: Browser, path: string): Promise<{ page: Page; seconds: number }> {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    await page.goto(`file://${path}`, { waitUntil: "commit" });
    const mark = "isogon-interactive";
    await page.waitForFunction((name) => performance.getEntriesByName(name).length > 0, mark, { timeout: 300000 });
    // Counted by the page itself, from the beginning of its loading.
    const seconds = await page.evaluate((name) => performance.getEntriesByName(name)[0]!.startTime / 1000, mark);
    return { page, seconds };
}

/** Pictures drawn in a second while the pointer drags; `browserOnly`: frames of the browser with the picture at rest. */
async function framesPerSecond(page: Page, panning: boolean, seconds: number): Promise<number> {
    return page.evaluate(
        async ([duration, pan]) => {
            const surface = document.querySelector<HTMLElement>(".scatter")!;
            const { isogon } = window as unknown as Hook;
            const box = surface.getBoundingClientRect();
            const fire = (type: string, x: number, y: number) =>
                surface.dispatchEvent(
                    new PointerEvent(type, {
                        clientX: box.left + x,
                        clientY: box.top + y,
                        pointerId: 1,
                        button: 0,
                        pointerType: "mouse",
                        bubbles: true,
                    }),
                );
            surface.setPointerCapture = () => undefined;
            if (pan) fire("pointerdown", 300, 200);
            const before = isogon.frames();
            const began = performance.now();
            let ticks = 0;
            while (performance.now() - began < 1000 * duration) {
                await new Promise((done) => requestAnimationFrame(done));
                ticks += 1;
                const angle = (performance.now() - began) / 300;
                if (pan) fire("pointermove", 300 + 90 * Math.cos(angle), 200 + 70 * Math.sin(angle));
            }
            const taken = (performance.now() - began) / 1000;
            if (pan) fire("pointerup", 300, 200);
            return (pan ? isogon.frames() - before : ticks) / taken;
        },
        [seconds, panning] as const,
    );
}

async function measure(count: number): Promise<Row> {
    const path = write(count);
    const row: Row = {
        points: count,
        megabytes: statSync(path).size / 1e6,
        interactive: [],
        frames: [],
        every: [],
        still: [],
    };
    for (let run = 0; run < REPEAT; run++) {
        // A browser of its own each time: nothing is warm.
        const browser = await launch();
        const { page, seconds } = await opened(browser, path);
        row.interactive.push(seconds);
        await page.waitForTimeout(1500);
        row.still.push(await framesPerSecond(page, false, 2));
        // The page learns in a moment how many points this machine draws smoothly.
        await framesPerSecond(page, true, 1);
        row.frames.push(await framesPerSecond(page, true, PANNING_SECONDS));
        row.every.push(await page.evaluate(() => (window as unknown as Hook).isogon.every()));
        await browser.close();
    }
    return row;
}

const median = (values: number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
const spread = (values: number[], digits: number) =>
    `${median(values).toFixed(digits)} (${Math.min(...values).toFixed(digits)} to ${Math.max(...values).toFixed(digits)})`;

const load = loadavg()[0]!.toFixed(1);
const counts = (process.argv[2] ?? "20000,70000,100000").split(",").map(Number);
const lines = [
    `| points | file, MB | interactive after, s | frames/s while panning | one point drawn of | frames/s of the browser at rest |`,
    "|---|---|---|---|---|---|",
];
for (const count of counts) {
    const row = await measure(count);
    lines.push(
        `| ${count} | ${row.megabytes.toFixed(1)} | ${spread(row.interactive, 2)} | ${spread(row.frames, 1)} | ${spread(row.every, 0)} | ${spread(row.still, 1)} |`,
    );
    console.log(lines.at(-1));
}
const probe = await launch();
const version = probe.version();
await probe.close();
const machine = `${cpus().length} cores, ${cpus()[0]?.model.trim() ?? "unknown"}, ${Math.round(totalmem() / 1e9)} GB`;
const head = [
    `${new Date().toISOString().slice(0, 10)}, ${machine}, Chromium ${version}, software WebGL (SwiftShader), ${REPEAT} browsers each, 1280 x 800.`,
    `Median (least to most). Load when it began: ${load}.`,
    "",
];
const results = process.argv[3];
if (results) writeFileSync(results, `${[...head, ...lines].join("\n")}\n`);
