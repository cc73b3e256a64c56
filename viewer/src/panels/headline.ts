// The report in one glance: what was done, what it is good for, and a few numbers with their meaning and their scale.

import type { EmbeddingDocument, NumberOrNone, Verdict } from "../document/types.ts";
import { h } from "../dom.ts";
import { count, counted, degrees, fixed, percent } from "../parts/numbers.ts";
import { isolatedText, shown } from "../parts/plain_text.ts";
import { type Nearness, nearnessOf, nearnessWords } from "../points/neighbors.ts";

/** Degrees of the largest angle that counts as small; null where the report has no threshold. */
export function thresholdAngle(threshold: number | null | undefined): number | null {
    if (typeof threshold !== "number" || !(threshold > -1 && threshold < 1)) return null;
    return (180 / Math.PI) * Math.acos(threshold);
}

interface Key {
    name: RegExp;
    /** The kinds of embedding that this measure says something of. */
    of: Nearness | "both";
    words: (angle: string, neighbors: string, by: string) => string;
    show: (value: number) => string;
    /** Null says that there are no pairs to measure. */
    mayBeNone?: boolean;
}

const KEYS: Key[] = [
    {
        name: /^recall_at_(\d+)$/,
        of: "both",
        words: (_angle, k, by) => `of the ${k} nearest neighbours of a point (${by}) are still among its ${k} nearest`,
        show: (value) => percent(value),
    },
    {
        name: /^deviation_without_self_degrees$/,
        of: "angle",
        words: (angle) => `is how far angles under ${angle} are off, on average`,
        show: degrees,
        mayBeNone: true,
    },
    {
        name: /^jaccard_without_self$/,
        of: "angle",
        words: (angle) => `of the pairs closer than ${angle} before or after are so before and after`,
        show: (value) => percent(value),
        mayBeNone: true,
    },
    {
        name: /^trustworthiness$/,
        of: "distance",
        words: () =>
            "of 1 is the trustworthiness: 1 where no point lies beside points that are far from it in the input",
        show: fixed,
    },
    {
        name: /^knn_accuracy$/,
        of: "distance",
        words: () => "k-NN label accuracy: of the points have the label of most of their nearest neighbours here",
        show: (value) => percent(value),
    },
];

const NONE = "–";

function card(value: string, words: string, scale: string | null): HTMLElement {
    return h(
        "div",
        { class: "card" },
        h("p", { class: "figure" }, value),
        h("p", { class: "meaning" }, words, scale ? h("span", { class: "baseline" }, ` (${scale})`) : null),
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

/** "Good for finding similar items (80% of the 10 nearest kept; chance 0.2%)", a line for each judgement. */
export function verdictLines(verdict: Verdict | null | undefined): HTMLElement | null {
    const judgements: [string, string, string[]][] = [
        ["good", "Good for", verdict?.good ?? []],
        ["fair", "Fair for", verdict?.fair ?? []],
        ["outdone", `${shown(verdict?.baseline ?? "", 40)} does better at`, verdict?.outdone ?? []],
        ["poor", "Not for", verdict?.poor ?? []],
        ["chance", "Not shown to be better than chance at", verdict?.chance ?? []],
    ];
    const lines = judgements
        .filter(([, , purposes]) => purposes.length > 0)
        .map(([kind, title, purposes]) =>
            h(
                "p",
                { class: `verdict-line ${kind}` },
                h("strong", {}, `${title}: `),
                ...purposes.flatMap((text, i) => {
                    // What it is, and in brackets the numbers that say so.
                    const cut = text.indexOf(" (");
                    const [what, numbers] = cut < 0 ? [text, ""] : [text.slice(0, cut), text.slice(cut)];
                    return [
                        i > 0 ? ", " : "",
                        isolatedText(what, 120),
                        h(
                            "span",
                            { class: "baseline" },
                            shown(numbers, 160) === "(empty)" ? "" : ` ${shown(numbers, 160)}`,
                        ),
                    ];
                }),
                ".",
            ),
        );
    return lines.length > 0 ? h("div", { class: "verdict", "data-panel": "verdict" }, ...lines) : null;
}

/** What a value is to be read against: chance, the plain baseline, the inputs themselves. */
function scaleWords(name: string, show: (value: number) => string, { quality }: EmbeddingDocument): string | null {
    const [own, other] = quality?.rows ?? [];
    const known = (value: NumberOrNone | undefined): value is number => typeof value === "number";
    const parts: string[] = [];
    const chance = quality?.chance?.[name];
    if (known(chance)) parts.push(`chance ${name.startsWith("recall") ? percent(chance, 1) : show(chance)}`);
    const inputs = own?.measures[`${name}_inputs`];
    if (known(inputs)) parts.push(`the inputs themselves ${show(inputs)}`);
    const beside = other?.measures[name];
    if (other && known(beside)) parts.push(`${shown(other.name.split(",")[0] ?? "", 30)} ${show(beside)}`);
    return parts.length > 0 ? parts.join(", ") : null;
}

function cardOf({ name: pattern, words, show, mayBeNone }: Key, data: EmbeddingDocument): HTMLElement | null {
    const own = data.quality!.rows[0]!;
    const match = Object.keys(own.measures)
        .map((name) => pattern.exec(name))
        .find((found) => found !== null);
    if (!match) return null;
    const value = own.measures[match[0]];
    const angle = degrees(thresholdAngle(data.threshold));
    const meaning = words(angle, match[1] ?? "", nearnessWords(data.neighbors));
    if (value === null && mayBeNone) return card(NONE, `${meaning}: no two different points are that near`, null);
    return typeof value === "number" ? card(show(value), meaning, scaleWords(match[0], show, data)) : null;
}

export function headline(data: EmbeddingDocument): HTMLElement | null {
    if (!data.quality?.rows[0]) return null;
    const kind = nearnessOf(data.neighbors);
    const cards = KEYS.filter(({ of }) => of === "both" || of === kind).map((key) => cardOf(key, data));
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
