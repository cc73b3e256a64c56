// Columns of the table that came with the points: numbers, dates and texts.
import { type Stored, unpack, unpackTexts } from "../document/packed_array.ts";
import type { ColumnData, PointsData } from "../document/types.ts";

/** Texts: `index` is the place of each point's text among `names`, or past their end where it is unknown. */
export type TableColumn =
    | { name: string; kind: "number" | "date"; values: Stored }
    | { name: string; kind: "text"; names: string[]; index: Stored };

async function readColumn(column: ColumnData): Promise<TableColumn> {
    const { name, kind } = column;
    if (kind !== "text")
        return { name, kind, values: (await unpack(column.values, `values of ${name.slice(0, 40)}`)).data };
    const [names, index] = await Promise.all([
        unpackTexts(column.names),
        unpack(column.index, `values of ${name.slice(0, 40)}`),
    ]);
    return { name, kind, names, index: index.data };
}

/** Throws DocumentError. */
export async function readTable(columns: PointsData["columns"]): Promise<TableColumn[]> {
    return Promise.all((columns ?? []).map(readColumn));
}
