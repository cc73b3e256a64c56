// Searches for ten colours of classes and a grey that differ most: scripts/viewer tools choose_palette [SEED]
// By simulated annealing on the least distance of any two, in parts of what is wanted for that kind of vision. Prints the colours
// ordered by how far each is from those before it, the grey last, and the least distance for each vision. All stand out from
// light ground and from dark.
import { GROUND, OPACITY, type Rgb } from "../src/points/palette.ts";
import { Random } from "../tests/fixtures/random.ts";
import { contrast } from "../tests/support/contrast.ts";
import { oklab, VISIONS, type Vision } from "../tests/support/vision.ts";

const COUNT = 11;
const STEPS = 400_000;
// Where one kind of cone is missing, colours of equal contrast have two dimensions left and cannot be as far apart.
const WANTED: Record<Vision, number> = { all: 0.16, protanopia: 0.09, deuteranopia: 0.09, tritanopia: 0.065 };
const LIGHTNESS = [0.4, 0.8] as const;
// The grey is grey: so far from the axis of greys at most.
const GREY = [0.48, 0.7] as const;
const GREY_CHROMA = 0.02;
const CHROMA = [0.09, 0.32] as const;
// With all cones dots are told apart by hue sooner than by lightness, and hues can be named.
const LIGHTNESS_COUNTS = 0.7;

interface Candidate {
    color: Rgb;
    places: Rgb[];
}

function candidate(color: Rgb): Candidate {
    return { color, places: VISIONS.map((vision) => oklab(color, vision)) };
}

function nearness(a: Candidate, b: Candidate): number {
    let least = Number.POSITIVE_INFINITY;
    for (let v = 0; v < VISIONS.length; v++) {
        const [x, y] = [a.places[v]!, b.places[v]!];
        const lighter = (x[0] - y[0]) * (v === 0 ? LIGHTNESS_COUNTS : 1);
        const apart = Math.hypot(lighter, x[1] - y[1], x[2] - y[2]) / WANTED[VISIONS[v]!];
        if (apart < least) least = apart;
    }
    return least;
}

function allowed({ color, places }: Candidate, place: number): boolean {
    for (const ground of Object.values(GROUND)) {
        const drawn = color.map((x, c) => OPACITY * x + (1 - OPACITY) * ground[c]!) as Rgb;
        if (contrast(drawn, ground) < 3.02) return false;
    }
    const [lightness, a, b] = places[0]!;
    const grey = place === COUNT - 1;
    const [least, most] = grey ? GREY : LIGHTNESS;
    if (lightness < least || lightness > most) return false;
    const chroma = Math.hypot(a, b);
    return grey ? chroma < GREY_CHROMA : chroma > CHROMA[0] && chroma < CHROMA[1];
}

// The smaller, the better: pairs that are near weigh by far the most.
function cost(set: Candidate[], place: number): number {
    let sum = 0;
    for (let i = 0; i < set.length; i++) if (i !== place) sum += nearness(set[i]!, set[place]!) ** -12;
    return sum;
}

function drawnAtRandom(random: Random, place: number): Candidate {
    for (;;) {
        const grey = Math.floor(256 * random.uniform());
        const color = [0, 1, 2].map(() => (place === COUNT - 1 ? grey : Math.floor(256 * random.uniform()))) as Rgb;
        const found = candidate(color);
        if (allowed(found, place)) return found;
    }
}

function search(seed: number): Candidate[] {
    const random = new Random(seed);
    const set = Array.from({ length: COUNT }, (_, place) => drawnAtRandom(random, place));
    for (let step = 0; step < STEPS; step++) {
        const heat = 1 - step / STEPS;
        const place = random.below(COUNT);
        const reach = 2 + 60 * heat * heat;
        const before = set[place]!;
        const color = before.color.map((x) =>
            Math.min(255, Math.max(0, Math.round(x + reach * random.normal()))),
        ) as Rgb;
        const after = candidate(color);
        if (!allowed(after, place)) continue;
        const old = cost(set, place);
        set[place] = after;
        const ratio = cost(set, place) / old;
        if (ratio > 1 && random.uniform() > ratio ** (-1 / (0.01 + heat * heat))) set[place] = before;
    }
    return set;
}

/** Each next colour is the one farthest from those before it and from the grey: few classes differ most. */
function ordered(set: Candidate[]): Candidate[] {
    const grey = set.at(-1)!;
    const left = set.slice(0, -1);
    const chosen: Candidate[] = [];
    while (left.length > 0) {
        const far = left.map((one) => Math.min(...[grey, ...chosen].map((other) => nearness(one, other))));
        chosen.push(...left.splice(far.indexOf(Math.max(...far)), 1));
    }
    return [...chosen, grey];
}

const hex = (color: Rgb) => `#${color.map((x) => x.toString(16).padStart(2, "0")).join("")}`;

function leastOf(set: Candidate[], v: number): string {
    const pairs = set.flatMap((a, i) => set.slice(0, i).map((b) => [a.places[v]!, b.places[v]!] as const));
    return Math.min(...pairs.map(([x, y]) => Math.hypot(x[0] - y[0], x[1] - y[1], x[2] - y[2]))).toFixed(3);
}

const found = ordered(search(Number(process.argv[2] ?? 1)));
console.log(found.map(({ color }) => hex(color)).join(" "));
console.log(VISIONS.map((vision, v) => `${vision} ${leastOf(found, v)}`).join(", "));
