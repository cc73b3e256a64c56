// The picture of the points: painter, view, gestures and overlay together.
import { h } from "../dom.ts";
import type { Rgb } from "../points/palette.ts";
import { Gestures, type Mode } from "./gestures.ts";
import { type Link, type Marks, Overlay } from "./overlay.ts";
import { Pace } from "./pace.ts";
import type { Painter } from "./painter.ts";
import { nearestPoint, type Outline, pointsInside } from "./picking.ts";
import { PlainPainter } from "./plain_painter.ts";
import { pointSize } from "./point_size.ts";
import { View } from "./view.ts";
import { WebglPainter } from "./webgl_painter.ts";

export interface ScatterEvents {
    /** -1: none. Place in pixels of the picture. `atCross`: the keyboard came upon it. */
    hover(point: number, x: number, y: number, atCross: boolean): void;
    pick(point: number): void;
    lasso(members: Uint32Array): void;
    escape(): void;
}

const REACH = 14;
// Pixels at the lower edge in which an axis has its name.
const NAMES = 26;
// Milliseconds without a movement after which all points are drawn.
const REST = 250;

export class Scatter {
    readonly view = new View();
    readonly surface: HTMLElement;
    frames = 0;
    readonly canvas = h("canvas", { class: "points", "aria-hidden": "true" });
    private readonly painter: Painter;
    private readonly overlay = new Overlay();
    private readonly gestures: Gestures;
    private readonly marks: Marks = { hovered: -1, picked: -1, links: [], found: [], lasso: [], crosshair: false };
    private names: string[] = [];
    private background: Rgb = [255, 255, 255];
    private waiting = false;
    /** How many points a moving picture has. */
    readonly pace: Pace;
    private moving = false;
    private picking = false;
    private roomAbove = 0;
    private rest = 0;

    constructor(
        private readonly count: number,
        private readonly events: ScatterEvents,
    ) {
        this.pace = new Pace(count);
        this.painter = WebglPainter.on(this.canvas, () => this.request()) ?? new PlainPainter(this.canvas);
        this.surface = h(
            "div",
            { class: "scatter", tabindex: 0, role: "application", "aria-roledescription": "picture of points" },
            this.canvas,
            this.overlay.element,
        );
        this.gestures = new Gestures(this.surface, this.view, {
            changed: () => this.changed(),
            hover: (x, y) => this.hover(x, y),
            leave: () => this.setHovered(-1),
            pick: (x, y) => this.pick(x, y),
            lasso: (outline, done) => this.lasso(outline, done),
            key: (name) => this.key(name),
        });
        this.surface.addEventListener("focus", () => {
            this.setCrosshair(this.surface.matches(":focus-visible"));
            this.lookAtCross();
        });
        this.surface.addEventListener("keydown", () => this.setCrosshair(true));
        this.surface.addEventListener("blur", () => this.setCrosshair(false));
        this.surface.addEventListener("pointerdown", () => this.setCrosshair(false));
        new ResizeObserver(() => this.fit()).observe(this.surface);
    }

    private fit(): void {
        const { clientWidth, clientHeight } = this.surface;
        if (clientWidth === 0 || clientHeight === 0) return;
        const first = this.view.width === 1;
        const top = Math.min(this.roomAbove, 0.3 * clientHeight);
        this.view.resize(clientWidth, clientHeight, { top, bottom: Math.min(NAMES, 0.1 * clientHeight) });
        if (first) this.view.reset();
        this.painter.resize(clientWidth, clientHeight, Math.min(2, window.devicePixelRatio || 1));
        this.paint();
    }

    /** Keeps so many pixels at the upper edge free of points at first: tools lie there. */
    leaveRoom(above: number): void {
        if (above === this.roomAbove) return;
        this.roomAbove = above;
        this.fit();
    }

    showAxes(columns: Float32Array[], names: string[]): void {
        this.names = names;
        this.painter.setPlaces(columns);
        this.view.show(columns);
        this.request();
    }

