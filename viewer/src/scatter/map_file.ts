// The picture as a drawing that stands for itself, for papers and slides: what is in the window now, on light ground.
import { h, s } from "../dom.ts";
import { fileName, save } from "../parts/save.ts";
import { GROUND } from "../points/palette.ts";
import { outline } from "../points/shapes.ts";
import type { PlacedText } from "./map_texts.ts";
import type { View } from "./view.ts";

export interface Drawn {
    view: View;
    count: number;
    /** Red, green, blue, shape for each point. */
    looks: Uint8Array;
    /** 1 for points that stand out; null: all are alike. */
    mask: Uint8Array | null;
    /** Diameter of a point. */
    size: number;
    texts: PlacedText[];
}

/** Points of one look in one path, so that even many of them are few elements. Points that step back come first. */
function paths({ view, count, looks, mask, size }: Drawn): SVGElement[] {
    const groups = new Map<string, string[]>();
    for (let i = 0; i < count; i++) {
        const [x, y] = view.projectPoint(i);
        if (x < -size || y < -size || x > view.width + size || y > view.height + size) continue;
        const [red, green, blue, shape] = looks.subarray(4 * i, 4 * i + 4);
        const key = `${!mask || mask[i] ? 1 : 0} rgb(${red},${green},${blue})`;
        const group = groups.get(key);
        const path = outline(shape ?? 0, x, y, size / 2);
        if (group) group.push(path);
        else groups.set(key, [path]);
    }
    return [...groups]
        .sort(([a], [b]) => Number(a[0]) - Number(b[0]))
        .map(([key, parts]) =>
            s("path", { d: parts.join(""), fill: key.slice(2), "fill-opacity": key.startsWith("1") ? 0.95 : 0.13 }),
        );
}

export function mapDrawing(drawn: Drawn): SVGSVGElement {
    const { width, height } = drawn.view;
    return s(
        "svg",
        { xmlns: "http://www.w3.org/2000/svg", viewBox: `0 0 ${width} ${height}`, width, height },
        s("rect", { width, height, fill: `rgb(${GROUND.light.join(",")})` }),
        ...paths(drawn),
        ...drawn.texts.map(({ text, kind, x, y }) =>
            s(
                "text",
                {
                    x: x.toFixed(1),
                    y: y.toFixed(1),
                    "text-anchor": "middle",
                    "font-family": "sans-serif",
                    "font-size": kind === "label" ? 15 : 11.5,
                    "font-weight": kind === "label" ? 700 : 400,
                    fill: "#1a1f27",
                    stroke: "#ffffff",
                    "stroke-width": 3,
                    "stroke-linejoin": "round",
                    "paint-order": "stroke",
                },
                text,
            ),
        ),
    );
}

/** A drawing as an image of `scale` pixels for each of its own. */
async function asPng(drawing: SVGSVGElement, scale: number): Promise<Blob> {
    const image = new Image();
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(drawing))}`;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = Math.round(scale * drawing.width.baseVal.value);
    canvas.height = Math.round(scale * drawing.height.baseVal.value);
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return new Promise((resolve, reject) =>
        canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("the image cannot be made"))), "image/png"),
    );
}

/** Buttons that save a drawing under the title of the page. */
export function mapFiles(drawing: () => SVGSVGElement): HTMLElement {
    const button = (name: string, act: () => void) =>
        h("button", { type: "button", class: "quiet save", click: act }, name);
    const title = () => document.title;
    return h(
        "div",
        { class: "files" },
        button("Save as PNG", () => {
            asPng(drawing(), 2).then(
                (image) => save(image, fileName(title(), "png")),
                () => undefined,
            );
        }),
        button("Save as SVG", () => {
            const text = new XMLSerializer().serializeToString(drawing());
            save(new Blob([text], { type: "image/svg+xml" }), fileName(title(), "svg"));
        }),
    );
}
