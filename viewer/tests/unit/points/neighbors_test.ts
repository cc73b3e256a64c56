import assert from "node:assert/strict";
import { test } from "node:test";
import { nearnessWords, readNeighbors } from "../../../src/points/neighbors.ts";
import { embeddingFixture, PLANTED } from "../../fixtures/embedding_fixture.ts";
import { pack, packDegrees } from "../../fixtures/packing.ts";

test("planted neighbours are kept, lost and invented as planted, at their angles", async () => {
    const neighbors = (await readNeighbors(embeddingFixture().neighbors!))!;
    const { input, embedding } = neighbors.of(PLANTED.point);
    assert.deepEqual(
        input.map(({ point }) => point),
        PLANTED.input,
    );
    assert.deepEqual(
        embedding.map(({ point }) => point),
        PLANTED.embedding,
    );
    assert.deepEqual(
        input.filter(({ fate }) => fate === "lost").map(({ point }) => point),
        PLANTED.lost,
    );
    assert.deepEqual(
        embedding.filter(({ fate }) => fate === "invented").map(({ point }) => point),
        PLANTED.invented,
    );
    input.forEach(({ farIn, farOut }, place) => {
        assert.ok(Math.abs(farIn - PLANTED.angleIn(place)) < 0.01 && Math.abs(farOut - PLANTED.angleOut(place)) < 0.01);
    });
});

test("a point may have fewer neighbours than others, and angles nobody knows", async () => {
    const none = 4294967295;
    const side = (lists: number[][]) => ({
        index: pack(Uint32Array.from(lists.flat()), [2, 2]),
        angle_in: packDegrees([5, Number.NaN, 7, 8], [2, 2]),
    });
    const neighbors = (await readNeighbors({
        k: 2,
        input: side([
            [1, none],
            [0, none],
        ]),
        embedding: side([
            [none, none],
            [0, none],
        ]),
    }))!;
    const lists = neighbors.of(0);
    assert.deepEqual(
        lists.input.map(({ point, fate }) => [point, fate]),
        [[1, "lost"]],
    );
    assert.deepEqual(lists.embedding, []);
    assert.ok(Number.isNaN(lists.input[0]!.farOut));
    assert.equal(neighbors.of(1).input[0]!.fate, "kept");
});

test("neighbours by distance are as far as the document says, in its scale", async () => {
    const side = (point: number) => ({
        index: pack(Uint32Array.from([point]), [1, 1]),
        distance_in: pack(Uint16Array.from([100]), [1, 1], { scale: 0.5 }),
        distance_out: pack(Uint16Array.from([3]), [1, 1], { scale: 2 }),
    });
    const neighbors = (await readNeighbors({ k: 1, by: "distance", input: side(7), embedding: side(7) }))!;
    assert.equal(neighbors.by, "distance");
    assert.deepEqual(neighbors.of(0).input, [{ point: 7, farIn: 50, farOut: 6, fate: "kept" }]);
    assert.equal((await readNeighbors(embeddingFixture().neighbors!))!.by, "angle");
});

test("correlation of the input is the angle of rows less their means", async () => {
    const data = { ...embeddingFixture().neighbors!, by: "distance" as const, by_input: "correlation" as const };
    assert.equal((await readNeighbors(data))!.byInput, "angle");
    assert.equal(
        nearnessWords(data),
        "by angle of rows less their means in the input and by distance in the embedding",
    );
    assert.equal(nearnessWords(embeddingFixture().neighbors!), "by angle");
});

test("no neighbours in the document are none", async () => {
    assert.equal(await readNeighbors(null), null);
});
