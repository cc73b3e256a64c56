// The points' own images, unpacked when first wanted, and drawn into small canvases.
import { type Unpacked, unpack } from "../document/packed_array.ts";
import type { PointsData } from "../document/types.ts";

type PointImages = NonNullable<PointsData["images"]>;

export class Thumbnails {
    private pixels: Promise<Unpacked> | null = null;

    constructor(private readonly images: PointImages) {}

    get width(): number {
        return this.images.width;
    }

    get height(): number {
        return this.images.height;
    }

    /** Unpacks all of them, once. */
    ready(): Promise<Unpacked> {
        this.pixels ??= unpack(this.images.pixels, "images");
        return this.pixels;
    }

    private readonly kept = new Map<number, HTMLCanvasElement>();
    private here = false;

    /** Image i as it is; null while all of them are unpacked, after which `later` is called. */
    of(i: number, later: () => void): HTMLCanvasElement | null {
        if (!this.here) {
            this.ready().then(
                () => {
                    this.here = true;
                    later();
                },
                () => undefined,
            );
            return null;
        }
        let canvas = this.kept.get(i);
        if (!canvas) {
            // As many as a window shows, a few times over.
            if (this.kept.size > 2000) this.kept.clear();
            canvas = document.createElement("canvas");
            this.kept.set(i, canvas);
            this.draw(canvas, i).then(later, () => undefined);
        }
        return canvas;
    }

    /** Draws image i into a canvas, white on black as stored. */
    async draw(canvas: HTMLCanvasElement, i: number): Promise<void> {
        const { data } = await this.ready();
        const size = this.width * this.height;
        const brightest = (this.images.levels ?? 256) - 1;
        canvas.width = this.width;
        canvas.height = this.height;
        const context = canvas.getContext("2d");
        if (!context) return;
        const picture = context.createImageData(this.width, this.height);
        for (let p = 0; p < size; p++) {
            const grey = Math.round((255 * (data[i * size + p] ?? 0)) / brightest);
            picture.data.set([grey, grey, grey, 255], 4 * p);
        }
        context.putImageData(picture, 0, 0);
    }
}

export function thumbnailsOf(data: PointsData): Thumbnails | null {
    return data.images ? new Thumbnails(data.images) : null;
}
