// Points without WebGL, for browsers that lack it or switch it off: the same picture, slower.
import { OPACITY } from "../points/palette.ts";
import { CORNERS } from "../points/shapes.ts";
import type { Painter, Scene } from "./painter.ts";

function fillShape(context: CanvasRenderingContext2D, shape: number, x: number, y: number, radius: number): void {
    context.beginPath();
    const corners = CORNERS[shape] ?? [];
    if (corners.length === 0) context.arc(x, y, radius, 0, 2 * Math.PI);
    for (const [across, down] of corners) context.lineTo(x + radius * across, y + radius * down);
    context.fill();
}

export class PlainPainter implements Painter {
    private readonly context: CanvasRenderingContext2D | null;
    private count = 0;
    private looks: Uint8Array = new Uint8Array();
    private mask: Uint8Array | null = null;
    private density = 1;

    constructor(private readonly canvas: HTMLCanvasElement) {
        this.context = canvas.getContext("2d", { alpha: false });
    }

    setPlaces(columns: Float32Array[]): void {
        this.count = columns[0]?.length ?? 0;
    }

    setLooks(looks: Uint8Array): void {
        this.looks = looks;
    }

    setEmphasis(mask: Uint8Array | null): void {
        this.mask = mask;
    }

    resize(width: number, height: number, density: number): void {
        this.density = density;
        this.canvas.width = Math.round(width * density);
        this.canvas.height = Math.round(height * density);
    }

    draw({ view, size, background, every }: Scene): void {
        const { context, density } = this;
        if (!context) return;
        context.setTransform(density, 0, 0, density, 0, 0);
        context.globalAlpha = 1;
        context.fillStyle = `rgb(${background.join(",")})`;
        context.fillRect(0, 0, view.width, view.height);
        const drawThose = (emphasis: number | null, alpha: number) => {
            context.globalAlpha = alpha;
            for (let i = 0; i < this.count; i += every) {
                if (emphasis !== null && (this.mask?.[i] ?? 0) !== emphasis) continue;
                const [x, y] = view.projectPoint(i);
                const [red, green, blue, shape] = this.looks.subarray(4 * i, 4 * i + 4);
                context.fillStyle = `rgb(${red},${green},${blue})`;
                fillShape(context, shape!, x, y, size / 2);
            }
        };
        if (this.mask) {
            drawThose(0, 0.13);
            drawThose(1, OPACITY);
        } else {
            drawThose(null, OPACITY);
        }
    }
}
