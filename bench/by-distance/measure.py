"""Recall of the 10 nearest, trustworthiness and the share of triplets in the right order, of evenly chosen points among all
others, by numpy alone: no code of a method that is compared. Prints them as JSON. bench/maps/few_points.py calls it too."""
import json
import sys

import numpy

NEAREST = 10
ROWS_AT_ONCE = 100


def squared_distances(points, squares, rows):
    """In float32 from centred points and their squared lengths; a row's distance to itself is infinite."""
    found = squares[rows, None] + squares[None] - 2.0 * points[rows] @ points.T
    found[numpy.arange(len(rows)), rows] = numpy.inf
    return found


def measure(inputs, outputs, metric, most_rows):
    x, y = (points.astype(numpy.float32) for points in (inputs, outputs))
    if metric == "cosine":
        x /= numpy.maximum(numpy.linalg.norm(x, axis=1, keepdims=True), numpy.finfo(numpy.float32).tiny)
    for points in (x, y):
        points -= points.mean(axis=0, dtype=numpy.float64).astype(numpy.float32)
    x_squares, y_squares = (numpy.einsum("ij,ij->i", points, points) for points in (x, y))
    count = len(x)
    nearest = min(NEAREST, (count - 1) // 2)  # of more trustworthiness is not defined
    rows = numpy.unique(numpy.linspace(0, count - 1, min(count, most_rows)).astype(int))
    random = numpy.random.default_rng(0)
    kept = intruding = right = triplets = 0
    for begin in range(0, len(rows), ROWS_AT_ONCE):
        own = rows[begin:begin + ROWS_AT_ONCE]
        before, after = squared_distances(x, x_squares, own), squared_distances(y, y_squares, own)
        near_before, near_after = (numpy.argpartition(d, nearest - 1, axis=1)[:, :nearest] for d in (before, after))
        for i, row in enumerate(own):
            kept += len(numpy.intersect1d(near_before[i], near_after[i]))
            ranks = (before[i][None] < before[i][near_after[i], None]).sum(axis=1) + 1
            intruding += numpy.maximum(ranks - nearest, 0).sum()
            a, b = random.integers(count, size=(2, 50))
            chosen = (a != b) & (a != row) & (b != row)
            a, b = a[chosen], b[chosen]
            right += ((before[i][a] < before[i][b]) == (after[i][a] < after[i][b])).sum()
            triplets += len(a)
    worst = nearest * (2 * count - 3 * nearest - 1) / 2 * len(rows)
    return {"recall": kept / nearest / len(rows), "trustworthiness": 1 - float(intruding) / worst,
            "triplets": float(right) / triplets}


def main():
    inputs, outputs, metric, most_rows = sys.argv[1:5]
    print(json.dumps(measure(numpy.load(inputs), numpy.load(outputs), metric, int(most_rows))))


if __name__ == "__main__":
    main()
