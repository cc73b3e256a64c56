// How large points are drawn.

/** Diameter of a point in pixels: fewer points are larger, and enlarged they grow, slower than what is between them. */
export function pointSize(count: number, width: number, enlarged = 1): number {
    const roomy = count < 300 ? 9 : count < 3000 ? 7 : count < 12000 ? 5 : count < 40000 ? 4 : 3;
    const size = width < 500 ? Math.max(2.5, 0.75 * roomy) : roomy;
    return Math.min(Math.max(size, 14), size * Math.max(1, enlarged) ** 0.4);
}
