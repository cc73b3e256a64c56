// What every chart has: axes with ticks and names, a title for those who hear the page, a size that follows its place.
import { type Child, freshId, h, s } from "../dom.ts";
import { short } from "../parts/numbers.ts";
import { shown } from "../parts/plain_text.ts";
import type { Scale } from "./scales.ts";

export interface Area {
    left: number;
    right: number;
    top: number;
    bottom: number;
}

export interface FrameText {
    title: string;
    /** What the chart shows, in words. */
    description: string;
    x: string;
    y: string;
}

/** The room for data in a chart of this size; `above` pixels are kept for a legend. */
export function areaOf(width: number, height: number, above = 0): Area {
    return { left: 62, right: width - 14, top: 14 + above, bottom: height - 44 };
}

/** A tick's number in few characters: there is room for six. */
export function tickText(scale: Scale, value: number): string {
    const size = Math.abs(value);
    const long = size >= 1e5 || (size > 0 && size < 1e-3);
    if (!long) return short(value);
    return scale.log
        ? `1e${Math.round(Math.log10(value))}`
        : Number(value.toPrecision(3)).toExponential().replace("e+", "e");
}

function xAxis(area: Area, scale: Scale): SVGElement[] {
    return scale.ticks.flatMap((value) => {
        const x = scale.at(value);
        return [
            s("line", { class: "grid", x1: x, x2: x, y1: area.top, y2: area.bottom }),
            s("text", { class: "tick", x, y: area.bottom + 16, "text-anchor": "middle" }, tickText(scale, value)),
        ];
    });
}

function yAxis(area: Area, scale: Scale): SVGElement[] {
    return scale.ticks.flatMap((value) => {
        const y = scale.at(value);
        return [
            s("line", { class: "grid", x1: area.left, x2: area.right, y1: y, y2: y }),
            s("text", { class: "tick", x: area.left - 7, y: y + 4, "text-anchor": "end" }, tickText(scale, value)),
        ];
    });
}

/** A chart with its axes drawn and `content` in it. */
export function frame(
    width: number,
    height: number,
    area: Area,
    text: FrameText,
    x: Scale,
    y: Scale,
    ...content: Child[]
): SVGSVGElement {
    const id = freshId("chart");
    const middle = (area.top + area.bottom) / 2;
    return s(
        "svg",
        {
            class: "chart",
            viewBox: `0 0 ${width} ${height}`,
            width,
            height,
            role: "img",
            "aria-labelledby": `${id}-t ${id}-d`,
        },
        s("title", { id: `${id}-t` }, shown(text.title, 120)),
        s("desc", { id: `${id}-d` }, text.description),
        ...xAxis(area, x),
        ...yAxis(area, y),
        s("line", { class: "frame-line", x1: area.left, x2: area.right, y1: area.bottom, y2: area.bottom }),
        s(
            "text",
            { class: "axis-title", x: (area.left + area.right) / 2, y: height - 8, "text-anchor": "middle" },
            shown(text.x, 70),
        ),
        s(
            "text",
            { class: "axis-title", transform: `translate(13 ${middle}) rotate(-90)`, "text-anchor": "middle" },
            shown(text.y, 40),
        ),
        ...content,
    );
}

/** A place whose chart is drawn again whenever its width changes, and at once when the signal does: a page that is being
 * printed has no time to be measured. */
export function fitted(
    draw: (width: number) => SVGSVGElement,
    changes: { follow(listener: () => void): void },
): HTMLElement {
    const host = h("div", { class: "chart-host" });
    let drawn = 0;
    const redraw = () => {
        const width = Math.round(Math.min(900, Math.max(260, host.clientWidth)));
        if (host.clientWidth === 0 || width === drawn) return;
        drawn = width;
        host.replaceChildren(draw(width));
    };
    new ResizeObserver(redraw).observe(host);
    changes.follow(() => {
        if (drawn > 0) host.replaceChildren(draw(drawn));
    });
    return host;
}
