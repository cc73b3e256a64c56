#!/usr/bin/env python3
"""The Jaccard index by which Saul 2022, appendix B, judges Isomap: called by run beside this file, with an interpreter
that has numpy: jaccard_by_distance.py POINTS COORDINATES TAU DIMS

Omega_x are the pairs of points with a cosine above tau, Omega_y those with |y_i - y_j|^2 / 2 < 1 - tau, in the first d
columns for every d of DIMS (4,8,...). Prints {d: index}, and the mean number of each set's pairs a point as JSON. The
diagonal is left out of both sets. Products are float32 for x, as in isogon; float64 for y.
"""
import json
import sys

import numpy

ROWS = 1000


def main():
    points = numpy.load(sys.argv[1]).astype(numpy.float32)
    coordinates = numpy.load(sys.argv[2]).astype(numpy.float64)
    tau, dims = float(sys.argv[3]), [int(dim) for dim in sys.argv[4].split(",")]
    points /= numpy.maximum(numpy.linalg.norm(points, axis=1), 1e-30)[:, None]
    count = len(points)
    near_x, near_y, both = 0, dict.fromkeys(dims, 0), dict.fromkeys(dims, 0)
    for start in range(0, count, ROWS):
        rows = slice(start, min(start + ROWS, count))
        near = points[rows] @ points.T > tau
        near[numpy.arange(near.shape[0]), numpy.arange(rows.start, rows.stop)] = False
        near_x += int(near.sum())
        for dim in dims:
            y = coordinates[:, :dim]
            squares = (y ** 2).sum(axis=1)
            close = 0.5 * (squares[rows, None] + squares) - y[rows] @ y.T < 1.0 - tau
            close[numpy.arange(close.shape[0]), numpy.arange(rows.start, rows.stop)] = False
            near_y[dim] += int(close.sum())
            both[dim] += int((near & close).sum())
    print(json.dumps({"near_x": near_x / count, "dims": [
        {"dim": dim, "jaccard": both[dim] / max(1, near_x + near_y[dim] - both[dim]), "near_y": near_y[dim] / count}
        for dim in dims]}))


if __name__ == "__main__":
    main()
