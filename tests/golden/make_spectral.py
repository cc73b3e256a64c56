#!/usr/bin/env python3
"""Writes spectral.txt beside this script: scikit-learn's LocallyLinearEmbedding, SpectralEmbedding and Isomap of a swiss
roll. Usage: make_spectral.py ISOGON, the program, which makes the points: `generate swiss-roll`, seed 0.

Each case is a line "method n d k", then n lines of d coordinates with six digits. The eigenproblems are solved by dense
solvers in float64, so that the digits are right; the gap behind the last eigenvalue is checked, for without
one the columns would not span a definite space. The graph of SpectralEmbedding is made here: 1 for an edge wherever one
of two points is among the other's nearest.
"""
import pathlib
import subprocess
import sys
import tempfile

import numpy
import scipy.linalg
import scipy.sparse
from sklearn.manifold import Isomap, LocallyLinearEmbedding, SpectralEmbedding
from sklearn.manifold._locally_linear import barycenter_kneighbors_graph
from sklearn.neighbors import kneighbors_graph

DIMENSION, NEIGHBORS = 3, 12


def either(points):
    lists = kneighbors_graph(points, NEIGHBORS)
    return lists.maximum(lists.T)


def require_gap(values):
    """values: of the columns, then the next. Relative, since all are far from zero in their own scale."""
    gap = abs(values[DIMENSION] - values[DIMENSION - 1]) / abs(values[DIMENSION - 1])
    print(f"eigenvalues {values[:DIMENSION + 1]}, gap {gap:.3f}")
    assert gap > 0.02


def lle(points):
    weights = barycenter_kneighbors_graph(points, NEIGHBORS, reg=1e-3)
    residual = (scipy.sparse.eye(len(points)) - weights).toarray()
    require_gap(scipy.linalg.eigvalsh(residual.T @ residual)[1:])
    return LocallyLinearEmbedding(n_neighbors=NEIGHBORS, n_components=DIMENSION, reg=1e-3,
                                  eigen_solver="dense").fit_transform(points)


def laplacian(points):
    adjacency = either(points).toarray()
    degrees = numpy.diag(adjacency.sum(axis=1))
    require_gap(scipy.linalg.eigvalsh(degrees - adjacency, degrees)[1:])
    return SpectralEmbedding(n_components=DIMENSION, affinity="precomputed", random_state=0).fit_transform(adjacency)


def isomap(points):
    model = Isomap(n_neighbors=NEIGHBORS, n_components=DIMENSION + 1, eigen_solver="dense").fit(points)
    require_gap(model.kernel_pca_.eigenvalues_)
    return model.embedding_[:, :DIMENSION]


def main():
    with tempfile.TemporaryDirectory() as folder:
        name = pathlib.Path(folder) / "roll.npy"
        subprocess.run([sys.argv[1], "generate", "swiss-roll", "--count", "1000", "-o", name], check=True)
        points = numpy.load(name).astype(numpy.float64)
    with open(pathlib.Path(__file__).with_name("spectral.txt"), "w", encoding="ascii") as out:
        for method, count in ((lle, 1000), (laplacian, 1000), (isomap, 600)):
            out.write(f"{method.__name__} {count} {DIMENSION} {NEIGHBORS}\n")
            for row in method(points[:count]):
                out.write(" ".join(f"{value:.6g}" for value in row) + "\n")


if __name__ == "__main__":
    main()
