import assert from "node:assert/strict";
import { test } from "node:test";
import {
    CLASS_COUNT,
    classLook,
    GROUND,
    MISSING,
    OPACITY,
    type Rgb,
    rgb,
    SHAPES,
    scaleColor,
    type Theme,
} from "../../../src/points/palette.ts";

import { contrast } from "../../support/contrast.ts";

// Red, green and blue as seen without one kind of cone (Machado, Oliveira and Fernandes 2009, severity 1).
const VISION: Record<string, number[]> = {
    all: [1, 0, 0, 0, 1, 0, 0, 0, 1],
    protanopia: [0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998],
    deuteranopia: [0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881],
    tritanopia: [1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.3039],
};

const linear = (x: number) => (x / 255 <= 0.04045 ? x / 255 / 12.92 : ((x / 255 + 0.055) / 1.055) ** 2.4);

// A space in which equal distances look alike (Ottosson 2020).
function oklab(color: Rgb, vision: number[]): number[] {
    const light = color.map(linear);
    const seen = [0, 1, 2].map((i) =>
        Math.min(
            1,
            Math.max(
                0,
                light.reduce((sum, x, j) => sum + vision[3 * i + j]! * x, 0),
            ),
        ),
    );
    const [r, g, b] = seen as Rgb;
    const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
    const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
    const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
    return [
        0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
        1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
        0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
    ];
}

function distance(a: string, b: string, vision: number[]): number {
    const [x, y] = [oklab(rgb(a), vision), oklab(rgb(b), vision)];
    return Math.hypot(...x.map((value, i) => value - y[i]!));
}

const THEMES: Theme[] = ["light", "dark"];

for (const theme of THEMES) {
    test(`a point of any colour has a contrast of 3 with ${theme} ground, as it is drawn`, () => {
        const classes = Array.from({ length: CLASS_COUNT }, (_, i) => rgb(classLook(i, theme).color));
        const scale = Array.from({ length: 21 }, (_, i) => scaleColor(i / 20, theme));
        for (const color of [...classes, ...scale, rgb(MISSING[theme])]) {
            const drawn = color.map((x, c) => OPACITY * x + (1 - OPACITY) * GROUND[theme][c]!) as Rgb;
            assert.ok(contrast(drawn, GROUND[theme]) >= 3, String(color));
        }
    });

    test(`any two classes of one shape, and the grey, differ for every kind of vision on ${theme} ground`, () => {
        const colors = Array.from({ length: CLASS_COUNT / SHAPES.length }, (_, i) => classLook(i, theme).color);
        colors.push(MISSING[theme]);
        for (const [name, vision] of Object.entries(VISION)) {
            for (let i = 0; i < colors.length; i++) {
                // 0.02 is where colours side by side can just be told apart; Okabe and Ito's eight come to 0.076.
                for (let j = 0; j < i; j++)
                    assert.ok(distance(colors[i]!, colors[j]!, vision) > 0.075, `${colors[i]} ${colors[j]} ${name}`);
            }
        }
    });

    test(`the scale becomes lighter all along for every kind of vision on ${theme} ground, and is never the grey`, () => {
        const grey = rgb(MISSING[theme]);
        for (const vision of Object.values(VISION)) {
            let before = -1;
            for (let t = 0; t <= 1.0001; t += 0.05) {
                const color = scaleColor(t, theme);
                const [lightness, a, b] = oklab(color, vision) as Rgb;
                assert.ok(lightness > before - 0.005, `at ${t}`);
                before = lightness;
                if (vision === VISION.all) assert.ok(Math.hypot(a, b) > 0.09, `grey at ${t}: ${color} beside ${grey}`);
            }
        }
    });
}

test("every class of a page has a look of its own", () => {
    const looks = new Set(Array.from({ length: CLASS_COUNT }, (_, i) => JSON.stringify(classLook(i, "light"))));
    assert.equal(looks.size, CLASS_COUNT);
});

test("the scale ends where it should, and beyond its ends stays there", () => {
    assert.deepEqual(scaleColor(-1, "light"), scaleColor(0, "light"));
    assert.deepEqual(scaleColor(2, "dark"), scaleColor(1, "dark"));
});
