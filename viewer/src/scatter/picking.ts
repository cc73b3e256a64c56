// Which point is at a place of the screen, and which are inside a line drawn on it.
import type { View } from "./view.ts";

// Squared pixels within which a point counts as right under the pointer.
const UNDER = 9;

// Measured on the plane itself, where a million points take a few milliseconds and projecting each of them fifty.
type Mask = Uint8Array | null;

function nearestFlat(view: View, count: number, x: number, y: number, reach: number, mask: Mask): number {
    const [across, up] = [view.coordinate(0), view.coordinate(1)];
    const [wantedX, wantedY] = view.placeAt(x, y);
    let best = -1;
    let least = (reach / view.zoom) ** 2;
    for (let i = 0; i < count; i++) {
        if (mask && mask[i] === 0) continue;
        const dx = (across ? across[i]! : 0) - wantedX;
        const dy = (up ? up[i]! : 0) - wantedY;
        const square = dx * dx + dy * dy;
        if (square < least || (best < 0 && square === least)) {
            best = i;
            least = square;
        }
    }
    return best;
}

/**
 * The point nearest to (x, y) within `reach` pixels, -1 if there is none. In space the front one of those right there.
 * `mask`: 1 for points that count; null: all do.
 */
export function nearestPoint(
    view: View,
    count: number,
    x: number,
    y: number,
    reach: number,
    mask: Mask = null,
): number {
    if (!view.spatial) return nearestFlat(view, count, x, y, reach, mask);
    let best = -1;
    let least = reach * reach;
    let front = Number.NEGATIVE_INFINITY;
    for (let i = 0; i < count; i++) {
        if (mask && mask[i] === 0) continue;
        const [px, py, depth] = view.projectPoint(i);
        const square = (px - x) ** 2 + (py - y) ** 2;
        if (square > reach * reach) continue;
        // Of two points right there the eye sees the front one; one that is only near hides nothing.
        const both = square < UNDER && least < UNDER;
        const better = both ? depth > front : square < least;
        if (better || best < 0) {
            best = i;
            least = square;
            front = depth;
        }
    }
    return best;
}

export type Outline = [number, number][];

/** Whether (x, y) is inside the outline, by how often a ray crosses it. */
export function inside(outline: Outline, x: number, y: number): boolean {
    let within = false;
    for (let i = 0, j = outline.length - 1; i < outline.length; j = i++) {
        const [ax, ay] = outline[i]!;
        const [bx, by] = outline[j]!;
        if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) within = !within;
    }
    return within;
}

/** Points that count and whose place on the screen is inside the outline. */
export function pointsInside(view: View, count: number, outline: Outline, mask: Mask = null): Uint32Array {
    const xs = outline.map(([x]) => x);
    const ys = outline.map(([, y]) => y);
    const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    const found: number[] = [];
    for (let i = 0; i < count; i++) {
        if (mask && mask[i] === 0) continue;
        const [x, y] = view.projectPoint(i);
        if (x < left || x > right || y < top || y > bottom) continue;
        if (inside(outline, x, y)) found.push(i);
    }
    return Uint32Array.from(found);
}
