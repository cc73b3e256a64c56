// What is drawn over the points: axes through the origin, rings, lines to neighbours, the lasso.
import { s } from "../dom.ts";
import type { Fate } from "../points/neighbors.ts";
import { drawTexts, type PlacedText } from "./map_texts.ts";
import type { Outline } from "./picking.ts";
import type { View } from "./view.ts";

export interface Link {
    point: number;
    fate: Fate;
}

/** What the overlay marks; -1 stands for no point. */
export interface Marks {
    hovered: number;
    picked: number;
    links: Link[];
    found: number[];
    lasso: Outline;
    /** A cross in the middle, for those who choose by keyboard. */
    crosshair: boolean;
}

const NAME_GAP = 14;
const NAME_WIDTH = 110;

function lineBetween(kind: string, [ax, ay]: number[], [bx, by]: number[]): SVGLineElement {
    return s("line", { class: kind, x1: ax!, y1: ay!, x2: bx!, y2: by! });
}

function ring(kind: string, [x, y]: number[], radius: number): SVGCircleElement {
    return s("circle", { class: kind, cx: x!, cy: y!, r: radius });
}

export class Overlay {
    readonly element = s("svg", { class: "overlay", "aria-hidden": "true" });

    draw(view: View, names: string[], marks: Marks, texts: PlacedText[] = []): void {
        // In print the box is another than the one drawn for; so is the canvas', and both are scaled alike.
        this.element.setAttribute("viewBox", `0 0 ${view.width} ${view.height}`);
        const parts = [
            ...this.axes(view, names),
            ...drawTexts(texts),
            ...this.links(view, marks),
            ...this.rings(view, marks),
        ];
        if (marks.lasso.length > 1) {
            parts.push(s("polygon", { class: "lasso-line", points: marks.lasso.map((at) => at.join(",")).join(" ") }));
        }
        if (marks.crosshair) {
            const [x, y] = [view.width / 2, view.height / 2];
            parts.push(s("path", { class: "crosshair", d: `M${x - 9} ${y}H${x + 9}M${x} ${y - 9}V${y + 9}` }));
        }
        this.element.replaceChildren(...parts);
    }

    private axes(view: View, names: string[]): SVGElement[] {
        return view.spatial ? this.spatialAxes(view, names) : this.flatAxes(view, names);
    }

    private flatAxes(view: View, names: string[]): SVGElement[] {
        // A map whose directions mean nothing has no axes.
        if (!names[0]) return [];
        const [x, y] = view.project(0, 0, 0);
        return [
            lineBetween("axis", [0, y], [view.width, y]),
            lineBetween("axis", [x, 0], [x, view.height]),
            s(
                "text",
                { class: "axis-name", x: view.width - NAME_GAP, y: view.height - 10, "text-anchor": "end" },
                `${names[0] ?? ""} →`,
            ),
            ...(names[1] ? [s("text", { class: "axis-name", x: NAME_GAP, y: 20 }, `↑ ${names[1]}`)] : []),
        ];
    }

    private spatialAxes(view: View, names: string[]): SVGElement[] {
        const origin = view.project(0, 0, 0);
        return [0, 1, 2].flatMap((d) => {
            const end = [0, 1, 2].map((e) => (e === d ? 0.8 * view.radius : 0)) as [number, number, number];
            const [x, y] = view.project(...end);
            return [lineBetween("axis", origin, [x, y]), this.nameAt(view, x, y, names[d] ?? "")];
        });
    }

    // To the left of its place where to the right of it the window ends.
    private nameAt(view: View, x: number, y: number, name: string): SVGElement {
        const late = x > view.width - NAME_WIDTH;
        // An axis may end outside, where points lie far from its origin.
        const at = Math.min(view.width, Math.max(0, x));
        const attributes = { class: "axis-name", x: late ? at - 4 : at + 4, y: y - 4 };
        return s("text", { ...attributes, "text-anchor": late ? "end" : "start" }, name);
    }

    private links(view: View, { picked, links }: Marks): SVGElement[] {
        if (picked < 0) return [];
        const from = view.projectPoint(picked);
        return links.flatMap(({ point, fate }) => {
            const to = view.projectPoint(point);
            return [lineBetween(`link ${fate}`, from, to), ring(`link-end ${fate}`, to, 5)];
        });
    }

    private rings(view: View, { hovered, picked, found }: Marks): SVGElement[] {
        const rings = found.map((point) => ring("ring found", view.projectPoint(point), 7));
        if (picked >= 0) rings.push(ring("ring picked", view.projectPoint(picked), 9));
        if (hovered >= 0) rings.push(ring("ring hovered", view.projectPoint(hovered), 8));
        return rings;
    }
}
