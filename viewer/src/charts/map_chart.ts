// A small map: points of the plane, coloured by label, as one path a class, so that even many of them are few elements.

import { columnOf, type Unpacked } from "../document/packed_array.ts";
import { freshId, s } from "../dom.ts";
import { counted } from "../parts/numbers.ts";
import { shown } from "../parts/plain_text.ts";
import { classLook, MISSING, type Theme } from "../points/palette.ts";
import { legend } from "./legend.ts";

export interface SmallMap {
    title: string;
    coordinates: Unpacked;
    labels: { names: string[]; index: ArrayLike<number> } | null;
}

// A line of no length with round ends is a dot.
function dots(members: number[], x: (i: number) => number, y: (i: number) => number): string {
    return members.map((i) => `M${x(i).toFixed(1)} ${y(i).toFixed(1)}h0`).join("");
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

export function mapChart(map: SmallMap, width: number, theme: Theme): SVGSVGElement {
    const size = Math.min(width, 420);
    const [across, up] = [columnOf(map.coordinates, 0), columnOf(map.coordinates, 1)];
    const low = (values: Float32Array) => values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
    const high = (values: Float32Array) => values.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
    const classes = [...membersByClass(map)];
    const color = (label: number, place: number) =>
        map.labels && !map.labels.names[label] ? MISSING[theme] : classLook(place, theme).color;
    const entries = classes.slice(0, 24).map(([label], place) => ({
        name: map.labels?.names[label] ?? "no label",
        sign: (x: number, y: number) => [s("circle", { cx: x + 20, cy: y + 6, r: 4.5, fill: color(label, place) })],
    }));
    const below = legend(map.labels ? entries : [], 8, size - 16);
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
        ...classes.map(([label, members], place) =>
            s("path", {
                d: dots(members, x, y),
                stroke: color(label, place),
                "stroke-width": stroke,
                "stroke-linecap": "round",
                fill: "none",
            }),
        ),
    );
}
