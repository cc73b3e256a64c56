#!/usr/bin/env python3
"""Fits one of scikit-learn's methods; called by run beside this file, with an interpreter that has scikit-learn.

Writes the coordinates in float64 and prints the seconds of the fit (without imports, reading and writing) as JSON. As
method lists it writes the neighbours that the methods go by, in a process of its own, whose memory does not count.
"""
import argparse
import json
import time

import numpy
from sklearn.manifold import Isomap, LocallyLinearEmbedding, SpectralEmbedding
from sklearn.neighbors import NearestNeighbors


def joined_by_either(points, arguments):
    """The 0/1 graph of isogon's --kernel connectivity: an edge wherever one of two lists the other."""
    lists = NearestNeighbors(n_neighbors=arguments.neighbors, n_jobs=arguments.threads).fit(points).kneighbors_graph()
    return lists.maximum(lists.T)


def laplacian(points, arguments):
    """own-graph: as it comes, lists that count each point itself, weights 1/2 where only one of two lists the other."""
    common = {"n_components": arguments.dim, "random_state": 0, "n_jobs": arguments.threads}
    if arguments.variant == "own-graph":
        return SpectralEmbedding(affinity="nearest_neighbors", n_neighbors=arguments.neighbors + 1,
                                 **common).fit_transform(points)
    model = SpectralEmbedding(affinity="precomputed", **common)
    return model.fit_transform(joined_by_either(points, arguments))


def lle(points, arguments):
    return LocallyLinearEmbedding(n_neighbors=arguments.neighbors, n_components=arguments.dim, random_state=0,
                                  eigen_solver=arguments.variant, n_jobs=arguments.threads).fit_transform(points)


def isomap(points, arguments):
    return Isomap(n_neighbors=arguments.neighbors, n_components=arguments.dim, eigen_solver=arguments.variant,
                  n_jobs=arguments.threads).fit_transform(points)


def lists(points, arguments):
    found = NearestNeighbors(n_neighbors=arguments.neighbors, n_jobs=arguments.threads).fit(points)
    return found.kneighbors(return_distance=False)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("method", choices=("laplacian", "lle", "isomap", "lists"))
    parser.add_argument("points")
    parser.add_argument("output")
    parser.add_argument("--variant", default="auto")
    parser.add_argument("--neighbors", type=int, required=True)
    parser.add_argument("--dim", type=int, required=True)
    parser.add_argument("--threads", type=int, required=True)
    parser.add_argument("--precision", default="float64")
    arguments = parser.parse_args()
    points = numpy.load(arguments.points).astype(arguments.precision)
    start = time.monotonic()
    result = globals()[arguments.method](points, arguments)
    seconds = time.monotonic() - start
    numpy.save(arguments.output, result)
    print(json.dumps({"seconds": seconds}), flush=True)


if __name__ == "__main__":
    main()
