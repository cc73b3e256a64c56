"""Writes the pickles of this version that later ones must read: make_pickles.py, by an interpreter that has isogon.

Of a linear method, one that places and one that mixes: their parameters, attributes and model. Run once a version, when
it is released; files of earlier versions stay as they are.
"""

import pickle
import warnings
from pathlib import Path

import numpy as np

import isogon


def points():
    """Whole numbers, the same on every machine and by every numpy."""
    return np.array([[(7 * i * i + 5 * i * j + 3 * j) % 29 for j in range(5)] for i in range(29)], dtype=np.float32)


ESTIMATORS = {
    "pca": isogon.PCA(2),
    "faithful": isogon.Faithful(n_components=3, iterations=20),
    "lle": isogon.LLE(2, n_neighbors=6, components="separate"),
}

if __name__ == "__main__":
    warnings.simplefilter("ignore")
    for name, estimator in ESTIMATORS.items():
        path = Path(__file__).with_name(f"{name}-{isogon.__version__}.pickle")
        path.write_bytes(pickle.dumps(estimator.fit(points()), protocol=4))
