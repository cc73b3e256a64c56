// From values to pixels, and where ticks stand.

export interface Scale {
    log: boolean;
    /** Pixel of a value. */
    at(value: number): number;
    ticks: number[];
    /** Whether the value has a place: on a logarithmic scale only positive ones do. */
    holds(value: number | null | undefined): value is number;
}

// A round number, of which `wanted` fit into the span.
function roundStep(span: number, wanted: number): number {
    const rough = span / wanted;
    const power = 10 ** Math.floor(Math.log10(rough));
    return [1, 2, 2.5, 5, 10].map((m) => m * power).find((candidate) => candidate >= rough * 0.999) ?? 10 * power;
}

/** About `wanted` round numbers from low to high. */
export function linearTicks(low: number, high: number, wanted = 5, step = roundStep(high - low, wanted)): number[] {
    if (!(high > low)) return [low];
    const ticks: number[] = [];
    for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; k++)
        ticks.push(Number((k * step).toPrecision(12)));
    return ticks;
}

/** Powers of ten, and between them 2 and 5 where there are few; of many powers every so-manyth. */
export function logTicks(low: number, high: number): number[] {
    const first = Math.floor(Math.log10(low) + 1e-9);
    const last = Math.ceil(Math.log10(high) - 1e-9);
    const within = (value: number) => value >= low * 0.999 && value <= high * 1.001;
    const powers = last - first;
    const every = Math.max(1, Math.ceil(powers / 6));
    const factors = powers <= 3 ? [1, 2, 5] : [1];
    const ticks: number[] = [];
    for (let power = first; power <= last; power += every) {
        for (const factor of factors) ticks.push(Number((factor * 10 ** power).toPrecision(12)));
    }
    const kept = ticks.filter(within);
    return kept.length > 1 ? kept : [low, high];
}

/** Ticks of which the first is at or below `low` and the last at or above `high`. */
export function roundTicks(low: number, high: number, log: boolean, wanted = 5): number[] {
    if (!log) {
        const step = roundStep(high - low, wanted);
        return linearTicks(step * Math.floor(low / step + 1e-9), step * Math.ceil(high / step - 1e-9), wanted, step);
    }
    const first = Math.floor(Math.log10(low) + 1e-9);
    const powers = Math.ceil(Math.log10(high) - 1e-9) - first;
    // Of many powers only every so-manyth has a tick, and the last of them ends the scale.
    const every = Math.max(1, Math.ceil(powers / 6));
    const ticks = logTicks(10 ** first, 10 ** (first + every * Math.ceil(powers / every)));
    const from = ticks.findLastIndex((tick) => tick <= low * 1.001);
    return ticks.slice(from, 1 + ticks.findIndex((tick) => tick >= high * 0.999));
}

const MOST_OWN = 8;

function makeScale(log: boolean, domain: [number, number], ticks: number[], range: [number, number]): Scale {
    const place = (value: number) => (log ? Math.log10(value) : value);
    const [low, high] = [place(domain[0]), place(domain[1])];
    return {
        log,
        ticks,
        at: (value) => range[0] + ((place(value) - low) / (high - low || 1)) * (range[1] - range[0]),
        holds: (value): value is number => typeof value === "number" && Number.isFinite(value) && (!log || value > 0),
    };
}

export interface ScaleWish {
    log?: boolean;
    /** Zero belongs on the scale. */
    fromZero?: boolean;
    /** Ticks here, where these are few. */
    ticks?: number[];
    /** Ticks at whole numbers only. */
    whole?: boolean;
    /** A tick at either end, beyond all values: how high the highest is can be read. */
    round?: boolean;
    /** These ends exactly. */
    ends?: [number, number];
}

/** A scale on which all these values have a place, over pixels `range`. */
export function scaleOver(values: (number | null)[], range: [number, number], wish: ScaleWish = {}): Scale {
    const known = values.filter((x): x is number => typeof x === "number" && Number.isFinite(x));
    const log = wish.log === true && known.some((x) => x > 0);
    const [low, high] = ends(known, log, wish);
    const wanted = Math.max(2, Math.min(6, Math.floor(Math.abs(range[1] - range[0]) / 45)));
    if (wish.round) {
        const ticks = roundTicks(low, high, log, wanted);
        return makeScale(log, [ticks[0]!, ticks.at(-1)!], ticks, range);
    }
    const own = wish.ticks && wish.ticks.length > 0 && wish.ticks.length <= MOST_OWN ? wish.ticks : null;
    const ticks = own ?? (log ? logTicks(low, high) : linearTicks(low, high, wanted));
    const kept = wish.whole ? ticks.filter(Number.isInteger) : ticks;
    return makeScale(log, [low, high], kept, range);
}

// Apart, also where there is one value or none.
function ends(known: number[], log: boolean, wish: ScaleWish): [number, number] {
    let [low, high] = wish.ends ?? extremes(log ? known.filter((x) => x > 0) : known);
    if (wish.fromZero && !log) [low, high] = [Math.min(0, low), Math.max(0, high)];
    if (low < high) return [low, high];
    if (log) return [low / 2, high * 2];
    return [low - (Math.abs(low) || 1) / 2, high + (Math.abs(high) || 1) / 2];
}

function extremes(values: number[]): [number, number] {
    if (values.length === 0) return [0, 1];
    return [values.reduce((a, b) => Math.min(a, b)), values.reduce((a, b) => Math.max(a, b))];
}
