// Which axes the picture shows: principal axes or coordinates, two or three of them.
import { h } from "../dom.ts";
import type { Points } from "../points/points.ts";
import { count, percent } from "./numbers.ts";

/** "p0" is the first principal axis, "c0" the first coordinate, "" no axis. */
export type AxisKey = string;

export interface AxesShown {
    columns: Float32Array[];
    names: string[];
}

export function axisName(key: AxisKey): string {
    return key === "" ? "" : `${key[0] === "p" ? "principal axis" : "coordinate"} ${Number(key.slice(1)) + 1}`;
}

function columnOf(points: Points, key: AxisKey): Float32Array {
    if (key === "") return new Float32Array(points.count);
    const j = Number(key.slice(1));
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

/** How much of the points' spread these axes show, in a sentence; null for coordinates, of which nobody said. */
export function spreadSentence(points: Points, keys: AxisKey[]): string | null {
    const used = [...new Set(keys.filter((key) => key !== ""))];
    const all = points.firstAxes === null;
    if ((all && points.dimension < 3) || !points.hasMoreThan(used) || used.some((key) => key[0] !== "p")) return null;
    const share = used.reduce((sum, key) => sum + points.variances()[Number(key.slice(1))]!, 0);
    const shows = used.length === 1 ? "This axis shows" : `These ${used.length} axes show`;
    return `${shows} ${percent(share)} of how the points are spread${amongWords(points)}; the rest lies in directions that cannot be seen here.`;
}

/** Where the picture begins: the two axes along which points differ most, or the coordinates themselves if two are all. */
export function firstAxes({ dimension, firstAxes: first }: Pick<Points, "dimension" | "firstAxes">): AxisKey[] {
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

export function axisChoice(points: Points, changed: (keys: AxisKey[]) => void): HTMLElement {
    const keys = firstAxes(points);
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
        return h("label", { class: "choice" }, h("span", {}, text), select);
    };
    const depth = points.dimension > 2 ? one(2, "Depth") : null;
    return h("div", { class: "axis-choice" }, one(0, "Across"), one(1, "Up"), depth);
}
