// The points selected as a table, for other programs.
import { csvCell } from "../parts/save.ts";
import { type Column, cellOf } from "../points/columns.ts";
import type { Points } from "../points/points.ts";

// Under the name that programs have for it; columns of the table keep theirs.
const NAMES: Record<string, string> = { label: "label", kept: "neighbours_kept" };

/** row (of the input, from 0), word, label, table, share of neighbours kept, and the coordinates as the report holds them. */
export function groupCsv(points: Points, columns: Column[], members: Uint32Array): string {
    const { words } = points.details;
    const told = columns.filter(({ key }) => key in NAMES || /^column\d/.test(key));
    const name = points.firstAxes ? "axis" : "coordinate";
    const coordinates = Array.from({ length: points.dimension }, (_, j) => points.coordinate(j));
    const head = [
        "row",
        ...(words ? ["word"] : []),
        ...told.map(({ key, name }) => NAMES[key] ?? csvCell(name)),
        ...coordinates.map((_, j) => `${name}_${j + 1}`),
    ];
    const lines = Array.from(members, (i) =>
        [
            String(points.rowOf(i)),
            ...(words ? [csvCell(points.wordOf(i) ?? "")] : []),
            ...told.map((column) => (column.kind === "classes" ? csvCell(cellOf(column, i)) : cellOf(column, i))),
            ...coordinates.map((column) => String(Number(column[i]!.toPrecision(7)))),
        ].join(","),
    );
    return `${[head.join(","), ...lines].join("\n")}\n`;
}
