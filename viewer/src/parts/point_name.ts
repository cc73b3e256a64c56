// How a point is called wherever it is listed.
import { type Child, h } from "../dom.ts";
import type { Explorer } from "../pages/explorer.ts";
import type { Points } from "../points/points.ts";
import { count } from "./numbers.ts";
import { isolatedText, shown } from "./plain_text.ts";

/** Word, label and number, as far as there are any. */
export function pointName({ points }: Explorer, point: number, limit = 28): HTMLElement {
    const word = points.wordOf(point);
    const label = points.labelOf(point);
    const parts: Child[] = [];
    if (word !== null) parts.push(h("strong", {}, isolatedText(word, limit)), " ");
    if (label !== null) parts.push(h("span", { class: "label-tag" }, isolatedText(label, limit)), " ");
    parts.push(h("span", { class: "number" }, `#${count(points.rowOf(point))}`));
    return h("span", { class: "point-name" }, ...parts);
}

/** The same as a sentence's beginning, for those who hear the page. */
export function spokenName(points: Points, point: number): string {
    const [word, label] = [points.wordOf(point), points.labelOf(point)];
    const parts = [`Point ${points.rowOf(point)}`];
    if (word !== null) parts.push(shown(word, 40));
    if (label !== null) parts.push(`label ${shown(label, 40)}`);
    return parts.join(", ");
}

/** The point's image, where points are images. */
export function thumbnail(
    { points, thumbnails }: Explorer,
    point: number,
    size: "small" | "large",
): HTMLCanvasElement | null {
    if (!thumbnails) return null;
    const canvas = h("canvas", {
        class: `thumbnail ${size}`,
        role: "img",
        "aria-label": `image of point ${points.rowOf(point)}`,
    });
    canvas.width = thumbnails.width;
    canvas.height = thumbnails.height;
    thumbnails.draw(canvas, point).catch(() => canvas.remove());
    return canvas;
}
