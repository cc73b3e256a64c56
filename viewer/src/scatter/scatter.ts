// The picture of the points: painter, view, gestures and overlay together.
import { h } from "../dom.ts";
import type { Rgb } from "../points/palette.ts";
import { Gestures, type Mode } from "./gestures.ts";
import { ImageLayer, type Pictures } from "./image_layer.ts";
import { mapDrawing } from "./map_file.ts";
import { type MapText, placeTexts, widthOf } from "./map_texts.ts";
import { Movement } from "./movement.ts";
import { type Link, Overlay } from "./overlay.ts";
import type { Painter } from "./painter.ts";
import { PlainPainter } from "./plain_painter.ts";
import { pointSize } from "./point_size.ts";
import { Pointing, type PointingEvents } from "./pointing.ts";
import { View } from "./view.ts";
import { WebglPainter } from "./webgl_painter.ts";

export interface ScatterEvents extends PointingEvents {
    /** The view rests, after it was moved or enlarged. */
    rested(): void;
}

// Pixels at the lower edge in which an axis has its name.
const NAMES = 26;

export class Scatter {
    readonly view = new View();
    readonly surface: HTMLElement;
    frames = 0;
    /** In how many of them the points were drawn, not only what lies over them. */
    pointsDrawn = 0;
    readonly canvas = h("canvas", { class: "points", "aria-hidden": "true" });
    private readonly painter: Painter;
    private readonly overlay = new Overlay();
    private readonly gestures: Gestures;
    private readonly pointing: Pointing;
    private names: string[] = [];
    private texts: MapText[] = [];
    private looks: Uint8Array = new Uint8Array();
    private mask: Uint8Array | null = null;
    private readonly images: ImageLayer | null;
    private background: Rgb = [255, 255, 255];
    private waiting = false;
    /** Whether what the points look like has changed since they were drawn; marks over them change more often. */
    private stale = true;
    readonly movement: Movement;
    private roomAbove = 0;
    private wanted: [[number, number], number] | null = null;

    constructor(
        private readonly count: number,
        private readonly events: ScatterEvents,
        pictures: Pictures | null = null,
    ) {
        this.images = pictures && new ImageLayer(count, pictures, () => this.request());
        this.movement = new Movement(count, () => {
            this.request();
            this.events.rested();
        });
        this.painter = WebglPainter.on(this.canvas, () => this.request()) ?? new PlainPainter(this.canvas);
        this.surface = h(
            "div",
            { class: "scatter", tabindex: 0, role: "application", "aria-roledescription": "picture of points" },
            this.canvas,
            this.images?.canvas ?? "",
            this.overlay.element,
        );
        const pointing = new Pointing(this.view, count, events, () => this.requestMarks());
        this.pointing = pointing;
        this.gestures = new Gestures(this.surface, this.view, {
            changed: () => this.changed(),
            hover: (x, y) => pointing.hover(x, y),
            leave: () => pointing.setHovered(-1),
            pick: (x, y) => pointing.pick(x, y),
            lasso: (outline, done) => pointing.lasso(outline, done),
            key: (name) => pointing.key(name),
        });
        this.surface.addEventListener("focus", () => {
            pointing.setCrosshair(this.surface.matches(":focus-visible"));
            pointing.lookAtCross();
        });
        this.surface.addEventListener("keydown", () => pointing.setCrosshair(true));
        this.surface.addEventListener("blur", () => pointing.setCrosshair(false));
        this.surface.addEventListener("pointerdown", () => pointing.setCrosshair(false));
        new ResizeObserver(() => this.fit()).observe(this.surface);
    }

    private fit(): void {
        const { clientWidth, clientHeight } = this.surface;
        if (clientWidth === 0 || clientHeight === 0) return;
        const first = this.view.width === 1;
        const top = Math.min(this.roomAbove, 0.3 * clientHeight);
        this.view.resize(clientWidth, clientHeight, { top, bottom: Math.min(NAMES, 0.1 * clientHeight) });
        if (first) this.view.reset();
        if (first && this.wanted) this.view.lookAt(...this.wanted);
        this.painter.resize(clientWidth, clientHeight, Math.min(2, window.devicePixelRatio || 1));
        this.images?.resize(clientWidth, clientHeight, Math.min(2, window.devicePixelRatio || 1));
        this.paint();
    }

