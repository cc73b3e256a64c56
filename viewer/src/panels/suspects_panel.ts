// Where to look first, beside the picture while nothing is picked: the worst points, and the labels most confused.
import { type Child, h } from "../dom.ts";
import type { Explorer } from "../pages/explorer.ts";
import { count, percent } from "../parts/numbers.ts";
import { isolatedText, shown } from "../parts/plain_text.ts";
import { pointName, thumbnail } from "../parts/point_name.ts";
import { type Confusion, confusions, worstPoints } from "../points/suspects.ts";

const WORST = 10;
const CONFUSED = 6;

function worst(explorer: Explorer): HTMLElement | null {
    const { neighbors, points } = explorer;
    const found = neighbors ? worstPoints(neighbors, points.count, WORST) : [];
    if (found.length === 0) return null;
    const items = found.map(({ point, kept }) =>
        h(
            "li",
            {},
            h(
                "button",
                { type: "button", class: "member", "data-point": point, click: () => explorer.pick(point) },
                thumbnail(explorer, point, "small"),
                pointName(explorer, point, 16),
                h("span", { class: "number" }, ` ${percent(kept)}`),
            ),
        ),
    );
    return h(
        "div",
        { "data-part": "worst" },
        h("h3", {}, `Fewest of their ${neighbors?.k ?? ""} nearest neighbours kept`),
        h("ul", { class: "members" }, ...items),
    );
}

function confusedRow(explorer: Explorer, { label, among, members, share }: Confusion): HTMLElement {
    const names = explorer.points.details.labels?.names ?? [];
    const [own, other] = [names[label] ?? "", names[among] ?? ""];
    const select = () =>
        explorer.group.set({
            key: `confused:${label}:${among}`,
            title: `${shown(own, 20)} among ${shown(other, 20)}`,
            members,
        });
    return h(
        "li",
        {},
        h(
            "button",
            { type: "button", class: "member confused", click: select },
            h("span", {}, isolatedText(own, 16), " among ", isolatedText(other, 16)),
            h("span", { class: "number" }, `${count(members.length)} (${percent(share, share < 0.0995 ? 1 : 0)})`),
        ),
    );
}

function confused(explorer: Explorer): HTMLElement | null {
    const { neighbors, points } = explorer;
    const found = neighbors ? confusions(points, neighbors, CONFUSED) : [];
    if (found.length === 0) return null;
    return h(
        "div",
        { "data-part": "confused" },
        h("h3", {}, "Labels most often among others"),
        h("ul", { class: "members one-column" }, ...found.map((one) => confusedRow(explorer, one))),
        h(
            "p",
            { class: "words" },
            "Points most of whose nearest in the embedding have that other label, and their share of the label.",
        ),
    );
}

/** Null where the report has no lists of neighbours to tell from. */
export function suspectsPanel(explorer: Explorer): HTMLElement | null {
    const parts: Child[] = [confused(explorer), worst(explorer)];
    if (parts.every((part) => !part)) return null;
    const element = h(
        "section",
        { class: "panel side-panel", "data-panel": "suspects", "aria-label": "Where to look first" },
        h("h2", {}, "Where to look first"),
        ...parts,
    );
    const show = () => {
        element.hidden = explorer.picked.value >= 0 || explorer.group.value !== null;
    };
    explorer.picked.follow(show);
    explorer.group.follow(show);
    return element;
}
