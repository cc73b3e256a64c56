// The points of an embedding as the page asks for them: columns of coordinates, and what is known of each point.
import { columnOf, type Stored, type Unpacked, unpack, unpackTexts } from "../document/packed_array.ts";
import type { AxesData, PackedArray, PointsData } from "../document/types.ts";
import { principalAxes } from "./principal_axes.ts";
import { readTable, type TableColumn } from "./table.ts";

export const NO_ANGLE = 65535;

export interface PointLabels {
    names: string[];
    index: Stored;
}

/** What a point has beside its coordinates; what the document does not hold is null. */
export interface Details {
    isolated: Stored | null;
    /** Lengths of the inputs. */
    norm: Float32Array | null;
    /** Degrees; NaN: the point has no pair that counts. */
    angleError: Float32Array | null;
    labels: PointLabels | null;
    words: string[] | null;
    /** Columns of the table that came with the points. */
    table: TableColumn[];
    /** Rows of the input, where not all of them are shown. */
    rows: Stored | null;
}

/** Of coordinates that are only the first of the embedding's principal axes. */
export interface FirstAxes {
    /** What part of the spread along `among` axes they hold. */
    share: number;
    /** Null: all axes that the embedding has. */
    among: number | null;
}

export interface PlaneLayout {
    columns: Float32Array[];
    /** Shares of the nearest neighbours in the embedding, and in the input, that are the nearest on the plane. */
    kept: number | null;
    keptInputs: number | null;
}

export class Points {
    readonly count: number;
    readonly dimension: number;
    /** Their places on a plane, with what it keeps, where the embedding has more dimensions than can be seen. */
    layout: PlaneLayout | null = null;
    private readonly columns = new Map<number, Float32Array>();
    private readonly along = new Map<number, Float32Array>();
    private principal: ReturnType<typeof principalAxes> | null = null;

    constructor(
        private readonly coordinates: Unpacked,
        readonly details: Details,
        readonly inputDimension: number | null,
        readonly firstAxes: FirstAxes | null = null,
    ) {
        this.count = coordinates.rows;
        this.dimension = coordinates.columns;
    }

    /** Coordinate j of every point. */
    coordinate(j: number): Float32Array {
        let values = this.columns.get(j);
        if (!values) {
            values = columnOf(this.coordinates, j);
            this.columns.set(j, values);
        }
        return values;
    }

    private axes(): ReturnType<typeof principalAxes> {
        this.principal ??= principalAxes(this.count, this.dimension, (j) => this.coordinate(j));
        return this.principal;
    }

    /** Shares of the variance, largest first; of that of the whole embedding, as far as it is known. */
    variances(): number[] {
        const part = this.firstAxes?.share ?? 1;
        return this.axes().shares.map((share) => part * share);
    }

    /** Every point's place along principal axis j, measured from the mean. */
    principalCoordinate(j: number): Float32Array {
        let values = this.along.get(j);
        if (!values) {
            values = this.axes().project(j);
            this.along.set(j, values);
        }
        return values;
    }

    /** The name of point i's label, or null. */
    labelOf(i: number): string | null {
        const labels = this.details.labels;
        return labels ? (labels.names[labels.index[i]!] ?? null) : null;
    }

    /** The row of the input that point i is, from 0. */
    rowOf(i: number): number {
        return this.details.rows?.[i] ?? i;
    }

    /** The point that is row `row` of the input; -1: it is not shown. */
    atRow(row: number): number {
        const rows = this.details.rows;
        if (rows) return rows.indexOf(row);
        return row < this.count ? row : -1;
    }

    /** Whether the embedding has other dimensions than those that these axes show; each axis has one key. */
    hasMoreThan(axes: string[]): boolean {
        return this.firstAxes !== null || this.dimension > new Set(axes.filter((key) => key !== "")).size;
    }

    /** Whether the input of point i is the zero vector, which has no direction. */
    isZero(i: number): boolean {
        return this.details.norm?.[i] === 0;
    }

    wordOf(i: number): string | null {
        return this.details.words?.[i] ?? null;
    }
}

type Packed = PackedArray | null | undefined;

async function column(packed: Packed, what: string, none?: number): Promise<Float32Array | null> {
    return packed ? columnOf(await unpack(packed, what), 0, none) : null;
}

// The document names no more variances than this.
const VARIANCES = 256;

/** Null where the coordinates are all that the embedding has. */
export function firstAxesOf(data: PointsData, axes?: AxesData | null): FirstAxes | null {
    const { dimension, output_dimension: all = dimension } = data;
    if (all <= dimension) return null;
    const variances = (axes?.variances ?? []).map((x) => Math.max(0, x ?? 0));
    const sum = (values: number[]) => values.reduce((total, x) => total + x, 0);
    const total = sum(variances);
    if (variances.length < dimension || total <= 0) return { share: 1, among: dimension };
    const cut = variances.length >= VARIANCES && variances.length < all;
    return { share: sum(variances.slice(0, dimension)) / total, among: cut ? variances.length : null };
}

/** Unpacks all but the images. Throws DocumentError. */
export async function readPoints(data: PointsData, axes?: AxesData | null): Promise<Points> {
    const [coordinates, layout, isolated, norm, angleError, labels, words, table, rows] = await Promise.all([
        unpack(data.coordinates, "coordinates"),
        data.layout ? unpack(data.layout.coordinates, "layout on a plane") : null,
        data.isolated ? unpack(data.isolated, "marks of isolated points") : null,
        column(data.norm, "lengths"),
        column(data.angle_error, "errors of angles", NO_ANGLE),
        data.labels ? unpack(data.labels.index, "labels") : null,
        data.words ? unpackTexts(data.words) : null,
        readTable(data.columns),
        data.rows ? unpack(data.rows, "numbers of rows") : null,
    ]);
    const details: Details = {
        isolated: isolated?.data ?? null,
        norm,
        angleError,
        labels: labels && data.labels ? { names: data.labels.names, index: labels.data } : null,
        words,
        table,
        rows: rows?.data ?? null,
    };
    const points = new Points(coordinates, details, data.input_dimension ?? null, firstAxesOf(data, axes));
    if (layout && data.layout) {
        const { kept, kept_inputs: keptInputs } = data.layout;
        points.layout = { columns: [columnOf(layout, 0), columnOf(layout, 1)], kept, keptInputs };
    }
    return points;
}
