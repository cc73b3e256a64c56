// The columns under the picture: which are told of the point under the pointer, and which points pass.
import { h } from "../dom.ts";
import type { Explorer } from "../pages/explorer.ts";
import { count, short } from "../parts/numbers.ts";
import { isolatedText, shown } from "../parts/plain_text.ts";
import { type ClassColumn, type Column, classSizes, type ScaleColumn, written } from "../points/columns.ts";
import type { ClassFilter, RangeFilter } from "../points/filters.ts";
import { extent } from "../scatter/extent.ts";

// More classes than these are found by typing.
const LISTED = 60;
const DAY = 86400;

function toggled<T>(set: ReadonlySet<T>, one: T): Set<T> {
    const other = new Set(set);
    if (!other.delete(one)) other.add(one);
    return other;
}

function classFilter(explorer: Explorer, column: ClassColumn): HTMLElement {
    const sizes = classSizes(column);
    const frequent = sizes
        .map((_, place) => place)
        .filter((place) => sizes[place]! > 0)
        .sort((a, b) => sizes[b]! - sizes[a]!);
    const nameOf = (place: number) => column.names[place] ?? "unknown";
    const chosen = () => (explorer.filters.value.get(column) as ClassFilter | undefined)?.chosen ?? new Set<number>();
    const box = (place: number) =>
        h(
            "li",
            {},
            h(
                "label",
                {},
                h("input", {
                    type: "checkbox",
                    checked: chosen().has(place),
                    "data-place": place,
                    change: () => explorer.filter({ column, chosen: toggled(chosen(), place) }),
                }),
                isolatedText(nameOf(place), 30),
                h("span", { class: "number" }, count(sizes[place]!)),
            ),
        );
    const list = h("ul", { class: "choices" });
    const rest = h("p", { class: "words" });
    const find = h("input", {
        type: "search",
        placeholder: "Find a value",
        "aria-label": `Find a value of ${shown(column.name)}`,
        input: () => listAll(),
    });
    const listAll = () => {
        const query = find.value.trim().toLowerCase();
        const found = frequent.filter((place) => nameOf(place).toLowerCase().includes(query));
        list.replaceChildren(...found.slice(0, LISTED).map(box));
        rest.textContent = found.length > LISTED ? `and ${count(found.length - LISTED)} more` : "";
    };
    const summary = h("summary", {});
    const details = h("details", { class: "class-filter" }, summary);
    // Boxes of ten thousand points take a while: they are made when they are asked for.
    details.addEventListener("toggle", () => {
        if (list.isConnected) return;
        details.append(...(frequent.length > 12 ? [find] : []), list, rest);
        listAll();
    });
    explorer.filters.follow(() => {
        const some = chosen();
        summary.textContent = some.size > 0 ? `${count(some.size)} of ${count(frequent.length)}` : "all";
        for (const one of list.querySelectorAll("input")) one.checked = some.has(Number(one.dataset.place));
    });
    return details;
}

// What is typed, as the column stores it: percents as shares, a day from its first to its last second.
function typed(text: string, unit: ScaleColumn["unit"], end: "low" | "high"): number | null {
    if (text === "") return null;
    if (unit === "day" || unit === "time") {
        const seconds = Date.parse(`${text}T00:00:00Z`) / 1000;
        return Number.isNaN(seconds) ? null : seconds + (end === "high" ? DAY - 0.001 : 0);
    }
    const value = Number(text) / (unit === "%" ? 100 : 1);
    if (Number.isNaN(value) || unit === "") return Number.isNaN(value) ? null : value;
    // Measures are stored in 32 bits: the end itself is included.
    const little = 1e-6 * Math.abs(value);
    return value + (end === "high" ? little : -little);
}

function rangeFilter(explorer: Explorer, column: ScaleColumn): HTMLElement {
    const { unit, name, values } = column;
    const date = unit === "day" || unit === "time";
    const [least, most] = extent(values);
    const hint = (value: number) => (unit === "%" ? short(100 * value) : date ? written(value, unit) : short(value));
    const input = (end: "low" | "high", word: string) =>
        h("input", {
            type: date ? "date" : "number",
            step: date ? null : "any",
            class: "end",
            "data-end": end,
            placeholder: hint(end === "low" ? least : most),
            title: `${word} ${shown(name)}: ${hint(least)} to ${hint(most)}`,
            "aria-label": `${word} ${shown(name)}`,
            input: () => change(),
        });
    const [low, high] = [input("low", "Least"), input("high", "Largest")];
    const change = () =>
        explorer.filter({ column, low: typed(low.value, unit, "low"), high: typed(high.value, unit, "high") });
    explorer.filters.follow((filters) => {
        const filter = filters.get(column) as RangeFilter | undefined;
        if (!filter) for (const end of [low, high]) end.value = "";
    });
    const mark = unit === "%" || unit === "°" ? ` ${unit}` : null;
    return h("div", { class: "range" }, low, "–", high, mark);
}

function row(explorer: Explorer, column: Column): HTMLElement {
    const told = h("input", {
        type: "checkbox",
        class: "told-choice",
        checked: explorer.told.value.has(column),
        change: () => explorer.told.set(toggled(explorer.told.value, column)),
    });
    return h(
        "tr",
        { "data-column": column.key },
        h("th", { scope: "row" }, h("label", {}, told, isolatedText(column.name, 30))),
        h("td", {}, column.kind === "classes" ? classFilter(explorer, column) : rangeFilter(explorer, column)),
    );
}

/** Null where nothing is known of the points. */
export function filterPanel(explorer: Explorer): HTMLElement | null {
    const { columns } = explorer;
    if (columns.length === 0) return null;
    const state = h("span", { class: "number passing" });
    const clear = h(
        "button",
        { type: "button", class: "quiet clear", click: () => explorer.filters.set(new Map()) },
        "Clear filters",
    );
    explorer.passing.follow((passing) => {
        const all = explorer.points.count;
        const pass = passing?.reduce((sum, one) => sum + one, 0) ?? all;
        state.textContent = passing ? `${count(pass)} of ${count(all)} points pass` : "";
        clear.hidden = passing === null;
        if (passing) explorer.said.set(state.textContent);
    });
    const body = h("tbody", {});
    const table = h(
        "table",
        {},
        h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Show on hover"), h("th", { scope: "col" }, "Keep"))),
        body,
    );
    const details = h(
        "details",
        { class: "filters", "data-panel": "filters" },
        h("summary", {}, "Filters and hover ", state),
        table,
        clear,
    );
    details.addEventListener("toggle", () => {
        if (body.childElementCount === 0) body.append(...columns.map((column) => row(explorer, column)));
    });
    return details;
}
