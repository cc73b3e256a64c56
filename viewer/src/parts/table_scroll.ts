// A table wider than its place is scrolled sideways, and says so: on a phone a column out of sight looks like none.
import { h } from "../dom.ts";
import { shown } from "./plain_text.ts";

/** `name`: for those who hear the page. */
export function tableScroll(name: string, table: HTMLElement): HTMLElement {
    const attributes = { class: "table-scroll", tabindex: 0, role: "region", "aria-label": `Table: ${shown(name)}` };
    const box = h("div", attributes, table);
    const hint = h("p", { class: "words table-hint", hidden: true }, "Scroll the table sideways for more columns →");
    const frame = h("div", { class: "table-frame" }, hint, box);
    const update = () => {
        const beyond = box.scrollWidth - box.clientWidth;
        hint.hidden = beyond <= 1;
        // The shadow at the right edge ends with the last column.
        frame.classList.toggle("more", beyond - box.scrollLeft > 1);
    };
    box.addEventListener("scroll", update, { passive: true });
    const observer = new ResizeObserver(update);
    observer.observe(box);
    observer.observe(table);
    return frame;
}
