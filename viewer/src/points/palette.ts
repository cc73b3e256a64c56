// Colours of points. Classes differ for every kind of colour vision on either ground (tests/unit/points/palette_test.ts
// measures it), and past the tenth class the shape changes; scales run from dark to light, as cividis and viridis do.

export type Theme = "light" | "dark";
export type Rgb = [number, number, number];

export function rgb(hex: string): Rgb {
    return [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as Rgb;
}

const CLASSES: Record<Theme, string[]> = {
    light: [
        "#0072b2",
        "#d55e00",
        "#009e73",
        "#a0417e",
        "#b58900",
        "#2a2f8f",
        "#4fa8d8",
        "#8a1c2c",
        "#5f7d1e",
        "#e377a0",
    ],
    dark: [
        "#56b4e9",
        "#e8762c",
        "#2fc79a",
        "#d58fc4",
        "#f0d04a",
        "#8a8ff0",
        "#b8e0f5",
        "#d9546a",
        "#a8c95a",
        "#f7b9cf",
    ],
};

/** Shapes by number: the renderer and the legend draw the same. */
export const SHAPES = ["circle", "square", "triangle", "diamond"] as const;
export const CLASS_COUNT = CLASSES.light.length * SHAPES.length;

export interface ClassLook {
    color: string;
    shape: number;
}

export function classLook(place: number, theme: Theme): ClassLook {
    const colors = CLASSES[theme];
    return { color: colors[place % colors.length]!, shape: Math.floor(place / colors.length) % SHAPES.length };
}

export const MISSING: Record<Theme, string> = { light: "#9aa0a8", dark: "#6b7480" };

// Stops of equal distance.
const SCALE: Record<Theme, string[]> = {
    light: ["#f1c232", "#c8a46a", "#8f8a8a", "#5d6f94", "#2f5592", "#0b2f6b"],
    dark: ["#3a5fa8", "#6478a0", "#8e8f94", "#b7a67c", "#dcc057", "#ffe14d"],
};

/** Colour of t in 0..1; larger stands out more from the ground. */
export function scaleColor(t: number, theme: Theme): Rgb {
    const stops = SCALE[theme].map(rgb);
    const place = Math.min(1, Math.max(0, t)) * (stops.length - 1);
    const low = Math.min(stops.length - 2, Math.floor(place));
    const part = place - low;
    return stops[low]!.map((x, c) => Math.round(x + part * (stops[low + 1]![c]! - x))) as Rgb;
}

export function scaleGradient(theme: Theme): string {
    return `linear-gradient(to right, ${SCALE[theme].join(", ")})`;
}