    /** Keeps so many pixels at the upper edge free of points at first: tools lie there. */
    leaveRoom(above: number): void {
        if (above === this.roomAbove) return;
        this.roomAbove = above;
        this.surface.style.setProperty("--above", `${above}px`);
        this.fit();
    }

    showAxes(columns: Float32Array[], names: string[]): void {
        this.names = names;
        this.painter.setPlaces(columns);
        this.view.show(columns);
        // The frame takes the points' shape, as far as there is room: style/picture.css.
        this.surface.style.setProperty("--shape", this.view.shape.toFixed(3));
        this.request();
    }

    showLooks(looks: Uint8Array, background: Rgb): void {
        this.background = background;
        this.looks = looks;
        this.painter.setLooks(looks);
        this.images?.showLooks(looks);
        this.request();
    }

    /** Those of `passing` can be pointed at and stand out, of them those of the group if there is one; null: all do. */
    emphasize(members: Uint32Array | null, passing: Uint8Array | null = null): void {
        this.pointing.passing = passing;
        this.mask = passing;
        if (members) {
            this.mask = new Uint8Array(this.count);
            for (const i of members) this.mask[i] = passing ? passing[i]! : 1;
        }
        this.painter.setEmphasis(this.mask);
        this.request();
    }

    showPicked(point: number, links: Link[]): void {
        this.pointing.marks.picked = point;
        this.pointing.marks.links = links;
        // What was clicked is seen already, and the picture stays under the pointer.
        if (point >= 0 && !this.pointing.picking) this.view.bringIn(point);
        this.request();
    }

    showFound(found: number[]): void {
        this.pointing.marks.found = found;
        this.requestMarks();
    }

    /** Texts on the picture, those that are to be placed first in front. */
    showTexts(texts: MapText[]): void {
        this.texts = texts;
        this.requestMarks();
    }

    setMode(mode: Mode): void {
        this.gestures.mode = mode;
        this.surface.dataset.mode = mode;
    }

    showAll(): void {
        this.view.showAll();
        this.request();
        this.events.rested();
    }

    /** Brings these points to the middle. */
    goTo(points: ArrayLike<number>): void {
        this.view.frame(points, 1, points.length === 1 ? Math.max(4, this.view.enlarged) : 12);
        this.request();
        this.events.rested();
    }

    enlarge(factor: number): void {
        this.view.enlarge(factor);
        this.request();
        this.events.rested();
    }

    /** Brings this place of the data to the middle, so many times as large as at first. */
    lookAt(center: [number, number], enlarged: number): void {
        // Before it has a size there is nothing to look at.
        if (this.view.width === 1) this.wanted = [center, enlarged];
        else this.view.lookAt(center, enlarged);
        this.request();
    }

    /** Points that can be seen now. */
    inWindow(): Uint32Array {
        return this.pointing.inWindow();
    }

    private changed(): void {
        this.movement.changed();
        this.pointing.lookAtCross();
        this.request();
    }

    private get size(): number {
        return pointSize(this.count, this.view.width, this.view.enlarged);
    }

    /** What is in the window now, in colours for light ground. */
    drawing(looks: Uint8Array = this.looks): SVGSVGElement {
        const { view, count, mask, size } = this;
        return mapDrawing({ view, count, looks, mask, size, texts: placeTexts(this.texts, view, size, widthOf) });
    }

    /** Draws before the next frame, however often it is asked to. */
    request(): void {
        this.stale = true;
        this.requestMarks();
    }

    // What lies over the points; those stay as they were drawn, for a million of them take longer than a pointer's step.
    private requestMarks(): void {
        if (this.waiting) return;
        this.waiting = true;
        requestAnimationFrame(() => this.draw());
    }

    /** Draws all of it now. */
    paint(): void {
        this.stale = true;
        this.draw();
    }

    private draw(): void {
        this.waiting = false;
        if (this.view.width === 1) return;
        const every = this.movement.frame(performance.now());
        const { size } = this;
        if (this.stale) {
            this.painter.draw({ view: this.view, size, background: this.background, every });
            this.images?.draw(this.view);
            this.pointsDrawn += 1;
        }
        this.stale = false;
        this.overlay.draw(this.view, this.names, this.pointing.marks, placeTexts(this.texts, this.view, size, widthOf));
        this.frames += 1;
    }
}
