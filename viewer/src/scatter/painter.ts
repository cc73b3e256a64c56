// What draws points, by WebGL or without it.
import type { View } from "./view.ts";

export interface Scene {
    view: View;
    /** Diameter in pixels. */
    size: number;
    background: [number, number, number];
    /** 1 draws all points, 2 every second one, and so on. */
    every: number;
}

export interface Painter {
    /** Two or three columns. */
    setPlaces(columns: Float32Array[]): void;
    /** Red, green, blue, shape for each point. */
    setLooks(looks: Uint8Array): void;
    /** 1 for points that stand out while all others step back; null: all are alike. */
    setEmphasis(mask: Uint8Array | null): void;
    /** Pixels of the page, and how many of the screen's each of them is. */
    resize(width: number, height: number, density: number): void;
    draw(scene: Scene): void;
}
