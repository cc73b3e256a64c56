// What was run: method, options, seed, time by phase, memory; its trace; its spectrum.

import { savable } from "../charts/download.ts";
import { lineChart } from "../charts/line_chart.ts";
import type { ChartData, EmbeddingDocument, Made, NumberOrNone, Run } from "../document/types.ts";
import { type Child, h } from "../dom.ts";
import { commandLine } from "../parts/command_line.ts";
import { bytes, count, seconds, short } from "../parts/numbers.ts";
import { panel } from "../parts/panel.ts";
import { isolatedText } from "../parts/plain_text.ts";
import { shareBar } from "../parts/share_bar.ts";

function entry(name: string, ...value: Child[]): HTMLElement {
    return h("div", {}, h("dt", {}, isolatedText(name, 40)), h("dd", {}, ...value));
}

// Options as they are, to the last figure: with fewer, a run cannot be done again.
function exact(value: unknown): Node {
    if (value === null || value === undefined) return document.createTextNode("auto");
    return isolatedText(typeof value === "object" ? JSON.stringify(value) : String(value), 120);
}

function madeEntries(made: Made | undefined): Child[] {
    if (!made) return [];
    const date = made.date ? new Date(made.date) : null;
    const when =
        date && !Number.isNaN(date.getTime()) ? `${date.toISOString().slice(0, 16).replace("T", " ")} UTC` : made.date;
    return [
        made.program ? entry("made by", isolatedText(made.program, 80)) : null,
        when ? entry("on", isolatedText(when, 40)) : null,
        made.machine ? entry("machine", isolatedText(made.machine, 120)) : null,
        typeof made.memory_bytes === "number" ? entry("memory at most", bytes(made.memory_bytes)) : null,
        typeof made.seconds === "number" ? entry("time", seconds(made.seconds)) : null,
    ];
}

function facts(title: string, values: Record<string, unknown> | undefined, show: (value: unknown) => Node): Child {
    const names = Object.keys(values ?? {});
    if (!values || names.length === 0) return null;
    return h(
        "div",
        { class: "fact-block" },
        h("h3", {}, title),
        h("dl", { class: "facts-list" }, ...names.map((name) => entry(name.replaceAll("_", " "), show(values[name])))),
    );
}

function phases(values: Record<string, NumberOrNone> | undefined): Child {
    const known = Object.entries(values ?? {}).filter((pair): pair is [string, number] => typeof pair[1] === "number");
    if (known.length === 0) return null;
    const most = Math.max(...known.map(([, time]) => time), 1e-9);
    const rows = known.map(([name, time]) =>
        h(
            "tr",
            {},
            h("th", { scope: "row" }, isolatedText(name, 30)),
            h("td", { class: "numeric" }, seconds(time)),
            h("td", {}, shareBar(time / most)),
        ),
    );
    return h(
        "div",
        { class: "fact-block" },
        h("h3", {}, "Time by phase"),
        h("table", { class: "phases" }, h("tbody", {}, ...rows)),
    );
}

const AGAIN = "All that is needed to do it again: the same input, options and seed give the same result.";

export function runPanel(data: EmbeddingDocument): HTMLElement | null {
    const { run, made } = data;
    if (!run && !made) return null;
    const ended = run?.termination
        ? h(
              "p",
              {},
              h("strong", {}, "How it ended: "),
              isolatedText(run.termination, 40),
              run.message ? h("span", {}, " – ", isolatedText(run.message, 300)) : null,
          )
        : null;
    const note = run ? null : h("p", {}, "How these coordinates were made is not recorded here.");
    const settings = h(
        "dl",
        { class: "facts-list" },
        run ? entry("method", isolatedText(run.method, 40)) : null,
        run?.seed !== undefined ? entry("seed", String(run.seed)) : null,
        run?.threads !== undefined ? entry("threads", String(run.threads)) : null,
        ...madeEntries(made),
    );
    return panel(
        {
            name: "run",
            title: "What was run",
            wide: true,
            ...(run ? { words: AGAIN } : {}),
        },
        note,
        made?.command ? commandLine(made.command) : null,
        ended,
        h(
            "div",
            { class: "fact-blocks" },
            h("div", { class: "fact-block" }, h("h3", {}, "Run"), settings),
            phases(run?.seconds ?? made?.phases),
            facts("Options as used", run?.options, exact),
            facts("Counts", run?.counts, (x) => document.createTextNode(typeof x === "number" ? count(x) : "–")),
            facts("Measures while fitting", run?.measures, (x) => document.createTextNode(short(x as NumberOrNone))),
        ),
    );
}

