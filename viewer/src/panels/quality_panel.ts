// The measures of faithfulness beside those of the plain baseline, each with its meaning.

import type { EmbeddingDocument } from "../document/types.ts";
import { h } from "../dom.ts";
import { count, degrees, percent, short } from "../parts/numbers.ts";
import { panel } from "../parts/panel.ts";
import { isolatedText, shown } from "../parts/plain_text.ts";
import { type Nearness, nearnessOf } from "../points/neighbors.ts";
import { thresholdAngle } from "./headline.ts";

interface Measure {
    title: string;
    words: (angle: string, neighbors: string, by: Nearness) => string;
    show: (value: number | null | undefined) => string;
    better: "smaller" | "larger";
    /** Null says that there are no pairs to measure. */
    mayBeNone?: boolean;
}

const SELF = "each point's pair with itself counted, as in Saul 2022";

const MEASURES: Record<string, Measure> = {
    mean_angular_deviation_degrees: {
        title: "Small angles off by",
        words: (angle) =>
            `Mean change of the angle between two points, over all pairs closer than ${angle} in the input, ${SELF}.`,
        show: degrees,
        better: "smaller",
        mayBeNone: true,
    },
    jaccard: {
        title: "Near pairs shared (Jaccard)",
        words: (angle) =>
            `Of the pairs closer than ${angle} before or after, the share that is so before and after, ${SELF}. 100%: the same pairs.`,
        show: (value) => percent(value, 1),
        better: "larger",
        mayBeNone: true,
    },
    recall: {
        title: "Neighbours kept (recall)",
        words: (_angle, k, by) =>
            `Of the ${k} nearest neighbours of a point in the input, the share that is among its ${k} nearest in the embedding, both by ${by}.`,
        show: (value) => percent(value, 1),
        better: "larger",
    },
    all_kept: {
        title: "Points with all neighbours kept",
        words: (_angle, k, by) => `The share of the points whose ${k} nearest neighbours by ${by} are all still that.`,
        show: (value) => percent(value, 1),
        better: "larger",
    },
    kept_in_order: {
        title: "And in the same order",
        words: (_angle, k) => `The share of the points whose ${k} nearest neighbours are still in the same order.`,
        show: (value) => percent(value, 1),
        better: "larger",
    },
    trustworthiness: {
        title: "Trustworthiness",
        words: () =>
            "1 when no point has a neighbour in the embedding, by distance, that was far from it in the input; lower where neighbours are invented.",
        show: short,
        better: "larger",
    },
    continuity: {
        title: "Continuity",
        words: () =>
            "1 when no neighbour of the input, by distance, has been moved far away; lower where neighbours are lost.",
        show: short,
        better: "larger",
    },
    norm_deviation_mean: {
        title: "Lengths off by, on average",
        words: () => "By what share the length of a point differs from that of its input.",
        show: (value) => percent(value, 1),
        better: "smaller",
    },
    norm_deviation_max: {
        title: "Lengths off by, at worst",
        words: () => "The same for the point whose length changed most.",
        show: (value) => percent(value, 1),
        better: "smaller",
    },
    knn_accuracy: {
        title: "Label guessed from neighbours",
        words: () => "How often the nearest neighbours of a point in the embedding, by distance, tell its label.",
        show: (value) => percent(value, 1),
        better: "larger",
    },
};

type Rows = NonNullable<EmbeddingDocument["quality"]>["rows"];

// recall_at_10 and recall_at_5 are one measure, of 10 and of 5 neighbours; all_kept_at_10 likewise.
function keyOf(name: string): string {
    return name.replace(/^(recall|all_kept|kept_in_order)_at_\d+$/, "$1");
}

function describe(name: string): Measure {
    return (
        MEASURES[keyOf(name)] ?? {
            title: shown(name.replaceAll("_", " ")),
            words: () => "",
            show: short,
            better: "larger",
        }
    );
}

/** Which row has the best value of this measure; -1 where fewer than two have one, or all are the same. */
export function bestRow(rows: Rows, name: string): number {
    const sign = describe(name).better === "larger" ? 1 : -1;
    const values = rows.map(({ measures }) => measures[name]).map((x) => (typeof x === "number" ? sign * x : null));
    const known = values.filter((x) => x !== null);
    const best = Math.max(...known);
    return known.length > 1 && new Set(known).size > 1 && MEASURES[keyOf(name)] ? values.indexOf(best) : -1;
}

function measureRow(rows: Rows, name: string, angle: string, by: Nearness): HTMLElement {
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

export function qualityPanel(data: EmbeddingDocument): HTMLElement | null {
    const rows = data.quality?.rows ?? [];
    if (rows.length === 0) return null;
    const present = new Set(
        rows.flatMap(({ measures }) =>
            Object.keys(measures).filter((name) => measures[name] !== null || describe(name).mayBeNone),
        ),
    );
    const order = Object.keys(MEASURES);
    const place = (name: string) => (order.indexOf(keyOf(name)) + order.length + 1) % (order.length + 1);
    const angle = degrees(thresholdAngle(data.threshold));
    const by = nearnessOf(data.neighbors);
    const worst = worstSentence(data);
    const head = h(
        "tr",
        {},
        h("th", { scope: "col" }, "Measure"),
        ...rows.map(({ name }) => h("th", { scope: "col", class: "numeric" }, isolatedText(name, 40))),
    );
    return panel(
        {
            name: "quality",
            title: "How far to believe it",
            words: "What was kept of the input, measured over all dimensions of the embedding and not only the two or three in the picture.",
        },
        h(
            "div",
            { class: "table-scroll", tabindex: 0, role: "region", "aria-label": "Table: measures" },
            h(
                "table",
                { class: "quality" },
                h("thead", {}, head),
                h(
                    "tbody",
                    {},
                    ...[...present]
                        .sort((a, b) => place(a) - place(b))
                        .map((name) => measureRow(rows, name, angle, by)),
                ),
            ),
        ),
        worst ? h("p", { "data-part": "worst-points" }, worst) : null,
    );
}
