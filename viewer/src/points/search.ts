// Finding points by number, by word, and by label or any other text that is known of them.
import { type ClassColumn, type Column, classSizes } from "./columns.ts";
import type { Points } from "./points.ts";

export type Hit =
    /** `column`: where the name stands, if it is not the point's word. */
    | { kind: "point"; point: number; name: string; column?: string }
    | { kind: "class"; column: ClassColumn; label: number; name: string; count: number };

const LIMIT = 40;

/** As texts are compared: without case, and without differences of writing that nobody sees or types. */
function folded(text: string): string {
    return text.normalize("NFKC").toLowerCase();
}

// Folding a hundred thousand words takes longer than a key press should: it is done once.
const foldings = new WeakMap<string[], string[]>();
const counted = new WeakMap<ClassColumn, number[]>();

function allFolded(texts: string[]): string[] {
    let known = foldings.get(texts);
    if (!known) {
        known = texts.map(folded);
        foldings.set(texts, known);
    }
    return known;
}

function sizesOf(column: ClassColumn): number[] {
    const known = counted.get(column) ?? classSizes(column);
    counted.set(column, known);
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

// A class of one point is that point.
function classHit(column: ClassColumn, label: number): Hit[] {
    const count = sizesOf(column)[label]!;
    const name = column.names[label]!;
    if (count !== 1 || column.key === "label") return count > 0 ? [{ kind: "class", column, label, name, count }] : [];
    const point = Array.prototype.indexOf.call(column.index, label);
    return [{ kind: "point", point, name, column: column.name }];
}

// Classes that are the query, and all others that hold it.
function classHits(column: ClassColumn, query: string): { exact: Hit[]; others: Hit[] } {
    const { names } = column;
    const shortFirst = (places: number[]) => places.sort((a, b) => names[a]!.length - names[b]!.length);
    const hits = (places: number[]) => places.slice(0, LIMIT).flatMap((label) => classHit(column, label));
    const [same, beginning, holding] = ranked(names, query);
    return { exact: hits(same), others: hits([...shortFirst(beginning), ...shortFirst(holding)]) };
}

function wordHits(points: Points, query: string): Hit[] {
    const words = points.details.words ?? [];
    const places = ranked(words, query).flatMap((rank) => rank.slice(0, LIMIT));
    return places.map((point) => ({ kind: "point", point, name: words[point]! }));
}

/** Columns of texts that somebody may look for: not what the report itself says of points. */
export function searchable(columns: Column[]): ClassColumn[] {
    return columns.filter(
        (column): column is ClassColumn => column.kind === "classes" && /^(label|column\d+)$/.test(column.key),
    );
}

/**
 * At most some forty hits, the best first. Numbers are those of the input's rows, from 0; a label that is just that number
 * comes before it, unless the number is written as one: #7.
 */
export function search(points: Points, columns: ClassColumn[], typed: string): Hit[] {
    const query = folded(typed.trim());
    if (query === "") return [];
    const found = columns.map((column) => classHits(column, query));
    return [
        ...found.flatMap(({ exact }) => exact),
        ...numberHit(points, query),
        ...found.flatMap(({ others }) => others),
        ...wordHits(points, query),
    ].slice(0, LIMIT);
}
