// What points can be coloured by, and the colour and shape of each.

import { ISOLATION, isolationOf } from "./isolation.ts";
import type { Neighbors } from "./neighbors.ts";
import { CLASS_COUNT, type ClassLook, classLook, MISSING, rgb, scaleColor, type Theme } from "./palette.ts";
import type { Points } from "./points.ts";

export type ColorKey = "label" | "kept" | "norm" | "angle_error" | "isolated" | "none";

export const COLOR_NAMES: Record<ColorKey, string> = {
    label: "Label",
    kept: "Neighbours kept",
    norm: "Length of the input",
    angle_error: "Error of its small angles",
    isolated: "Isolated or not",
    none: "One colour",
};

const COLOR_WORDS: Record<ColorKey, string> = {
    label: "Each colour is one label.",
    kept: "Of each point's nearest neighbours in the input the share that is still among its nearest in the embedding; the others are lost, and as many were invented. Trust the points near 100%.",
    norm: "How long each input vector is.",
    angle_error: "By how many degrees a point's small angles changed, on average. Trust the points near zero.",
    isolated:
        "An isolated point is near no other point in the input, so its place in the picture says little; a zero vector has no direction that could be kept.",
    none: "",
};

export interface ClassEntry extends ClassLook {
    name: string;
    count: number;
    /** Members of this class, in `classes`. */
    label: number;
}

export interface ClassLegend {
    kind: "classes";
    entries: ClassEntry[];
    /** Points without a look of their own. */
    others: number;
    /** Labels that some of those have; 0: they have none. */
    otherLabels: number;
}

export interface ScaleLegend {
    kind: "scale";
    low: number;
    high: number;
    /** Whether there are values beyond the ends. */
    below: boolean;
    above: boolean;
    /** The value that all have of whom one is known. */
    only: number | null;
    unit: string;
    known: number;
    missing: number;
}

export type Legend = ClassLegend | ScaleLegend | { kind: "none" };

export interface Coloring {
    key: ColorKey;
    /** Red, green, blue, shape for each point. */
    looks: Uint8Array;
    legend: Legend;
}

/** Those that this document has data for and that its kind of embedding has a meaning for, the most telling first. */
export function colorKeys(points: Points, neighbors: Neighbors | null = null): ColorKey[] {
    const { labels, norm, angleError, isolated } = points.details;
    const angles = neighbors?.by !== "distance";
    const keys: ColorKey[] = [];
    if (labels) keys.push("label");
    if (neighbors) keys.push("kept");
    if (angleError && angles) keys.push("angle_error");
    if (norm) keys.push("norm");
    if (isolated && angles) keys.push("isolated");
    keys.push("none");
    return keys;
}

function uniform(points: Points, theme: Theme): Coloring {
    const looks = new Uint8Array(4 * points.count);
    const color = rgb(classLook(0, theme).color);
    for (let i = 0; i < points.count; i++) looks.set(color, 4 * i);
    return { key: "none", looks, legend: { kind: "none" } };
}

function byClass(key: ColorKey, names: string[], index: ArrayLike<number>, theme: Theme): Coloring {
    const counts = new Array<number>(names.length).fill(0);
    for (let i = 0; i < index.length; i++) if (index[i]! < names.length) counts[index[i]!]! += 1;
    const used = names.map((_, label) => label).filter((label) => counts[label]! > 0);
    // With more classes than looks, those with the most points have one.
    const shown =
        used.length > CLASS_COUNT ? [...used].sort((a, b) => counts[b]! - counts[a]!).slice(0, CLASS_COUNT) : used;
    const entries = shown
        .sort((a, b) => a - b)
        .map((label, place) => ({ ...classLook(place, theme), name: names[label]!, count: counts[label]!, label }));
    const lookOf = new Map(entries.map((entry) => [entry.label, [...rgb(entry.color), entry.shape]]));
    const missing = [...rgb(MISSING[theme]), 0];
    const looks = new Uint8Array(4 * index.length);
    let others = 0;
    for (let i = 0; i < index.length; i++) {
        const look = lookOf.get(index[i]!);
        if (!look) others += 1;
        looks.set(look ?? missing, 4 * i);
    }
    return { key, looks, legend: { kind: "classes", entries, others, otherLabels: used.length - entries.length } };
}

/** Between which values most numbers lie, so that a few extreme ones do not make all others one colour. */
export function usualRange(values: Float32Array): [number, number] {
    const known = values.filter((x) => Number.isFinite(x)).sort();
    if (known.length === 0) return [0, 1];
    const low = known[Math.floor(0.01 * (known.length - 1))]!;
    const high = known[Math.ceil(0.99 * (known.length - 1))]!;
    return high > low ? [low, high] : [low, low + (Math.abs(low) || 1)];
}

/** `range`: of the scale; without it where most values are. */
function byValue(
    key: ColorKey,
    values: Float32Array,
    unit: string,
    range: [number, number] | "from zero" | null,
    theme: Theme,
): Coloring {
    const [lowest, highest] = usualRange(values);
    const [low, high] = range === "from zero" ? [0, highest] : (range ?? [lowest, highest]);
    const gray = rgb(MISSING[theme]);
    const looks = new Uint8Array(4 * values.length);
    let known = 0;
    let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    values.forEach((value, i) => {
        const finite = Number.isFinite(value);
        looks.set(finite ? scaleColor((value - low) / (high - low), theme) : gray, 4 * i);
        if (!finite) return;
        known += 1;
        if (value < least) least = value;
        if (value > most) most = value;
    });
    const ends = { below: least < low, above: most > high, only: least === most ? least : null };
    return { key, looks, legend: { kind: "scale", low, high, ...ends, unit, known, missing: values.length - known } };
}

/** What the colours tell, in a sentence. */
export function colorWords({ key, legend }: Coloring): string {
    if (legend.kind === "classes" && legend.otherLabels > 0)
        return `The ${legend.entries.length} labels with the most points have a colour and shape each.`;
    if (key === "label" && legend.kind === "classes" && legend.entries.some(({ shape }) => shape > 0))
        return "Each colour and shape is one label.";
    return COLOR_WORDS[key];
}

export function colorBy(points: Points, key: ColorKey, theme: Theme, neighbors: Neighbors | null = null): Coloring {
    const { labels, norm, angleError } = points.details;
    const isolation = key === "isolated" ? isolationOf(points) : null;
    if (key === "label" && labels) return byClass(key, labels.names, labels.index, theme);
    if (key === "kept" && neighbors) return byValue(key, neighbors.keptShares(points.count), "%", [0, 1], theme);
    if (key === "norm" && norm) return byValue(key, norm, "", null, theme);
    if (key === "angle_error" && angleError) return byValue(key, angleError, "°", "from zero", theme);
    if (isolation) return byClass(key, ISOLATION, isolation, theme);
    return uniform(points, theme);
}
