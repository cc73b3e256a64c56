// A share of a whole, as a bar. The number stands beside it, so it says nothing to those who hear the page.
import { s } from "../dom.ts";

/** `share` is in 0..1. */
export function shareBar(share: number): SVGSVGElement {
    const part = Math.max(0, Math.min(1, share));
    return s(
        "svg",
        { class: "share-bar", viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" },
        s("rect", { class: "whole", x: 0, y: 0, width: 100, height: 10, rx: 2 }),
        s("rect", { class: "part", x: 0, y: 0, width: Math.max(1, 100 * part), height: 10, rx: 2 }),
    );
}
