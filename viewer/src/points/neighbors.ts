// Nearest neighbours by angle or by distance, before and after: which were kept, which were lost, which were invented.
import { type Unpacked, unpack } from "../document/packed_array.ts";
import type { EmbeddingDocument, NeighborList } from "../document/types.ts";
import { NO_ANGLE } from "./points.ts";

const NO_POINT = 4294967295;

/** kept: in both lists; lost: near in the input only; invented: near in the embedding only. */
export type Fate = "kept" | "lost" | "invented";

export interface Neighbor {
    point: number;
    /** How far, in the input and in the embedding: degrees, or distances; NaN where not known. */
    farIn: number;
    farOut: number;
    fate: Fate;
}

/** What makes neighbours, of a whole report: its lists and its recall. */
export type Nearness = "angle" | "distance";

/** Of the embedding: a map that goes by distance has no meaningful angles and lengths. */
export function nearnessOf(data: EmbeddingDocument["neighbors"]): Nearness {
    return data?.by === "distance" ? "distance" : "angle";
}

/** Of the input, in words: the metric of the fit. */
function inputWordsOf(data: EmbeddingDocument["neighbors"]): string {
    return data?.by_input === "correlation" ? "angle of rows less their means" : (data?.by_input ?? nearnessOf(data));
}

/** "by angle", or "by angle in the input and by distance in the embedding". */
export function nearnessWords(data: EmbeddingDocument["neighbors"]): string {
    const [input, embedding] = [inputWordsOf(data), nearnessOf(data)];
    return input === embedding ? `by ${input}` : `by ${input} in the input and by ${embedding} in the embedding`;
}

export interface BothLists {
    input: Neighbor[];
    embedding: Neighbor[];
}

interface OneSide {
    index: Unpacked;
    farIn: Unpacked | null;
    farOut: Unpacked | null;
}

function valueAt(array: Unpacked | null, row: number, column: number): number {
    const stored = array?.data[row * array.columns + column];
    if (!array || stored === undefined || stored === NO_ANGLE) return Number.NaN;
    return array.offset(column) + array.scale(column) * stored;
}

export class Neighbors {
    readonly k: number;
    readonly byInput: Nearness;

    constructor(
        private readonly input: OneSide,
        private readonly embedding: OneSide,
        /** In the embedding. */
        readonly by: Nearness,
        /** In the input, in words: an angle or a distance. */
        readonly inputWords: string = by,
    ) {
        this.byInput = inputWords === "distance" ? "distance" : "angle";
        this.k = Math.max(input.index.columns, embedding.index.columns);
    }

    private static pointsOf(side: OneSide, i: number): number[] {
        const { data, columns } = side.index;
        const row = Array.from(data.subarray(i * columns, (i + 1) * columns));
        return row.filter((point) => point !== NO_POINT);
    }

    private static list(side: OneSide, other: OneSide, i: number, missing: Fate): Neighbor[] {
        const elsewhere = new Set(Neighbors.pointsOf(other, i));
        const { data, columns } = side.index;
        const found: Neighbor[] = [];
        for (let j = 0; j < columns; j++) {
            const point = data[i * columns + j]!;
            if (point === NO_POINT) continue;
            const farIn = valueAt(side.farIn, i, j);
            const farOut = valueAt(side.farOut, i, j);
            found.push({ point, farIn, farOut, fate: elsewhere.has(point) ? "kept" : missing });
        }
        return found;
    }

    /** How many of point i's nearest in the input are among its nearest in the embedding, and how many those are. */
    keptOf(i: number): { kept: number; all: number } {
        const here = Neighbors.pointsOf(this.input, i);
        const there = new Set(Neighbors.pointsOf(this.embedding, i));
        return { kept: here.filter((point) => there.has(point)).length, all: here.length };
    }

    /** Nearest in the embedding, nearest first. */
    nearestOf(i: number): number[] {
        return Neighbors.pointsOf(this.embedding, i);
    }

    private shares: Float32Array | null = null;

    /** For each of `count` points the share of its nearest that is kept; NaN where it has none. */
    keptShares(count: number): Float32Array {
        this.shares ??= Float32Array.from({ length: count }, (_, i) => {
            const { kept, all } = this.keptOf(i);
            return all > 0 ? kept / all : Number.NaN;
        });
        return this.shares;
    }

    /** Both lists of point i, nearest first. */
    of(i: number): BothLists {
        return {
            input: Neighbors.list(this.input, this.embedding, i, "lost"),
            embedding: Neighbors.list(this.embedding, this.input, i, "invented"),
        };
    }
}

async function readSide(list: NeighborList, where: string): Promise<OneSide> {
    const far = (packed: NeighborList["angle_in"]) =>
        packed ? unpack(packed, `how far neighbours are (${where})`) : null;
    const [index, farIn, farOut] = await Promise.all([
        unpack(list.index, `neighbours (${where})`),
        far(list.angle_in ?? list.distance_in),
        far(list.angle_out ?? list.distance_out),
    ]);
    return { index, farIn, farOut };
}

export async function readNeighbors(data: EmbeddingDocument["neighbors"]): Promise<Neighbors | null> {
    if (!data) return null;
    const [input, embedding] = await Promise.all([
        readSide(data.input, "input"),
        readSide(data.embedding, "embedding"),
    ]);
    return new Neighbors(input, embedding, nearnessOf(data), inputWordsOf(data));
}
