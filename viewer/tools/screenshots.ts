// Pictures of the test pages, to be looked at by eye: two sizes, light and dark. Into build/screenshots/.
import { mkdirSync } from "node:fs";
import { resolve } from "node:path";
import type { Page } from "playwright-core";
import { launch, open } from "../tests/support/browser.ts";

mkdirSync("build/screenshots", { recursive: true });

async function pickPoint(page: Page): Promise<void> {
    await page.keyboard.press("/");
    await page.keyboard.type("#7");
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

async function scene(
    name: string,
    look: { dark?: boolean; width?: number },
    act: (page: Page) => Promise<void>,
): Promise<void> {
    const { page, close } = await open(browser, resolve("build/pages/digits.html"), look);
    await act(page);
    await page.waitForTimeout(250);
    await page.screenshot({ path: `build/screenshots/scene-${name}.png` });
    await close();
}
await scene("space", {}, async (page) => {
    await page.selectOption("[data-axis='2']", "p2");
    await page.selectOption("[data-choice='color']", "angle_error");
});
await scene("space-dark", { dark: true }, async (page) => {
    await page.selectOption("[data-axis='2']", "p2");
});
await scene("lasso", {}, async (page) => {
    await page.click("[data-mode='lasso']");
    const box = (await page.locator(".scatter").boundingBox())!;
    await page.mouse.move(box.x + 100, box.y + 100);
    await page.mouse.down();
    for (const [x, y] of [
        [350, 100],
        [400, 300],
        [100, 330],
    ] as const)
        await page.mouse.move(box.x + x, box.y + y, { steps: 5 });
    await page.mouse.up();
    await page.mouse.move(box.x + 300, box.y + 200);
});
await scene("hover", { dark: true }, async (page) => {
    const box = (await page.locator(".scatter").boundingBox())!;
    const at = await page.evaluate(() =>
        (window as unknown as { isogon: { place: (i: number) => number[] } }).isogon.place(5),
    );
    await page.mouse.move(box.x + at[0]!, box.y + at[1]!);
});
await scene("phone", { width: 420 }, async (page) => {
    await page.selectOption("[data-choice='color']", "angle_error");
});
await browser.close();
