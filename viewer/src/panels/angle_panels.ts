// Angles of all pairs before and after: as histograms, and one against the other.

import { densityChart } from "../charts/density_chart.ts";
import { savable } from "../charts/download.ts";
import { fitted } from "../charts/frame.ts";
import { histogram } from "../charts/histogram.ts";
import { unpack } from "../document/packed_array.ts";
import type { EmbeddingDocument } from "../document/types.ts";
import { h } from "../dom.ts";
import { count, degrees, percent } from "../parts/numbers.ts";
import { panel } from "../parts/panel.ts";
import { theme } from "../parts/theme.ts";
import { thresholdAngle } from "./headline.ts";

function thresholdWords({ threshold, sparsity }: EmbeddingDocument): string {
    const angle = thresholdAngle(threshold);
    if (angle === null) return "";
    const share = typeof sparsity === "number" ? `, ${percent(1 - sparsity, 1)} of all pairs` : "";
    return ` The dashed line is the threshold: angles below ${degrees(angle)}${share}, count as small and were to be kept; larger ones were free.`;
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
    const description = `Histograms of the angles between points in the input and in the embedding${angle === null ? "" : `, threshold at ${degrees(angle)}`}.`;
    const text = { title, description, x: "angle in degrees", y: "% of pairs" };
    const sampled = angles.sampled_pairs
        ? h("p", { class: "words" }, `From ${count(angles.sampled_pairs)} pairs.`)
        : null;
    return panel(
        { name: "angles", title, words: `How many pairs of points are how many degrees apart.${thresholdWords(data)}` },
        savable(
            fitted((width) => histogram(shown, text, width)),
            title,
        ),
        sampled,
    );
}

export async function densityPanel(data: EmbeddingDocument): Promise<HTMLElement | null> {
    const density = data.angles?.density;
    if (!density) return null;
    const counts = (await unpack(density.counts, "counts of angles")).data;
    const threshold = thresholdAngle(data.threshold);
    const title = "Angle before against angle after";
    const text = {
        title,
        description:
            "Each cell counts pairs by their angle in the input, across, and in the embedding, upwards. On the diagonal the angle is unchanged.",
        x: "angle in the input, degrees",
        y: "angle in the embedding",
    };
    const host = h("div", { class: "chart-slot" });
    theme.follow((now) => {
        host.replaceChildren(
            fitted((width) => densityChart({ edges: density.edges_degrees, counts, threshold }, text, width, now)),
        );
    });
    return panel(
        {
            name: "density",
            title,
            words: "Each cell stands for the pairs with this angle before (across) and that angle after (upwards); the stronger its colour, the more pairs. Pairs on the diagonal kept their angle. Small angles, left of the dashed line, should lie on it.",
        },
        savable(host, title),
    );
}
