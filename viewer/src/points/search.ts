// Finding points by number, by word and by label.
import { membersOf } from "./group.ts";
import type { Points } from "./points.ts";

export type Hit =
    | { kind: "point"; point: number; name: string }
    | { kind: "label"; label: number; name: string; count: number };

const LIMIT = 40;

function numberHit(points: Points, query: string): Hit[] {
    // As lists write them: #1,060.
    if (!/^#?(\d+|\d{1,3}(,\d{3})+)$/.test(query)) return [];
    const point = points.atRow(Number(query.replace(/[#,]/g, "")));
    return point >= 0 ? [{ kind: "point", point, name: points.wordOf(point) ?? "" }] : [];
}

function labelHits(points: Points, query: string): Hit[] {
    const labels = points.details.labels;
    if (!labels) return [];
    const hits: Hit[] = [];
    labels.names.forEach((name, label) => {
        if (hits.length < LIMIT && name.toLowerCase().includes(query)) {
            hits.push({ kind: "label", label, name, count: membersOf(labels.index, label).length });
        }
    });
    return hits.sort((a, b) => a.name.length - b.name.length);
}

// A word that is the query comes first, then those that begin with it, then those that hold it.
function wordHits(points: Points, query: string): Hit[] {
    const ranked: Hit[][] = [[], [], []];
    points.details.words?.forEach((name, point) => {
        const at = name.toLowerCase().indexOf(query);
        if (at < 0) return;
        const rank = at > 0 ? 2 : name.length === query.length ? 0 : 1;
        if (ranked[rank]!.length < LIMIT) ranked[rank]!.push({ kind: "point", point, name });
    });
    return ranked.flat();
}

/** At most some forty hits, the best first. Numbers are those of the input's rows, from 0. */
export function search(points: Points, typed: string): Hit[] {
    const query = typed.trim().toLowerCase();
    if (query === "") return [];
    return [...numberHit(points, query), ...labelHits(points, query), ...wordHits(points, query)].slice(0, LIMIT);
}
