// The picture with all that belongs to it: axes, colours, modes, search, legend, tooltip.
import { h } from "../dom.ts";
import { filterPanel } from "../panels/filter_panel.ts";
import { axesShown, axisChoice, firstAxes, spreadSentence } from "../parts/axis_choice.ts";
import { mapNames } from "../parts/map_names.ts";
import { counted } from "../parts/numbers.ts";
import { shown } from "../parts/plain_text.ts";
import { markPressed, pointLegend } from "../parts/point_legend.ts";
import { spokenName } from "../parts/point_name.ts";
import { SearchBox } from "../parts/search_box.ts";
import { Signal } from "../parts/signal.ts";
import { theme } from "../parts/theme.ts";
import { Tooltip } from "../parts/tooltip.ts";
import { colorBy, firstColor } from "../points/coloring.ts";
import { type Column, colorable } from "../points/columns.ts";
import { GROUND } from "../points/palette.ts";
import type { Mode } from "../scatter/gestures.ts";
import { mapFiles } from "../scatter/map_file.ts";
import { copyForPaper } from "../scatter/paper_copy.ts";
import { Scatter } from "../scatter/scatter.ts";
import type { Explorer } from "./explorer.ts";

const MODES: [Mode, string, string][] = [
    ["move", "Move", "Drag moves the picture"],
    ["turn", "Turn", "Drag turns the picture"],
    ["lasso", "Lasso", "Drag draws a line around points; shift and drag does so in any mode"],
];

export class Picture {
    readonly element: HTMLElement;
    readonly scatter: Scatter;
    private readonly tooltip: Tooltip;
    private readonly search: SearchBox;
    private readonly mode = new Signal<Mode>("move");
    /** Null: one colour for all. */
    readonly color: Signal<Column | null>;
    readonly firstColor: Column | null;
    private readonly colors: Column[];
    /** Told when the view rests after a movement. */
    rested: () => void = () => undefined;
    private readonly axes: ReturnType<typeof axisChoice>;
    private shownAxes: Float32Array[] = [];
    private readonly colorWords = h("p", { class: "words" });
    private readonly legend = h("div", { class: "legend-slot" });
    private readonly spread = h("p", { class: "words spread" });
    private readonly outliers = h("p", { class: "words outliers" });
    private readonly said = h("p", { class: "unseen", "aria-live": "polite" });

    constructor(private readonly explorer: Explorer) {
        const { points } = explorer;
        this.tooltip = new Tooltip(explorer);
        this.scatter = new Scatter(
            points.count,
            {
                hover: (point, x, y, atCross) => this.hover(point, x, y, atCross),
                pick: (point) => explorer.picked.set(point),
                lasso: (members) =>
                    explorer.group.set(
                        members.length > 0 ? { key: "lasso", title: "Inside the lasso", members } : null,
                    ),
                escape: () => explorer.escape(),
                rested: () => this.rested(),
            },
            explorer.thumbnails,
        );
        this.search = new SearchBox(
            explorer,
            (found) => this.scatter.showFound(found),
            (chosen) => this.scatter.goTo(chosen),
        );
        this.colors = colorable(explorer.columns);
        this.firstColor = firstColor(this.colors);
        this.color = new Signal(this.firstColor);
        this.axes = axisChoice(points, (keys) => this.showAxes(keys));
        this.element = this.layout();
        this.follow();
        this.showAxes(firstAxes(points));
    }

    private follow(): void {
        const { explorer, scatter } = this;
        const { points } = explorer;
        this.mode.follow((mode) => scatter.setMode(mode));
        this.color.follow(() => {
            this.recolor();
            this.nameClasses();
        });
        theme.follow(() => this.recolor());
        explorer.picked.follow((point) => {
            const lists = explorer.listsOf(point);
            const invented = lists?.embedding.filter(({ fate }) => fate === "invented") ?? [];
            scatter.showPicked(point, lists ? [...lists.input, ...invented] : []);
            explorer.said.set(point >= 0 ? `${spokenName(points, point)} picked` : "");
        });
        const emphasize = () => scatter.emphasize(explorer.group.value?.members ?? null, explorer.passing.value);
        explorer.passing.follow(emphasize);
        explorer.group.follow((group) => {
            emphasize();
            markPressed(this.legend, group);
            if (group) explorer.said.set(counted(group.members.length, "point selected", "points selected"));
        });
        explorer.said.follow((text) => {
            this.said.textContent = text;
        });
        explorer.attention.follow((asked) => {
            if (asked?.on === "picture") scatter.surface.focus();
        });
        copyForPaper(scatter.canvas, () => scatter.paint());
    }

