// Which points pass: those that pass each filter, of classes that were chosen, or of a range of values.
import type { ClassColumn, Column, ScaleColumn } from "./columns.ts";

export interface ClassFilter {
    column: ClassColumn;
    /** Places among the names; past their end: unknown. None: all pass. */
    chosen: ReadonlySet<number>;
}

/** Both ends included; null: no end. What is unknown is in no range. */
export interface RangeFilter {
    column: ScaleColumn;
    low: number | null;
    high: number | null;
}

export type Filter = ClassFilter | RangeFilter;

function isClassFilter(filter: Filter): filter is ClassFilter {
    return "chosen" in filter;
}

function asks(filter: Filter): boolean {
    return isClassFilter(filter) ? filter.chosen.size > 0 : filter.low !== null || filter.high !== null;
}

function passes(filter: Filter): (i: number) => boolean {
    if (isClassFilter(filter)) {
        const { names, index } = filter.column;
        const wanted = new Uint8Array(names.length + 1);
        for (const place of filter.chosen) wanted[Math.min(place, names.length)] = 1;
        return (i) => wanted[Math.min(index[i]!, names.length)] === 1;
    }
    const { low, high, column } = filter;
    const [least, most] = [low ?? Number.NEGATIVE_INFINITY, high ?? Number.POSITIVE_INFINITY];
    return (i) => column.values[i]! >= least && column.values[i]! <= most;
}

/** 1 for each of `count` points that passes all filters; null where none asks for anything. */
export function passing(count: number, filters: Iterable<Filter>): Uint8Array | null {
    const tests = [...filters].filter(asks).map(passes);
    if (tests.length === 0) return null;
    return Uint8Array.from({ length: count }, (_, i) => (tests.every((test) => test(i)) ? 1 : 0));
}

/** The filters with another one of this column in place of the one that was there. */
export function withFilter(filters: ReadonlyMap<Column, Filter>, filter: Filter): ReadonlyMap<Column, Filter> {
    return new Map(filters).set(filter.column, filter);
}
