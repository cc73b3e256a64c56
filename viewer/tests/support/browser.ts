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

/** A page opened from disk, and what went wrong with it: errors of the console, and requests for anything but itself. */
export interface Opened {
    page: Page;
    faults: string[];
    close(): Promise<void>;
}

export async function open(browser: Browser, path: string, look: Look = {}): Promise<Opened> {
    const context = await browser.newContext({
        viewport: { width: look.width ?? 1280, height: look.height ?? 800 },
        colorScheme: look.dark ? "dark" : "light",
        hasTouch: look.touch ?? false,
        acceptDownloads: true,
    });
    const page = await context.newPage();
    const faults: string[] = [];
    const own = `file://${path}`;
    page.on("console", (message) => {
        if (message.type() === "error" || message.type() === "warning") faults.push(message.text());
    });
    page.on("pageerror", (error) => faults.push(String(error)));
    page.on("request", (request) => {
        if (request.url() !== own && !/^(data|blob):/.test(request.url()))
            faults.push(`request: ${request.url().slice(0, 200)}`);
    });
    await page.goto(own);
    await page.waitForFunction(() => performance.getEntriesByName("isogon-interactive").length > 0);
    return { page, faults, close: () => context.close() };
}
