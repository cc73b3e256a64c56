// Several points at once: what they have in common.
import type { ClassColumn } from "./columns.ts";
import type { Points } from "./points.ts";

/** Points picked out, by a lasso, a label or a search. */
export interface Group {
    /** Which way it was picked out: a class of the legend is known again by it, whatever it is called. */
    key: string;
    title: string;
    members: Uint32Array;
}

export interface GroupFacts {
    count: number;
    /** Degrees, over members whose error is known; null: none is. */
    meanAngleError: number | null;
    isolated: number | null;
    /** Labels by how many members have them, most first. */
    labels: { name: string; label: number; count: number }[];
}

/** Points with this number in `index`. */
export function membersOf(index: ArrayLike<number>, value: number): Uint32Array {
    const found: number[] = [];
    for (let i = 0; i < index.length; i++) if (index[i] === value) found.push(i);
    return Uint32Array.from(found);
}

/** All points of a class. */
export function classGroup(column: ClassColumn, label: number): Group {
    const title = `${column.name}: ${column.names[label] ?? "unknown"}`;
    return { key: `${column.key}:${label}`, title, members: membersOf(column.index, label) };
}

function meanOf(values: Float32Array | null, members: Uint32Array): number | null {
    let sum = 0;
    let known = 0;
    for (const i of members) {
        const value = values?.[i];
        if (value === undefined || Number.isNaN(value)) continue;
        sum += value;
        known += 1;
    }
    return known > 0 ? sum / known : null;
}

function labelCounts(points: Points, members: Uint32Array): GroupFacts["labels"] {
    const labels = points.details.labels;
    if (!labels) return [];
    const counts = new Map<number, number>();
    for (const i of members) counts.set(labels.index[i]!, (counts.get(labels.index[i]!) ?? 0) + 1);
    return [...counts]
        .map(([label, count]) => ({ name: labels.names[label] ?? "no label", label, count }))
        .sort((a, b) => b.count - a.count);
}

export function groupFacts(points: Points, members: Uint32Array): GroupFacts {
    const { angleError, isolated } = points.details;
    return {
        count: members.length,
        meanAngleError: meanOf(angleError, members),
        isolated: isolated ? members.reduce((sum, i) => sum + (isolated[i] ? 1 : 0), 0) : null,
        labels: labelCounts(points, members),
    };
}
