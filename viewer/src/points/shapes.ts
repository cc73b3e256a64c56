// The shapes of points as the legend and WebGL draw them, for drawings made of outlines.

// Corners of all but the circle, in halves of a point's size; y is downwards.
export const CORNERS: [number, number][][] = [
    [],
    [
        [-0.85, -0.85],
        [0.85, -0.85],
        [0.85, 0.85],
        [-0.85, 0.85],
    ],
    [
        [0, -0.87],
        [0.9, 0.77],
        [-0.9, 0.77],
    ],
    [
        [0, -1],
        [1, 0],
        [0, 1],
        [-1, 0],
    ],
];

/** A point of this half size as part of an SVG path. */
export function outline(shape: number, x: number, y: number, r: number): string {
    const corners = CORNERS[shape] ?? [];
    if (corners.length > 0)
        return `M${corners.map(([dx, dy]) => `${(x + r * dx).toFixed(1)} ${(y + r * dy).toFixed(1)}`).join("L")}Z`;
    const [radius, d] = [r.toFixed(2), (2 * r).toFixed(2)];
    return `M${(x - r).toFixed(1)} ${y.toFixed(1)}a${radius} ${radius} 0 1 0 ${d} 0a${radius} ${radius} 0 1 0 -${d} 0Z`;
}
