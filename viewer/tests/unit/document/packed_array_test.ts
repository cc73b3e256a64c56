import assert from "node:assert/strict";
import { test } from "node:test";
import { columnOf, gunzip, unpack } from "../../../src/document/packed_array.ts";
import { DocumentError } from "../../../src/document/read_document.ts";
import { pack, packText } from "../../fixtures/packing.ts";

test("each type comes back as it was", async () => {
    for (const data of [
        Uint8Array.of(1, 255),
        Uint16Array.of(1, 65535),
        Uint32Array.of(7, 4294967295),
        Float32Array.of(0.5, -2),
    ]) {
        const array = await unpack(pack(data, [2]), "numbers");
        assert.deepEqual([array.rows, array.columns], [2, 1]);
        assert.deepEqual(Array.from(array.data), Array.from(data));
    }
});

test("columns have their own scale and offset, and none is NaN", async () => {
    const packed = pack(Uint16Array.of(0, 10, 65535, 20), [2, 2], { scale: [0.5, 2], offset: [1, -1] });
    const array = await unpack(packed, "numbers");
    assert.deepEqual(Array.from(columnOf(array, 0, 65535)), [1, Number.NaN]);
    assert.deepEqual(Array.from(columnOf(array, 1)), [19, 39]);
});

test("one scale serves all columns, and none given leaves numbers as stored", async () => {
    const array = await unpack(pack(Uint8Array.of(3, 4), [1, 2], { scale: 2 }), "numbers");
    assert.deepEqual([columnOf(array, 0)[0], columnOf(array, 1)[0]], [6, 8]);
    assert.equal(columnOf(await unpack(pack(Uint8Array.of(9), [1]), "numbers"), 0)[0], 9);
});

test("damage is told, with what is damaged", async () => {
    const packed = pack(Uint16Array.of(1, 2, 3), [3]);
    await assert.rejects(
        unpack({ ...packed, shape: [4] }, "lengths"),
        (error) => error instanceof DocumentError && /lengths hold 6 bytes, and 8/.test(error.message),
    );
    await assert.rejects(unpack({ ...packed, gzip: packed.gzip.slice(0, 20) }, "lengths"), DocumentError);
    await assert.rejects(unpack({ ...packed, gzip: "%%%" }, "lengths"), DocumentError);
    await assert.rejects(unpack({ ...packed, type: "float64" as "float32" }, "lengths"), DocumentError);
});

test("text comes back in any script", async () => {
    const words = ["wörd", "שלום", "😀"];
    assert.deepEqual(JSON.parse(new TextDecoder().decode(await gunzip(packText(words).gzip))), words);
});

test("no points are no array", async () => {
    const array = await unpack(pack(new Uint16Array(0), [0, 3]), "coordinates");
    assert.deepEqual([array.rows, columnOf(array, 2).length], [0, 0]);
});
