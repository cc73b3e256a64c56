// The report in one glance: what was done, and three numbers with their meaning.

import type { EmbeddingDocument } from "../document/types.ts";
import { type Child, h } from "../dom.ts";
import { count, counted, degrees, percent } from "../parts/numbers.ts";
import { isolatedText, shown } from "../parts/plain_text.ts";
import { type Nearness, nearnessOf } from "../points/neighbors.ts";

/** Degrees of the largest angle that counts as small; null where the report has no threshold. */
export function thresholdAngle(threshold: number | null | undefined): number | null {
    if (typeof threshold !== "number" || !(threshold > -1 && threshold < 1)) return null;
    return (180 / Math.PI) * Math.acos(threshold);
}

interface Key {
    name: RegExp;
    words: (angle: string, neighbors: string, by: Nearness) => string;
    show: (value: number) => string;
    /** Null says that there are no pairs to measure. */
    mayBeNone: boolean;
}

const KEYS: Key[] = [
    {
        name: /^mean_angular_deviation_degrees$/,
        words: (angle) => `is how far angles under ${angle} are off, on average`,
        show: degrees,
        mayBeNone: true,
    },
    {
        name: /^jaccard$/,
        words: (angle) => `of the pairs closer than ${angle} before or after are so before and after`,
        show: percent,
        mayBeNone: true,
    },
    {
        name: /^recall_at_(\d+)$/,
        words: (_angle, k, by) => `of the ${k} nearest neighbours of a point by ${by} are still among its ${k} nearest`,
        show: percent,
        mayBeNone: false,
    },
];

const NONE = "–";

function card(value: string, words: string, baseline: string | null): HTMLElement {
    return h(
        "div",
        { class: "card" },
        h("p", { class: "figure" }, value),
        h("p", { class: "meaning" }, words, baseline ? h("span", { class: "baseline" }, ` ${baseline}`) : null),
    );
}

/** Who made how many dimensions of how many, for whom. */
export function madeSentence({ points, run }: EmbeddingDocument): string {
    const sample =
        points.points_in_all && points.points_in_all > points.count
            ? ` (a sample of ${count(points.points_in_all)})`
            : "";
    const from = points.input_dimension ? ` of ${counted(points.input_dimension, "number")} each` : "";
    const by = run ? `, by the method ${shown(run.method, 40)}` : "";
    const shownBy = counted(points.output_dimension ?? points.dimension, "number");
    return `${counted(points.count, "point")}${sample}${from}, shown by ${shownBy} each${by}.`;
}

// What the fit itself measured: of how many points all neighbours that it was to keep are kept.
function certificateCard({ run, points }: EmbeddingDocument): HTMLElement | null {
    const { all_kept: all, kept_in_order: inOrder } = run?.measures ?? {};
    const neighbors = run?.options?.["neighbors"];
    const rows = run?.counts?.["certified_points"];
    if (typeof all !== "number" || typeof inOrder !== "number" || typeof neighbors !== "number") return null;
    const looked = typeof rows === "number" && rows < (points.points_in_all ?? points.count) ? count(rows) : "all";
    const k = neighbors > 0 ? `${neighbors} ` : "";
    const words = `of ${looked} points have all their ${k}nearest neighbours still, ${percent(inOrder)} in the same order`;
    return card(percent(all), words, null);
}

export function headline(data: EmbeddingDocument): HTMLElement | null {
    const [own, other] = data.quality?.rows ?? [];
    if (!own) return null;
    const angle = degrees(thresholdAngle(data.threshold));
    const cards: Child[] = KEYS.flatMap(({ name: pattern, words, show, mayBeNone }) => {
        const match = Object.keys(own.measures)
            .map((name) => pattern.exec(name))
            .find((found) => found !== null);
        if (!match) return [];
        const name = match[0];
        const value = own.measures[name];
        const meaning = words(angle, match[1] ?? "", nearnessOf(data.neighbors));
        if (value === null && mayBeNone) return [card(NONE, `${meaning}: no two different points are that near`, null)];
        if (typeof value !== "number") return [];
        const beside = other?.measures[name];
        return [
            card(
                show(value),
                meaning,
                other && typeof beside === "number"
                    ? `(${shown(other.name.split(",")[0] ?? "", 30)}: ${show(beside)})`
                    : null,
            ),
        ];
    });
    cards.push(certificateCard(data));
    return cards.some((one) => one !== null)
        ? h("div", { class: "headline", "data-panel": "headline" }, ...cards)
        : null;
}

/** `what`: that which they warn of. */
export function warningList(warnings: string[] | undefined, what = "picture"): HTMLElement | null {
    if (!warnings || warnings.length === 0) return null;
    return h(
        "section",
        { class: "warnings", "aria-label": "Warnings", "data-panel": "warnings" },
        h("h2", {}, `Before you trust the ${what}`),
        h("ul", {}, ...warnings.map((warning) => h("li", {}, isolatedText(warning, 600)))),
    );
}
