// The page of one embedding: the picture first, then what there is to say of it.
import type { EmbeddingDocument } from "../document/types.ts";
import { type Child, h } from "../dom.ts";
import { densityPanel, histogramPanel } from "../panels/angle_panels.ts";
import { groupPanel } from "../panels/group_panel.ts";
import { headline, madeSentence, verdictLines, warningList } from "../panels/headline.ts";
import { pointPanel } from "../panels/point_panel.ts";
import { qualityPanel } from "../panels/quality_panel.ts";
import { dimensionPanel, runPanel, spectrumPanel, tracePanel } from "../panels/run_panels.ts";
import { suspectsPanel } from "../panels/suspects_panel.ts";
import { panelOrNote } from "../parts/panel.ts";
import { nearnessOf, readNeighbors } from "../points/neighbors.ts";
import { readPoints } from "../points/points.ts";
import { thumbnailsOf } from "../points/thumbnails.ts";
import { Explorer } from "./explorer.ts";
import { pageFrame } from "./page_frame.ts";
import { Picture } from "./picture.ts";
import { followAddress } from "./view_address.ts";

function panels(data: EmbeddingDocument, density: HTMLElement | null): Child[] {
    const made = (name: string, title: string, make: (data: EmbeddingDocument) => HTMLElement | null) =>
        panelOrNote({ name, title }, () => make(data));
    const angles = nearnessOf(data.neighbors) === "angle";
    return [
        made("quality", "How far to believe it", qualityPanel),
        // A map that goes by distance has no meaningful angles, and of two or three dimensions a spectrum tells nothing.
        angles ? made("angles", "Angles between points", histogramPanel) : null,
        angles ? density : null,
        made("dimension", "Neighbours kept, by dimension", dimensionPanel),
        made("trace", "Course of the run", tracePanel),
        angles || data.points.dimension > 3 ? made("spectrum", "Spectrum", spectrumPanel) : null,
    ];
}

// What was asked for last stands on top: the point, else the group, else how far to believe the picture.
function aside(explorer: Explorer, data: EmbeddingDocument): HTMLElement {
    const element = h(
        "div",
        { class: "aside" },
        groupPanel(explorer),
        panelOrNote({ name: "verdict", title: "In short" }, () => verdictLines(data.verdict)),
        panelOrNote({ name: "warnings", title: "Warnings" }, () => warningList(warningsOf(data))),
        pointPanel(explorer),
        panelOrNote({ name: "suspects", title: "Where to look first" }, () => suspectsPanel(explorer)),
    );
    explorer.picked.follow((point) => element.classList.toggle("point-first", point >= 0));
    return element;
}

// Each sentence once, whichever part of the document it stands in.
function warningsOf({ warnings, points }: EmbeddingDocument): string[] {
    return [...new Set([...(warnings ?? []), ...(points.images_left_out ? [points.images_left_out] : [])])];
}

// "/" leads to the search from anywhere but a field, and Escape takes back.
function keys(explorer: Explorer, picture: Picture): void {
    document.addEventListener("keydown", (event) => {
        const target = event.target as Element;
        if (
            event.defaultPrevented ||
            event.ctrlKey ||
            event.metaKey ||
            event.altKey ||
            target.closest("input, select, textarea")
        )
            return;
        if (event.key === "/") {
            event.preventDefault();
            picture.focusSearch();
        } else if (event.key === "Escape" && !target.closest(".scatter")) explorer.escape();
    });
}

// Images are unpacked when all else is there, and nobody waits for them.
function laterImages(explorer: Explorer): void {
    const idle = window.requestIdleCallback ?? ((act: () => void) => setTimeout(act, 200));
    idle(() => explorer.thumbnails?.ready().catch(() => undefined));
}

export interface EmbeddingPage {
    element: HTMLElement;
    picture: Picture;
    explorer: Explorer;
}

/** Throws DocumentError where the points themselves cannot be read; other parts that cannot leave a note in their place. */
export async function embeddingPage(data: EmbeddingDocument): Promise<EmbeddingPage> {
    const damaged = (error: unknown) =>
        panelOrNote({ name: "density", title: "Angle before against angle after" }, () => {
            throw error;
        });
    const [points, neighbors, density] = await Promise.all([
        readPoints(data.points, data.axes),
        readNeighbors(data.neighbors).catch(() => null),
        densityPanel(data).catch(damaged),
    ]);
    const explorer = new Explorer(points, neighbors, thumbnailsOf(data.points));
    const picture = new Picture(explorer);
    const element = pageFrame(
        { title: data.title, made: data.made, subtitle: madeSentence(data) },
        h("div", { class: "explorer" }, picture.element, aside(explorer, data)),
        panelOrNote({ name: "headline", title: "In short" }, () => headline(data)),
        h("div", { class: "panels" }, ...panels(data, density)),
        panelOrNote({ name: "run", title: "What was run" }, () => runPanel(data)),
    );
    keys(explorer, picture);
    followAddress(explorer, picture);
    laterImages(explorer);
    return { element, picture, explorer };
}
