// The points selected as a table, for other programs.
import { csvCell } from "../parts/save.ts";
import type { Neighbors } from "../points/neighbors.ts";
import type { Points } from "../points/points.ts";

/** row (of the input, from 0), word, label, share of neighbours kept, and the coordinates as the report holds them. */
export function groupCsv(points: Points, neighbors: Neighbors | null, members: Uint32Array): string {
    const { words, labels } = points.details;
    const shares = neighbors?.keptShares(points.count) ?? null;
    const name = points.firstAxes ? "axis" : "coordinate";
    const coordinates = Array.from({ length: points.dimension }, (_, j) => points.coordinate(j));
    const head = [
        "row",
        ...(words ? ["word"] : []),
        ...(labels ? ["label"] : []),
        ...(shares ? ["neighbours_kept"] : []),
        ...coordinates.map((_, j) => `${name}_${j + 1}`),
    ];
    const lines = Array.from(members, (i) =>
        [
            String(points.rowOf(i)),
            ...(words ? [csvCell(points.wordOf(i) ?? "")] : []),
            ...(labels ? [csvCell(points.labelOf(i) ?? "")] : []),
            ...(shares ? [Number.isNaN(shares[i]!) ? "" : String(Number(shares[i]!.toPrecision(6)))] : []),
            ...coordinates.map((column) => String(Number(column[i]!.toPrecision(7)))),
        ].join(","),
    );
    return `${[head.join(","), ...lines].join("\n")}\n`;
}
