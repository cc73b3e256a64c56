// The points' own images in place of their dots, once one has zoomed in to where they have room.
import { h } from "../dom.ts";
import type { View } from "./view.ts";

/** Where images come from: null while they are being unpacked, when `later` is called once they are there. */
export interface Pictures {
    of(point: number, later: () => void): HTMLCanvasElement | null;
}

// Enlarged less than this the picture is of dots; with more points in the window than this, images would hide each other.
const ENLARGED = 2.5;
const MOST = 500;
const SIDE = 34;
const EDGE = 2;

export class ImageLayer {
    readonly canvas = h("canvas", { class: "images", "aria-hidden": "true" });
    private looks: Uint8Array = new Uint8Array();
    private density = 1;
    private drawn = false;

    constructor(
        private readonly count: number,
        private readonly pictures: Pictures,
        private readonly later: () => void,
    ) {}

    showLooks(looks: Uint8Array): void {
        this.looks = looks;
    }

    resize(width: number, height: number, density: number): void {
        this.density = density;
        this.canvas.width = Math.round(width * density);
        this.canvas.height = Math.round(height * density);
    }

    /** Places of the points whose image has room: none where too many are in the window. */
    placed(view: View): { point: number; x: number; y: number }[] {
        if (view.enlarged < ENLARGED) return [];
        const seen: { point: number; x: number; y: number }[] = [];
        for (let point = 0; point < this.count; point++) {
            const [x, y] = view.projectPoint(point);
            if (x < 0 || y < 0 || x > view.width || y > view.height) continue;
            if (seen.length === MOST) return [];
            seen.push({ point, x, y });
        }
        const kept: typeof seen = [];
        for (const one of seen) {
            if (kept.every(({ x, y }) => Math.abs(x - one.x) > SIDE || Math.abs(y - one.y) > SIDE)) kept.push(one);
        }
        return kept;
    }

    draw(view: View): void {
        const places = this.placed(view);
        if (places.length === 0 && !this.drawn) return;
        const context = this.canvas.getContext("2d");
        if (!context) return;
        context.setTransform(this.density, 0, 0, this.density, 0, 0);
        context.clearRect(0, 0, view.width, view.height);
        context.imageSmoothingEnabled = false;
        this.drawn = places.length > 0;
        this.canvas.dataset.count = String(places.length);
        for (const { point, x, y } of places) {
            const image = this.pictures.of(point, this.later);
            if (!image) return;
            const [red, green, blue] = this.looks.subarray(4 * point, 4 * point + 3);
            context.fillStyle = `rgb(${red},${green},${blue})`;
            context.fillRect(x - SIDE / 2, y - SIDE / 2, SIDE, SIDE);
            const side = SIDE - 2 * EDGE;
            context.drawImage(image, x - side / 2, y - side / 2, side, side);
        }
    }
}
