// Colours of points. Classes differ for every kind of colour vision on either ground (tests/unit/points/palette_test.ts
// measures it), and past the tenth class the shape changes; scales run from dark to light.

export type Theme = "light" | "dark";
export type Rgb = [number, number, number];

export function rgb(hex: string): Rgb {
    return [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as Rgb;
}

// Ordered so that the first few differ most.
const CLASSES: Record<Theme, string[]> = {
    light: [
        "#2a4dba",
        "#e29610",
        "#8a170f",
        "#9c76b0",
        "#2c2b8e",
        "#30a172",
        "#b77d13",
        "#408176",
        "#893b7d",
        "#cc83e3",
    ],
    dark: [
        "#a3d0f1",
        "#d45845",
        "#6299ae",
        "#d2c922",
        "#0ec09e",
        "#ae5ad3",
        "#97b135",
        "#cae985",
        "#6bf4cc",
        "#d390e7",
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

export const MISSING: Record<Theme, string> = { light: "#a3a8ae", dark: "#6b7480" };

// Stops of equal distance along plasma (Smith and van der Walt), without the end that would vanish on the ground. No stop
// is grey: grey means that a value is missing.
const SCALE: Record<Theme, string[]> = {
    light: ["#1b0c8f", "#6a00a8", "#a6258f", "#d5546e", "#ef7f3e", "#f9a72b"],
    dark: ["#4f63e6", "#8f62e6", "#c368cf", "#e87a95", "#fb9d5c", "#f9e04a"],
};

/** Colour of t in 0..1, lighter for larger t. */
export function scaleColor(t: number, theme: Theme): Rgb {
    const stops = SCALE[theme].map(rgb);
    const place = Math.min(1, Math.max(0, t)) * (stops.length - 1);
    const low = Math.min(stops.length - 2, Math.floor(place));
    const part = place - low;
    return stops[low]!.map((x, c) => Math.round(x + part * (stops[low + 1]![c]! - x))) as Rgb;
}
