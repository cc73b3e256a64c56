// One point and its nearest neighbours, in the input and in the embedding, side by side.
import { type Child, h } from "../dom.ts";
import type { Explorer } from "../pages/explorer.ts";
import { counted, degrees, short } from "../parts/numbers.ts";
import { pointName, thumbnail } from "../parts/point_name.ts";
import { chanceWords } from "../points/chance.ts";
import type { Fate, Nearness, Neighbor } from "../points/neighbors.ts";

const FATE_TEXT: Record<Fate, string> = { kept: "", lost: "lost", invented: "invented" };
const FATE_WORDS: Record<Fate, string> = {
    kept: "near before and after",
    lost: "near in the input, no longer among the nearest in the embedding",
    invented: "near in the embedding, but not among the nearest in the input",
};

/** How far a neighbour is, as that side measures it. */
const FAR: Record<Nearness, (far: number) => string> = { angle: degrees, distance: short };

/** What makes points near in the input, and in the embedding. */
interface Sides {
    input: Nearness;
    embedding: Nearness;
}

function row(explorer: Explorer, { point, farIn, farOut, fate }: Neighbor, by: Sides): HTMLElement {
    return h(
        "li",
        { class: fate, "data-point": point, "data-fate": fate },
        h(
            "button",
            { type: "button", class: "neighbor", title: FATE_WORDS[fate], click: () => explorer.pick(point) },
            thumbnail(explorer, point, "small"),
            h(
                "span",
                { class: "neighbor-text" },
                pointName(explorer, point, 18),
                h("span", { class: "angles" }, `${FAR[by.input](farIn)} → ${FAR[by.embedding](farOut)}`),
            ),
            fate === "kept" ? null : h("span", { class: `fate ${fate}` }, FATE_TEXT[fate]),
        ),
    );
}

function list(explorer: Explorer, where: keyof Sides, neighbors: Neighbor[], by: Sides): HTMLElement {
    const items = neighbors.map((neighbor) => row(explorer, neighbor, by));
    return h(
        "div",
        { class: "neighbor-list" },
        h("h3", {}, `in the ${where}, by ${by[where]}`),
        items.length > 0 ? h("ol", {}, ...items) : h("p", { class: "words" }, "It has none there."),
    );
}

function facts(explorer: Explorer, point: number): HTMLElement {
    const { points } = explorer;
    const { isolated, norm, angleError } = points.details;
    const entries: Child[] = [];
    const add = (name: string, value: string) => entries.push(h("div", {}, h("dt", {}, name), h("dd", {}, value)));
    if (angleError && explorer.neighbors?.by !== "distance")
        add("its small angles are off by", degrees(angleError[point]));
    if (norm) add("its length", short(norm[point]));
    const caution = points.isZero(point)
        ? "Zero vector: it has no direction that could be kept, so its position is not informative."
        : isolated?.[point] && explorer.neighbors?.by !== "distance"
          ? "Isolated: nothing is near it in the input, so its position is not informative."
          : null;
    return h(
        "div",
        { class: "facts" },
        h("dl", {}, ...entries),
        caution === null ? null : h("p", { class: "caution" }, caution),
    );
}

// Whether it lies among points of its label, which may well be where the nearest are others than before.
function labelWords({ points }: Explorer, point: number, nearest: Neighbor[]): string {
    const label = points.labelOf(point);
    if (label === null || nearest.length === 0) return "";
    const alike = nearest.filter((other) => points.labelOf(other.point) === label).length;
    return ` ${alike} of its ${counted(nearest.length, "nearest", "nearest")} in the embedding ${alike === 1 ? "has" : "have"} its label.`;
}

const ZERO = "This input is zero: it has no direction, so no neighbours by angle.";

function neighborhood(explorer: Explorer, point: number): Child[] {
    const embedding = explorer.neighbors?.by ?? "angle";
    const by: Sides = { input: explorer.neighbors?.byInput ?? embedding, embedding };
    if (by.input === "angle" && explorer.points.isZero(point)) return [h("p", { class: "words" }, ZERO)];
    const lists = explorer.listsOf(point);
    if (!lists) return [h("p", { class: "words" }, "This report holds no lists of neighbours.")];
    const kept = lists.input.filter(({ fate }) => fate === "kept").length;
    return [
        h(
            "p",
            { class: "kept-sentence" },
            `${kept} of its ${counted(lists.input.length, "nearest neighbour")} in the input ${kept === 1 ? "is" : "are"} among the nearest in the embedding. ${chanceWords(kept, lists.input.length, explorer.points.count)}${labelWords(explorer, point, lists.embedding)}`,
        ),
        h("h3", { class: "lists-title" }, "Nearest"),
        h(
            "div",
            { class: "both-lists" },
            list(explorer, "input", lists.input, by),
            list(explorer, "embedding", lists.embedding, by),
        ),
        h(
            "p",
            { class: "words" },
            `Each row says how far that point is: ${explorer.neighbors?.inputWords ?? by.input} in the input → ${by.embedding} in the embedding. Lines in the picture lead to them: whole ones to the kept, dashed ones to the lost, dotted ones to the invented.`,
        ),
    ];
}

/** How to begin, shown while no point is picked. */
function invitation(explorer: Explorer): Child[] {
    const steps = [
        "Point at a dot to see what it is.",
        explorer.neighbors
            ? "Click one to compare its nearest neighbours before and after: the lost and the invented ones are marked."
            : "Click one to read what is known of it.",
        "Draw a lasso around a group to see what is in it.",
    ];
    // Of an embedding that is all in the picture this would not be true.
    if (explorer.points.hasMoreThan(explorer.axes.value))
        steps.push(
            `Dots that lie close together here may lie apart in the other dimensions${explorer.neighbors ? ": the lists tell, the picture cannot" : ""}.`,
        );
    return [h("h2", {}, "Ask any point"), h("ul", { class: "steps" }, ...steps.map((step) => h("li", {}, step)))];
}

function pickedPoint(explorer: Explorer, point: number): Child[] {
    const close = h(
        "button",
        { type: "button", class: "quiet", "aria-label": "Close this point", click: () => explorer.picked.set(-1) },
        "×",
    );
    return [
        h(
            "header",
            { class: "point-head" },
            thumbnail(explorer, point, "large"),
            h(
                "div",
                { class: "point-title" },
                h("h2", { tabindex: -1 }, pointName(explorer, point, 40)),
                facts(explorer, point),
            ),
            close,
        ),
        ...neighborhood(explorer, point),
    ];
}

export function pointPanel(explorer: Explorer): HTMLElement {
    const element = h("section", {
        class: "panel side-panel",
        "data-panel": "point",
        "aria-label": "The point picked",
    });
    const show = (point: number) => {
        const content = point < 0 ? invitation(explorer) : pickedPoint(explorer, point);
        element.replaceChildren(...content.filter((child): child is Node | string => Boolean(child)));
        element.dataset.point = point < 0 ? "" : String(point);
    };
    explorer.picked.follow((point) => {
        const held = element.contains(document.activeElement);
        show(point);
        // The keyboard does not stay behind in what is no longer there.
        if (held) explorer.attention.set({ on: point < 0 ? "picture" : "point" });
    });
    explorer.axes.follow(() => {
        if (explorer.picked.value < 0) show(-1);
    });
    explorer.attention.follow((asked) => {
        if (asked?.on === "point") element.querySelector<HTMLElement>("h2")?.focus();
    });
    return element;
}
