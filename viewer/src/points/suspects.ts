// Where to look first: the points that keep fewest neighbours, and labels whose points lie among those of others.
import type { Neighbors } from "./neighbors.ts";
import type { Points } from "./points.ts";

/** The points that keep fewest of their nearest, fewest first; of equal ones those of smaller numbers. */
export function worstPoints(neighbors: Neighbors, count: number, most: number): { point: number; kept: number }[] {
    const shares = neighbors.keptShares(count);
    const worst: { point: number; kept: number }[] = [];
    for (let point = 0; point < count; point++) {
        const kept = shares[point]!;
        if (Number.isNaN(kept) || (worst.length === most && kept >= worst.at(-1)!.kept)) continue;
        let place = worst.length;
        while (place > 0 && worst[place - 1]!.kept > kept) place -= 1;
        worst.splice(place, 0, { point, kept });
        if (worst.length > most) worst.pop();
    }
    return worst.filter(({ kept }) => kept < 1);
}

export interface Confusion {
    label: number;
    among: number;
    members: Uint32Array;
    /** Of the label's points. */
    share: number;
}

// The most frequent label among the nearest, the smaller of two equal ones, as the accuracy of the report votes.
function vote(nearest: number[], index: ArrayLike<number>, labels: number): number {
    const counts = new Map<number, number>();
    for (const point of nearest) {
        const label = index[point]!;
        if (label < labels) counts.set(label, (counts.get(label) ?? 0) + 1);
    }
    let best = -1;
    for (const [label, many] of counts) {
        const most = counts.get(best) ?? 0;
        if (many > most || (many === most && label < best)) best = label;
    }
    return best;
}

/** Pairs of labels (a, b) by how many points of a have mostly points of b around them in the embedding, most first. */
export function confusions(points: Points, neighbors: Neighbors, most: number): Confusion[] {
    const labels = points.details.labels;
    if (!labels) return [];
    const { names, index } = labels;
    const sizes = new Array<number>(names.length).fill(0);
    const members = new Map<string, number[]>();
    for (let i = 0; i < points.count; i++) {
        const label = index[i]!;
        if (label >= names.length) continue;
        sizes[label]! += 1;
        const among = vote(neighbors.nearestOf(i), index, names.length);
        if (among < 0 || among === label) continue;
        const key = `${label},${among}`;
        const list = members.get(key);
        if (list) list.push(i);
        else members.set(key, [i]);
    }
    return [...members]
        .map(([key, list]) => {
            const [label, among] = key.split(",").map(Number) as [number, number];
            return { label, among, members: Uint32Array.from(list), share: list.length / sizes[label]! };
        })
        .sort((a, b) => b.members.length - a.members.length || a.label - b.label || a.among - b.among)
        .slice(0, most);
}
