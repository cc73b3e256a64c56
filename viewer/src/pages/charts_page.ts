// The page of a comparison or a reproduction: notes, tables, charts, small maps.

import { savable } from "../charts/download.ts";
import { lineChart } from "../charts/line_chart.ts";
import { mapChart } from "../charts/map_chart.ts";
import { unpack } from "../document/packed_array.ts";
import type { ChartData, ChartsDocument, MapData, Role, TableData } from "../document/types.ts";
import { type Child, h } from "../dom.ts";
import { warningList } from "../panels/headline.ts";
import { commandLine } from "../parts/command_line.ts";
import { chartNumbers, dataTable } from "../parts/data_table.ts";
import { panel, panelOrNote } from "../parts/panel.ts";
import { isolatedText, shown } from "../parts/plain_text.ts";
import { pageFrame } from "./page_frame.ts";

function note(text: string | null | undefined): Child {
    return text ? h("p", { class: "words" }, isolatedText(text, 1000)) : null;
}

function tablePanel(table: TableData): HTMLElement {
    const text = { name: "table", title: shown(table.title ?? "Table", 120), wide: table.columns.length > 5 };
    return panel(text, dataTable(text.title, table), note(table.note));
}

// This program may have computed any of the lines: a role says what a series is there for, not whose it is.
const SIGNS: [Role, string][] = [
    ["ours", "solid lines are what the chart is about"],
    ["baseline", "dashed lines are what to hold it against"],
    ["other", "dotted lines are other runs, to compare with"],
    ["published", "hollow marks without a line are published numbers"],
];

// What the signs of the charts mean, once for all, where one has signs of more than one meaning.
function signWords(charts: ChartData[]): string | null {
    const rolesOf = ({ series }: ChartData) => new Set(series.map(({ role }) => role ?? "other"));
    const used = new Set(charts.flatMap((chart) => (rolesOf(chart).size > 1 ? [...rolesOf(chart)] : [])));
    const words = SIGNS.filter(([role]) => used.has(role)).map(([, text]) => text);
    return words.length > 1 ? `In the charts ${words.join(", ")}.` : null;
}

function chartPanel(chart: ChartData): HTMLElement {
    const title = shown(chart.title ?? "Chart", 120);
    const numbers = chartNumbers(chart);
    return panel(
        { name: "chart", title },
        savable(title, (width) => lineChart(chart, width)),
        note(chart.note),
        numbers.rows.length <= 200
            ? h("details", {}, h("summary", {}, "The numbers"), dataTable(`Numbers of ${title}`, numbers))
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
    return panel(
        { name: "map", title },
        savable(title, (width) => mapChart({ title, coordinates, labels }, width)),
    );
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
        panelOrNote({ name: "warnings", title: "Warnings" }, () => warningList(data.warnings, "charts")),
        notes.length > 0
            ? h(
                  "section",
                  { class: "notes", "data-panel": "notes" },
                  ...notes.map((text) => h("p", {}, isolatedText(text, 2000))),
              )
            : null,
        maps.length > 0 ? h("div", { class: "panel-grid maps" }, ...maps) : null,
        h("div", { class: "panel-grid" }, ...tables),
        note(signWords(data.charts ?? [])),
        h("div", { class: "panel-grid" }, ...charts),
        data.made?.command ? commandLine(data.made.command) : null,
    );
}
