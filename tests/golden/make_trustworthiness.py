#!/usr/bin/env python3
"""Writes trustworthiness.txt beside this script: small sets of points and scikit-learn's trustworthiness of them.

Each case is a line "n D d", n lines of D + d coordinates (x, then y), a line with the number of results, and lines
"k trustworthiness continuity". Coordinates are float32 written to nine digits, which read back to the same
bits. Continuity is trustworthiness with x and y changed.
"""
import pathlib

import numpy
from sklearn.manifold import trustworthiness

CASES = ((12, 3, 1, 1), (60, 5, 2, 2), (97, 20, 4, 3))
NEIGHBORS = (1, 2, 5, 10, 30)


def write_case(out, count, inputs, outputs, seed):
    random = numpy.random.RandomState(seed)
    x = random.standard_normal((count, inputs)).astype(numpy.float32)
    y = (x[:, :outputs] + 0.3 * random.standard_normal((count, outputs))).astype(numpy.float32)
    out.write(f"{count} {inputs} {outputs}\n")
    for row in numpy.hstack([x, y]):
        out.write(" ".join(f"{value:.9g}" for value in row) + "\n")
    neighbors = [k for k in NEIGHBORS if 2 * k < count]
    out.write(f"{len(neighbors)}\n")
    for k in neighbors:
        out.write(f"{k} {trustworthiness(x, y, n_neighbors=k):.15g} {trustworthiness(y, x, n_neighbors=k):.15g}\n")


def main():
    with open(pathlib.Path(__file__).with_name("trustworthiness.txt"), "w", encoding="ascii") as out:
        for case in CASES:
            write_case(out, *case)


if __name__ == "__main__":
    main()
