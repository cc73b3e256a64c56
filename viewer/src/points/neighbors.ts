// Nearest neighbours by angle, before and after: which were kept, which were lost, which were invented.
import { type Unpacked, unpack } from "../document/packed_array.ts";
import type { EmbeddingDocument, NeighborList } from "../document/types.ts";
import { NO_ANGLE } from "./points.ts";

const NO_POINT = 4294967295;

/** kept: in both lists; lost: near in the input only; invented: near in the embedding only. */
export type Fate = "kept" | "lost" | "invented";

export interface Neighbor {
    point: number;
    /** Degrees; NaN where not known. */
    angleIn: number;
    angleOut: number;
    fate: Fate;
}

export interface BothLists {
    input: Neighbor[];
    embedding: Neighbor[];
}

interface OneSide {
    index: Unpacked;
    angleIn: Unpacked | null;
    angleOut: Unpacked | null;
}

function valueAt(array: Unpacked | null, row: number, column: number): number {
    const stored = array?.data[row * array.columns + column];
    if (!array || stored === undefined || stored === NO_ANGLE) return Number.NaN;
    return array.offset(column) + array.scale(column) * stored;
}

export class Neighbors {
    readonly k: number;

    constructor(
        private readonly input: OneSide,
        private readonly embedding: OneSide,
    ) {
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
            const angleIn = valueAt(side.angleIn, i, j);
            const angleOut = valueAt(side.angleOut, i, j);
            found.push({ point, angleIn, angleOut, fate: elsewhere.has(point) ? "kept" : missing });
        }
        return found;
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
    const angle = (packed: NeighborList["angle_in"]) =>
        packed ? unpack(packed, `neighbours' angles (${where})`) : null;
    const [index, angleIn, angleOut] = await Promise.all([
        unpack(list.index, `neighbours (${where})`),
        angle(list.angle_in),
        angle(list.angle_out),
    ]);
    return { index, angleIn, angleOut };
}

export async function readNeighbors(data: EmbeddingDocument["neighbors"]): Promise<Neighbors | null> {
    if (!data) return null;
    const [input, embedding] = await Promise.all([
        readSide(data.input, "input"),
        readSide(data.embedding, "embedding"),
    ]);
    return new Neighbors(input, embedding);
}
