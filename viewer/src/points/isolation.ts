// How much a point's place can mean: that of an isolated one says little, and a zero vector has no direction at all.
import type { Points } from "./points.ts";

export const ISOLATION = ["has near points", "isolated", "zero vector"];

/** For each point its place in ISOLATION; null where the report does not say which are isolated. */
export function isolationOf(points: Points): Uint8Array | null {
    const { isolated } = points.details;
    if (!isolated) return null;
    return Uint8Array.from({ length: points.count }, (_, i) => (points.isZero(i) ? 2 : isolated[i] ? 1 : 0));
}
