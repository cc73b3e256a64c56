// Several points picked out: how many, of what labels, how faithful.
import { type Child, h } from "../dom.ts";
import type { Explorer } from "../pages/explorer.ts";
import { count, counted, degrees, percent } from "../parts/numbers.ts";
import { isolatedText } from "../parts/plain_text.ts";
import { pointName, thumbnail } from "../parts/point_name.ts";
import { fileName, save } from "../parts/save.ts";
import { shareBar } from "../parts/share_bar.ts";
import { type Group, type GroupFacts, groupFacts } from "../points/group.ts";
import { groupCsv } from "./group_file.ts";

const LISTED = 24;
const LABELS = 8;

function composition(facts: GroupFacts): HTMLElement | null {
    if (facts.labels.length === 0) return null;
    const rows = facts.labels.slice(0, LABELS).map(({ name, count: many }) => {
        return h(
            "tr",
            {},
            h("th", { scope: "row" }, isolatedText(name, 24)),
            h("td", { class: "numeric" }, count(many)),
            h("td", {}, shareBar(many / facts.count), ` ${percent(many / facts.count)}`),
        );
    });
    const rest = facts.labels.length - LABELS;
    return h(
        "div",
        {},
        h("table", { class: "composition" }, h("caption", {}, "Labels"), h("tbody", {}, ...rows)),
        rest > 0 ? h("p", { class: "words" }, `and ${counted(rest, "other label")}`) : null,
    );
}

function members(explorer: Explorer, group: Group): HTMLElement {
    const items = Array.from(group.members.slice(0, LISTED), (point) =>
        h(
            "li",
            {},
            h(
                "button",
                { type: "button", class: "member", "data-point": point, click: () => explorer.pick(point) },
                thumbnail(explorer, point, "small"),
                pointName(explorer, point, 16),
            ),
        ),
    );
    const rest = group.members.length - LISTED;
    return h(
        "div",
        {},
        h("ul", { class: "members" }, ...items),
        rest > 0 ? h("p", { class: "words" }, `and ${count(rest)} more`) : null,
    );
}

function content(explorer: Explorer, group: Group): Child[] {
    const facts = groupFacts(explorer.points, group.members);
    const sentences = [`${counted(facts.count, "point")}.`];
    if (facts.meanAngleError !== null && explorer.neighbors?.by !== "distance")
        sentences.push(
            `Their small angles are off by ${degrees(facts.meanAngleError)} on average (pairs of different points counted).`,
        );
    const shares = explorer.neighbors?.keptShares(explorer.points.count);
    if (shares) {
        const known = Array.from(group.members, (i) => shares[i]!).filter((share) => !Number.isNaN(share));
        const mean = known.reduce((sum, share) => sum + share, 0) / Math.max(1, known.length);
        if (known.length > 0) sentences.push(`They keep ${percent(mean)} of their nearest neighbours.`);
    }
    if (facts.isolated && explorer.neighbors?.by !== "distance")
        sentences.push(`${count(facts.isolated)} of them isolated.`);
    return [
        h(
            "header",
            { class: "point-head" },
            h("div", { class: "point-title" }, h("h2", { tabindex: -1 }, isolatedText(group.title, 50))),
            h(
                "button",
                {
                    type: "button",
                    class: "quiet",
                    "aria-label": "Let all points stand out again",
                    click: () => explorer.group.set(null),
                },
                "×",
            ),
        ),
        h("p", { class: "group-facts" }, sentences.join(" ")),
        h(
            "button",
            {
                type: "button",
                class: "save",
                click: () =>
                    save(
                        new Blob([groupCsv(explorer.points, explorer.columns, group.members)], { type: "text/csv" }),
                        fileName(group.title, "csv"),
                    ),
            },
            "Save as CSV",
        ),
        composition(facts),
        members(explorer, group),
    ];
}

export function groupPanel(explorer: Explorer): HTMLElement {
    const element = h("section", {
        class: "panel side-panel",
        "data-panel": "group",
        "aria-label": "The points selected",
    });
    explorer.group.follow((group) => {
        const held = element.contains(document.activeElement);
        element.hidden = group === null;
        element.dataset.count = String(group?.members.length ?? 0);
        if (group)
            element.replaceChildren(
                ...content(explorer, group).filter((child): child is Node => child instanceof Node),
            );
        // The keyboard does not stay behind in what is no longer there.
        else if (held) explorer.attention.set({ on: "picture" });
    });
    explorer.attention.follow((asked) => {
        if (asked?.on === "group") element.querySelector("h2")?.focus();
    });
    return element;
}
