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
import { distance, oklab, VISIONS, type Vision } from "../../support/vision.ts";

// How far any two of the ten colours, and the grey, are apart at least. 0.02 can just be told apart side by side; Okabe and
// Ito's eight come to 0.156 with all cones and to 0.076 without some, and have not to stand out from either ground.
const LEAST: Record<Vision, number> = { all: 0.13, protanopia: 0.072, deuteranopia: 0.072, tritanopia: 0.052 };

const THEMES: Theme[] = ["light", "dark"];

for (const theme of THEMES) {
    test(`a point of any colour has a contrast of 3 with ${theme} ground, as it is drawn`, () => {
        const classes = Array.from({ length: CLASS_COUNT }, (_, i) => rgb(classLook(i).color));
        const scale = Array.from({ length: 21 }, (_, i) => scaleColor(i / 20, theme));
        for (const color of [...classes, ...scale, rgb(MISSING)]) {
            const drawn = color.map((x, c) => OPACITY * x + (1 - OPACITY) * GROUND[theme][c]!) as Rgb;
            assert.ok(contrast(drawn, GROUND[theme]) >= 3, String(color));
        }
    });

    const classColors = (count: number) => Array.from({ length: count }, (_, i) => rgb(classLook(i).color));

    for (const vision of VISIONS) {
        test(`any two classes of one shape, and the grey, differ on ${theme} ground: ${vision}`, () => {
            const colors = [...classColors(CLASS_COUNT / SHAPES.length), rgb(MISSING)];
            for (let i = 0; i < colors.length; i++) {
                for (let j = 0; j < i; j++) {
                    const apart = distance(colors[i]!, colors[j]!, vision);
                    assert.ok(apart > LEAST[vision], `classes ${j} and ${i}: ${apart.toFixed(3)}`);
                }
            }
        });
    }

    test(`the first four classes differ more than all ten on ${theme} ground`, () => {
        const colors = classColors(4);
        for (const vision of VISIONS) {
            for (let i = 0; i < 4; i++) {
                for (let j = 0; j < i; j++)
                    assert.ok(
                        distance(colors[i]!, colors[j]!, vision) > 1.3 * LEAST[vision],
                        `${j} and ${i} ${vision}`,
                    );
            }
        }
    });

    test(`the scale becomes lighter all along for every kind of vision on ${theme} ground, and is never the grey`, () => {
        const grey = rgb(MISSING);
        for (const vision of VISIONS) {
            let before = -1;
            for (let t = 0; t <= 1.0001; t += 0.05) {
                const color = scaleColor(t, theme);
                const [lightness, a, b] = oklab(color, vision);
                assert.ok(lightness > before - 0.005, `at ${t}`);
                before = lightness;
                if (vision === "all") assert.ok(Math.hypot(a, b) > 0.09, `grey at ${t}: ${color} beside ${grey}`);
            }
        }
    });
}

test("every class of a page has a look of its own", () => {
    const looks = new Set(Array.from({ length: CLASS_COUNT }, (_, i) => JSON.stringify(classLook(i))));
    assert.equal(looks.size, CLASS_COUNT);
});

test("the scale ends where it should, and beyond its ends stays there", () => {
    assert.deepEqual(scaleColor(-1, "light"), scaleColor(0, "light"));
    assert.deepEqual(scaleColor(2, "dark"), scaleColor(1, "dark"));
});
