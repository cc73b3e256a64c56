// Elements made by hand. Text enters the page here and in parts/plain_text.ts only, always as text, never as markup.

export type Child = Node | string | null | undefined | false;
type Value = string | number | boolean | null | undefined | ((event: never) => void);

const SVG = "http://www.w3.org/2000/svg";

function furnish(element: Element, attributes: Record<string, Value>, children: Child[]): void {
    for (const [name, value] of Object.entries(attributes)) {
        if (value === null || value === undefined || value === false) continue;
        if (typeof value === "function") element.addEventListener(name, value as (event: Event) => void);
        else element.setAttribute(name, value === true ? "" : String(value));
    }
    for (const child of children) if (child) element.append(child);
}

/** An HTML element; functions among the attributes are listeners of that event, false and null leave one out. */
export function h<K extends keyof HTMLElementTagNameMap>(
    tag: K,
    attributes: Record<string, Value> = {},
    ...children: Child[]
): HTMLElementTagNameMap[K] {
    const element = document.createElement(tag);
    furnish(element, attributes, children);
    return element;
}

/** The same for SVG. */
export function s<K extends keyof SVGElementTagNameMap>(
    tag: K,
    attributes: Record<string, Value> = {},
    ...children: Child[]
): SVGElementTagNameMap[K] {
    const element = document.createElementNS(SVG, tag);
    furnish(element, attributes, children);
    return element;
}

let made = 0;

/** An id that nothing else on the page has. */
export function freshId(stem: string): string {
    made += 1;
    return `${stem}-${made}`;
}
