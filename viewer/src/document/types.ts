// The document that the program writes and this page reads, version 1. docs/report_data.md says what each part means.

export type NumberOrNone = number | null;

/** Numbers, packed: base64 of gzip of little-endian row-major bytes. The value is offset + scale * stored. */
export interface PackedArray {
    type: "uint8" | "uint16" | "uint32" | "float32" | "float64";
    shape: number[];
    gzip: string;
    scale?: number | number[];
    offset?: number | number[];
}

export interface Labels {
    names: string[];
    index: PackedArray;
}

/** What else is known of points: numbers, dates in seconds since 1970, or texts; NaN, and the number of names: unknown. */
export type ColumnData =
    | { name: string; kind: "number" | "date"; values: PackedArray }
    | { name: string; kind: "text"; names: { gzip: string }; index: PackedArray };

export interface Made {
    program?: string;
    date?: string;
    command?: string;
    machine?: string;
    memory_bytes?: NumberOrNone;
    seconds?: NumberOrNone;
    /** Seconds of each phase, where nothing was run but the report itself. */
    phases?: Record<string, NumberOrNone>;
}

export interface TraceEntry {
    iteration: number;
    objective: NumberOrNone;
    change?: NumberOrNone;
    seconds?: NumberOrNone;
}

export interface Run {
    method: string;
    options?: Record<string, unknown>;
    seed?: number;
    threads?: number;
    termination?: string;
    message?: string;
    seconds?: Record<string, NumberOrNone>;
    counts?: Record<string, NumberOrNone>;
    measures?: Record<string, NumberOrNone>;
    trace?: TraceEntry[];
}

export interface PointsData {
    count: number;
    input_dimension?: number;
    dimension: number;
    /** Where the coordinates are only the first of the embedding's principal axes: how many numbers it has itself. */
    output_dimension?: number;
    coordinates: PackedArray;
    /** Where not all points are shown: the row of each in the input, and how many there are. */
    rows?: PackedArray | null;
    points_in_all?: number;
    /** Coordinates of more than three numbers on a plane, and what it keeps of the nearest in them and in the input. */
    layout?: { coordinates: PackedArray; kept: NumberOrNone; kept_inputs: NumberOrNone } | null;
    isolated?: PackedArray | null;
    norm?: PackedArray | null;
    angle_error?: PackedArray | null;
    labels?: Labels | null;
    words?: { gzip: string } | null;
    columns?: ColumnData[] | null;
    images?: { width: number; height: number; pixels: PackedArray; levels?: number } | null;
    images_left_out?: string | null;
}

export interface NeighborList {
    index: PackedArray;
    angle_in?: PackedArray | null;
    angle_out?: PackedArray | null;
    /** In place of angles, where neighbours are by distance. */
    distance_in?: PackedArray | null;
    distance_out?: PackedArray | null;
}

export interface Quality {
    rows: { name: string; measures: Record<string, NumberOrNone> }[];
    /** Points that recall was taken over, and those of them that keep fewest neighbours, by their numbers in the files. */
    rank_rows?: number;
    worst_points?: { point: number; kept: number }[];
    /** By the measures' names what they would be if coordinates were exchanged at random. */
    chance?: Record<string, NumberOrNone>;
    /** Rank correlation of how far pairs lie in the input and in the embedding. */
    pair_correlation?: NumberOrNone;
}

/** Phrases with their numbers. */
export interface Verdict {
    good: string[];
    fair: string[];
    /** Good or fair, but the baseline does better. */
    outdone?: string[];
    poor: string[];
    /** No better than chance, as far as these points show. */
    chance?: string[];
    /** "PCA to 2 dimensions"; empty where there is none. */
    baseline?: string;
}

export interface Angles {
    edges_degrees: number[];
    input: number[];
    embedding: number[];
    sampled_pairs?: number;
    density?: { edges_degrees: number[]; counts: PackedArray } | null;
}

export interface AxesData {
    variances: NumberOrNone[];
}

export interface EmbeddingDocument {
    format: "isogon-report";
    version: number;
    kind: "embedding";
    title?: string;
    made?: Made;
    run?: Run | null;
    warnings?: string[];
    points: PointsData;
    /** `by`: what makes points near in the embedding; `by_input`: in the input, where that differs. Correlation is the
     * angle of rows less their means. */
    neighbors?: {
        k: number;
        by?: "angle" | "distance";
        by_input?: "angle" | "distance" | "correlation";
        input: NeighborList;
        embedding: NeighborList;
    } | null;
    verdict?: Verdict | null;
    quality?: Quality | null;
    threshold?: NumberOrNone;
    sparsity?: NumberOrNone;
    /** Variances along the principal axes of the embedding itself, descending, the first 256 at most. */
    axes?: AxesData | null;
    angles?: Angles | null;
    spectrum?: { name: string; values: number[] } | null;
}

export interface TableData {
    title?: string;
    columns: string[];
    rows: (string | number | null)[][];
    /** Of each column which numbers are best, and beside them what chance would give. */
    best?: ("high" | "low" | null)[] | null;
    chance?: (string | number | null)[] | null;
    note?: string | null;
}

export interface Axis {
    label?: string;
    scale?: "linear" | "log";
    /** From where to where at least: charts that share it are compared at a glance. */
    range?: [number, number] | null;
}

export type Role = "ours" | "published" | "baseline" | "other";

export interface Series {
    name: string;
    role?: Role;
    points: [NumberOrNone, NumberOrNone][];
}

export interface ChartData {
    title?: string;
    x: Axis;
    y: Axis;
    series: Series[];
    note?: string | null;
}

export interface MapData {
    title?: string;
    coordinates: PackedArray;
    labels?: Labels | null;
}

export interface ChartsDocument {
    format: "isogon-report";
    version: number;
    kind: "charts";
    title?: string;
    made?: Made;
    warnings?: string[];
    notes?: string[];
    tables?: TableData[];
    charts?: ChartData[];
    maps?: MapData[] | null;
}

export type ReportDocument = EmbeddingDocument | ChartsDocument;
