// What the colours of the points mean; a class can be picked out here.
import { type Child, h, s } from "../dom.ts";
import type { Explorer } from "../pages/explorer.ts";
import type { ClassEntry, ClassLegend, Coloring, ScaleLegend } from "../points/coloring.ts";
import { type Group, labelGroup, membersOf } from "../points/group.ts";
import { isolationOf } from "../points/isolation.ts";
import { MISSING, scaleColor, type Theme } from "../points/palette.ts";
import { count, counted, degrees, percent, short } from "./numbers.ts";
import { isolatedText } from "./plain_text.ts";

const SIGNS = [
    "M1 6a5 5 0 1 0 10 0a5 5 0 1 0 -10 0Z",
    "M1.8 1.8h8.4v8.4h-8.4Z",
    "M6 0.8l5.4 9.8h-10.8Z",
    "M6 0l6 6l-6 6l-6 -6Z",
];
const LISTED = 40;

function sign(color: string, shape: number): SVGElement {
    return s(
        "svg",
        { class: "sign", viewBox: "0 0 12 12", width: 12, height: 12, "aria-hidden": "true" },
        s("path", { d: SIGNS[shape]!, fill: color }),
    );
}

function groupOf({ points }: Explorer, coloring: Coloring, entry: ClassEntry): Group {
    if (coloring.key === "label") return labelGroup(points, entry.label);
    const members = membersOf(isolationOf(points) ?? [], entry.label);
    return { key: `isolated:${entry.label}`, title: entry.name, members };
}

function classButton(explorer: Explorer, coloring: Coloring, entry: ClassEntry): HTMLElement {
    const key = `${coloring.key}:${entry.label}`;
    const toggle = () => {
        const again = explorer.group.value?.key === key;
        explorer.group.set(again ? null : groupOf(explorer, coloring, entry));
    };
    return h(
        "button",
        {
            type: "button",
            class: "class",
            "data-class": entry.label,
            "data-key": key,
            "aria-pressed": "false",
            click: toggle,
        },
        sign(entry.color, entry.shape),
        isolatedText(entry.name, 22),
        h("span", { class: "number" }, count(entry.count)),
    );
}

/** Shows which class of this legend is the group that stands out. */
export function markPressed(legend: Element, group: Group | null): void {
    for (const button of legend.querySelectorAll<HTMLElement>("button.class")) {
        button.setAttribute("aria-pressed", String(button.dataset.key === group?.key));
    }
}

function grey(theme: Theme, words: string): HTMLElement {
    return h("p", { class: "others" }, sign(MISSING[theme], 0), ` ${words}`);
}

function otherWords({ others, otherLabels }: ClassLegend): string {
    return otherLabels > 0
        ? `Grey points are other labels: ${counted(others, "point")} of ${counted(otherLabels, "label")} without a colour of their own.`
        : `grey: no label, ${counted(others, "point")}`;
}

// What grey means stands above the list: in its box it would be out of sight where the list is long.
function classes(explorer: Explorer, coloring: Coloring, legend: ClassLegend, theme: Theme): Child[] {
    const { entries, others } = legend;
    const items = entries.slice(0, LISTED).map((entry) => h("li", {}, classButton(explorer, coloring, entry)));
    return [others > 0 ? grey(theme, otherWords(legend)) : null, h("ul", { class: "classes" }, ...items)];
}

// Drawn, not a style of the element: the page's policy allows no styles written into it.
function ramp(theme: Theme): SVGElement {
    const cells = Array.from({ length: 48 }, (_, i) =>
        s("rect", { x: i, y: 0, width: 1.05, height: 1, fill: `rgb(${scaleColor(i / 47, theme).join(",")})` }),
    );
    return s(
        "svg",
        { class: "ramp", viewBox: "0 0 48 1", preserveAspectRatio: "none", "aria-hidden": "true" },
        ...cells,
    );
}

function scale(legend: ScaleLegend, theme: Theme): HTMLElement {
    const written = (value: number) =>
        legend.unit === "°" ? degrees(value) : legend.unit === "%" ? percent(value) : short(value);
    if (legend.only !== null) return h("p", { class: "scale" }, `${written(legend.only)}, the same for all`);
    return h(
        "div",
        { class: "scale" },
        h("span", {}, `${written(legend.low)}${legend.below ? " or less" : ""}`),
        ramp(theme),
        h("span", {}, `${written(legend.high)}${legend.above ? " or more" : ""}`),
    );
}

export function pointLegend(explorer: Explorer, coloring: Coloring, theme: Theme): HTMLElement {
    const { legend } = coloring;
    const parts: Child[] = [];
    if (legend.kind === "classes") parts.push(...classes(explorer, coloring, legend, theme));
    if (legend.kind === "scale") {
        if (legend.known > 0) parts.push(scale(legend, theme));
        if (legend.missing > 0) parts.push(grey(theme, `grey: not known for ${counted(legend.missing, "point")}`));
    }
    return h("div", { class: "legend", "data-color": coloring.key }, ...parts);
}
