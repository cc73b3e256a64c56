// What is pointed at, picked and drawn around, by pointer or by the keyboard's cross: the marks of the picture.
import type { Marks } from "./overlay.ts";
import { nearestPoint, type Outline, pointsInside } from "./picking.ts";
import type { View } from "./view.ts";

export interface PointingEvents {
    /** -1: none. Place in pixels of the picture. `atCross`: the keyboard came upon it. */
    hover(point: number, x: number, y: number, atCross: boolean): void;
    pick(point: number): void;
    lasso(members: Uint32Array): void;
    escape(): void;
}

const REACH = 14;

export class Pointing {
    readonly marks: Marks = { hovered: -1, picked: -1, links: [], found: [], lasso: [], crosshair: false };
    /** 1 for points that can be pointed at; null: all can. */
    passing: Uint8Array | null = null;
    /** Whether a point is being picked in the picture itself. */
    picking = false;

    constructor(
        private readonly view: View,
        private readonly count: number,
        private readonly events: PointingEvents,
        /** Asks for the picture to be drawn again. */
        private readonly request: () => void,
    ) {}

    setHovered(point: number, x = 0, y = 0, atCross = false): void {
        if (point !== this.marks.hovered) {
            this.marks.hovered = point;
            this.request();
        }
        this.events.hover(point, x, y, atCross);
    }

    hover(x: number, y: number): void {
        this.setHovered(nearestPoint(this.view, this.count, x, y, REACH, this.passing), x, y);
    }

    pick(x: number, y: number): void {
        const point = nearestPoint(this.view, this.count, x, y, REACH, this.passing);
        this.setHovered(point, x, y);
        this.pickInPlace(point);
    }

    private pickInPlace(point: number): void {
        this.picking = true;
        this.events.pick(point);
        this.picking = false;
    }

    lasso(outline: Outline, done: boolean): void {
        this.marks.lasso = done ? [] : outline;
        if (done && outline.length > 2) this.events.lasso(pointsInside(this.view, this.count, outline, this.passing));
        this.request();
    }

    inWindow(): Uint32Array {
        const { width, height } = this.view;
        const corners: Outline = [
            [0, 0],
            [width, 0],
            [width, height],
            [0, height],
        ];
        return pointsInside(this.view, this.count, corners, this.passing);
    }

    private nearMiddle(): number {
        const { width, height } = this.view;
        return nearestPoint(this.view, this.count, width / 2, height / 2, Math.max(width, height), this.passing);
    }

    key(name: "Enter" | "Escape"): void {
        if (name === "Enter") this.pickInPlace(this.nearMiddle());
        else this.events.escape();
    }

    setCrosshair(on: boolean): void {
        if (this.marks.crosshair === on) return;
        this.marks.crosshair = on;
        if (!on) this.setHovered(-1);
        this.request();
    }

    lookAtCross(): void {
        if (!this.marks.crosshair) return;
        const point = this.nearMiddle();
        const [x, y] = point >= 0 ? this.view.projectPoint(point) : [0, 0];
        this.setHovered(point, x, y, true);
    }
}
