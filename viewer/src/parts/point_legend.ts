// What the colours of the points mean; a class can be picked out here.
import { type Child, h, s } from "../dom.ts";
import type { Explorer } from "../pages/explorer.ts";
import type { ClassEntry, ClassLegend, Coloring, ScaleLegend } from "../points/coloring.ts";
import { written } from "../points/columns.ts";
import { classGroup, type Group } from "../points/group.ts";
import { MISSING, scaleColor, type Theme } from "../points/palette.ts";
import { count, counted, short } from "./numbers.ts";
import { isolatedText } from "./plain_text.ts";

const SIGNS = [
    "M1 6a5 5 0 1 0 10 0a5 5 0 1 0 -10 0Z",
    "M1.8 1.8h8.4v8.4h-8.4Z",
    "M6 0.8l5.4 9.8h-10.8Z",
    "M6 0l6 6l-6 6l-6 -6Z",
];
// Of classes without a colour so many are listed: more are searched for.
const LISTED = 180;

function sign(color: string, shape: number): SVGElement {
    return s(
        "svg",
        { class: "sign", viewBox: "0 0 12 12", width: 12, height: 12, "aria-hidden": "true" },
        s("path", { d: SIGNS[shape]!, fill: color }),
    );
}

function classButton(explorer: Explorer, { column }: ClassLegend, entry: ClassEntry): HTMLElement {
    const key = `${column.key}:${entry.label}`;
    const toggle = () => {
        const again = explorer.group.value?.key === key;
        explorer.group.set(again ? null : classGroup(column, entry.label));
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

function grey(words: string): HTMLElement {
    return h("p", { class: "others" }, sign(MISSING, 0), ` ${words}`);
}

function greyWords({ column, others, unknown }: ClassLegend): string[] {
    const points = others.reduce((sum, entry) => sum + entry.count, 0);
    const what = column.key === "label" ? "label" : "value";
    return [
        ...(points > 0
            ? [
                  `other: ${counted(points, "point")} of ${counted(others.length, what)} without a colour of ${others.length === 1 ? "its" : "their"} own`,
              ]
            : []),
        ...(unknown > 0 ? [`unknown: ${counted(unknown, "point")}`] : []),
    ];
}

// What grey means stands above the list: in its box it would be out of sight where the list is long.
function classes(explorer: Explorer, legend: ClassLegend): Child[] {
    const listed = [...legend.entries, ...legend.others.slice(0, LISTED)];
    const items = listed.map((entry) => h("li", {}, classButton(explorer, legend, entry)));
    const words = greyWords(legend);
    return [words.length > 0 ? grey(`grey: ${words.join("; ")}.`) : null, h("ul", { class: "classes" }, ...items)];
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
    const text = (value: number) => (legend.unit === "" ? short(value) : written(value, legend.unit));
    if (legend.only !== null) return h("p", { class: "scale" }, `${text(legend.only)}, the same for all`);
    const date = legend.unit === "day" || legend.unit === "time";
    const [less, more] = date ? ["or before", "or after"] : ["or less", "or more"];
    return h(
        "div",
        { class: "scale" },
        h("span", {}, `${text(legend.low)}${legend.below ? ` ${less}` : ""}`),
        ramp(theme),
        h("span", {}, `${text(legend.high)}${legend.above ? ` ${more}` : ""}`),
    );
}

export function pointLegend(explorer: Explorer, coloring: Coloring, theme: Theme): HTMLElement {
    const { legend } = coloring;
    const parts: Child[] = [];
    if (legend.kind === "classes") parts.push(...classes(explorer, legend));
    if (legend.kind === "scale") {
        if (legend.known > 0) parts.push(scale(legend, theme));
        if (legend.unknown > 0) parts.push(grey(`grey: unknown, ${counted(legend.unknown, "point")}`));
    }
    return h("div", { class: "legend", "data-color": coloring.key }, ...parts);
}
