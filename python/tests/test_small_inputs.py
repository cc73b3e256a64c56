"""Random small tables by every method: finite, taken where they can be, in the data's unit, copies of a row together.

    ISOGON_SMALL_INPUTS=10000 pytest python/tests/test_small_inputs.py      # 200 without it

A failure is printed with its number, by which case() makes it again.
"""

import os
import warnings

import numpy as np
import pytest

import isogon

CASES = int(os.environ.get("ISOGON_SMALL_INPUTS", "200"))
PARTS = 10
KINDS = {name: getattr(isogon, name) for name in isogon.methods()}
# Their coordinates have the unit of the data, where these are compared by a metric that has one; others have none.
WITH_A_UNIT = ("SVD", "PCA", "NMF", "MDS", "Isomap", "SDE", "LandmarkSDE", "PCAForces", "TSM", "Faithful")
ANGLES = ("cosine", "correlation", "hamming", "jaccard")


def normal(rng, n, features):
    return rng.normal(size=(n, features))


def copies(rng, n, features):
    return rng.normal(size=(max(2, n // 3), features))[rng.integers(0, max(2, n // 3), n)]


def copies_of_one(rng, n, features):
    table = rng.normal(size=(n, features))
    table[: (3 * n) // 4] = table[0]
    return table


def some_zero_rows(rng, n, features):
    return rng.normal(size=(n, features)) * (rng.random((n, 1)) < 0.8)


def some_constant_rows(rng, n, features):
    return np.where(rng.random((n, 1)) < 0.2, 3.0, rng.normal(size=(n, features)))


def blobs(rng, n, features):
    return rng.normal(size=(n, features)) + 1e3 * rng.integers(0, 2, (n, 1))


def line(rng, n, features):
    return np.linspace(0, 1, n)[:, None] * rng.normal(size=(1, features))


def colossal_column(rng, n, features):
    return rng.normal(size=(n, features)) * np.where(np.arange(features) == 0, 1e6, 1.0)


TABLES = [
    normal,
    copies,
    copies_of_one,
    some_zero_rows,
    some_constant_rows,
    blobs,
    line,
    colossal_column,
    lambda rng, n, features: (rng.random((n, features)) < 0.5) * 1.0,  # binary
    lambda rng, n, features: rng.poisson(1.0, (n, features)) * 1.0,  # counts, a third of them 0
    lambda rng, n, features: rng.integers(1, 6, (n, features)) * 1.0,  # ratings
    lambda rng, n, features: np.eye(max(2, features))[np.arange(n) % max(2, features)],  # one of many
    lambda rng, n, features: np.indices((n, features)).sum(0) % 7 * 1.0,  # a lattice
    lambda rng, n, features: 1e4 + rng.random((n, features)),  # far from the origin
]


def case(number):
    """(estimator, table, power of two) of one number."""
    rng = np.random.default_rng(number)
    n, features = int(rng.integers(2, 41)), int(rng.integers(1, 13))
    table = TABLES[rng.integers(len(TABLES))](rng, n, features)
    name = list(KINDS)[rng.integers(len(KINDS))]
    if name == "NMF":
        table = abs(table)
    parameters = {}
    for spec in KINDS[name]._specs:
        if spec["name"] == "metric":
            parameters["metric"] = str(rng.choice([choice for choice in spec["choices"] if choice != "precomputed"]))
    power = int(rng.choice([-100, -40, -10, 10, 40, 100]))
    if parameters.get("metric") in ("hamming", "jaccard"):  # of zeros and ones
        table, power = table > np.median(table), 0
    return KINDS[name](**parameters), table.astype(np.float32), power


def has_no_threshold(table):
    """Whether all angles are below a fifth of a degree, the least step of thresholds, or none is below 90 degrees."""
    rows = table[np.abs(table).max(1) > 0].astype(np.float64)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    cosines = (rows @ rows.T)[np.triu_indices(len(rows), 1)]
    return len(cosines) == 0 or cosines.min() > 1 - 2.0**-17 or cosines.max() < 2.0**-17


def can_be_refused(estimator, table):
    """Whether there are no two rows that differ, in what the metric looks at."""
    if type(estimator).__name__ == "TSM" and has_no_threshold(table):
        return True
    rows = table - table.mean(1, keepdims=True) if getattr(estimator, "metric", "") == "correlation" else table
    if getattr(estimator, "metric", "") in ("cosine", "correlation") or type(estimator).__name__ == "TSM":
        length = np.linalg.norm(rows, axis=1, keepdims=True)
        rows = (rows / np.where(length > 1e-6 * abs(table).max(), length, np.inf)).round(3)
    return (
        len(np.unique(rows[np.abs(rows).max(1) > 0] if len(rows) else rows, axis=0)) < 2
        or len(np.unique(rows, axis=0)) < 3
    )


def faults_of(number):
    estimator, table, power = case(number)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            coordinates = estimator.fit_transform(table)
        except (ValueError, TypeError) as error:
            return [] if can_be_refused(estimator, table) else [f"refused: {error}"]
        faults = []
        numbers = [*estimator.summary_.measures.values(), *estimator.summary_.counts.values()]
        if not np.isfinite(coordinates).all() or not np.isfinite(numbers).all():
            faults.append("not finite")
        width = np.ptp(coordinates, axis=0).max()
        _, group = np.unique(table, axis=0, return_inverse=True)
        for members in map(np.flatnonzero, group.reshape(-1) == np.arange(group.max() + 1)[:, None]):
            apart = np.ptp(coordinates[members], axis=0).max()
            if apart > 0.02 * width:
                faults.append(f"{len(members)} copies of a row are {apart / width:.2g} of the width apart")
                break
        scaled = estimator.fit_transform(np.ldexp(table, power))
        has_unit = type(estimator).__name__ in WITH_A_UNIT and getattr(estimator, "metric", "") not in ANGLES
        if not np.array_equal(scaled, np.ldexp(coordinates, power if has_unit else 0)):
            faults.append(f"times 2^{power}: other bits")
    return faults


@pytest.mark.parametrize("part", range(PARTS))
def test_random_small_tables(part):
    wrong = []
    for number in range(part, CASES, PARTS):
        for fault in faults_of(number):
            estimator, table, _ = case(number)
            wrong.append(f"case {number}, {estimator!r} of {table.shape[0]} x {table.shape[1]}: {fault}")
    assert not wrong, "\n" + "\n".join(wrong)
