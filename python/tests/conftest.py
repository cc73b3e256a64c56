"""What the tests share: small made data, and the program if it was built."""

import os
import shutil
from pathlib import Path

import numpy as np
import pytest

import isogon

ROOT = Path(__file__).resolve().parents[2]

ESTIMATORS = {name: getattr(isogon, name) for name in isogon.methods()}


def quick(kind, **parameters):
    """An estimator that a small set allows and that is done soon."""
    names = kind._parameter_names()
    small = {"n_components": 2, "n_neighbors": 8}
    for spec in kind._specs:
        if spec["name"] == "components":
            small["components"] = next(choice for choice in ("bridge", "largest") if choice in spec["choices"])
    small.update({"SDE": {"n_neighbors": 2}, "LandmarkSDE": {"n_landmarks": 10}}.get(kind.__name__, {}))
    if 2 in [spec["default"] for spec in kind._specs if spec["name"] == "dimension"]:  # methods that draw maps
        small.update(iterations=60)
    return kind(**{**{name: value for name, value in small.items() if name in names}, **parameters})


def all_kinds():
    """Each estimator, small, and landmarks of a spectral and of a placing one."""
    kinds = [quick(kind) for kind in ESTIMATORS.values()]
    spectral = quick(isogon.LaplacianEigenmaps)
    return kinds + [
        isogon.LocallyLinearLandmarks(spectral, n_landmarks=30),
        isogon.LocallyLinearLandmarks(quick(isogon.Faithful), n_landmarks=40),
    ]


def name_of(value):
    if isinstance(value, isogon.LocallyLinearLandmarks):
        return f"Landmarks-{type(value.base).__name__}"
    return type(value).__name__ if isinstance(value, isogon.Estimator) else str(value)


def _drawn():
    """120 drawn digits with every other row and column of pixels: 196 numbers each."""
    made = isogon.generate("drawn-digits", 120)
    return np.ascontiguousarray(made.points.reshape(-1, 28, 28)[:, ::2, ::2].reshape(120, 196)), made.labels


@pytest.fixture(scope="session")
def digits():
    points, _ = _drawn()
    points.flags.writeable = False  # no test, and no method, may write into it
    return points


@pytest.fixture(scope="session")
def apart():
    """150 rows of 4 positive numbers: three groups whose graphs of neighbours have nothing in common."""
    draws = np.random.default_rng(0)
    return np.vstack([center + draws.random((50, 4)) for center in (1, 9, 20)]).astype(np.float32)


@pytest.fixture(scope="session")
def digit_labels():
    return _drawn()[1]


@pytest.fixture(scope="session")
def program():
    """Path of the program: the one that is named, else of this clone, else installed; without any, skipped."""
    built = ROOT / "build" / "isogon"
    found = os.environ.get("ISOGON_PROGRAM") or (str(built) if built.is_file() else shutil.which("isogon"))
    if not found or not Path(found).is_file():
        pytest.skip("the program was not built: make build, or name it in ISOGON_PROGRAM")
    return found


@pytest.fixture
def random_points():
    return np.random.default_rng(0).normal(size=(60, 6)).astype(np.float32)
