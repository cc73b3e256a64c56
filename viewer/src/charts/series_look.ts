// How a series is drawn by its role: ours solid, published hollow markers, a baseline dashed.

import type { Role, Series } from "../document/types.ts";
import { s } from "../dom.ts";

export interface SeriesLook {
    /** Number of its colour, as in the classes .hue-0 to .hue-7. */
    hue: number;
    role: Role;
}

const HUES = 8;

// "isogon tsm" and "TSM, published (FastText)" are the same thing measured twice, and share a colour. What is in brackets is
// a remark after a space only: LE(Z) is not LE(Nys.).
function stem(name: string): string {
    return name
        .replace(/(^|\s)\([^)]*\)/g, "")
        .replace(/\b(isogon|ours|published|paper)\b/gi, "")
        .replace(/[\s,:]+/g, " ")
        .trim()
        .toLowerCase();
}

export function looksOf(series: Series[]): SeriesLook[] {
    const hues = new Map<string, number>();
    return series.map(({ name, role }) => {
        const key = stem(name) || name;
        if (!hues.has(key)) hues.set(key, hues.size % HUES);
        return { hue: hues.get(key)!, role: role ?? "other" };
    });
}

const MARKERS: ((x: number, y: number) => string)[] = [
    (x, y) => `M${x - 4} ${y}a4 4 0 1 0 8 0a4 4 0 1 0 -8 0Z`,
    (x, y) => `M${x - 3.6} ${y - 3.6}h7.2v7.2h-7.2Z`,
    (x, y) => `M${x} ${y - 4.6}l4.4 7.6h-8.8Z`,
    (x, y) => `M${x} ${y - 5}l5 5l-5 5l-5 -5Z`,
];

/** The marker at a point; its form follows the colour's number, for those who tell colours apart badly. */
export function marker({ hue, role }: SeriesLook, x: number, y: number): SVGElement {
    return s("path", { class: `marker ${role} hue-${hue}`, d: MARKERS[hue % MARKERS.length]!(x, y) });
}

export function line({ hue, role }: SeriesLook, places: [number, number][]): SVGElement {
    return s("polyline", { class: `curve ${role} hue-${hue}`, points: places.map(([x, y]) => `${x},${y}`).join(" ") });
}
