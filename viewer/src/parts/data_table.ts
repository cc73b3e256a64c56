// Tables of a report: text to the left, numbers to the right with as many decimals as their column needs, the best marked.
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

/** The number that is best, as it is written: what looks the same is a tie. Null where there is nothing to choose from. */
export function bestOf(
    values: Value[],
    which: "high" | "low" | null,
    format: (value: number) => string,
): string | null {
    const numbers = values.filter((value): value is number => typeof value === "number");
    if (!which || new Set(numbers.map(format)).size < 2) return null;
    return format(which === "high" ? Math.max(...numbers) : Math.min(...numbers));
}

function cell(value: Value, head: boolean, format: (value: number) => string, best: string | null): HTMLElement {
    if (typeof value === "number") {
        const text = format(value);
        return text === best
            ? h("td", { class: "numeric best" }, text, h("span", { class: "best-mark" }, "best"))
            : h("td", { class: "numeric" }, text);
    }
    if (value === null) return h("td", { class: "numeric" }, "–");
    return head ? h("th", { scope: "row" }, isolatedText(value, 400)) : h("td", {}, isolatedText(value, 80));
}

/** `name`: for those who hear the page. */
export function dataTable(
    name: string,
    { columns, rows, best, chance }: Omit<TableData, "title" | "note">,
): HTMLElement {
    const values = columns.map((_, j) => rows.map((row) => row[j] ?? null));
    const formats = values.map((column, j) => columnFormat([...column, chance?.[j] ?? null]));
    const bests = values.map((column, j) => bestOf(column, best?.[j] ?? null, formats[j]!));
    const head = columns.map((name, j) => {
        const numeric = rows.length > 0 && values[j]!.every((value) => typeof value !== "string");
        return h("th", { scope: "col", class: numeric ? "numeric" : null }, isolatedText(name, 60));
    });
    const body = rows.map((row) =>
        h("tr", {}, ...row.map((value, j) => cell(value, j === 0, formats[j] ?? short, bests[j] ?? null))),
    );
    const atRandom = chance
        ? h(
              "tr",
              { class: "chance" },
              h("th", { scope: "row" }, "chance"),
              ...chance.slice(1).map((value, j) => cell(value, false, formats[j + 1] ?? short, null)),
          )
        : null;
    const table = h(
        "table",
        { class: "data" },
        h("thead", {}, h("tr", {}, ...head)),
        h("tbody", {}, ...body, atRandom),
    );
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
