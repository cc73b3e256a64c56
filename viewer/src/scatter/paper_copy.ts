// The picture on paper. What WebGL has drawn may be gone, or of another colour, when the page is printed: a copy made at
// once lies over it as long.
import { h } from "../dom.ts";

/** Before every print `paint` is called, and an image of what it drew on the canvas stands there until the print is made. */
export function copyForPaper(canvas: HTMLCanvasElement, paint: () => void): void {
    let image: HTMLImageElement | null = null;
    window.addEventListener("beforeprint", () => {
        paint();
        // In the same task: the canvas holds its drawing no longer.
        image?.remove();
        image = h("img", { class: "points", alt: "", src: canvas.toDataURL() });
        canvas.after(image);
    });
    window.addEventListener("afterprint", () => {
        image?.remove();
        image = null;
    });
}
