// Words and labels on the picture: as many as find room, the more the further one zooms.
import { s } from "../dom.ts";
import { shown } from "../parts/plain_text.ts";
import type { View } from "./view.ts";

/** A text that wants to stand on the picture; those that come first are placed first. */
export interface MapText {
    text: string;
    kind: "label" | "word";
    /** Where, in the data; of a word its point. */
    at: (view: View) => [number, number, number];
}

interface Box {
    left: number;
    right: number;
    top: number;
    bottom: number;
}

export interface PlacedText {
    text: string;
    kind: MapText["kind"];
    x: number;
    y: number;
}

// Widths of letters are estimated: to measure them would cost more than all else here.
const LETTER = { label: 8.2, word: 6.4 };
const HEIGHT = { label: 17, word: 14 };
const LONGEST = 22;
const MOST = 160;
// Of a hundred thousand words those that come first have the best chances; this many are tried at each frame.
const TRIED = 30000;
const CELL = 64;

class Taken {
    private readonly cells = new Map<number, Box[]>();

    private *around(box: Box): Generator<number> {
        for (let i = Math.floor(box.left / CELL); i <= Math.floor(box.right / CELL); i++)
            for (let j = Math.floor(box.top / CELL); j <= Math.floor(box.bottom / CELL); j++) yield 4096 * i + j;
    }

    isFree(box: Box): boolean {
        for (const cell of this.around(box)) {
            for (const other of this.cells.get(cell) ?? []) {
                const apart =
                    box.right < other.left ||
                    other.right < box.left ||
                    box.bottom < other.top ||
                    other.bottom < box.top;
                if (!apart) return false;
            }
        }
        return true;
    }

    add(box: Box): void {
        for (const cell of this.around(box)) {
            const boxes = this.cells.get(cell);
            if (boxes) boxes.push(box);
            else this.cells.set(cell, [box]);
        }
    }
}

/** Texts that have room in the window, none over another, words beside their points; `size`: of a point. */
export function placeTexts(texts: MapText[], view: View, size: number): PlacedText[] {
    const taken = new Taken();
    const placed: PlacedText[] = [];
    for (const { text, kind, at } of texts.slice(0, TRIED)) {
        if (placed.length >= MOST) break;
        const [x, y] = at(view);
        if (!(x > 0 && x < view.width && y > 0 && y < view.height)) continue;
        const written = shown(text, LONGEST);
        const half = (LETTER[kind] * Array.from(written).length) / 2;
        // Above its point, which is still to be seen.
        const base = y - size / 2 - 3;
        const box = { left: x - half - 2, right: x + half + 2, top: base - HEIGHT[kind] + 3, bottom: base + 3 };
        if (box.left < 0 || box.right > view.width || box.top < 0 || !taken.isFree(box)) continue;
        taken.add(box);
        placed.push({ text: written, kind, x, y: base });
    }
    return placed;
}

export function drawTexts(placed: PlacedText[]): SVGElement[] {
    return placed.map(({ text, kind, x, y }) =>
        s("text", { class: `map-text ${kind}`, x: x.toFixed(1), y: y.toFixed(1), "text-anchor": "middle" }, text),
    );
}
