// A panel: heading, a few words for those who see such a thing for the first time, and its content.
import { type Child, freshId, h } from "../dom.ts";
import { isolatedText, shown } from "./plain_text.ts";

export interface PanelText {
    title: string;
    words?: string;
    /** Spans the whole width. */
    wide?: boolean;
    name: string;
}

export function panel({ title, words, wide, name }: PanelText, ...content: Child[]): HTMLElement {
    const id = freshId(`panel-${name}`);
    return h(
        "section",
        { class: wide ? "panel wide" : "panel", "aria-labelledby": id, "data-panel": name },
        h("h2", { id }, isolatedText(title, 120)),
        words ? h("p", { class: "words" }, words) : null,
        ...content,
    );
}

/** The panel that `make` makes; null where there is nothing to show; where it fails, a panel that says so. */
export function panelOrNote(text: PanelText, make: () => HTMLElement | null): HTMLElement | null {
    try {
        return make();
    } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        return panel(
            text,
            h("p", { class: "fault" }, `This part of the report cannot be shown: ${shown(reason, 200)}`),
        );
    }
}
