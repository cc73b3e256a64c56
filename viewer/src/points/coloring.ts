// The colour and shape of each point by what a column says, and the legend of them.
import { type ClassColumn, type Column, classSizes, type ScaleColumn, type Unit } from "./columns.ts";
import { CLASS_COUNT, type ClassLook, classLook, MISSING, rgb, scaleColor, type Theme } from "./palette.ts";

// Of more classes than there are looks this many have one: more could not be told apart among grey ones.
const MOST_FREQUENT = 20;

export interface ClassEntry extends ClassLook {
    name: string;
    count: number;
    /** Its members' place in the index of the column. */
    label: number;
}

export interface ClassLegend {
    kind: "classes";
    column: ClassColumn;
    /** Classes with a look of their own. */
    entries: ClassEntry[];
    /** All others, which are grey, those of most points first. */
    others: ClassEntry[];
    /** Points of no known class, which are grey too. */
    unknown: number;
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
    unit: Unit;
    known: number;
    unknown: number;
}

export type Legend = ClassLegend | ScaleLegend | { kind: "none" };

export interface Coloring {
    /** Of the column; "none" without one. */
    key: string;
    /** Red, green, blue, shape for each point. */
    looks: Uint8Array;
    legend: Legend;
    /** What the colours tell, in a sentence. */
    words: string;
}

function uniform(count: number): Coloring {
    const looks = new Uint8Array(4 * count);
    const color = rgb(classLook(0).color);
    for (let i = 0; i < count; i++) looks.set(color, 4 * i);
    return { key: "none", looks, legend: { kind: "none" }, words: "" };
}

function classLegend(column: ClassColumn): ClassLegend {
    const sizes = classSizes(column);
    const used = column.names.map((_, label) => label).filter((label) => sizes[label]! > 0);
    const frequent = [...used].sort((a, b) => sizes[b]! - sizes[a]! || a - b);
    const shown = used.length > CLASS_COUNT ? frequent.slice(0, MOST_FREQUENT) : used;
    const entry = (label: number, look: ClassLook) => ({
        ...look,
        name: column.names[label]!,
        count: sizes[label]!,
        label,
    });
    const grey = { color: MISSING, shape: 0 };
    return {
        kind: "classes",
        column,
        entries: [...shown].sort((a, b) => a - b).map((label, place) => entry(label, classLook(place))),
        others: used.length > shown.length ? frequent.slice(shown.length).map((label) => entry(label, grey)) : [],
        unknown: sizes[column.names.length]!,
    };
}

function classWords(column: ClassColumn, { entries, others }: ClassLegend): string {
    const what = column.key === "label" ? "label" : "value";
    if (others.length > 0) return `The ${entries.length} ${what}s with the most points have a colour and shape each.`;
    if (column.words !== "" && column.key !== "label") return column.words;
    const look = entries.some(({ shape }) => shape > 0) ? "colour and shape" : "colour";
    return `Each ${look} is one ${what}.`;
}

function byClass(column: ClassColumn): Coloring {
    const legend = classLegend(column);
    const grey = [...rgb(MISSING), 0];
    const lookOf = new Map(legend.entries.map(({ label, color, shape }) => [label, [...rgb(color), shape]]));
    const looks = new Uint8Array(4 * column.index.length);
    for (let i = 0; i < column.index.length; i++) looks.set(lookOf.get(column.index[i]!) ?? grey, 4 * i);
    return { key: column.key, looks, legend, words: classWords(column, legend) };
}

/** Between which values most numbers lie, so that a few extreme ones do not make all others one colour. */
export function usualRange(values: ArrayLike<number>): [number, number] {
    const known = Float64Array.from(values)
        .filter((x) => Number.isFinite(x))
        .sort();
    if (known.length === 0) return [0, 1];
    const low = known[Math.floor(0.01 * (known.length - 1))]!;
    const high = known[Math.ceil(0.99 * (known.length - 1))]!;
    return high > low ? [low, high] : [low, low + (Math.abs(low) || 1)];
}

// Shares fill a scale of their own, and errors begin at zero.
function rangeOf({ key, values }: ScaleColumn): [number, number] {
    if (key === "kept") return [0, 1];
    const [low, high] = usualRange(values);
    return key === "angle_error" ? [0, high] : [low, high];
}

function byValue(column: ScaleColumn, theme: Theme): Coloring {
    const { values, unit } = column;
    const [low, high] = rangeOf(column);
    const grey = rgb(MISSING);
    const looks = new Uint8Array(4 * values.length);
    let known = 0;
    let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (let i = 0; i < values.length; i++) {
        const value = values[i]!;
        const finite = Number.isFinite(value);
        looks.set(finite ? scaleColor((value - low) / (high - low), theme) : grey, 4 * i);
        if (!finite) continue;
        known += 1;
        if (value < least) least = value;
        if (value > most) most = value;
    }
    const ends = { below: least < low, above: most > high, only: least === most ? least : null };
    const legend: ScaleLegend = { kind: "scale", low, high, ...ends, unit, known, unknown: values.length - known };
    return { key: column.key, looks, legend, words: column.words };
}

/** Null: all alike. */
export function colorBy(column: Column | null, count: number, theme: Theme): Coloring {
    if (!column) return uniform(count);
    return column.kind === "classes" ? byClass(column) : byValue(column, theme);
}

/** The most telling first: labels, else classes of the table, else its values, else what was measured. */
export function firstColor(columns: Column[]): Column | null {
    const ofTable = columns.filter(({ key }) => /^column\d/.test(key));
    return (
        columns.find(({ key }) => key === "label") ??
        ofTable.find(({ kind }) => kind === "classes") ??
        ofTable[0] ??
        columns[0] ??
        null
    );
}
