// The command that made a report. It may be long: the keyboard can scroll it.
import { h } from "../dom.ts";
import { isolatedText } from "./plain_text.ts";

export function commandLine(command: string): HTMLElement {
    return h(
        "p",
        { class: "command", tabindex: 0, role: "region", "aria-label": "Command" },
        h("code", {}, isolatedText(command, 1000)),
    );
}
