// Curves over one axis, with a legend, and the nearest point's numbers where the pointer is.

import type { ChartData } from "../document/types.ts";
import { s } from "../dom.ts";
import { short } from "../parts/numbers.ts";
import { shown } from "../parts/plain_text.ts";
import { areaOf, frame } from "./frame.ts";
import { legend } from "./legend.ts";
import { type Scale, scaleOver } from "./scales.ts";
import { line, looksOf, marker, type SeriesLook } from "./series_look.ts";

const HEIGHT = 300;
// More points than this are a line without markers.
const MARKED = 40;

interface Placed {
    name: string;
    look: SeriesLook;
    points: { x: number; y: number; at: [number, number] }[];
}

function place(data: ChartData, x: Scale, y: Scale): Placed[] {
    const looks = looksOf(data.series);
    return data.series.map(({ name, points }, i) => ({
        name,
        look: looks[i]!,
        points: points.flatMap(([px, py]) =>
            x.holds(px) && y.holds(py) ? [{ x: px, y: py, at: [x.at(px), y.at(py)] as [number, number] }] : [],
        ),
    }));
}

function drawn({ look, points }: Placed): SVGElement[] {
    const places = points.map(({ at }) => at);
    const parts: SVGElement[] = [];
    if (look.role !== "published" && places.length > 1) parts.push(line(look, places));
    if (look.role === "published" || places.length <= MARKED) parts.push(...places.map(([x, y]) => marker(look, x, y)));
    return parts;
}

/** What the chart shows, in words. */
export function describe(data: ChartData): string {
    const parts = data.series.slice(0, 12).map(({ name, points }) => {
        const known = points.filter(([, y]) => y !== null);
        const [first, last] = [known[0], known.at(-1)];
        if (!first || !last) return `${shown(name)}: no values`;
        return `${shown(name)}: from ${short(first[1])} at ${short(first[0])} to ${short(last[1])} at ${short(last[0])}`;
    });
    return `${data.y.label ?? "values"} over ${data.x.label ?? "x"}. ${parts.join("; ")}.`;
}

// Shows the numbers of the point nearest to the pointer.
function followPointer(svg: SVGSVGElement, all: Placed[], width: number): void {
    const text = s("text", { class: "readout", "aria-hidden": "true" });
    const dot = s("circle", { class: "readout-ring", r: 7 });
    const group = s("g", { class: "not-copied", visibility: "hidden" }, dot, text);
    svg.append(group);
    const points = all.flatMap(({ name, points }) => points.map((point) => ({ name, ...point })));
    svg.addEventListener("pointermove", (event) => {
        const box = svg.getBoundingClientRect();
        const [x, y] = [
            ((event.clientX - box.left) * width) / box.width,
            ((event.clientY - box.top) * width) / box.width,
        ];
        const distance = (at: [number, number]) => Math.hypot(at[0] - x, at[1] - y);
        const nearest = points.reduce<(typeof points)[0] | null>(
            (a, b) => (!a || distance(b.at) < distance(a.at) ? b : a),
            null,
        );
        const near = nearest !== null && distance(nearest.at) < 40;
        group.setAttribute("visibility", near ? "visible" : "hidden");
        if (!near) return;
        const [px, py] = nearest.at;
        dot.setAttribute("cx", String(px));
        dot.setAttribute("cy", String(py));
        text.setAttribute("x", String(px + (px > width / 2 ? -10 : 10)));
        text.setAttribute("y", String(Math.max(24, py - 10)));
        text.setAttribute("text-anchor", px > width / 2 ? "end" : "start");
        text.textContent = `${shown(nearest.name, 30)}: ${short(nearest.y)} at ${short(nearest.x)}`;
    });
    svg.addEventListener("pointerleave", () => group.setAttribute("visibility", "hidden"));
}

export function lineChart(data: ChartData, width: number, height = HEIGHT): SVGSVGElement {
    const looks = looksOf(data.series);
    const entries = data.series.map(({ name }, i) => ({
        name,
        sign: (x: number, y: number) => [
            ...(looks[i]!.role === "published"
                ? []
                : [
                      line(looks[i]!, [
                          [x, y + 6],
                          [x + 26, y + 6],
                      ]),
                  ]),
            marker(looks[i]!, x + 13, y + 6),
        ],
    }));
    const above = legend(entries.length > 1 ? entries : [], 56, width - 60);
    const area = areaOf(width, height + above.height, above.height);
    const values = data.series.flatMap((series) => series.points);
    const places = [...new Set(values.map(([v]) => v))].filter((v): v is number => typeof v === "number");
    const x = scaleOver(
        [...values.map(([v]) => v), ...(data.x.range ?? [])],
        [area.left + 8, area.right - 8],
        // The places measured, where they are few: 4, 8, 16 and 32 dimensions say more than 5, 10 and 20.
        { log: data.x.scale === "log", ticks: places.length < 9 ? places : [], whole: places.every(Number.isInteger) },
    );
    const y = scaleOver([...values.map(([, v]) => v), ...(data.y.range ?? [])], [area.bottom - 6, area.top + 6], {
        log: data.y.scale === "log",
        round: true,
    });
    const placed = place(data, x, y);
    const text = {
        title: data.title ?? "Chart",
        description: describe(data),
        x: data.x.label ?? "",
        y: data.y.label ?? "",
    };
    const svg = frame(width, height + above.height, area, text, x, y, ...above.parts, ...placed.flatMap(drawn));
    followPointer(svg, placed, width);
    return svg;
}
