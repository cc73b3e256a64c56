// Where a point of the plane or of space is on the screen: an orthographic view that can be moved, turned and enlarged.

import { extent, usualExtent } from "./extent.ts";

export type Matrix3 = [number, number, number, number, number, number, number, number, number];

/** Coordinates of the points along two or three axes. */
export type Columns = Float32Array[];

const UPRIGHT: Matrix3 = [1, 0, 0, 0, 1, 0, 0, 0, 1];

/** Product of two matrices given by rows. */
export function product(a: Matrix3, b: Matrix3): Matrix3 {
    const c = new Array<number>(9).fill(0);
    for (let i = 0; i < 3; i++) {
        for (let j = 0; j < 3; j++) for (let k = 0; k < 3; k++) c[3 * i + j]! += a[3 * i + k]! * b[3 * k + j]!;
    }
    return c as Matrix3;
}

// Coordinates come in 65,536 steps: enlarged much further than this, the steps are what one sees.
const LARGEST = 200;
const SMALLEST = 0.1;
// Of a line of points a frame is no line.
const FLATTEST = 0.25;
const TALLEST = 2;

/** Pixels at the edges of the window in which no point is at first. */
export interface Margins {
    top: number;
    bottom: number;
}

export class View {
    width = 1;
    height = 1;
    /** Pixels for a unit of length. */
    zoom = 1;
    rotation: Matrix3 = UPRIGHT;
    /** What the view turns about, in data. */
    middle: [number, number, number] = [0, 0, 0];
    /** What is in the middle of the screen's free part, after turning. */
    center: [number, number] = [0, 0];
    /** Half the extent of the points in depth, for shading by depth. */
    radius = 1;
    margins: Margins = { top: 0, bottom: 0 };
    private home = 1;
    /** Least size, of that at first. */
    private smallest = SMALLEST;
    private columns: Columns = [];
    /** From where to where the points lie along each axis, outliers left out. */
    private usual: [number, number][] = [];
    /** Points that lie far from all others: outside the window at first. */
    outliers = 0;

    /** How much larger than at first. */
    get enlarged(): number {
        return this.zoom / this.home;
    }

    get spatial(): boolean {
        return this.columns.length > 2;
    }

    /** Shows other coordinates, all of them. */
    show(columns: Columns): void {
        this.columns = columns;
        this.usual = columns.map(usualExtent);
        this.middle = [0, 1, 2].map((d) => {
            const [low, high] = this.usual[d] ?? [0, 0];
            return (low + high) / 2;
        }) as typeof this.middle;
        this.radius = this.farthest() || 1;
        this.outliers = this.countOutliers();
        this.reset();
    }

    private isUsual(i: number): boolean {
        return this.columns.every((column, d) => column[i]! >= this.usual[d]![0] && column[i]! <= this.usual[d]![1]);
    }

    private countOutliers(): number {
        let outside = 0;
        const count = this.columns[0]?.length ?? 0;
        for (let i = 0; i < count; i++) if (!this.isUsual(i)) outside += 1;
        return outside;
    }

    // How far a point is from the middle at most: nothing but outliers leaves the window when the view is turned.
    private farthest(): number {
        let most = 0;
        const count = this.columns[0]?.length ?? 0;
        for (let i = 0; i < count; i++) {
            let square = 0;
            for (let d = 0; d < this.columns.length; d++) square += (this.columns[d]![i]! - this.middle[d]!) ** 2;
            if (square > most && this.isUsual(i)) most = square;
        }
        return Math.sqrt(most);
    }

    /** Height by width of a frame that the points fill; in space that of a ball, which fits however it is turned. */
    get shape(): number {
        if (this.spatial) return 1;
        const [across, up] = this.usual.map(([low, high]) => high - low);
        const shape = (up ?? 0) / (across ?? 0);
        return Math.min(TALLEST, Math.max(FLATTEST, Number.isFinite(shape) ? shape : 1));
    }

    // The zoom at which all points but outliers are in the window.
    private fitting(): number {
        const free = this.height - this.margins.top - this.margins.bottom;
        if (this.spatial) return (0.5 * Math.min(this.width, free)) / this.radius;
        const spans = this.usual.map(([low, high]) => Math.max(1e-30, high - low));
        const zoom = 0.92 * Math.min(this.width / (spans[0] ?? 1), free / (spans[1] ?? 1));
        return zoom < 1e12 ? zoom : 1;
    }

    /** Shows all points, outliers too. */
    showAll(): void {
        this.reset();
        if (this.outliers > 0) this.frame(null, 0, 1);
    }

