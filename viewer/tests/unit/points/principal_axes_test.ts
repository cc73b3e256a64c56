import assert from "node:assert/strict";
import { test } from "node:test";
import { principalAxes, symmetricEigenpairs } from "../../../src/points/principal_axes.ts";
import { Random } from "../../fixtures/random.ts";

function symmetric(size: number, random: Random): Float64Array[] {
    const a = Array.from({ length: size }, () => Float64Array.from({ length: size }, () => random.normal()));
    return a.map((row, i) => row.map((x, j) => x + a[j]![i]!));
}

test("eigenpairs satisfy their equation, in descending order, with unit vectors at right angles", () => {
    for (const size of [1, 2, 5, 12]) {
        const a = symmetric(size, new Random(size));
        const { values, vectors } = symmetricEigenpairs(a);
        for (let k = 0; k < size; k++) {
            const image = a.map((row) => row.reduce((sum, x, j) => sum + x * vectors[k]![j]!, 0));
            image.forEach((x, i) => {
                assert.ok(Math.abs(x - values[k]! * vectors[k]![i]!) < 1e-9);
            });
            if (k > 0) assert.ok(values[k]! <= values[k - 1]!);
            for (let l = 0; l <= k; l++) {
                const dot = vectors[k]!.reduce((sum, x, j) => sum + x * vectors[l]![j]!, 0);
                assert.ok(Math.abs(dot - (k === l ? 1 : 0)) < 1e-10);
            }
        }
    }
});

// Points along known directions of the plane: 3 along (0.6, 0.8), 1 across, around a mean that is not zero.
const random = new Random(5);
const places = Array.from({ length: 4000 }, () => [3 * random.normal(), random.normal()] as const);
const columns = [
    Float32Array.from(places, ([u, v]) => 10 + 0.6 * u - 0.8 * v),
    Float32Array.from(places, ([u, v]) => -4 + 0.8 * u + 0.6 * v),
];

test("axes follow the spread, and places along them are measured from the mean", () => {
    const axes = principalAxes(4000, 2, (j) => columns[j]!);
    assert.ok(Math.abs(axes.shares[0]! - 0.9) < 0.02 && Math.abs(axes.shares[0]! + axes.shares[1]! - 1) < 1e-9);
    const along = axes.project(0);
    const mean = along.reduce((sum, x) => sum + x, 0) / along.length;
    assert.ok(Math.abs(mean) < 1e-3);
    along.forEach((x, i) => {
        assert.ok(Math.abs(x - places[i]![0]) < 0.4);
    });
});

test("distances between points are the same along all axes together", () => {
    const axes = principalAxes(4000, 2, (j) => columns[j]!);
    const turned = [axes.project(0), axes.project(1)];
    const distance = (of: Float32Array[], i: number, j: number) =>
        Math.hypot(of[0]![i]! - of[0]![j]!, of[1]![i]! - of[1]![j]!);
    for (let i = 1; i < 50; i++) assert.ok(Math.abs(distance(columns, 0, i) - distance(turned, 0, i)) < 1e-4);
});

test("no points, one point and points all the same have axes too", () => {
    assert.deepEqual(principalAxes(0, 2, () => new Float32Array(0)).shares, [0, 0]);
    assert.deepEqual(Array.from(principalAxes(1, 2, () => Float32Array.of(3)).project(1)), [0]);
    assert.deepEqual(principalAxes(3, 1, () => Float32Array.of(2, 2, 2)).shares, [0]);
});

test("an axis points to where its largest component is positive", () => {
    for (let seed = 1; seed < 6; seed++) {
        const normal = new Random(seed);
        const mixed = symmetric(6, normal);
        const raw = Array.from({ length: 500 }, () => Array.from({ length: 6 }, () => normal.normal()));
        const six = mixed.map((row) =>
            Float32Array.from(raw, (point) => point.reduce((sum, x, k) => sum + row[k]! * x, 0)),
        );
        const axes = principalAxes(500, 6, (j) => six[j]!);
        for (let j = 0; j < 6; j++) {
            // The covariance of places along an axis with column k is the axis's component k, times its variance.
            const along = axes.project(j);
            const components = six.map((column) => along.reduce((sum, x, i) => sum + x * column[i]!, 0));
            const largest = components.reduce((best, x) => (Math.abs(x) > Math.abs(best) ? x : best), 0);
            assert.ok(largest > 0, `axis ${j} of draw ${seed}`);
        }
    }
});
