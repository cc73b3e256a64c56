// How often which angle became which: a square of small cells, darker where there are more pairs.
import { h, s } from "../dom.ts";
import { short } from "../parts/numbers.ts";
import { scaleColor, type Theme } from "../points/palette.ts";
import { areaOf, type FrameText, frame } from "./frame.ts";
import { scaleOver } from "./scales.ts";

export interface Density {
    edges: number[];
    /** rows: angle before; columns: angle after; row-major. */
    counts: ArrayLike<number>;
    threshold: number | null;
}

/** Darkness of a cell: logarithmic, since the angles of most pairs lie close together. 0: no pair. */
export function darkness(count: number, most: number): number {
    return count > 0 ? 0.08 + (0.92 * Math.log1p(count)) / Math.log1p(most) : 0;
}

// A picture with one pixel a cell, before across and after upwards.
function picture({ edges, counts }: Density, theme: Theme): string {
    const bins = edges.length - 1;
    const canvas = h("canvas", { width: bins, height: bins });
    const context = canvas.getContext("2d");
    if (!context) return "";
    const most = Array.from(counts).reduce((a, b) => Math.max(a, b), 0);
    const image = context.createImageData(bins, bins);
    for (let before = 0; before < bins; before++) {
        for (let after = 0; after < bins; after++) {
            const dark = darkness(counts[before * bins + after] ?? 0, most);
            const at = 4 * ((bins - 1 - after) * bins + before);
            // More pairs stand out more from the ground.
            const place = theme === "light" ? 1 - dark : dark;
            image.data.set([...scaleColor(place, theme), dark > 0 ? 255 : 0], at);
        }
    }
    context.putImageData(image, 0, 0);
    return canvas.toDataURL();
}

// What the colours mean: from one pair to the most that a cell has, as they grow.
function key(most: number, size: number, left: number, theme: Theme): SVGElement[] {
    const [width, height, top] = [140, 9, 4];
    const steps = 28;
    const cells = Array.from({ length: steps }, (_, i) => {
        const dark = darkness(Math.expm1((Math.log1p(most) * (i + 0.5)) / steps), most);
        const fill = `rgb(${scaleColor(theme === "light" ? 1 - dark : dark, theme).join(",")})`;
        return s("rect", { x: left + 18 + (i * width) / steps, y: top, width: width / steps + 0.4, height, fill });
    });
    const words = size < 330 ? short(most) : `${short(most)} pairs in a cell`;
    return [
        s("text", { class: "tick", x: left + 12, y: top + 9, "text-anchor": "end" }, "1"),
        ...cells,
        s("text", { class: "tick", x: left + 24 + width, y: top + 9 }, words),
    ];
}

export function densityChart(data: Density, text: FrameText, width: number, theme: Theme): SVGSVGElement {
    const size = Math.min(width, 440);
    const most = Array.from(data.counts).reduce((a, b) => Math.max(a, b), 0);
    const area = areaOf(size, size - 20, most > 0 ? 12 : 0);
    const ends: [number, number] = [data.edges[0] ?? 0, data.edges.at(-1) ?? 180];
    const x = scaleOver([], [area.left, area.right], { ends });
    const y = scaleOver([], [area.bottom, area.top], { ends });
    const image = s("image", {
        class: "cells",
        href: picture(data, theme),
        x: area.left,
        y: area.top,
        width: area.right - area.left,
        height: area.bottom - area.top,
        preserveAspectRatio: "none",
    });
    const lines = [
        s("line", { class: "diagonal", x1: x.at(ends[0]), y1: y.at(ends[0]), x2: x.at(ends[1]), y2: y.at(ends[1]) }),
    ];
    if (data.threshold !== null) {
        const [across, up] = [x.at(data.threshold), y.at(data.threshold)];
        lines.push(s("line", { class: "threshold", x1: across, x2: across, y1: area.top, y2: area.bottom }));
        lines.push(s("line", { class: "threshold", x1: area.left, x2: area.right, y1: up, y2: up }));
    }
    const colors = most > 0 ? key(most, size, area.left, theme) : [];
    return frame(size, size - 20, area, text, x, y, image, ...lines, ...colors);
}
