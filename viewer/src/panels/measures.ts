// The measures of a report: their names, what they mean, how they are written.
import { degrees, fixed, percent, short } from "../parts/numbers.ts";
import { shown } from "../parts/plain_text.ts";

export interface Measure {
    title: string;
    words: (angle: string, neighbors: string, by: string) => string;
    show: (value: number | null | undefined) => string;
    better: "smaller" | "larger";
    /** Null says that there are no pairs to measure. */
    mayBeNone?: boolean;
    /** Says something only of embeddings that keep angles at the origin. */
    angles?: boolean;
}

type Kind = Pick<Measure, "show" | "better">;

const asPercent: Measure["show"] = (value) => percent(value, 1);
const SHARE: Kind = { show: asPercent, better: "larger" };
const GRADE: Kind = { show: fixed, better: "larger" };
const DEGREES_OFF: Kind = { show: degrees, better: "smaller" };
const OF_NEAR_PAIRS = { mayBeNone: true, angles: true };
const LENGTHS_OFF = { show: asPercent, better: "smaller", angles: true } as const;

export const MEASURES: Record<string, Measure> = {
    recall: {
        title: "Neighbours kept (recall)",
        words: (_angle, k, by) =>
            `Of the ${k} nearest neighbours of a point in the input, the share that is among its ${k} nearest in the embedding, ${by}.`,
        ...SHARE,
    },
    all_kept: {
        title: "Points with all neighbours kept",
        words: (_angle, k) => `The share of the points whose ${k} nearest neighbours are all still that.`,
        ...SHARE,
    },
    kept_in_order: {
        title: "And in the same order",
        words: (_angle, k) => `The share of the points whose ${k} nearest neighbours are still in the same order.`,
        ...SHARE,
    },
    trustworthiness: {
        title: "Trustworthiness",
        words: () =>
            "1 when no point has a neighbour in the embedding that was far from it in the input; lower where neighbours are invented.",
        ...GRADE,
    },
    continuity: {
        title: "Continuity",
        words: () => "1 when no neighbour of the input has been moved far away; lower where neighbours are lost.",
        ...GRADE,
    },
    knn_accuracy: {
        title: "k-NN label accuracy",
        words: (_angle, k) =>
            `The share of the points whose label is the most frequent one among their${k ? ` ${k}` : ""} nearest neighbours in the embedding.`,
        ...SHARE,
    },
    deviation_without_self_degrees: {
        title: "Small angles off by",
        words: (angle) =>
            `Mean change of the angle between two points, over all pairs closer than ${angle} in the input.`,
        ...DEGREES_OFF,
        ...OF_NEAR_PAIRS,
    },
    mean_angular_deviation_degrees: {
        title: "The same as in Saul 2022",
        words: () =>
            "Each point's pair with itself counted, whose angle is never off: smaller, the more so the fewer pairs are near.",
        ...DEGREES_OFF,
        ...OF_NEAR_PAIRS,
    },
    jaccard_without_self: {
        title: "Near pairs shared (Jaccard)",
        words: (angle) =>
            `Of the pairs closer than ${angle} before or after, the share that is so before and after. 100%: the same pairs.`,
        ...SHARE,
        ...OF_NEAR_PAIRS,
    },
    jaccard: {
        title: "The same as in Saul 2022",
        words: () => "Each point's pair with itself counted, which is always shared.",
        ...SHARE,
        ...OF_NEAR_PAIRS,
    },
    norm_deviation_mean: {
        title: "Lengths off by, on average",
        words: () => "By what share the length of a point differs from that of its input.",
        ...LENGTHS_OFF,
    },
    norm_deviation_max: {
        title: "Lengths off by, at worst",
        words: () => "The same for the point whose length changed most.",
        ...LENGTHS_OFF,
    },
};

// recall_at_10 and recall_at_5 are one measure, of 10 and of 5 neighbours; all_kept_at_10 likewise.
export function keyOf(name: string): string {
    return name.replace(/^(recall|all_kept|kept_in_order)_at_\d+$/, "$1");
}

/** What is shown of the measure of this name, also of one that is not known here. */
export function describe(name: string): Measure {
    return (
        MEASURES[keyOf(name)] ?? {
            title: shown(name.replaceAll("_", " ")),
            words: () => "",
            show: short,
            better: "larger",
        }
    );
}
