// A chart as a file: its drawing with every colour and font written into it, in light colours, for papers and slides.
import { h } from "../dom.ts";
import { shown } from "../parts/plain_text.ts";
import { fileName, save } from "../parts/save.ts";
import { theme } from "../parts/theme.ts";
import type { Theme } from "../points/palette.ts";
import { fitted } from "./frame.ts";

const STYLES = [
    "fill",
    "fill-opacity",
    "stroke",
    "stroke-width",
    "stroke-dasharray",
    "stroke-linecap",
    "stroke-linejoin",
    "opacity",
    "font-family",
    "font-size",
    "font-weight",
    "image-rendering",
    "visibility",
    "paint-order",
];

/** The drawing as a text that stands for itself. */
export function standaloneSvg(chart: SVGSVGElement): string {
    const copy = chart.cloneNode(true) as SVGSVGElement;
    for (const extra of copy.querySelectorAll(".not-copied")) extra.remove();
    // Colours are asked of a copy on light ground, whatever the page looks like now.
    const paper = h("div", { class: "offscreen", "data-theme": "light" }, copy);
    document.body.append(paper);
    for (const element of [copy, ...copy.querySelectorAll<SVGElement>("*")]) {
        const style = getComputedStyle(element);
        for (const name of STYLES) {
            const value = style.getPropertyValue(name);
            if (value !== "") element.setAttribute(name, value);
        }
    }
    for (const element of [copy, ...copy.querySelectorAll("*")]) element.removeAttribute("class");
    paper.remove();
    copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
    return new XMLSerializer().serializeToString(copy);
}

export function downloadSvg(chart: SVGSVGElement, title: string): void {
    save(new Blob([standaloneSvg(chart)], { type: "image/svg+xml" }), fileName(title, "svg"));
}

export type Draw = (width: number, theme: Theme) => SVGSVGElement;

/** A chart in its place, with a button that saves it as it is on light ground. */
export function savable(title: string, draw: Draw): HTMLElement {
    const host = fitted((width) => draw(width, theme.value), theme);
    const saveIt = () => {
        const width = host.querySelector("svg")?.width.baseVal.value;
        if (width) downloadSvg(draw(width, "light"), title);
    };
    const button = h(
        "button",
        { type: "button", class: "quiet save", click: saveIt, "aria-label": `Save as SVG: ${shown(title)}` },
        "Save as SVG",
    );
    return h("figure", { class: "chart-figure" }, host, button);
}
