import assert from "node:assert/strict";
import { test } from "node:test";
import { pointSize } from "../../../src/scatter/point_size.ts";

test("more points are smaller, on small screens too", () => {
    const sizes = [10, 1000, 10000, 30000, 100000].map((count) => pointSize(count, 900));
    assert.deepEqual(
        [...sizes].sort((a, b) => b - a),
        sizes,
    );
    assert.ok(pointSize(10000, 400) < pointSize(10000, 900));
});

test("enlarged they grow, slower than the picture and to an end; made smaller they stay", () => {
    assert.equal(pointSize(10000, 900, 0.2), pointSize(10000, 900));
    assert.ok(pointSize(10000, 900, 4) > 1.5 * pointSize(10000, 900));
    assert.ok(pointSize(10000, 900, 4) < 4 * pointSize(10000, 900));
    assert.ok(pointSize(10000, 900, 200) <= 14);
});
