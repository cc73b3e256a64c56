// Finding points by number, by word and by label.
import { membersOf } from "./group.ts";
import type { Points } from "./points.ts";

export type Hit =
    | { kind: "point"; point: number; name: string }
    | { kind: "label"; label: number; name: string; count: number };

const LIMIT = 40;

/** As texts are compared: without case, and without differences of writing that nobody sees or types. */
function folded(text: string): string {
    return text.normalize("NFKC").toLowerCase();
}

// Folding a hundred thousand words takes longer than a key press should: it is done once.
const foldings = new WeakMap<string[], string[]>();

function allFolded(texts: string[]): string[] {
    let known = foldings.get(texts);
    if (!known) {
        known = texts.map(folded);
        foldings.set(texts, known);
    }
    return known;
}

/** Places of the texts that are the query, of those that begin with it, and of those that hold it. */
function ranked(texts: string[], query: string): [number[], number[], number[]] {
    const found: [number[], number[], number[]] = [[], [], []];
    allFolded(texts).forEach((text, place) => {
        const at = text.indexOf(query);
        if (at >= 0) found[at > 0 ? 2 : text.length === query.length ? 0 : 1].push(place);
    });
    return found;
}

function numberHit(points: Points, query: string): Hit[] {
    // As lists write them: #1,060.
    if (!/^#?(\d+|\d{1,3}(,\d{3})+)$/.test(query)) return [];
    const point = points.atRow(Number(query.replace(/[#,]/g, "")));
    return point >= 0 ? [{ kind: "point", point, name: points.wordOf(point) ?? "" }] : [];
}

// Labels that are the query, and all others that hold it.
function labelHits(points: Points, query: string): { exact: Hit[]; others: Hit[] } {
    const labels = points.details.labels;
    if (!labels) return { exact: [], others: [] };
    const { names, index } = labels;
    const shortFirst = (places: number[]) => places.sort((a, b) => names[a]!.length - names[b]!.length);
    const hits = (places: number[]) =>
        places.slice(0, LIMIT).map((label): Hit => {
            return { kind: "label", label, name: names[label]!, count: membersOf(index, label).length };
        });
    const [same, beginning, holding] = ranked(names, query);
    return { exact: hits(same), others: hits([...shortFirst(beginning), ...shortFirst(holding)]) };
}

function wordHits(points: Points, query: string): Hit[] {
    const words = points.details.words ?? [];
    const places = ranked(words, query).flatMap((rank) => rank.slice(0, LIMIT));
    return places.map((point) => ({ kind: "point", point, name: words[point]! }));
}

/**
 * At most some forty hits, the best first. Numbers are those of the input's rows, from 0; a label that is just that number
 * comes before it, unless the number is written as one: #7.
 */
export function search(points: Points, typed: string): Hit[] {
    const query = folded(typed.trim());
    if (query === "") return [];
    const { exact, others } = labelHits(points, query);
    return [...exact, ...numberHit(points, query), ...others, ...wordHits(points, query)].slice(0, LIMIT);
}
