// Pictures of the test pages, to be looked at by eye: two sizes, light and dark. Into build/screenshots/.
import { mkdirSync } from "node:fs";
import { resolve } from "node:path";
import type { Page } from "playwright-core";
import { launch, open } from "../tests/support/browser.ts";

mkdirSync("build/screenshots", { recursive: true });

async function pickPoint(page: Page): Promise<void> {
    await page.keyboard.press("/");
    await page.keyboard.type("7");
    await page.keyboard.press("Enter");
}

const browser = await launch();
for (const name of ["digits", "charts", "empty"]) {
    for (const dark of [false, true]) {
        for (const [width, height] of [
            [1280, 800],
            [420, 800],
        ] as const) {
            const { page, faults, close } = await open(browser, resolve(`build/pages/${name}.html`), {
                width,
                height,
                dark,
            });
            const stem = `build/screenshots/${name}-${width}${dark ? "-dark" : ""}`;
            await page.waitForTimeout(200);
            await page.screenshot({ path: `${stem}.png` });
            if (name === "digits") await pickPoint(page);
            await page.waitForTimeout(200);
            await page.screenshot({ path: `${stem}-whole.png`, fullPage: true });
            for (const fault of faults) console.log(`${name}: ${fault}`);
            await close();
        }
    }
}
await browser.close();
