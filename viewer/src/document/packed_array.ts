// Packed arrays of the document, unpacked.
import { DocumentError } from "./read_document.ts";
import type { PackedArray } from "./types.ts";

export type Stored = Uint8Array | Uint16Array | Uint32Array | Float32Array | Float64Array;

/** Stored numbers of n rows, and what they mean: value = offset + scale * stored, by column. */
export interface Unpacked {
    rows: number;
    columns: number;
    data: Stored;
    scale: (column: number) => number;
    offset: (column: number) => number;
}

const MAKERS = {
    uint8: (bytes: ArrayBuffer) => new Uint8Array(bytes),
    uint16: (bytes: ArrayBuffer) => new Uint16Array(bytes),
    uint32: (bytes: ArrayBuffer) => new Uint32Array(bytes),
    float32: (bytes: ArrayBuffer) => new Float32Array(bytes),
    float64: (bytes: ArrayBuffer) => new Float64Array(bytes),
};
const WIDTHS = { uint8: 1, uint16: 2, uint32: 4, float32: 4, float64: 8 };

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
    // Several times faster than atob, where the browser has it.
    const quick = (Uint8Array as unknown as { fromBase64?: (text: string) => Uint8Array<ArrayBuffer> }).fromBase64;
    if (quick) return quick.call(Uint8Array, text);
    const binary = atob(text);
    const bytes = new Uint8Array(binary.length);
    for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
    return bytes;
}

/** The bytes that this base64 text of a gzip file holds. */
export async function gunzip(text: string): Promise<ArrayBuffer> {
    const stream = new Blob([fromBase64(text)]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Response(stream).arrayBuffer();
}

function byColumn(given: number | number[] | undefined, otherwise: number): (column: number) => number {
    if (Array.isArray(given)) return (column) => given[column] ?? otherwise;
    return () => given ?? otherwise;
}

/** The list of texts that is packed so. */
export async function unpackTexts({ gzip }: { gzip: string }): Promise<string[]> {
    const list: unknown = JSON.parse(new TextDecoder().decode(await gunzip(gzip)));
    return Array.isArray(list) ? list.map(String) : [];
}

/** `what` names the array in messages. Throws DocumentError where bytes and shape disagree. */
export async function unpack(packed: PackedArray, what: string): Promise<Unpacked> {
    const make = MAKERS[packed.type];
    const rows = packed.shape[0] ?? 0;
    const columns = packed.shape.slice(1).reduce((product, extent) => product * extent, 1);
    if (!make) throw new DocumentError(`The report's ${what} are of type "${packed.type}", which is unknown here.`);
    let bytes: ArrayBuffer;
    try {
        bytes = await gunzip(packed.gzip);
    } catch {
        throw new DocumentError(`The report's ${what} cannot be unpacked: the file is damaged.`);
    }
    if (bytes.byteLength !== rows * columns * WIDTHS[packed.type]) {
        throw new DocumentError(
            `The report's ${what} hold ${bytes.byteLength} bytes, and ${rows * columns * WIDTHS[packed.type]} were ` +
                "announced: the file is damaged.",
        );
    }
    return { rows, columns, data: make(bytes), scale: byColumn(packed.scale, 1), offset: byColumn(packed.offset, 0) };
}

/** Column by its number as values. A stored `none` becomes NaN. */
export function columnOf(array: Unpacked, column: number, none?: number): Float32Array {
    const { rows, columns, data } = array;
    const scale = array.scale(column);
    const offset = array.offset(column);
    const values = new Float32Array(rows);
    for (let i = 0, at = column; i < rows; i++, at += columns) {
        const stored = data[at]!;
        values[i] = stored === none ? Number.NaN : offset + scale * stored;
    }
    return values;
}
