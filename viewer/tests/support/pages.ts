// Pages of test data, opened in one browser that all tests share. After each test the page must have made no error and
// asked for nothing.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { after } from "node:test";
import type { Browser, Page } from "playwright-core";
import { filledPage } from "../fixtures/packing.ts";
import { type Look, launch, newWindow, show, type Window } from "./browser.ts";

const browsers = new Map<string, Promise<Browser>>();
const written = new Map<object, string>();

/** The browser with these flags beside the usual ones, started when first wanted. */
function browserWith(flags: string[]): Promise<Browser> {
    const key = flags.join(" ");
    if (!browsers.has(key)) browsers.set(key, launch(flags));
    return browsers.get(key)!;
}

after(async () => {
    for (const browser of browsers.values()) await (await browser).close();
});

const NOTHING = {};

/** Where the page with this document lies on disk. */
export function pageOnDisk(document: object | null): string {
    const key = document ?? NOTHING;
    let path = written.get(key);
    if (!path) {
        mkdirSync("build/test-pages", { recursive: true });
        path = resolve(`build/test-pages/${written.size}.html`);
        writeFileSync(path, filledPage(readFileSync("dist/report.html", "utf8"), document));
        written.set(key, path);
    }
    return path;
}

export interface Wish extends Look {
    flags?: string[];
    /** What the page is expected to complain of. */
    expect?: RegExp;
    /** The test changes more than the page: nobody else gets its window. */
    fresh?: boolean;
}

// One window for each look is enough: starting one takes longer than most tests.
const windows = new Map<string, Window>();

// High enough for the whole picture to be in sight and under the pointer.
async function windowFor(wish: Wish): Promise<Window> {
    const { width = 1280, height = 1200, dark = false, touch = false, flags = [] } = wish;
    const key = JSON.stringify([dark, touch, flags]);
    const known = windows.get(key) ?? (await newWindow(await browserWith(flags), wish));
    windows.set(key, known);
    await known.page.setViewportSize({ width, height });
    return known;
}

// What a test may have left behind; after a failed one the window goes.
async function tidy(opened: Window, wish: Wish, failed: boolean): Promise<void> {
    if (failed || wish.fresh) {
        for (const [key, one] of windows) if (one === opened) windows.delete(key);
        await opened.close();
    }
}

/** Runs `act` on a page with this document. */
export async function onPage(
    document: object | null,
    act: (page: Page) => Promise<void>,
    wish: Wish = {},
): Promise<void> {
    const opened = await windowFor(wish);
    let failed = true;
    try {
        await show(opened, pageOnDisk(document));
        await act(opened.page);
        const unexpected = opened.faults.filter((fault) => !wish.expect?.test(fault));
        assert.deepEqual(unexpected, []);
        failed = false;
    } finally {
        await tidy(opened, wish, failed);
    }
}

type Hook = { isogon: { place: (point: number) => [number, number]; frames: () => number } };

/** Where these points are, in pixels of the window, once the picture has the size that its frame has now. */
export async function placesOf(page: Page, points: number[]): Promise<[number, number][]> {
    await drawn(page);
    return page.evaluate((wanted) => {
        const surface = document.querySelector(".scatter")!;
        const box = surface.getBoundingClientRect();
        const { isogon } = window as unknown as Hook;
        // The picture begins inside the border.
        return wanted.map((point): [number, number] => {
            const [x, y] = isogon.place(point);
            return [box.left + surface.clientLeft + x, box.top + surface.clientTop + y];
        });
    }, points);
}

export async function placeOf(page: Page, point: number): Promise<[number, number]> {
    return (await placesOf(page, [point]))[0]!;
}

/** 0, 1, ... below `count`. */
export function upTo(count: number): number[] {
    return Array.from({ length: count }, (_, i) => i);
}

export function framesOf(page: Page): Promise<number> {
    return page.evaluate(() => (window as unknown as Hook).isogon.frames());
}

// An empty page that reads pictures: its policy forbids nothing.
let reader: Promise<Page> | null = null;

function readerOf(page: Page): Promise<Page> {
    reader ??= page.context().browser()!.newPage();
    return reader;
}

/** Red, green and blue on the screen around (x, y), of `side` by `side` pixels. */
export async function pixelsAt(page: Page, x: number, y: number, side = 1): Promise<number[][]> {
    const clip = { x: Math.round(x - side / 2), y: Math.round(y - side / 2), width: side, height: side };
    const png = (await page.screenshot({ clip })).toString("base64");
    const reading = await readerOf(page);
    const found = await reading.evaluate(async (data) => {
        const image = new Image();
        image.src = `data:image/png;base64,${data}`;
        await image.decode();
        const canvas = new OffscreenCanvas(image.width, image.height);
        const context = canvas.getContext("2d")!;
        context.drawImage(image, 0, 0);
        const bytes = context.getImageData(0, 0, image.width, image.height).data;
        return Array.from({ length: bytes.length / 4 }, (_, i) => [
            bytes[4 * i]!,
            bytes[4 * i + 1]!,
            bytes[4 * i + 2]!,
        ]);
    }, png);
    return found;
}

/** Waits until the picture has been drawn after what was done last. */
export async function drawn(page: Page): Promise<void> {
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

export async function textOf(page: Page, selector: string): Promise<string> {
    return (await page.locator(selector).first().textContent())!.replace(/\s+/g, " ").trim();
}
