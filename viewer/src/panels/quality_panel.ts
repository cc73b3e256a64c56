// The measures of faithfulness beside those of the plain baseline, each with its meaning.

import type { EmbeddingDocument, NumberOrNone } from "../document/types.ts";
import { h } from "../dom.ts";
import { count, degrees, percent } from "../parts/numbers.ts";
import { panel } from "../parts/panel.ts";
import { isolatedText, shown } from "../parts/plain_text.ts";
import { tableScroll } from "../parts/table_scroll.ts";
import { nearnessOf, nearnessWords } from "../points/neighbors.ts";
import { thresholdAngle } from "./headline.ts";
import { describe, keyOf, MEASURES } from "./measures.ts";

type Rows = NonNullable<EmbeddingDocument["quality"]>["rows"];

/** Which row has the best value of this measure; -1 where fewer than two have one, or all are the same. */
export function bestRow(rows: Rows, name: string): number {
    const sign = describe(name).better === "larger" ? 1 : -1;
    const values = rows.map(({ measures }) => measures[name]).map((x) => (typeof x === "number" ? sign * x : null));
    const known = values.filter((x) => x !== null);
    const best = Math.max(...known);
    return known.length > 1 && new Set(known).size > 1 && MEASURES[keyOf(name)] ? values.indexOf(best) : -1;
}

/** What stands beside the rows: chance, and where there are labels the inputs themselves. */
interface Scale {
    chance: Record<string, NumberOrNone> | undefined;
    inputs: boolean;
}

function scaleCells(rows: Rows, name: string, { chance, inputs }: Scale): HTMLElement[] {
    const { show } = describe(name);
    const cell = (value: NumberOrNone | undefined) =>
        h("td", { class: "numeric scale-cell" }, typeof value === "number" ? show(value) : "");
    const own = rows[0]?.measures[`${name}_inputs`];
    return [...(inputs ? [cell(own)] : []), ...(chance ? [cell(chance[name])] : [])];
}

function measureRow(rows: Rows, name: string, angle: string, by: string, scale: Scale): HTMLElement {
    const measure = describe(name);
    const best = bestRow(rows, name);
    const cells = rows.map(({ measures }, i) =>
        h(
            "td",
            { class: i === best ? "numeric best" : "numeric" },
            measure.show(measures[name]),
            i === best ? h("span", { class: "best-mark" }, " better") : null,
        ),
    );
    const better = MEASURES[keyOf(name)] ? `${measure.better === "larger" ? "Larger" : "Smaller"} is better.` : "";
    return h(
        "tr",
        { "data-measure": shown(name) },
        h(
            "th",
            { scope: "row" },
            measure.title,
            h("span", { class: "words" }, `${measure.words(angle, name.replace(/\D/g, ""), by)} ${better}`),
        ),
        ...cells,
        ...scaleCells(rows, name, scale),
    );
}

/** Which points to look at first: numbers as on the rest of the page. Null where all keep all, and in older documents. */
export function worstSentence({ quality, points }: EmbeddingDocument): string | null {
    const worst = quality?.worst_points ?? [];
    if (worst.length === 0) return null;
    const measured = quality?.rank_rows ?? points.count;
    const whose = measured < points.count ? ` of the ${count(measured)} points measured` : "";
    const list = worst.map(({ point, kept }) => `#${count(point)} (${percent(kept)})`).join(", ");
    return `Fewest neighbours kept${whose}: ${list}.`;
}

/** Of pairs that are not near: what groups far apart tell. */
function correlationSentence({ quality, neighbors }: EmbeddingDocument): HTMLElement | null {
    const value = quality?.pair_correlation;
    if (typeof value !== "number") return null;
    const far = nearnessOf(neighbors) === "angle" ? "angles" : "distances";
    return h(
        "p",
        { "data-part": "pair-correlation" },
        `Over random pairs of points, most of them far apart, the order of ${far} agrees with that in the input by a rank correlation of ${value.toFixed(2)} (1: the same order; chance: 0).`,
    );
}

export function qualityPanel(data: EmbeddingDocument): HTMLElement | null {
    const rows = data.quality?.rows ?? [];
    if (rows.length === 0) return null;
    const angles = nearnessOf(data.neighbors) === "angle";
    const present = new Set(
        rows.flatMap(({ measures }) =>
            Object.keys(measures).filter(
                (name) =>
                    !name.endsWith("_inputs") &&
                    (angles || !describe(name).angles) &&
                    (measures[name] !== null || describe(name).mayBeNone),
            ),
        ),
    );
    const scale: Scale = {
        chance: data.quality?.chance,
        inputs: rows.some(({ measures }) => typeof measures["knn_accuracy_inputs"] === "number"),
    };
    const order = Object.keys(MEASURES);
    const place = (name: string) => (order.indexOf(keyOf(name)) + order.length + 1) % (order.length + 1);
    const angle = degrees(thresholdAngle(data.threshold));
    const by = nearnessWords(data.neighbors);
    const worst = worstSentence(data);
    const head = h(
        "tr",
        {},
        h("th", { scope: "col" }, "Measure"),
        ...rows.map(({ name }) => h("th", { scope: "col", class: "numeric" }, isolatedText(name, 40))),
        ...(scale.inputs ? [h("th", { scope: "col", class: "numeric scale-cell" }, "The inputs themselves")] : []),
        ...(scale.chance ? [h("th", { scope: "col", class: "numeric scale-cell" }, "Chance")] : []),
    );
    const body = [...present]
        .sort((a, b) => place(a) - place(b))
        .map((name) => measureRow(rows, name, angle, by, scale));
    return panel(
        {
            name: "quality",
            title: "How far to believe it",
            words: "What was kept of the input, measured over all dimensions of the embedding and not only the two or three in the picture.",
        },
        tableScroll("measures", h("table", { class: "quality" }, h("thead", {}, head), h("tbody", {}, ...body))),
        correlationSentence(data),
        worst ? h("p", { "data-part": "worst-points" }, worst) : null,
    );
}
