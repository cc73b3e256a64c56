// Which axes the picture shows: principal axes or coordinates, two or three of them.
import { h } from "../dom.ts";
import type { Points } from "../points/points.ts";
import { count, percent } from "./numbers.ts";

/** "p0" is the first principal axis, "c0" the first coordinate, "m0" the first of the map on a plane, "" no axis. */
export type AxisKey = string;

export interface AxesShown {
    columns: Float32Array[];
    names: string[];
}

export function axisName(key: AxisKey): string {
    // The directions of a map of neighbours mean nothing.
    if (key === "" || key[0] === "m") return "";
    return `${key[0] === "p" ? "principal axis" : "coordinate"} ${Number(key.slice(1)) + 1}`;
}

function columnOf(points: Points, key: AxisKey): Float32Array {
    if (key === "") return new Float32Array(points.count);
    const j = Number(key.slice(1));
    if (key[0] === "m") return points.layout?.columns[j] ?? new Float32Array(points.count);
    return key[0] === "p" ? points.principalCoordinate(j) : points.coordinate(j);
}

/** The columns of these axes; an empty third one leaves the picture flat. */
export function axesShown(points: Points, keys: AxisKey[]): AxesShown {
    const used = keys[2] ? keys : keys.slice(0, 2);
    return { columns: used.map((key) => columnOf(points, key)), names: used.map(axisName) };
}

// Of what the shares are, where that is not the whole spread.
function amongWords({ firstAxes: first }: Points): string {
    return first?.among ? ` along the ${count(first.among)} axes of largest variance` : "";
}

/** What the map on a plane keeps of the embedding, and that it is another step away from the input. */
export function layoutSentence({ layout, dimension, firstAxes: first }: Points): string | null {
    if (!layout) return null;
    const numbers = first ? "their numbers" : `their ${count(dimension)} numbers`;
    const inputs = layout.keptInputs === null ? "" : ` and ${percent(layout.keptInputs)} of those in the input`;
    const kept =
        layout.kept === null
            ? ""
            : ` It keeps ${percent(layout.kept)} of the nearest neighbours that points have in ${numbers}${inputs}.`;
    return `This map, made by UMAP for the picture alone, puts points near each other that are near in ${numbers}.${kept} Distances between groups say little; everything else on this page is measured in ${numbers}.`;
}

/** How much of the points' spread these axes show, in a sentence; null for coordinates, of which nobody said. */
export function spreadSentence(points: Points, keys: AxisKey[]): string | null {
    if (keys[0]?.startsWith("m")) return layoutSentence(points);
    const used = [...new Set(keys.filter((key) => key !== ""))];
    const all = points.firstAxes === null;
    if ((all && points.dimension < 3) || !points.hasMoreThan(used) || used.some((key) => key[0] !== "p")) return null;
    const share = used.reduce((sum, key) => sum + points.variances()[Number(key.slice(1))]!, 0);
    const shows = used.length === 1 ? "This axis shows" : `These ${used.length} axes show`;
    return `${shows} ${percent(share)} of how the points are spread${amongWords(points)}; the rest lies in directions that cannot be seen here.`;
}

/** Where the picture begins: the two axes along which points differ most, or the coordinates themselves if two are all. */
export function firstAxes({
    dimension,
    firstAxes: first,
    layout,
}: Pick<Points, "dimension" | "firstAxes"> & { layout?: Points["layout"] }): AxisKey[] {
    return layout ? MAP_AXES : plainAxes({ dimension, firstAxes: first });
}

const MAP_AXES: AxisKey[] = ["m0", "m1", ""];

function plainAxes({ dimension, firstAxes: first }: Pick<Points, "dimension" | "firstAxes">): AxisKey[] {
    if (first) return ["p0", dimension < 2 ? "" : "p1", ""];
    if (dimension < 2) return ["c0", "", ""];
    return dimension === 2 ? ["c0", "c1", ""] : ["p0", "p1", ""];
}

function options(points: Points, optional: boolean): HTMLElement[] {
    const variances = points.variances();
    const principal = variances.map((share, j) => h("option", { value: `p${j}` }, `Axis ${j + 1} (${percent(share)})`));
    // Where the columns are principal axes themselves, the embedding's own coordinates are not there to choose.
    const plain = points.firstAxes
        ? []
        : variances.map((_, j) => h("option", { value: `c${j}` }, `Coordinate ${j + 1}`));
    const none = optional ? [h("option", { value: "" }, "none (flat)")] : [];
    return [
        ...none,
        h("optgroup", { label: `Principal axes (share of the spread${amongWords(points)})` }, ...principal),
        ...(plain.length > 0 ? [h("optgroup", { label: "Coordinates" }, ...plain)] : []),
    ];
}

/** Map or axes, and which axes. `set` shows others, as a link to a view asks for. */
export function axisChoice(
    points: Points,
    changed: (keys: AxisKey[]) => void,
): { element: HTMLElement; set: (keys: AxisKey[]) => void } {
    const keys = plainAxes(points);
    const selects = new Map<number, HTMLSelectElement>();
    const one = (place: number, text: string) => {
        const select = h(
            "select",
            {
                "data-axis": place,
                change: () => {
                    keys[place] = select.value;
                    changed([...keys]);
                },
            },
            ...options(points, place === 2 || points.dimension < 2),
        );
        select.value = keys[place]!;
        selects.set(place, select);
        return h("label", { class: "choice" }, h("span", {}, text), select);
    };
    const depth = points.dimension > 2 ? one(2, "Depth") : null;
    const axes = h("div", { class: "axis-selects" }, one(0, "Across"), one(1, "Up"), depth);
    const buttons = points.layout
        ? (["map", "axes"] as const).map((kind) =>
              h(
                  "button",
                  { type: "button", "data-shown": kind, click: () => show(kind) },
                  kind === "map" ? "Map" : "Axes",
              ),
          )
        : [];
    const mark = (kind: "map" | "axes") => {
        axes.hidden = kind === "map";
        for (const button of buttons) button.setAttribute("aria-pressed", String(button.dataset.shown === kind));
    };
    const show = (kind: "map" | "axes") => {
        mark(kind);
        changed(kind === "map" ? MAP_AXES : [...keys]);
    };
    mark(points.layout ? "map" : "axes");
    const segments =
        buttons.length > 0
            ? h("div", { class: "segments", role: "group", "aria-label": "What the picture shows" }, ...buttons)
            : null;
    const set = (wanted: AxisKey[]) => {
        if (wanted[0]?.startsWith("m")) {
            if (points.layout) show("map");
            return;
        }
        for (const [place, select] of selects) {
            const key = wanted[place] ?? "";
            if ([...select.options].some((option) => option.value === key)) {
                select.value = key;
                keys[place] = key;
            }
        }
        show("axes");
    };
    return { element: h("div", { class: "axis-choice" }, segments, axes), set };
}
