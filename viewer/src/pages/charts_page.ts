// The page of a comparison or a reproduction: notes, tables, charts, small maps.

import { savable } from "../charts/download.ts";
import { fitted } from "../charts/frame.ts";
import { lineChart } from "../charts/line_chart.ts";
import { mapChart } from "../charts/map_chart.ts";
import { unpack } from "../document/packed_array.ts";
import type { ChartData, ChartsDocument, MapData, TableData } from "../document/types.ts";
import { type Child, h } from "../dom.ts";
import { short } from "../parts/numbers.ts";
import { panel, panelOrNote } from "../parts/panel.ts";
import { isolatedText, shown } from "../parts/plain_text.ts";
import { theme } from "../parts/theme.ts";
import { pageFrame } from "./page_frame.ts";

function note(text: string | null | undefined): Child {
    return text ? h("p", { class: "words" }, isolatedText(text, 1000)) : null;
}

function cell(value: string | number | null, head: boolean): HTMLElement {
    if (typeof value === "number") return h("td", { class: "numeric" }, short(value));
    if (value === null) return h("td", { class: "numeric" }, "–");
    return head ? h("th", { scope: "row" }, isolatedText(value, 80)) : h("td", {}, isolatedText(value, 80));
}

function dataTable(columns: string[], rows: TableData["rows"]): HTMLElement {
    const numeric = columns.map((_, j) => rows.length > 0 && rows.every((row) => typeof row[j] !== "string"));
    const head = columns.map((name, j) =>
        h("th", { scope: "col", class: numeric[j] ? "numeric" : null }, isolatedText(name, 60)),
    );
    const body = rows.map((row) => h("tr", {}, ...row.map((value, j) => cell(value, j === 0))));
    return h(
        "div",
        { class: "table-scroll", tabindex: 0 },
        h("table", { class: "data" }, h("thead", {}, h("tr", {}, ...head)), h("tbody", {}, ...body)),
    );
}

function tablePanel(table: TableData): HTMLElement {
    const text = { name: "table", title: shown(table.title ?? "Table", 120), wide: table.columns.length > 5 };
    return panel(text, dataTable(table.columns, table.rows), note(table.note));
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

const SIGNS = "Solid lines are this program's, dashed ones a baseline's; hollow marks are published numbers.";

function chartPanel(chart: ChartData): HTMLElement {
    const title = shown(chart.title ?? "Chart", 120);
    const numbers = chartNumbers(chart);
    const roles = new Set(chart.series.map(({ role }) => role));
    return panel(
        { name: "chart", title },
        savable(
            fitted((width) => lineChart(chart, width)),
            title,
        ),
        roles.has("published") || roles.has("baseline") ? h("p", { class: "words" }, SIGNS) : null,
        note(chart.note),
        numbers.rows.length <= 200
            ? h("details", {}, h("summary", {}, "The numbers"), dataTable(numbers.columns, numbers.rows))
            : null,
    );
}

async function mapPanel(map: MapData): Promise<HTMLElement> {
    const title = shown(map.title ?? "Map", 120);
    const [coordinates, index] = await Promise.all([
        unpack(map.coordinates, "coordinates"),
        map.labels ? unpack(map.labels.index, "labels") : null,
    ]);
    const labels = map.labels && index ? { names: map.labels.names, index: index.data } : null;
    const host = h("div", { class: "chart-slot" });
    theme.follow((now) =>
        host.replaceChildren(fitted((width) => mapChart({ title, coordinates, labels }, width, now))),
    );
    return panel({ name: "map", title }, savable(host, title));
}

async function mapOrNote(map: MapData): Promise<HTMLElement | null> {
    const text = { name: "map", title: shown(map.title ?? "Map", 120) };
    return mapPanel(map).catch((error: unknown) =>
        panelOrNote(text, () => {
            throw error;
        }),
    );
}

export async function chartsPage(data: ChartsDocument): Promise<HTMLElement> {
    const maps = await Promise.all((data.maps ?? []).map(mapOrNote));
    const tables = (data.tables ?? []).map((table) =>
        panelOrNote({ name: "table", title: "Table" }, () => tablePanel(table)),
    );
    const charts = (data.charts ?? []).map((chart) =>
        panelOrNote({ name: "chart", title: "Chart" }, () => chartPanel(chart)),
    );
    const notes = data.notes ?? [];
    return pageFrame(
        { title: data.title, subtitle: null, made: data.made },
        notes.length > 0
            ? h(
                  "section",
                  { class: "notes", "data-panel": "notes" },
                  ...notes.map((text) => h("p", {}, isolatedText(text, 2000))),
              )
            : null,
        h("div", { class: "panels" }, ...charts, ...maps, ...tables),
        data.made?.command
            ? h("p", { class: "command", tabindex: 0 }, h("code", {}, isolatedText(data.made.command, 1000)))
            : null,
    );
}
