// What stands beside the pointer: image, word and label of the point under it, and what columns say of it.
import { h } from "../dom.ts";
import type { Explorer } from "../pages/explorer.ts";
import { textOf } from "../points/columns.ts";
import { isolatedText } from "./plain_text.ts";
import { pointName, thumbnail } from "./point_name.ts";

export class Tooltip {
    readonly element = h("div", { class: "tooltip", hidden: true, "data-point": "" });
    private shown = -1;

    constructor(private readonly explorer: Explorer) {}

    private facts(point: number): HTMLElement[] {
        const { columns, told } = this.explorer;
        const shown = columns.filter((column) => told.value.has(column));
        if (shown.length === 0) return [];
        const rows = shown.map((column) =>
            h(
                "div",
                {},
                h("dt", {}, isolatedText(column.name, 24)),
                h("dd", {}, isolatedText(textOf(column, point), 40)),
            ),
        );
        return [h("dl", { class: "told" }, ...rows)];
    }

    /** -1 hides it. x and y are in pixels of the picture, whose size is `width` by `height`. */
    show(point: number, x: number, y: number, width: number, height: number): void {
        this.element.hidden = point < 0;
        if (point < 0) {
            this.shown = -1;
            return;
        }
        if (point !== this.shown) {
            this.shown = point;
            this.element.dataset.point = String(point);
            const image = thumbnail(this.explorer, point, "large");
            this.element.replaceChildren(
                ...(image ? [image] : []),
                pointName(this.explorer, point),
                ...this.facts(point),
            );
        }
        const { style } = this.element;
        const leftward = x > width / 2;
        const upward = y > height / 2;
        style.left = leftward ? "auto" : `${x + 16}px`;
        style.right = leftward ? `${width - x + 16}px` : "auto";
        style.top = upward ? "auto" : `${y + 16}px`;
        style.bottom = upward ? `${height - y + 16}px` : "auto";
    }
}
