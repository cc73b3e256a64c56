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
