// Two histograms over the same bins, one filled, one a line; and a threshold.
import { s } from "../dom.ts";
import { areaOf, type FrameText, frame } from "./frame.ts";
import { type LegendEntry, legend } from "./legend.ts";
import { scaleOver } from "./scales.ts";

export interface Histograms {
    edges: number[];
    filled: { name: string; counts: number[] };
    line: { name: string; counts: number[] };
    mark: { at: number; name: string } | null;
}

const HEIGHT = 260;

/** Shares of all pairs, in percent for each bin, so that differing totals can be compared. */
export function shares(counts: number[]): number[] {
    const total = counts.reduce((sum, x) => sum + x, 0);
    return counts.map((x) => (total > 0 ? (100 * x) / total : 0));
}

function signs(data: Histograms): LegendEntry[] {
    return [
        { name: data.filled.name, sign: (x, y) => [s("rect", { class: "bar", x, y: y + 1, width: 24, height: 10 })] },
        {
            name: data.line.name,
            sign: (x, y) => [s("line", { class: "step", x1: x, x2: x + 24, y1: y + 6, y2: y + 6 })],
        },
    ];
}

export function histogram(data: Histograms, text: FrameText, width: number): SVGSVGElement {
    const above = legend(signs(data), 56, width - 60);
    const area = areaOf(width, HEIGHT, above.height);
    const filled = shares(data.filled.counts);
    const line = shares(data.line.counts);
    const x = scaleOver(data.edges, [area.left, area.right], { ends: [data.edges[0] ?? 0, data.edges.at(-1) ?? 1] });
    const y = scaleOver([...filled, ...line], [area.bottom, area.top], { fromZero: true, round: true });
    const bars = filled.map((share, bin) => {
        const [from, to] = [x.at(data.edges[bin]!), x.at(data.edges[bin + 1] ?? data.edges[bin]!)];
        return s("rect", {
            class: "bar",
            x: from,
            y: y.at(share),
            width: Math.max(0.5, to - from - 0.6),
            height: area.bottom - y.at(share),
        });
    });
    const corners = line.flatMap((share, bin) => [
        `${x.at(data.edges[bin]!)},${y.at(share)}`,
        `${x.at(data.edges[bin + 1] ?? data.edges[bin]!)},${y.at(share)}`,
    ]);
    const steps = s("polyline", { class: "step", points: corners.join(" ") });
    return frame(width, HEIGHT, area, text, x, y, ...above.parts, ...bars, steps, ...markOf(data, x.at, area));
}

function markOf({ mark }: Histograms, at: (x: number) => number, area: ReturnType<typeof areaOf>): SVGElement[] {
    if (!mark) return [];
    const x = at(mark.at);
    const late = x > (area.left + area.right) / 2;
    return [
        s("rect", {
            class: "counted",
            x: area.left,
            y: area.top,
            width: Math.max(0, x - area.left),
            height: area.bottom - area.top,
        }),
        s("line", { class: "threshold", x1: x, x2: x, y1: area.top, y2: area.bottom }),
        s(
            "text",
            {
                class: "threshold-name",
                x: late ? x - 5 : x + 5,
                y: area.top - 3,
                "text-anchor": late ? "end" : "start",
            },
            mark.name,
        ),
    ];
}
