// Colours of points. Classes differ for every kind of colour vision on either ground, and all colours stand out from it
// (tests/unit/points/palette_test.ts measures both); past the tenth class the shape changes; scales run from dark to light.

export type Theme = "light" | "dark";
export type Rgb = [number, number, number];

export function rgb(hex: string): Rgb {
    return [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as Rgb;
}

/** What the points lie on. */
export const GROUND: Record<Theme, Rgb> = { light: [255, 255, 255], dark: [20, 24, 30] };

/** Of a point: dense places are darker, and one alone keeps a contrast of 3 with its ground. */
export const OPACITY = 0.95;

// Found by tools/choose_palette.ts, ordered so that the first few differ most. The same on either ground: a class keeps its
// colour, whoever looks at it how.
const CLASSES = [
    "#0357ff",
    "#ff5201",
    "#c12c65",
    "#009aca",
    "#529b29",
    "#ff3cc4",
    "#a05502",
    "#b014cd",
    "#8e7cff",
    "#805996",
];

/** Shapes by number: the renderer and the legend draw the same. */
export const SHAPES = ["circle", "square", "triangle", "diamond"] as const;
export const CLASS_COUNT = CLASSES.length * SHAPES.length;

export interface ClassLook {
    color: string;
    shape: number;
}

export function classLook(place: number): ClassLook {
    return { color: CLASSES[place % CLASSES.length]!, shape: Math.floor(place / CLASSES.length) % SHAPES.length };
}

/** What is unknown, or has no look of its own. */
export const MISSING = "#938e81";

// Stops of equal distance along plasma (Smith and van der Walt), without the end that would vanish on the ground. No stop
// is grey: grey means that a value is missing.
const SCALE: Record<Theme, string[]> = {
    light: ["#1b0c8f", "#5e00a2", "#951c94", "#c03c76", "#d65848", "#dc7400"],
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
