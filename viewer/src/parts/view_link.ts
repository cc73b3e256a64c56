// What one looks at as the end of the page's address: a link to it shows the same.

/** What a link tells; what is not told stays as it is at first. */
export interface ViewState {
    axes?: string[];
    color?: string;
    picked?: number;
    label?: number;
    /** Middle of the screen in data, and how much larger than at first; of flat pictures alone. */
    center?: [number, number];
    enlarged?: number;
}

const DIGITS = 6;

function numbers(text: string | null): number[] {
    return text === null ? [] : text.split(",").map((part) => (part === "" ? Number.NaN : Number(part)));
}

/** "axes=p0,p1&color=kept&point=17&at=0.1,0.2,4" */
export function writeState({ axes, color, picked, label, center, enlarged }: ViewState): string {
    const parts: string[] = [];
    if (axes) parts.push(`axes=${axes.join(",")}`);
    if (color) parts.push(`color=${color}`);
    if (picked !== undefined && picked >= 0) parts.push(`point=${picked}`);
    if (label !== undefined) parts.push(`label=${label}`);
    if (center && enlarged !== undefined) {
        parts.push(`at=${[...center, enlarged].map((x) => Number(x.toPrecision(DIGITS))).join(",")}`);
    }
    return parts.join("&");
}

/** Anybody may have written the link: what is not of this form is passed over. */
export function readState(hash: string): ViewState {
    const given = new URLSearchParams(hash.replace(/^#/, ""));
    const state: ViewState = {};
    const axes = given.get("axes");
    if (axes && /^([pcm]\d{1,4}|)(,([pcm]\d{1,4}|)){0,2}$/.test(axes)) state.axes = axes.split(",");
    const color = given.get("color");
    if (color && /^[a-z_]{1,20}\d{0,4}$/.test(color)) state.color = color;
    const [picked] = numbers(given.get("point"));
    if (picked !== undefined && Number.isInteger(picked) && picked >= 0) state.picked = picked;
    const [label] = numbers(given.get("label"));
    if (label !== undefined && Number.isInteger(label) && label >= 0) state.label = label;
    const at = numbers(given.get("at"));
    if (at.length === 3 && at.every(Number.isFinite) && at[2]! > 0) {
        state.center = [at[0]!, at[1]!];
        state.enlarged = at[2]!;
    }
    return state;
}
