// A small map: points of the plane, coloured by label, as one path a class, so that even many of them are few elements.

import { columnOf, type Unpacked } from "../document/packed_array.ts";
import { freshId, s } from "../dom.ts";
import { counted } from "../parts/numbers.ts";
import { shown } from "../parts/plain_text.ts";
import { CLASS_COUNT, type ClassLook, classLook, MISSING } from "../points/palette.ts";
import { outline } from "../points/shapes.ts";
import { type LegendEntry, legend } from "./legend.ts";

// More would be a list, and no key beside a map.
const LISTED = 24;

export interface SmallMap {
    title: string;
    coordinates: Unpacked;
    labels: { names: string[]; index: ArrayLike<number> } | null;
}

type Place = (i: number) => number;

// A line of no length with round ends is a dot, and shorter than an outline.
function dots(members: number[], x: Place, y: Place, { color, shape }: ClassLook, size: number): SVGElement {
    if (shape > 0) {
        // As large to the eye as a circle, and large enough for its corners to be seen.
        const d = members.map((i) => outline(shape, x(i), y(i), Math.max(2, 0.6 * size))).join("");
        return s("path", { d, fill: color });
    }
    const d = members.map((i) => `M${x(i).toFixed(1)} ${y(i).toFixed(1)}h0`).join("");
    return s("path", { d, stroke: color, "stroke-width": size, "stroke-linecap": "round", fill: "none" });
}

// Past the last look, and without a label, points are grey.
function lookOf({ labels }: SmallMap, label: number, place: number): ClassLook {
    const named = !labels || Boolean(labels.names[label]);
    return named && place < CLASS_COUNT ? classLook(place) : { color: MISSING, shape: 0 };
}

/** What the colours and shapes mean, and for how many labels that is not told. */
function entriesOf({ labels }: SmallMap, classes: [number, number[]][], looks: ClassLook[]): LegendEntry[] {
    if (!labels) return [];
    const entries = classes.slice(0, LISTED).map(([label], place): LegendEntry => {
        const { color, shape } = looks[place]!;
        const sign = (x: number, y: number) => [s("path", { d: outline(shape, x + 20, y + 6, 4.5), fill: color })];
        return { name: labels.names[label] ?? "no label", sign };
    });
    if (classes.length <= LISTED) return entries;
    const grey = classes.length > CLASS_COUNT ? `, ${classes.length - CLASS_COUNT} of them grey` : "";
    return [...entries, { name: `and ${classes.length - LISTED} more labels${grey}`, sign: () => [] }];
}

function membersByClass({ labels, coordinates }: SmallMap): Map<number, number[]> {
    const classes = new Map<number, number[]>();
    for (let i = 0; i < coordinates.rows; i++) {
        const label = labels?.index[i] ?? 0;
        const members = classes.get(label);
        if (members) members.push(i);
        else classes.set(label, [i]);
    }
    return new Map([...classes].sort(([a], [b]) => a - b));
}

export function mapChart(map: SmallMap, width: number): SVGSVGElement {
    const size = Math.min(width, 420);
    const [across, up] = [columnOf(map.coordinates, 0), columnOf(map.coordinates, 1)];
    const low = (values: Float32Array) => values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
    const high = (values: Float32Array) => values.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
    const classes = [...membersByClass(map)];
    const looks = classes.map(([label], place) => lookOf(map, label, place));
    const below = legend(entriesOf(map, classes, looks), 8, size - 16);
    const zoom = (size - 24) / Math.max(1e-30, high(across) - low(across), high(up) - low(up));
    const x = (i: number) => 12 + (across[i]! - low(across)) * zoom;
    const y = (i: number) => below.height + 12 + (high(up) - up[i]!) * zoom;
    const height = below.height + 24 + (high(up) - low(up)) * zoom;
    const id = freshId("map");
    const stroke = map.coordinates.rows > 20000 ? 1.5 : map.coordinates.rows > 3000 ? 2.5 : 4;
    return s(
        "svg",
        {
            class: "chart map",
            viewBox: `0 0 ${size} ${Math.ceil(height)}`,
            width: size,
            height: Math.ceil(height),
            role: "img",
            "aria-labelledby": id,
        },
        s("title", { id }, `${shown(map.title)}: a map of ${counted(map.coordinates.rows, "point")}`),
        ...below.parts,
        ...classes.map(([, members], place) => dots(members, x, y, looks[place]!, stroke)),
    );
}
