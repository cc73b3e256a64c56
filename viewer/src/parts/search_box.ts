// The search field: a number, a word or a label leads to points.
import { freshId, h } from "../dom.ts";
import type { Explorer } from "../pages/explorer.ts";
import type { ClassColumn } from "../points/columns.ts";
import { classGroup } from "../points/group.ts";
import { type Hit, search, searchable } from "../points/search.ts";
import { count, counted } from "./numbers.ts";
import { isolatedText, shown } from "./plain_text.ts";
import { pointName } from "./point_name.ts";

function hint({ points }: Explorer, columns: ClassColumn[]): string {
    const kinds = columns.slice(0, 2).map(({ name }) => shown(name.toLowerCase(), 16));
    if (points.details.words) kinds.push("word");
    kinds.push("number");
    return `Find a ${kinds.join(", ").replace(/, ([^,]*)$/, " or $1")}`;
}

export class SearchBox {
    readonly element: HTMLElement;
    private readonly input: HTMLInputElement;
    private readonly list: HTMLUListElement;
    private readonly nothing = h("p", { class: "hits none", hidden: true }, "Nothing found.");
    private hits: Hit[] = [];
    private active = -1;

    private readonly columns: ClassColumn[];

    /** `found` is told the points that the list shows, whenever it changes; `goTo` those that were chosen. */
    constructor(
        private readonly explorer: Explorer,
        private readonly found: (points: number[]) => void,
        private readonly goTo: (points: ArrayLike<number>) => void,
    ) {
        this.columns = searchable(explorer.columns);
        const listId = freshId("hits");
        this.list = h("ul", { id: listId, role: "listbox", class: "hits", "aria-label": "Found", hidden: true });
        this.input = h("input", {
            type: "search",
            class: "search",
            role: "combobox",
            "aria-controls": listId,
            "aria-expanded": "false",
            "aria-autocomplete": "list",
            "aria-keyshortcuts": "/",
            autocomplete: "off",
            spellcheck: "false",
            placeholder: `${hint(explorer, this.columns)}  ( / )`,
            "aria-label": hint(explorer, this.columns),
            input: () => this.typed(),
            keydown: (event: KeyboardEvent) => this.key(event),
        });
        this.element = h("div", { class: "search-box" }, this.input, this.list, this.nothing);
        this.element.addEventListener("focusout", (event) => {
            if (!this.element.contains(event.relatedTarget as Node | null)) this.close();
        });
    }

    focus(): void {
        this.input.focus();
        this.input.select();
    }

    private typed(): void {
        this.hits = search(this.explorer.points, this.columns, this.input.value);
        this.active = -1;
        const empty = this.input.value.trim() !== "" && this.hits.length === 0;
        this.list.replaceChildren(...this.hits.map((hit, i) => this.item(hit, i)));
        this.nothing.hidden = !empty;
        this.explorer.said.set(
            empty ? "Nothing found." : this.hits.length > 0 ? `${count(this.hits.length)} found` : "",
        );
        this.list.hidden = this.hits.length === 0;
        this.input.setAttribute("aria-expanded", String(!this.list.hidden));
        this.input.removeAttribute("aria-activedescendant");
        this.found(this.hits.flatMap((hit) => (hit.kind === "point" ? [hit.point] : [])));
    }

    private item(hit: Hit, place: number): HTMLElement {
        const text =
            hit.kind === "class"
                ? this.named(hit.column.name, hit.name, counted(hit.count, "point"))
                : hit.column
                  ? this.named(hit.column, hit.name, `#${count(this.explorer.points.rowOf(hit.point))}`)
                  : pointName(this.explorer, hit.point, 40);
        return h(
            "li",
            {
                id: `${this.list.id}-${place}`,
                role: "option",
                "aria-selected": "false",
                mousedown: (event: Event) => event.preventDefault(),
                click: () => this.choose(hit),
            },
            text,
        );
    }

    private named(column: string, name: string, number: string): HTMLElement {
        return h(
            "span",
            {},
            isolatedText(column === "Label" ? "label" : column, 20),
            " ",
            h("strong", {}, isolatedText(name, 40)),
            h("span", { class: "number" }, ` ${number}`),
        );
    }

    private key(event: KeyboardEvent): void {
        const closed = this.list.hidden && this.hits.length > 0;
        if (closed && ["ArrowDown", "ArrowUp", "Enter"].includes(event.key)) {
            // What cannot be seen is not chosen.
            event.preventDefault();
            this.typed();
        } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
            event.preventDefault();
            this.activate(this.active + (event.key === "ArrowDown" ? 1 : -1));
        } else if (event.key === "Enter") {
            const hit = this.hits[Math.max(0, this.active)];
            this.choose(hit);
            if (hit) this.explorer.attention.set({ on: hit.kind === "point" ? "point" : "group" });
        } else if (event.key === "Escape") {
            // The browser's own clearing comes with an event that this one is not.
            event.preventDefault();
            this.input.value = "";
            this.typed();
            this.input.blur();
        }
    }

    private activate(place: number): void {
        if (this.hits.length === 0) return;
        this.active = (place + this.hits.length) % this.hits.length;
        Array.from(this.list.children).forEach((item, i) => {
            item.setAttribute("aria-selected", String(i === this.active));
            if (i === this.active) item.scrollIntoView({ block: "nearest" });
        });
        this.input.setAttribute("aria-activedescendant", `${this.list.id}-${this.active}`);
    }

    private choose(hit: Hit | undefined): void {
        if (!hit) return;
        if (hit.kind === "point") {
            this.explorer.pick(hit.point);
            this.goTo([hit.point]);
        } else {
            const group = classGroup(hit.column, hit.label);
            this.explorer.group.set(group);
            this.goTo(group.members);
        }
        this.input.setAttribute("aria-description", `${count(this.hits.length)} found`);
        this.close();
    }

    private close(): void {
        this.list.hidden = true;
        this.nothing.hidden = true;
        this.input.setAttribute("aria-expanded", "false");
        this.found([]);
    }
}
