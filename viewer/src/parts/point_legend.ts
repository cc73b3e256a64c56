// What the colours of the points mean; a class can be picked out here.
import { type Child, h, s } from "../dom.ts";
import type { Explorer } from "../pages/explorer.ts";
import { type ClassEntry, COLOR_NAMES, COLOR_WORDS, type Coloring } from "../points/coloring.ts";
import { MISSING, scaleColor, type Theme } from "../points/palette.ts";
import { count, counted, short } from "./numbers.ts";
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

function membersOf({ points }: Explorer, coloring: Coloring, entry: ClassEntry): Uint32Array {
    const { labels, isolated } = points.details;
    const index = coloring.key === "label" ? labels?.index : isolated;
    const found: number[] = [];
    for (let i = 0; index && i < points.count; i++) if (index[i] === entry.label) found.push(i);
    return Uint32Array.from(found);
}

function classes(
    explorer: Explorer,
    coloring: Coloring,
    entries: ClassEntry[],
    others: number,
    theme: Theme,
): HTMLElement {
    const toggle = (entry: ClassEntry, title: string) => {
        const again = explorer.group.value?.title === title;
        explorer.group.set(again ? null : { title, members: membersOf(explorer, coloring, entry) });
    };
    const items = entries.slice(0, LISTED).map((entry) => {
        const title = coloring.key === "label" ? `Label ${entry.name}` : entry.name;
        const button = h(
            "button",
            {
                type: "button",
                class: "class",
                "data-class": entry.label,
                "aria-pressed": "false",
                click: () => toggle(entry, title),
            },
            sign(entry.color, entry.shape),
            isolatedText(entry.name, 22),
            h("span", { class: "number" }, count(entry.count)),
        );
        explorer.group.follow((group) => button.setAttribute("aria-pressed", String(group?.title === title)));
        return h("li", {}, button);
    });
    if (others > 0)
        items.push(
            h(
                "li",
                { class: "others" },
                sign(MISSING[theme], 0),
                ` ${counted(others, "point")} without a colour of its own`,
            ),
        );
    return h("ul", { class: "classes" }, ...items);
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

export function pointLegend(explorer: Explorer, coloring: Coloring, theme: Theme): HTMLElement {
    const { legend } = coloring;
    const parts: Child[] = [];
    if (legend.kind === "classes") parts.push(classes(explorer, coloring, legend.entries, legend.others, theme));
    if (legend.kind === "scale") {
        parts.push(
            h(
                "div",
                { class: "scale" },
                h("span", {}, `${short(legend.low)}${legend.unit}`),
                ramp(theme),
                h("span", {}, `${short(legend.high)}${legend.unit} or more`),
            ),
        );
        if (legend.missing > 0)
            parts.push(
                h(
                    "p",
                    { class: "others" },
                    sign(MISSING[theme], 0),
                    ` grey: not known for ${counted(legend.missing, "point")}`,
                ),
            );
    }
    const name =
        coloring.key === "none"
            ? null
            : h(
                  "p",
                  { class: "legend-title" },
                  h("strong", {}, COLOR_NAMES[coloring.key]),
                  ` ${COLOR_WORDS[coloring.key]}`,
              );
    return h("div", { class: "legend", "data-color": coloring.key }, name, ...parts);
}