    showLooks(looks: Uint8Array, background: Rgb): void {
        this.background = background;
        this.painter.setLooks(looks);
        this.request();
    }

    emphasize(members: Uint32Array | null): void {
        let mask: Uint8Array | null = null;
        if (members) {
            mask = new Uint8Array(this.count);
            for (const i of members) mask[i] = 1;
        }
        this.painter.setEmphasis(mask);
        this.request();
    }

    showPicked(point: number, links: Link[]): void {
        this.marks.picked = point;
        this.marks.links = links;
        // What was clicked is seen already, and the picture stays under the pointer.
        if (point >= 0 && !this.picking) this.view.bringIn(point);
        this.request();
    }

    showFound(found: number[]): void {
        this.marks.found = found;
        this.request();
    }

    setMode(mode: Mode): void {
        this.gestures.mode = mode;
        this.surface.dataset.mode = mode;
    }

    reset(): void {
        this.view.reset();
        this.request();
    }

    enlarge(factor: number): void {
        this.view.enlarge(factor);
        this.request();
    }

    /** Points that can be seen now. */
    inWindow(): Uint32Array {
        const { width, height } = this.view;
        return pointsInside(this.view, this.count, [
            [0, 0],
            [width, 0],
            [width, height],
            [0, height],
        ]);
    }

    private setHovered(point: number, x = 0, y = 0, atCross = false): void {
        if (point !== this.marks.hovered) {
            this.marks.hovered = point;
            this.request();
        }
        this.events.hover(point, x, y, atCross);
    }

    private hover(x: number, y: number): void {
        this.setHovered(nearestPoint(this.view, this.count, x, y, REACH), x, y);
    }

    private pick(x: number, y: number): void {
        const point = nearestPoint(this.view, this.count, x, y, REACH);
        this.setHovered(point, x, y);
        this.pickInPlace(point);
    }

    private pickInPlace(point: number): void {
        this.picking = true;
        this.events.pick(point);
        this.picking = false;
    }

    private lasso(outline: Outline, done: boolean): void {
        this.marks.lasso = done ? [] : outline;
        if (done && outline.length > 2) this.events.lasso(pointsInside(this.view, this.count, outline));
        this.request();
    }

    private nearMiddle(): number {
        const { width, height } = this.view;
        return nearestPoint(this.view, this.count, width / 2, height / 2, Math.max(width, height));
    }

    private key(name: "Enter" | "Escape"): void {
        if (name === "Enter") this.pickInPlace(this.nearMiddle());
        else this.events.escape();
    }

    private setCrosshair(on: boolean): void {
        if (this.marks.crosshair === on) return;
        this.marks.crosshair = on;
        if (!on) this.setHovered(-1);
        this.request();
    }

    private lookAtCross(): void {
        if (!this.marks.crosshair) return;
        const point = this.nearMiddle();
        const [x, y] = point >= 0 ? this.view.projectPoint(point) : [0, 0];
        this.setHovered(point, x, y, true);
    }

    private changed(): void {
        this.moving = true;
        window.clearTimeout(this.rest);
        this.rest = window.setTimeout(() => {
            this.moving = false;
            this.request();
        }, REST);
        this.lookAtCross();
        this.request();
    }

    /** Draws before the next frame, however often it is asked to. */
    request(): void {
        if (this.waiting) return;
        this.waiting = true;
        requestAnimationFrame(() => this.paint());
    }

    /** Draws now. */
    paint(): void {
        this.waiting = false;
        if (this.view.width === 1) return;
        if (this.moving) this.pace.frame(performance.now());
        this.painter.draw({
            view: this.view,
            size: pointSize(this.count, this.view.width),
            background: this.background,
            every: this.moving ? this.pace.every : 1,
        });
        this.overlay.draw(this.view, this.names, this.marks);
        this.frames += 1;
    }
}
