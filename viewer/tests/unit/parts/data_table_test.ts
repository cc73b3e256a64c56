import assert from "node:assert/strict";
import { test } from "node:test";
import { bestOf, chartNumbers, columnFormat } from "../../../src/parts/data_table.ts";

test("numbers of a column have the same decimals, as many as one of them needs", () => {
    const format = columnFormat([1, 1.86, 14.27, null, "text"]);
    assert.deepEqual([1, 1.86, 14.27].map(format), ["1.00", "1.86", "14.27"]);
    assert.equal(columnFormat([5000, 12])(5000), "5,000");
    assert.equal(columnFormat([1e-9, 0.5])(1e-9), "1.00e-9");
});

test("the best is what is written best, so that ties are marked alike, and nothing is where all are", () => {
    const format = (value: number) => value.toFixed(1);
    assert.equal(bestOf([1, 2.01, 2.04, null], "high", format), "2.0");
    assert.equal(bestOf([1, 2, null], "low", format), "1.0");
    assert.equal(bestOf([2.01, 2.04], "high", format), null);
    assert.equal(bestOf([1, 2], null, format), null);
    assert.equal(bestOf([null], "low", format), null);
});

test("a chart's numbers are rows by x, with gaps where a series has none", () => {
    const { columns, rows } = chartNumbers({
        x: { label: "d" },
        y: {},
        series: [
            {
                name: "a",
                points: [
                    [8, 2],
                    [4, 1],
                ],
            },
            {
                name: "b",
                points: [
                    [8, null],
                    [16, 3],
                ],
            },
        ],
    });
    assert.deepEqual(columns, ["d", "a", "b"]);
    assert.deepEqual(rows, [
        [4, 1, null],
        [8, 2, null],
        [16, null, 3],
    ]);
});
