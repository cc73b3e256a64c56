// From where to where points lie, without the few that lie far from all others.

// Quantiles that outliers do not move, and how far beyond them, in parts of what is between, a value still belongs to the rest.
const TAIL = 0.02;
const FENCE = 0.5;
// Of more values every so-manyth is sorted.
const SORTED = 20_000;

/** Least and largest of all values; [0, 0] of none. */
export function extent(values: ArrayLike<number>): [number, number] {
    return within(values, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY);
}

function within(values: ArrayLike<number>, least: number, most: number): [number, number] {
    let low = Number.POSITIVE_INFINITY;
    let high = Number.NEGATIVE_INFINITY;
    for (let i = 0; i < values.length; i++) {
        const x = values[i]!;
        if (x < low && x >= least) low = x;
        if (x > high && x <= most) high = x;
    }
    return low <= high ? [low, high] : [0, 0];
}

/** Least and largest of the values that belong together: all, where none lies farther off than half of where most are. */
export function usualExtent(values: ArrayLike<number>): [number, number] {
    const every = Math.max(1, Math.ceil(values.length / SORTED));
    const sorted = new Float64Array(Math.ceil(values.length / every));
    for (let i = 0; i < sorted.length; i++) sorted[i] = values[every * i]!;
    sorted.sort();
    const last = sorted.length - 1;
    // Of ten values or more the least and the largest may be outliers.
    const skipped = last < 9 ? 0 : Math.max(1, Math.floor(TAIL * last));
    const [low, high] = [sorted[skipped]!, sorted[last - skipped]!];
    if (!(high > low)) return extent(values);
    return within(values, low - FENCE * (high - low), high + FENCE * (high - low));
}