function chartPanel(name: string, words: string, chart: ChartData): HTMLElement {
    const title = chart.title ?? "";
    return panel(
        { name, title, words },
        savable(title, (width) => lineChart(chart, width, 250)),
    );
}

export function tracePanel({ run }: EmbeddingDocument): HTMLElement | null {
    const trace = (run?.trace ?? []).filter(({ objective }) => typeof objective === "number");
    if (trace.length < 2) return null;
    const log = trace.every(({ objective }) => objective! > 0);
    return chartPanel(
        "trace",
        "What the method makes small (or large), update by update. Where the curve has become flat, more updates would change little.",
        {
            title: "Course of the run",
            x: { label: "update" },
            y: { label: log ? "objective (logarithmic)" : "objective", scale: log ? "log" : "linear" },
            series: [
                {
                    name: "objective",
                    role: "ours",
                    points: trace.map(({ iteration, objective }) => [iteration, objective]),
                },
            ],
        },
    );
}

/** What the search for the fewest dimensions found: it may have ended early, or none may have kept enough. */
function searchText(found: number, kept: number, run: Run): string {
    const { options, counts, termination } = run;
    const asked = typeof options?.["recall"] === "number" ? options["recall"] : 0;
    // A search in a sample was over before the fit of all points, which may be what was interrupted, began.
    const interrupted = /^(cancelled|time-limit)$/.test(termination ?? "") && !counts?.["points_of_the_search"];
    if (kept >= asked && !interrupted) {
        return `This data needs ${found} numbers for each point: the fewest that keep the share of nearest neighbours that was asked for.`;
    }
    const keep = `${found} numbers for each point keep ${Math.floor(10000 * kept + 1e-9) / 100}% of the nearest neighbours; ${Number((100 * asked).toPrecision(8))}% were asked for.`;
    return interrupted ? `The search was interrupted: ${keep}` : `No dimension that was tried keeps enough: ${keep}`;
}

/** Of a run that looked for its dimension: what the fits in more and in fewer kept. */
export function dimensionPanel({ run }: EmbeddingDocument): HTMLElement | null {
    const tried = Object.entries(run?.measures ?? {}).flatMap(([name, kept]) => {
        const dimension = /^kept_neighbors_in_(\d+)$/.exec(name)?.[1];
        return dimension && typeof kept === "number" ? [[Number(dimension), kept] as [number, number]] : [];
    });
    const found = run?.options?.["dimension"];
    const kept = tried.find(([dimension]) => dimension === found)?.[1];
    if (!run || tried.length < 2 || typeof found !== "number" || kept === undefined) return null;
    return chartPanel("dimension", searchText(found, kept, run), {
        title: "Neighbours kept, by dimension",
        x: { label: "dimension" },
        y: { label: "share of the nearest neighbours that is kept" },
        series: [{ name: run.method ?? "", role: "ours", points: tried.sort(([a], [b]) => a - b) }],
    });
}

export function spectrumPanel({ spectrum }: EmbeddingDocument): HTMLElement | null {
    if (!spectrum || spectrum.values.length < 2) return null;
    return chartPanel(
        "spectrum",
        "How much each direction carries, strongest first. A sharp drop says how many dimensions the data needs; a slow one, that more would still help.",
        {
            title: spectrum.name === "" ? "Spectrum" : `Spectrum: ${spectrum.name}`,
            x: { label: "number" },
            y: { label: "value" },
            series: [{ name: spectrum.name, role: "ours", points: spectrum.values.map((value, i) => [i + 1, value]) }],
        },
    );
}
