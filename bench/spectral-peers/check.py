#!/usr/bin/env python3
"""How nearly do coordinates solve the eigenproblem that they are said to solve? Called by run beside this file.

The matrix is made from scratch, in float64, by numpy and scipy alone, from lists of neighbours:
  laplacian  |L x - lambda D x| / |D x|, L = D - W of the 0/1 graph (or of 1/2 (A + A^T)): lambda <= 2
  lle        |M y - lambda y| / |y|, M = (I - W)^T (I - W), weights by scikit-learn's formula, ridge 1e-3 of the trace
  isomap     |K y - lambda y| / (lambda_1 |y|), K = -1/2 J (squared lengths of shortest paths) J
lambda is the Rayleigh quotient of the column; the largest of all columns is returned, for the coordinates as they are and
rounded to float32. With --against, the smallest cosine of a principal angle between the two spans, as 1 - cosine.
"""
import argparse
import json

import numpy
import scipy.sparse
from scipy.sparse.csgraph import shortest_path


def matrix_of_lists(lists, values):
    count, size = lists.shape
    return scipy.sparse.csr_array((values.ravel(), lists.ravel(), numpy.arange(0, count * size + 1, size)),
                                  shape=(count, count))


def laplacian(points, lists, rule):
    adjacency = matrix_of_lists(lists, numpy.ones(lists.shape))
    weights = adjacency.maximum(adjacency.T) if rule == "either" else 0.5 * (adjacency + adjacency.T)
    degrees = numpy.asarray(weights.sum(axis=1)).ravel()
    return (lambda x: degrees[:, None] * x - weights @ x), degrees


def lle(points, lists, rule):
    values = numpy.empty(lists.shape)
    for i, neighbors in enumerate(lists):
        differences = points[neighbors] - points[i]
        gram = differences @ differences.T
        trace = numpy.trace(gram)
        gram.flat[::len(neighbors) + 1] += 1e-3 * trace if trace > 0 else 1e-3
        values[i] = numpy.linalg.solve(gram, numpy.ones(len(neighbors)))
        values[i] /= values[i].sum()
    residual = scipy.sparse.eye_array(len(points), format="csr") - matrix_of_lists(lists, values)
    return (lambda x: residual.T @ (residual @ x)), numpy.ones(len(points))


def isomap(points, lists, rule):
    lengths = numpy.empty(lists.shape)
    for i, neighbors in enumerate(lists):
        lengths[i] = numpy.sqrt(((points[neighbors] - points[i]) ** 2).sum(axis=1))
    kernel = shortest_path(matrix_of_lists(lists, lengths), directed=False)
    kernel **= 2
    kernel *= -0.5
    kernel -= kernel.mean(axis=0)
    kernel -= kernel.mean(axis=1)[:, None]
    return (lambda x: kernel @ x), numpy.ones(len(points))


def residual_of(product, mass, x):
    """The largest |A x - lambda B x| / |B x| of the columns; and the largest lambda."""
    ax, bx = product(x), mass[:, None] * x
    values = (x * ax).sum(axis=0) / (x * bx).sum(axis=0)
    return (numpy.linalg.norm(ax - values * bx, axis=0) / numpy.linalg.norm(bx, axis=0)).max(), values


def one_less_cosine(x, y):
    """1 - the cosine of the largest principal angle, from its sine: near 0 the cosine itself has too few digits."""
    x, y = (numpy.linalg.qr(one)[0] for one in (x, y))
    sine = min(1.0, numpy.linalg.norm(x - y @ (y.T @ x), 2))
    return sine * sine / (1.0 + numpy.sqrt(1.0 - sine * sine))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("method", choices=("laplacian", "lle", "isomap"))
    parser.add_argument("points")
    parser.add_argument("lists")
    parser.add_argument("coordinates", nargs="+")
    parser.add_argument("--rule", default="either", choices=("either", "mean"))
    parser.add_argument("--against", help="coordinates")
    arguments = parser.parse_args()
    points = numpy.load(arguments.points).astype(numpy.float64)
    product, mass = globals()[arguments.method](points, numpy.load(arguments.lists).astype(numpy.int64), arguments.rule)
    answers = []
    for name in arguments.coordinates:
        x = numpy.load(name).astype(numpy.float64)
        answer = {"eigenvalues": []}
        for key, rounded in (("residual", x), ("rounded", x.astype(numpy.float32).astype(numpy.float64))):
            answer[key], values = residual_of(product, mass, rounded)
            answer["eigenvalues"] = sorted(values)
            if arguments.method == "isomap":
                answer[key] /= values.max()
        if arguments.against:
            answer["one_less_cosine"] = one_less_cosine(x, numpy.load(arguments.against).astype(numpy.float64))
        answers.append(answer)
    print(json.dumps(answers))


if __name__ == "__main__":
    main()
