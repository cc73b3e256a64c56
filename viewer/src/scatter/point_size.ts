// How large points are drawn.

/** Diameter of a point in pixels: fewer points are larger. */
export function pointSize(count: number, width: number): number {
    const roomy = count < 300 ? 9 : count < 3000 ? 7 : count < 12000 ? 5 : count < 40000 ? 4 : 3;
    return width < 500 ? Math.max(2.5, 0.75 * roomy) : roomy;
}
