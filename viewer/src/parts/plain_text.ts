// Words and labels come from anywhere. They are shown as text: cut where too long, in one line, their direction of
// writing kept to themselves, and never read as markup.
import { h } from "../dom.ts";

export const LONGEST = 60;
const LONGEST_TITLE = 300;

// Characters that turn the direction of what follows: in attributes and titles no element keeps them to themselves.
const TURNS = /[\u202A-\u202E\u2066-\u2069]/g;
// Of nothing but these a text cannot be seen. U+2800 is Braille without a dot.
const INVISIBLE = /^[\s\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*$/u;

/** At most `limit` characters of this text in one line, an ellipsis for what is left out. */
export function shown(given: string, limit = LONGEST): string {
    // Whatever a document holds in place of a text.
    const text = String(given);
    // Cut first: nothing is gained by cleaning ten thousand characters.
    const characters = Array.from(text.slice(0, 4 * limit));
    const cut = characters.length > limit || text.length > 4 * limit;
    const kept = cut ? `${characters.slice(0, limit - 1).join("")}…` : text;
    // Control characters, and half of a surrogate pair, have no shape of their own.
    const clean = kept
        .replace(/[\p{Cc}\p{Cs}]/gu, " ")
        .replace(TURNS, "\uFFFD")
        .replace(/\s+/g, " ")
        .trim();
    return INVISIBLE.test(clean) ? "(empty)" : clean;
}

/** An element that holds this text; directions of writing in it end with it. */
export function isolatedText(text: string, limit = LONGEST): HTMLElement {
    const short = shown(text, limit);
    return h("bdi", { title: short.endsWith("…") ? shown(text, LONGEST_TITLE) : null }, short);
}
