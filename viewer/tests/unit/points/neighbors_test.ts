import assert from "node:assert/strict";
import { test } from "node:test";
import { readNeighbors } from "../../../src/points/neighbors.ts";
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
    input.forEach(({ angleIn, angleOut }, place) => {
        assert.ok(
            Math.abs(angleIn - PLANTED.angleIn(place)) < 0.01 && Math.abs(angleOut - PLANTED.angleOut(place)) < 0.01,
        );
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
    assert.ok(Number.isNaN(lists.input[0]!.angleOut));
    assert.equal(neighbors.of(1).input[0]!.fate, "kept");
});

test("no neighbours in the document are none", async () => {
    assert.equal(await readNeighbors(null), null);
});
