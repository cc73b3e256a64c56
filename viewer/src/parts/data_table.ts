// Tables of a report: text to the left, numbers to the right with as many decimals as their column needs.
import type { ChartData, TableData } from "../document/types.ts";
import { h } from "../dom.ts";
import { count, short } from "./numbers.ts";
import { isolatedText } from "./plain_text.ts";
import { tableScroll } from "./table_scroll.ts";

type Value = string | number | null;

/** How to write the numbers of one column, so that their points stand below each other. */
export function columnFormat(values: Value[]): (value: number) => string {
    const numbers = values.filter((value): value is number => typeof value === "number" && Number.isFinite(value));
    if (numbers.every(Number.isInteger)) return count;
    const written = numbers.map(short);
    if (written.some((text) => text.includes("e"))) return short;
    const decimals = Math.max(...written.map((text) => text.split(".")[1]?.length ?? 0));
    return (value) => value.toFixed(Math.min(4, decimals));
}

function cell(value: Value, head: boolean, format: (value: number) => string): HTMLElement {
    if (typeof value === "number") return h("td", { class: "numeric" }, format(value));
    if (value === null) return h("td", { class: "numeric" }, "–");
    return head ? h("th", { scope: "row" }, isolatedText(value, 400)) : h("td", {}, isolatedText(value, 80));
}

/** `name`: for those who hear the page. */
export function dataTable(name: string, columns: string[], rows: TableData["rows"]): HTMLElement {
    const values = columns.map((_, j) => rows.map((row) => row[j] ?? null));
    const formats = values.map(columnFormat);
    const head = columns.map((name, j) => {
        const numeric = rows.length > 0 && values[j]!.every((value) => typeof value !== "string");
        return h("th", { scope: "col", class: numeric ? "numeric" : null }, isolatedText(name, 60));
    });
    const body = rows.map((row) => h("tr", {}, ...row.map((value, j) => cell(value, j === 0, formats[j] ?? short))));
    const table = h("table", { class: "data" }, h("thead", {}, h("tr", {}, ...head)), h("tbody", {}, ...body));
    return tableScroll(name, table);
}

/** The chart's numbers: one row for each x, one column for each series. */
export function chartNumbers({ x, series }: ChartData): { columns: string[]; rows: TableData["rows"] } {
    const places = [
        ...new Set(series.flatMap(({ points }) => points.flatMap(([at]) => (at === null ? [] : [at])))),
    ].sort((a, b) => a - b);
    const lookup = series.map(({ points }) => new Map(points));
    return {
        columns: [x.label ?? "x", ...series.map(({ name }) => name)],
        rows: places.map((at) => [at, ...lookup.map((values) => values.get(at) ?? null)]),
    };
}
