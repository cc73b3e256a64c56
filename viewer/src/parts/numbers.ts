// Numbers as people read them.

const MISSING = "–";

function isKnown(x: number | null | undefined): x is number {
    return typeof x === "number" && Number.isFinite(x);
}

export function count(n: number): string {
    return n.toLocaleString("en-US");
}

/** 1 point, 2 points. */
export function counted(n: number, one: string, many = `${one}s`): string {
    return `${count(n)} ${n === 1 ? one : many}`;
}

export function degrees(x: number | null | undefined): string {
    if (!isKnown(x)) return MISSING;
    return `${x.toFixed(Math.abs(x) < 9.95 ? 1 : 0)}°`;
}

/** Nothing but all is 100%: 0.9996 is 99.96%. */
export function percent(x: number | null | undefined, digits = 0): string {
    if (!isKnown(x)) return MISSING;
    const rounded = (100 * x).toFixed(digits);
    return x < 1 && Number(rounded) === 100 ? `${Math.floor(10000 * x) / 100}%` : `${rounded}%`;
}

/** Measures between 0 and 1 whose last digits are compared: three decimals, and nothing but 1 is 1. */
export function fixed(x: number | null | undefined): string {
    if (!isKnown(x)) return MISSING;
    return x < 1 && x >= 0.9995 ? "0.999" : x === 1 ? "1" : x.toFixed(3);
}

/** About four figures, in whatever form is shortest. */
export function short(x: number | null | undefined): string {
    if (!isKnown(x)) return MISSING;
    if (Number.isInteger(x) && Math.abs(x) < 1e7) return count(x);
    const size = Math.abs(x);
    if (size >= 1e6 || size < 1e-3) return x.toExponential(2).replace("e+", "e");
    return String(Number(x.toPrecision(4)));
}

export function seconds(x: number | null | undefined): string {
    if (!isKnown(x)) return MISSING;
    if (x < 0.0005) return "0 s";
    // Bounds are those of the rounded number, so that nothing reads 1000 ms or 60 s of a minute.
    if (x < 0.9995) return `${Math.round(1000 * x)} ms`;
    if (x < 119.5) return `${x.toFixed(x < 9.95 ? 1 : 0)} s`;
    const whole = Math.round(x);
    return `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

export function bytes(x: number | null | undefined): string {
    if (!isKnown(x)) return MISSING;
    const units = ["bytes", "KB", "MB", "GB", "TB"];
    let size = x;
    let unit = 0;
    for (; size >= 999.5 && unit < units.length - 1; unit++) size /= 1000;
    return `${size.toFixed(unit > 0 && size < 9.95 ? 1 : 0)} ${units[unit]}`;
}