    private showAxes(keys: string[]): void {
        const { columns, names } = axesShown(this.explorer.points, keys);
        this.scatter.showAxes(columns, names);
        this.shownAxes = columns;
        this.nameClasses();
        const far = this.scatter.view.outliers;
        this.outliers.textContent =
            far > 0
                ? `${counted(far, "point")} far from all others ${far === 1 ? "lies" : "lie"} outside at first: All shows ${far === 1 ? "it" : "them"}.`
                : "";
        this.explorer.axes.set(keys);
        this.spread.textContent = spreadSentence(this.explorer.points, keys) ?? "";
        this.mode.set(columns.length > 2 ? "turn" : "move");
        this.scatter.surface.setAttribute(
            "aria-label",
            `Picture of ${counted(this.explorer.points.count, "point")} ${names.some(Boolean) ? `along ${names.filter(Boolean).join(", ")}` : "on a map"}`,
        );
        this.element.classList.toggle("spatial", columns.length > 2);
    }

    // Classes that colours tell, else labels, have their names on the picture.
    private nameClasses(): void {
        const { color, explorer, shownAxes } = this;
        if (shownAxes.length === 0) return;
        const classes = color.value?.kind === "classes" ? color.value : explorer.labels;
        this.scatter.showTexts(mapNames(explorer.points, shownAxes, classes));
    }

    /** Colours by the column of this key, "none" by none, if it can be. */
    chooseColor(key: string): void {
        const column = this.colors.find((one) => one.key === key);
        if (column || key === "none") this.color.set(column ?? null);
    }

    /** Shows these axes, as far as there are such. */
    chooseAxes(keys: string[]): void {
        this.axes.set(keys);
    }

    private coloring(ground: "light" | "dark"): ReturnType<typeof colorBy> {
        return colorBy(this.color.value, this.explorer.points.count, ground);
    }

    private recolor(): void {
        const coloring = this.coloring(theme.value);
        this.scatter.showLooks(coloring.looks, GROUND[theme.value]);
        this.colorWords.textContent = coloring.words;
        this.legend.replaceChildren(pointLegend(this.explorer, coloring, theme.value));
        markPressed(this.legend, this.explorer.group.value);
    }

    private hover(point: number, x: number, y: number, atCross: boolean): void {
        const { width, height } = this.scatter.view;
        this.tooltip.show(point, x, y, width, height);
        if (atCross && point >= 0) this.explorer.said.set(`At the cross: ${spokenName(this.explorer.points, point)}`);
    }

    focusSearch(): void {
        this.search.focus();
    }

    private colorChoice(): HTMLElement {
        const options = this.colors.map(({ key, name }) => h("option", { value: key }, shown(name, 40)));
        const select = h(
            "select",
            { "data-choice": "color", change: () => this.chooseColor(select.value) },
            ...options,
            h("option", { value: "none" }, "One colour"),
        );
        this.color.follow((column) => {
            select.value = column?.key ?? "none";
        });
        return h("label", { class: "choice" }, h("span", {}, "Colour by"), select);
    }

    private modes(): HTMLElement {
        const buttons = MODES.map(([mode, name, words]) => {
            const button = h(
                "button",
                {
                    type: "button",
                    class: `mode ${mode}`,
                    "data-mode": mode,
                    title: words,
                    click: () => this.mode.set(mode),
                },
                name,
            );
            this.mode.follow((now) => button.setAttribute("aria-pressed", String(now === mode)));
            return button;
        });
        return h("div", { class: "segments", role: "group", "aria-label": "What dragging does" }, ...buttons);
    }

    private zoom(): HTMLElement {
        const { scatter, explorer } = this;
        const inView = () => explorer.group.set({ key: "view", title: "In view", members: scatter.inWindow() });
        const one = (name: string, words: string, act: () => void) =>
            h("button", { type: "button", title: words, "aria-label": words, click: act }, name);
        return h(
            "div",
            { class: "zoom" },
            one("+", "Enlarge (key +)", () => scatter.enlarge(1.4)),
            one("−", "Make smaller (key −)", () => scatter.enlarge(1 / 1.4)),
            one("All", "Show all points (key 0)", () => scatter.showAll()),
            one("Select view", "Select view: select the points in view", inView),
        );
    }

    // Points begin below the tools that lie over the picture, however many rows of them there are.
    private tools(): HTMLElement {
        const tools = h("div", { class: "stage-tools" }, this.modes(), this.zoom());
        new ResizeObserver(() => this.scatter.leaveRoom(tools.offsetHeight > 0 ? tools.offsetHeight + 12 : 0)).observe(
            tools,
        );
        return tools;
    }

    private layout(): HTMLElement {
        const help =
            "Arrow keys move or turn, + and - enlarge, 0 shows all, Enter picks the point at the cross, / searches, Escape takes back.";
        const files = mapFiles(() => this.scatter.drawing(this.coloring("light").looks));
        return h(
            "section",
            { class: "picture panel", "aria-label": "The picture", "data-panel": "picture" },
            h("div", { class: "toolbar" }, this.search.element, this.axes.element),
            h("div", { class: "stage" }, this.scatter.surface, this.tooltip.element, this.tools()),
            h("div", { class: "color-row" }, this.colorChoice(), files, this.colorWords),
            this.legend,
            filterPanel(this.explorer),
            this.outliers,
            this.spread,
            h("p", { class: "words keys" }, help),
            this.said,
        );
    }
}
