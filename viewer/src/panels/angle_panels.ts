// Angles of all pairs before and after: as histograms, and one against the other.

import { marginOf, medianOf, nearDiagonal } from "../charts/angle_counts.ts";
import { densityChart } from "../charts/density_chart.ts";
import { savable } from "../charts/download.ts";
import { histogram } from "../charts/histogram.ts";
import { unpack } from "../document/packed_array.ts";
import type { EmbeddingDocument } from "../document/types.ts";
import { h } from "../dom.ts";
import { count, degrees, percent } from "../parts/numbers.ts";
import { panel } from "../parts/panel.ts";
import { thresholdAngle } from "./headline.ts";

function thresholdWords({ threshold, sparsity }: EmbeddingDocument): string {
    const angle = thresholdAngle(threshold);
    if (angle === null) return "";
    const share = typeof sparsity === "number" ? `, ${percent(1 - sparsity, 1)} of all pairs` : "";
    return ` The dashed line is the threshold: angles below ${degrees(angle)}${share}, count as small and were to be kept; larger ones were free.`;
}

function medianWords(edges: number[], input: number[], embedding: number[]): string {
    const [before, after] = [medianOf(edges, input), medianOf(edges, embedding)];
    if (before === null || after === null) return "";
    return ` The median angle is ${degrees(before)} in the input and ${degrees(after)} in the embedding.`;
}

// Pairs at most this many cells off the diagonal count as near it: with cells of 2 degrees, those that changed by less than 6.
const NEAR = 2;

function densityWords(edges: number[], counts: ArrayLike<number>): string {
    const side = edges.length - 1;
    const near = nearDiagonal(edges, counts, NEAR);
    const medians = medianWords(edges, marginOf(side, counts, "row"), marginOf(side, counts, "column"));
    return near === null
        ? ""
        : `${medians} ${percent(near.share)} of the pairs lie near it: their angle changed by less than ${degrees(near.degrees)}.`;
}

export function histogramPanel(data: EmbeddingDocument): HTMLElement | null {
    const angles = data.angles;
    if (!angles) return null;
    const angle = thresholdAngle(data.threshold);
    const title = "Angles between points";
    const mark = angle === null ? null : { at: angle, name: `${degrees(angle)} (threshold)` };
    const shown = {
        edges: angles.edges_degrees,
        filled: { name: "in the input", counts: angles.input },
        line: { name: "in the embedding", counts: angles.embedding },
        mark,
    };
    const description = `Histograms of the angles between points in the input and in the embedding${angle === null ? "" : `, threshold at ${degrees(angle)}`}.${medianWords(angles.edges_degrees, angles.input, angles.embedding)}`;
    const text = { title, description, x: "angle in degrees", y: "% of pairs" };
    const sampled = angles.sampled_pairs
        ? h("p", { class: "words" }, `From ${count(angles.sampled_pairs)} pairs.`)
        : null;
    return panel(
        { name: "angles", title, words: `How many pairs of points are how many degrees apart.${thresholdWords(data)}` },
        savable(title, (width) => histogram(shown, text, width)),
        sampled,
    );
}

export async function densityPanel(data: EmbeddingDocument): Promise<HTMLElement | null> {
    const density = data.angles?.density;
    if (!density) return null;
    const counts = (await unpack(density.counts, "counts of angles")).data;
    const edges = density.edges_degrees;
    const threshold = thresholdAngle(data.threshold);
    const title = "Angle before against angle after";
    const text = {
        title,
        description: `Each cell counts pairs by their angle in the input, across, and in the embedding, upwards. On the diagonal the angle is unchanged.${densityWords(edges, counts)}`,
        x: "angle in the input, degrees",
        y: "angle in the embedding",
    };
    return panel(
        {
            name: "density",
            title,
            words: "Each cell stands for the pairs with this angle before (across) and that angle after (upwards); the stronger its colour, the more pairs. Pairs on the diagonal kept their angle. Small angles, left of the dashed line, should lie on it.",
        },
        savable(title, (width, theme) => densityChart({ edges, counts, threshold }, text, width, theme)),
    );
}
