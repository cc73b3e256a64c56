// What is known of points, whatever it comes from: labels, the columns of a table, what the report measured. Points are
// coloured, filtered and found by these.
import { count, degrees, percent } from "../parts/numbers.ts";
import { ISOLATION, isolationOf } from "./isolation.ts";
import type { Neighbors } from "./neighbors.ts";
import type { Points } from "./points.ts";
import type { TableColumn } from "./table.ts";

/** A class for each point: its place among the names, or past their end where it is unknown. */
export interface ClassColumn {
    kind: "classes";
    key: string;
    name: string;
    names: string[];
    index: ArrayLike<number>;
    /** What it says, in a sentence; empty: what its name says. */
    words: string;
}

export type Unit = "" | "%" | "°" | "day" | "time";

/** A value for each point; NaN where it is unknown. Dates are in seconds since 1970. */
export interface ScaleColumn {
    kind: "scale";
    key: string;
    name: string;
    values: ArrayLike<number>;
    unit: Unit;
    words: string;
}

export type Column = ClassColumn | ScaleColumn;

const WORDS = {
    label: "Each colour is one label.",
    kept: "Of each point's nearest neighbours in the input the share that is still among its nearest in the embedding; the others are lost, and as many were invented. Trust the points near 100%.",
    norm: "How long each input vector is.",
    angle_error: "By how many degrees a point's small angles changed, on average. Trust the points near zero.",
    isolated:
        "An isolated point is near no other point in the input, so its place in the picture says little; a zero vector has no direction that could be kept.",
};

const DAY = 86400;
// As many values of a whole number may be classes: clusters, years, grades.
const FEW = 20;

function dateUnit(values: ArrayLike<number>): Unit {
    for (let i = 0; i < values.length; i++) if (!Number.isNaN(values[i]!) && values[i]! % DAY !== 0) return "time";
    return "day";
}

/** The values of few whole numbers as classes; null where they are others, or many. */
function byValue(column: ScaleColumn): ClassColumn | null {
    const found = new Set<number>();
    for (let i = 0; i < column.values.length; i++) {
        const value = column.values[i]!;
        if (Number.isNaN(value)) continue;
        found.add(value);
        if (found.size > FEW || !Number.isInteger(value)) return null;
    }
    const values = [...found].sort((a, b) => a - b);
    const places = new Map(values.map((value, place) => [value, place]));
    return {
        kind: "classes",
        key: column.key.replace("column", "value"),
        name: `${column.name}, each value`,
        names: values.map(String),
        index: Uint32Array.from(column.values, (value) => places.get(value) ?? values.length),
        words: "",
    };
}

function columnsOfTable(column: TableColumn, place: number): Column[] {
    const { name, kind } = column;
    const key = `column${place}`;
    if (kind === "text") return [{ kind: "classes", key, name, names: column.names, index: column.index, words: "" }];
    const unit = kind === "date" ? dateUnit(column.values) : "";
    const scale: ScaleColumn = { kind: "scale", key, name, values: column.values, unit, words: "" };
    const classes = kind === "number" ? byValue(scale) : null;
    return classes ? [scale, classes] : [scale];
}

function labelColumn({ details: { labels } }: Points): ClassColumn[] {
    return labels ? [{ kind: "classes", key: "label", name: "Label", ...labels, words: WORDS.label }] : [];
}

/** Those that this document has data for and that its kind of embedding has a meaning for. */
export function columnsOf(points: Points, neighbors: Neighbors | null = null): Column[] {
    const { norm, angleError, isolated, table } = points.details;
    const angles = neighbors?.by !== "distance";
    const measured = (
        key: "kept" | "angle_error" | "norm",
        name: string,
        values: Float32Array,
        unit: Unit,
    ): Column => ({
        kind: "scale",
        key,
        name,
        values,
        unit,
        words: WORDS[key],
    });
    const columns: Column[] = [...labelColumn(points), ...table.flatMap(columnsOfTable)];
    if (neighbors) columns.push(measured("kept", "Neighbours kept", neighbors.keptShares(points.count), "%"));
    if (angleError && angles) columns.push(measured("angle_error", "Error of its small angles", angleError, "°"));
    if (norm) columns.push(measured("norm", "Length of the input", norm, ""));
    if (isolated && angles)
        columns.push({
            kind: "classes",
            key: "isolated",
            name: "Isolated or not",
            names: ISOLATION,
            index: isolationOf(points)!,
            words: WORDS.isolated,
        });
    return columns;
}

/** Points of each class, those of no known class last. */
export function classSizes({ names, index }: ClassColumn): number[] {
    const sizes = new Array<number>(names.length + 1).fill(0);
    for (let i = 0; i < index.length; i++) sizes[Math.min(index[i]!, names.length)]! += 1;
    return sizes;
}

/** Whether some class has more than one point: where each text is another, colours say nothing. */
export function repeats(column: ClassColumn): boolean {
    return classSizes(column)
        .slice(0, -1)
        .some((size) => size > 1);
}

/** Those that colours can tell. */
export function colorable(columns: Column[]): Column[] {
    return columns.filter((column) => column.kind === "scale" || column.key === "label" || repeats(column));
}

/** A value as people read it; a date as ISO 8601 writes it. */
export function written(value: number, unit: Unit): string {
    if (Number.isNaN(value)) return "unknown";
    if (unit === "%") return percent(value);
    if (unit === "°") return degrees(value);
    if (unit === "") return Number.isInteger(value) && Math.abs(value) < 1e7 ? count(value) : String(value);
    // Beyond these dates have no name there.
    if (Math.abs(value) > 8.64e12) return String(value);
    const iso = new Date(1000 * value).toISOString();
    return unit === "day" ? iso.slice(0, -14) : iso.replace(/:00\.000Z$|\.000Z$/, "").replace("T", " ");
}

/** What a column says of point i. */
export function textOf(column: Column, i: number): string {
    if (column.kind === "scale") return written(column.values[i]!, column.unit);
    return column.names[column.index[i]!] ?? "unknown";
}

/** The same for other programs: numbers with all their digits, nothing where it is unknown. */
export function cellOf(column: Column, i: number): string {
    if (column.kind === "classes") return column.names[column.index[i]!] ?? "";
    const value = column.values[i]!;
    if (Number.isNaN(value)) return "";
    return column.unit === "day" || column.unit === "time" ? written(value, column.unit) : String(value);
}
