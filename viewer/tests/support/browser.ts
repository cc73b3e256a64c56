// Debian's Chromium, driven by Playwright's core: software WebGL, and none of the browser's own traffic.
import { type Browser, chromium, type Page } from "playwright-core";

const FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--use-gl=angle",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
];

export function launch(extra: string[] = []): Promise<Browser> {
    const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
    return chromium.launch({ executablePath, args: [...FLAGS, ...extra] });
}

export interface Look {
    width?: number;
    height?: number;
    dark?: boolean;
    touch?: boolean;
}

/** A window of the browser, and what went wrong in it: errors of the console, and requests for anything but its page. */
export interface Window {
    page: Page;
    faults: string[];
    /** The page it is for; asking for anything else is a fault. */
    own: string;
    close(): Promise<void>;
}

export async function newWindow(browser: Browser, look: Look = {}): Promise<Window> {
    const context = await browser.newContext({
        viewport: { width: look.width ?? 1280, height: look.height ?? 800 },
        colorScheme: look.dark ? "dark" : "light",
        hasTouch: look.touch ?? false,
        acceptDownloads: true,
    });
    const page = await context.newPage();
    page.setDefaultTimeout(8000);
    const opened: Window = { page, faults: [], own: "", close: () => context.close() };
    page.on("console", (message) => {
        // Chromium's own remark on how software WebGL gives its picture to a screenshot.
        if (message.text().includes("GPU stall due to ReadPixels")) return;
        if (message.type() === "error" || message.type() === "warning") opened.faults.push(message.text());
    });
    page.on("pageerror", (error) => opened.faults.push(String(error)));
    page.on("request", (request) => {
        const url = request.url();
        if (url !== opened.own && !/^(data|blob):/.test(url)) opened.faults.push(`request: ${url.slice(0, 200)}`);
    });
    return opened;
}

/** Shows a page from disk, as if for the first time, and waits until it answers. */
export async function show(opened: Window, path: string): Promise<void> {
    opened.faults.length = 0;
    opened.own = `file://${path}`;
    await opened.page.goto(opened.own);
    await opened.page.waitForFunction(() => performance.getEntriesByName("isogon-interactive").length > 0);
}

export async function open(browser: Browser, path: string, look: Look = {}): Promise<Window> {
    const opened = await newWindow(browser, look);
    await show(opened, path);
    return opened;
}
