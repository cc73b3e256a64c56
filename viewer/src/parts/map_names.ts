// What stands written on the picture: classes in the middle of their points, and words.
import { type ClassColumn, classSizes } from "../points/columns.ts";
import type { Points } from "../points/points.ts";
import type { MapText } from "../scatter/map_texts.ts";

// More names than this are no map to read; the legend lists them. Of more classes the most frequent ones are named.
const NAMED = 200;
const OF_MANY = 20;

/** The median along each axis of the points of each class; null of one without points. */
export function classPlaces(columns: Float32Array[], index: ArrayLike<number>, classes: number): (number[] | null)[] {
    const members = Array.from({ length: classes }, () => [] as number[]);
    for (let i = 0; i < index.length; i++) members[index[i]!]?.push(i);
    return members.map((points) =>
        points.length === 0
            ? null
            : columns.map((column) => {
                  const sorted = Float32Array.from(points, (i) => column[i]!).sort();
                  return sorted[Math.floor(sorted.length / 2)]!;
              }),
    );
}

function classNames(classes: ClassColumn, columns: Float32Array[]): MapText[] {
    const { names, index } = classes;
    const sizes = classSizes(classes).slice(0, -1);
    const places = classPlaces(columns, index, names.length);
    const frequent = sizes.map((_, label) => label).sort((a, b) => sizes[b]! - sizes[a]!);
    return frequent.slice(0, names.length > NAMED ? OF_MANY : NAMED).flatMap((label): MapText[] => {
        const place = places[label];
        if (!place) return [];
        const at: MapText["at"] = (view) => view.project(place[0] ?? 0, place[1] ?? 0, place[2] ?? 0);
        return [{ text: names[label]!, kind: "label", at }];
    });
}

/** Classes first, those of most points in front; then words in the order of the report: of word vectors by frequency. */
export function mapNames(points: Points, columns: Float32Array[], classes: ClassColumn | null): MapText[] {
    const words = (points.details.words ?? []).map(
        (text, i): MapText => ({ text, kind: "word", at: (view) => view.projectPoint(i) }),
    );
    return [...(classes ? classNames(classes, columns) : []), ...words];
}
