// What all pages have: title, who made it, the switch of colours, a foot.
import type { Made } from "../document/types.ts";
import { type Child, h } from "../dom.ts";
import { isolatedText, shown } from "../parts/plain_text.ts";
import { themeSwitch } from "../parts/theme.ts";

export interface PageText {
    title: string | undefined;
    subtitle: string | null;
    made: Made | undefined;
}

function foot(made: Made | undefined): HTMLElement {
    const by = [made?.program, made?.date?.slice(0, 10)].filter((part): part is string => Boolean(part)).join(", ");
    // Tables of charts may hold seconds, which mean nothing without it.
    const machine = made?.machine ? h("span", {}, " on ", isolatedText(made.machine, 120)) : null;
    return h(
        "footer",
        { class: "foot" },
        by ? h("p", {}, "Made by ", isolatedText(by, 100), machine, ".") : null,
        h("p", {}, "This page is one file; it fetches nothing and sends nothing."),
    );
}

export function pageFrame(text: PageText, ...content: Child[]): HTMLElement {
    const title = text.title ? shown(text.title, 120) : "isogon report";
    document.title = title;
    return h(
        "div",
        { class: "report" },
        h(
            "header",
            { class: "top" },
            h(
                "div",
                {},
                h("h1", {}, isolatedText(title, 120)),
                text.subtitle ? h("p", { class: "subtitle" }, text.subtitle) : null,
            ),
            themeSwitch(),
        ),
        h("main", {}, ...content),
        foot(text.made),
    );
}
