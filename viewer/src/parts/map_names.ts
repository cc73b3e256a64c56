// What stands written on the picture: labels in the middle of their points, and words.
import type { Points } from "../points/points.ts";
import type { MapText } from "../scatter/map_texts.ts";

// More names than this are no map to read; the legend lists them.
const NAMED_LABELS = 200;

/** The median along each axis of the points of each label; null of a label without points. */
export function labelPlaces(columns: Float32Array[], index: ArrayLike<number>, labels: number): (number[] | null)[] {
    const members = Array.from({ length: labels }, () => [] as number[]);
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

/** Labels first, those of most points in front; then words in the order of the report: of word vectors by frequency. */
export function mapNames(points: Points, columns: Float32Array[]): MapText[] {
    const { words, labels } = points.details;
    const texts: MapText[] = [];
    if (labels && labels.names.length <= NAMED_LABELS) {
        const sizes = new Array<number>(labels.names.length).fill(0);
        for (let i = 0; i < labels.index.length; i++) {
            if (labels.index[i]! < sizes.length) sizes[labels.index[i]!]! += 1;
        }
        const places = labelPlaces(columns, labels.index, labels.names.length);
        for (const label of sizes.map((_, i) => i).sort((a, b) => sizes[b]! - sizes[a]!)) {
            const place = places[label];
            if (!place) continue;
            const at: MapText["at"] = (view) => view.project(place[0] ?? 0, place[1] ?? 0, place[2] ?? 0);
            texts.push({ text: labels.names[label]!, kind: "label", at });
        }
    }
    words?.forEach((text, i) => {
        texts.push({ text, kind: "word", at: (view) => view.projectPoint(i) });
    });
    return texts;
}
