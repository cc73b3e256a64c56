// What stands beside the pointer: image, word and label of the point under it.
import { h } from "../dom.ts";
import type { Explorer } from "../pages/explorer.ts";
import { pointName, thumbnail } from "./point_name.ts";

export class Tooltip {
    readonly element = h("div", { class: "tooltip", hidden: true, "data-point": "" });
    private shown = -1;

    constructor(private readonly explorer: Explorer) {}

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
            this.element.replaceChildren(...(image ? [image] : []), pointName(this.explorer, point));
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
