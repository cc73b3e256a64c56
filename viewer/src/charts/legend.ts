// The legend of a chart, inside its drawing, so that a copy of the drawing has it too.
import { s } from "../dom.ts";
import { shown } from "../parts/plain_text.ts";

export interface LegendEntry {
    name: string;
    /** Draws the sign, in a box of 26 by 12 whose upper left corner is at (x, y). */
    sign: (x: number, y: number) => SVGElement[];
}

const ROW = 19;
const SIGN = 32;

// Widths of text are guessed: measuring needs the text drawn first.
function widthOf(name: string): number {
    return SIGN + 6.7 * name.length + 16;
}

/** Entries in rows from (left, 4), no wider than `width`; and the height they take. */
export function legend(entries: LegendEntry[], left: number, width: number): { parts: SVGElement[]; height: number } {
    let x = left;
    let y = 4;
    const longest = Math.max(8, Math.floor((width - SIGN - 16) / 6.7));
    const parts: SVGElement[] = [];
    for (const entry of entries) {
        const name = shown(entry.name, Math.min(48, longest));
        if (x > left && x + widthOf(name) > left + width) {
            x = left;
            y += ROW;
        }
        parts.push(...entry.sign(x, y), s("text", { class: "legend-text", x: x + SIGN, y: y + 10 }, name));
        x += widthOf(name);
    }
    return { parts, height: entries.length > 0 ? y + ROW : 0 };
}