    /**
     * Brings these points to the middle, as large as fits, within so many times the size at first; null: all points. Of a
     * single point the size is the most.
     */
    frame(points: ArrayLike<number> | null, least = 1, most = 12): void {
        const count = points?.length ?? this.columns[0]?.length ?? 0;
        if (count === 0) return;
        const [xs, ys] = [new Float32Array(count), new Float32Array(count)];
        for (let i = 0; i < count; i++)
            [xs[i], ys[i]] = this.projectPoint(points ? points[i]! : i) as [number, number, number];
        const [[left, right], [top, bottom]] = [xs, ys].map(points ? usualExtent : extent) as [number, number][];
        const [atX, atY] = this.origin;
        this.move(atX - (left! + right!) / 2, atY - (top! + bottom!) / 2);
        const free = this.height - this.margins.top - this.margins.bottom;
        const factor =
            0.9 * Math.min(this.width / Math.max(1e-6, right! - left!), free / Math.max(1e-6, bottom! - top!));
        this.zoom = Math.min(most * this.home, Math.max(least * this.home, this.zoom * factor));
        this.smallest = Math.min(SMALLEST, this.enlarged);
    }

    /** Back to all points but outliers, seen as at first. A first look at space is from a little above and aside. */
    reset(): void {
        this.rotation = UPRIGHT;
        if (this.spatial) this.turn(-0.5, 0.35);
        this.center = [0, 0];
        this.home = this.fitting();
        this.zoom = this.home;
    }

    /** A window of other size, in which as much is shown as before. */
    resize(width: number, height: number, margins: Margins = this.margins): void {
        this.width = width;
        this.height = height;
        this.margins = margins;
        const home = this.fitting();
        this.zoom *= home / this.home;
        this.home = home;
    }

    // Where on the screen `center` is.
    private get origin(): [number, number] {
        return [this.width / 2, (this.height + this.margins.top - this.margins.bottom) / 2];
    }

    /** What is in the middle of the whole screen, after turning. */
    centerOfScreen(): [number, number] {
        const [x, y] = this.origin;
        return [this.center[0] + (this.width / 2 - x) / this.zoom, this.center[1] - (this.height / 2 - y) / this.zoom];
    }

    /** x, y in pixels from the upper left corner, and depth (larger is nearer) in data. */
    project(x: number, y: number, z: number): [number, number, number] {
        const r = this.rotation;
        const [a, b, c] = [x - this.middle[0], y - this.middle[1], z - this.middle[2]];
        const across = r[0] * a + r[1] * b + r[2] * c - this.center[0];
        const up = r[3] * a + r[4] * b + r[5] * c - this.center[1];
        const depth = r[6] * a + r[7] * b + r[8] * c;
        const [atX, atY] = this.origin;
        return [atX + across * this.zoom, atY - up * this.zoom, depth];
    }

    /** The same for point i. */
    projectPoint(i: number): [number, number, number] {
        return this.project(this.columns[0]?.[i] ?? 0, this.columns[1]?.[i] ?? 0, this.columns[2]?.[i] ?? 0);
    }

    /** The coordinate along an axis that is shown; null: of all points it is zero. */
    coordinate(axis: 0 | 1 | 2): Float32Array | null {
        return this.columns[axis] ?? null;
    }

    /** Where on the plane (x, y) of the screen is: of a flat view only. */
    placeAt(x: number, y: number): [number, number] {
        const [atX, atY] = this.origin;
        return [
            (x - atX) / this.zoom + this.center[0] + this.middle[0],
            (atY - y) / this.zoom + this.center[1] + this.middle[1],
        ];
    }

    /** Brings this place, measured from the middle of the points, to the middle; so many times as large as at first. */
    lookAt(center: [number, number], enlarged: number): void {
        this.zoom = this.home * Math.min(LARGEST, Math.max(this.smallest, enlarged));
        this.center = [...center];
    }

    move(pixelsAcross: number, pixelsDown: number): void {
        this.center[0] -= pixelsAcross / this.zoom;
        this.center[1] += pixelsDown / this.zoom;
    }

    /** Enlarges, with what is at (x, y) staying there. */
    enlarge(factor: number, x = this.width / 2, y = this.height / 2): void {
        const zoom = Math.min(LARGEST * this.home, Math.max(this.smallest * this.home, this.zoom * factor));
        const change = 1 / this.zoom - 1 / zoom;
        const [atX, atY] = this.origin;
        this.center[0] += (x - atX) * change;
        this.center[1] -= (y - atY) * change;
        this.zoom = zoom;
    }

    /** Turns by radians about the screen's upright axis, then about its level one. */
    turn(sideways: number, forwards: number): void {
        const [c, s] = [Math.cos(sideways), Math.sin(sideways)];
        const [d, t] = [Math.cos(forwards), Math.sin(forwards)];
        const turned = product([c, 0, s, 0, 1, 0, -s, 0, c], this.rotation);
        this.rotation = product([1, 0, 0, 0, d, -t, 0, t, d], turned);
    }

    /** Moves as little as brings point i well into the window. */
    bringIn(i: number): void {
        const [x, y] = this.projectPoint(i);
        const margin = 0.12 * Math.min(this.width, this.height);
        const inside = (at: number, size: number) => Math.min(size - margin, Math.max(margin, at)) - at;
        this.move(inside(x, this.width), inside(y, this.height));
    }
}
