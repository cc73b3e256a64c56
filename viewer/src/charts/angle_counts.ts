// What counts of angles say in a few words, for those who cannot see them drawn.

/** The angle below which half of the counted pairs lie; null where none is counted. Inside a bin pairs are taken as evenly spread. */
export function medianOf(edges: number[], counts: number[]): number | null {
    const total = counts.reduce((sum, x) => sum + x, 0);
    if (total <= 0) return null;
    let before = 0;
    for (const [bin, count] of counts.entries()) {
        if (count > 0 && before + count >= total / 2) {
            const [from, to] = [edges[bin] ?? 0, edges[bin + 1] ?? 0];
            return from + ((total / 2 - before) / count) * (to - from);
        }
        before += count;
    }
    return null;
}

export interface NearDiagonal {
    /** Of all pairs, those at most `bins` bins from the diagonal. */
    share: number;
    degrees: number;
}

/** How many pairs kept their angle, as nearly as `bins` bins tell. Counts are square, row by row. */
export function nearDiagonal(edges: number[], counts: ArrayLike<number>, bins: number): NearDiagonal | null {
    const side = edges.length - 1;
    let [near, total] = [0, 0];
    for (let before = 0; before < side; before++) {
        for (let after = 0; after < side; after++) {
            const count = counts[before * side + after] ?? 0;
            total += count;
            if (Math.abs(before - after) <= bins) near += count;
        }
    }
    if (total === 0) return null;
    return { share: near / total, degrees: (bins + 1) * ((edges[1] ?? 0) - (edges[0] ?? 0)) };
}

/** Counts by row, or by column, of a square of counts. */
export function marginOf(side: number, counts: ArrayLike<number>, by: "row" | "column"): number[] {
    const sums = new Array<number>(side).fill(0);
    for (let i = 0; i < side * side; i++) sums[by === "row" ? Math.floor(i / side) : i % side]! += counts[i] ?? 0;
    return sums;
}
