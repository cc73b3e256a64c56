// How alike two colours look, with all kinds of cones and without one of them.
import type { Rgb } from "../../src/points/palette.ts";

export type Vision = "all" | "protanopia" | "deuteranopia" | "tritanopia";

// Red, green and blue as seen without one kind of cone (Machado, Oliveira and Fernandes 2009, severity 1).
const SEEN: Record<Vision, number[]> = {
    all: [1, 0, 0, 0, 1, 0, 0, 0, 1],
    protanopia: [0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998],
    deuteranopia: [0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881],
    tritanopia: [1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.3039],
};

export const VISIONS = Object.keys(SEEN) as Vision[];

const linear = (x: number) => (x / 255 <= 0.04045 ? x / 255 / 12.92 : ((x / 255 + 0.055) / 1.055) ** 2.4);

/** Lightness and two hues, in a space in which equal distances look alike (Ottosson 2020). */
export function oklab(color: Rgb, vision: Vision = "all"): Rgb {
    const [red, green, blue] = color.map(linear) as Rgb;
    const matrix = SEEN[vision];
    const [r, g, b] = [0, 3, 6].map((at) =>
        Math.min(1, Math.max(0, matrix[at]! * red + matrix[at + 1]! * green + matrix[at + 2]! * blue)),
    ) as Rgb;
    const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
    const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
    const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
    return [
        0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
        1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
        0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
    ];
}

/** 0.02 is where two colours side by side can just be told apart. */
export function distance(a: Rgb, b: Rgb, vision: Vision = "all"): number {
    const [x, y] = [oklab(a, vision), oklab(b, vision)];
    return Math.hypot(x[0] - y[0], x[1] - y[1], x[2] - y[2]);
}
