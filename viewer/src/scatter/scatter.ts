// The picture of the points: painter, view, gestures and overlay together.
import { h } from "../dom.ts";
import type { Rgb } from "../points/palette.ts";
import { Gestures, type Mode } from "./gestures.ts";
import { type Link, type Marks, Overlay } from "./overlay.ts";
import { Pace } from "./pace.ts";
import type { Painter } from "./painter.ts";
import { nearestPoint, type Outline, pointsInside } from "./picking.ts";
import { PlainPainter } from "./plain_painter.ts";
import { View } from "./view.ts";
import { WebglPainter } from "./webgl_painter.ts";

export interface ScatterEvents {
    /** -1: none. Place in pixels of the picture. */
    hover(point: number, x: number, y: number): void;
    pick(point: number): void;
    lasso(members: Uint32Array): void;
    escape(): void;
}

const REACH = 14;
// Milliseconds without a movement after which all points are drawn.
const REST = 250;

/** Diameter of a point in pixels: fewer points are larger. */
export function pointSize(count: number, width: number): number {
    const roomy = count < 300 ? 9 : count < 3000 ? 7 : count < 12000 ? 5 : count < 40000 ? 4 : 3;
    return width < 500 ? Math.max(2.5, 0.75 * roomy) : roomy;
}

export class Scatter {
    readonly view = new View();
    readonly surface: HTMLElement;
    frames = 0;
    private readonly canvas = h("canvas", { class: "points", "aria-hidden": "true" });
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
        this.surface.addEventListener("focus", () => this.setCrosshair(this.surface.matches(":focus-visible")));
        this.surface.addEventListener("keydown", () => this.setCrosshair(true));
        this.surface.addEventListener("blur", () => this.setCrosshair(false));
        this.surface.addEventListener("pointerdown", () => this.setCrosshair(false));
        new ResizeObserver(() => this.fit()).observe(this.surface);
    }

    private fit(): void {
        const { clientWidth, clientHeight } = this.surface;
        if (clientWidth === 0 || clientHeight === 0) return;
        const first = this.view.width === 1;
        this.view.resize(clientWidth, clientHeight);
        if (first) this.view.reset();
        this.painter.resize(clientWidth, clientHeight, Math.min(2, window.devicePixelRatio || 1));
        this.paint();
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
        if (point >= 0) this.view.bringIn(point);
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

    setHovered(point: number, x = 0, y = 0): void {
        if (point !== this.marks.hovered) {
            this.marks.hovered = point;
            this.request();
        }
        this.events.hover(point, x, y);
    }

    private hover(x: number, y: number): void {
        this.setHovered(nearestPoint(this.view, this.count, x, y, REACH), x, y);
    }

    private pick(x: number, y: number): void {
        const point = nearestPoint(this.view, this.count, x, y, REACH);
        this.setHovered(point, x, y);
        this.events.pick(point);
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
        if (name === "Enter") this.events.pick(this.nearMiddle());
        else this.events.escape();
    }

    private setCrosshair(on: boolean): void {
        if (this.marks.crosshair === on) return;
        this.marks.crosshair = on;
        if (!on) this.setHovered(-1);
        this.request();
    }

    private changed(): void {
        this.moving = true;
        window.clearTimeout(this.rest);
        this.rest = window.setTimeout(() => {
            this.moving = false;
            this.request();
        }, REST);
        if (this.marks.crosshair) {
            const point = this.nearMiddle();
            const [x, y] = point >= 0 ? this.view.projectPoint(point) : [0, 0];
            this.setHovered(point, x, y);
        }
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
