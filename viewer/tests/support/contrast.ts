// How far two colours stand apart in lightness, from 1 to 21 (WCAG 2).
import type { Rgb } from "../../src/points/palette.ts";

function luminance(color: Rgb): number {
    const [r, g, b] = color.map((x) =>
        x / 255 <= 0.04045 ? x / 255 / 12.92 : ((x / 255 + 0.055) / 1.055) ** 2.4,
    ) as Rgb;
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

export function contrast(a: Rgb, b: Rgb): number {
    const [x, y] = [luminance(a), luminance(b)];
    return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
}
