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

// Widths of words are estimated: to measure a hundred thousand would cost more than all else here.
const LETTER = { label: 8.2, word: 6.4 };
const LABEL_FONT = "700 15px system-ui, sans-serif";
const HEIGHT = { label: 17, word: 14 };
const LONGEST = 22;
const MOST = 160;
// Of a hundred thousand words those that come first have the best chances; this many are tried at each frame.
const TRIED = 30000;
const CELL = 64;
// Where a label may stand, in lines above its place and in parts of its width beside it, the nearest first.
const AROUND = [0, 1, 2, 3, 4, 5, 6]
    .flatMap((lines) => [lines, -lines].flatMap((line) => [0, -0.5, 0.5, -1, 1].map((aside) => ({ line, aside }))))
    .sort((a, b) => a.line ** 2 + 9 * a.aside ** 2 - b.line ** 2 - 9 * b.aside ** 2);

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

const measured = new Map<string, number>();
let pen: CanvasRenderingContext2D | null = null;

/** Pixels that a label takes, measured once. */
export function widthOf(text: string): number {
    let width = measured.get(text);
    if (width === undefined) {
        pen ??= document.createElement("canvas").getContext("2d");
        if (pen) pen.font = LABEL_FONT;
        width = pen?.measureText(text).width ?? LETTER.label * text.length;
        measured.set(text, width);
    }
    return width;
}

function boxAt(x: number, base: number, half: number, height: number): Box {
    return { left: x - half - 2, right: x + half + 2, top: base - height + 3, bottom: base + 3 };
}

// The nearest free place around (x, y), inside the window; null where all are taken.
function placeAround(
    taken: Taken,
    view: View,
    x: number,
    y: number,
    half: number,
): { x: number; y: number; box: Box } | null {
    for (const { line, aside } of AROUND) {
        const at = Math.min(view.width - half - 3, Math.max(half + 3, x + (2 * half + 6) * aside));
        const base = y - (HEIGHT.label + 1) * line;
        const box = boxAt(at, base, half, HEIGHT.label);
        if (box.top >= view.margins.top && box.bottom <= view.height && box.left >= 0 && taken.isFree(box))
            return { x: at, y: base, box };
    }
    return null;
}

/**
 * Texts that have room in the window, none over another: words above their points, labels as near to their place as there is
 * room. `size`: of a point.
 */
export function placeTexts(
    texts: MapText[],
    view: View,
    size: number,
    width: (label: string) => number = (label) => LETTER.label * label.length,
): PlacedText[] {
    const taken = new Taken();
    const placed: PlacedText[] = [];
    for (const { text, kind, at } of texts.slice(0, TRIED)) {
        if (placed.length >= MOST) break;
        const [x, y] = at(view);
        if (!(x > 0 && x < view.width && y > 0 && y < view.height)) continue;
        const written = shown(text, LONGEST);
        // Above its point, which is still to be seen.
        const base = y - size / 2 - 3;
        if (kind === "label") {
            const place = placeAround(taken, view, x, base, width(written) / 2);
            if (!place) continue;
            taken.add(place.box);
            placed.push({ text: written, kind, x: place.x, y: place.y });
            continue;
        }
        const half = (LETTER[kind] * Array.from(written).length) / 2;
        const box = boxAt(x, base, half, HEIGHT[kind]);
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
