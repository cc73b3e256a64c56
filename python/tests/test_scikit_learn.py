"""scikit-learn's own checks, and its tools around our estimators."""

import copy
import pickle
import subprocess
import sys

import numpy as np
import pytest
from conftest import ESTIMATORS, all_kinds, name_of, quick

import isogon

pytest.importorskip("sklearn", minversion="1.6")
from sklearn.base import clone  # noqa: E402
from sklearn.model_selection import GridSearchCV, cross_val_score  # noqa: E402
from sklearn.neighbors import KNeighborsClassifier  # noqa: E402
from sklearn.pipeline import make_pipeline  # noqa: E402
from sklearn.utils.estimator_checks import parametrize_with_checks  # noqa: E402


def checked_kinds():
    """Every method as it comes, and landmarks of a spectral and of a placing one."""
    landmarks = [
        isogon.LocallyLinearLandmarks(base(), n_landmarks=10, n_jobs=1)
        for base in (isogon.LaplacianEigenmaps, isogon.TSM)
    ]
    return [kind(n_jobs=1) for kind in ESTIMATORS.values()] + landmarks


# {estimator: {check: why it cannot pass}}; none, today.
EXPECTED_FAILURES = {}


def expected_failures(estimator):
    return EXPECTED_FAILURES.get(type(estimator).__name__, {})


@parametrize_with_checks(checked_kinds(), expected_failed_checks=expected_failures)
def test_scikit_learns_own_checks(estimator, check):
    check(estimator)


@pytest.mark.parametrize("estimator", all_kinds(), ids=name_of)
def test_clones_copies_and_pickles(estimator, digits):
    assert clone(estimator).get_params(deep=False).keys() == estimator.get_params(deep=False).keys()
    assert not hasattr(clone(estimator.fit(digits)), "embedding_")
    placed = estimator.transform(digits[:9])
    for other in (copy.copy(estimator), copy.deepcopy(estimator), pickle.loads(pickle.dumps(estimator))):
        assert np.array_equal(other.transform(digits[:9]), placed)
        assert np.array_equal(other.embedding_, estimator.embedding_)
        assert other.summary_ == estimator.summary_


def test_a_pipeline_in_cross_validation_and_grid_search(digits, digit_labels):
    pipeline = make_pipeline(isogon.Faithful(n_components=32, iterations=40, n_jobs=1), KNeighborsClassifier())
    assert cross_val_score(pipeline, digits, digit_labels, cv=3).mean() > 0.3
    grid = GridSearchCV(pipeline, {"faithful__n_components": [2, 16]}, cv=2)
    grid.fit(digits, digit_labels)
    assert grid.best_params_["faithful__n_components"] == 16
    assert grid.predict(digits[:3]).shape == (3,)


def test_a_grid_search_by_the_estimators_own_score():
    """Three numbers make the points, so that more than three of PCA's add nothing, and fewer keep less."""
    draws = np.random.default_rng(0)
    x = draws.normal(size=(200, 3)) @ draws.normal(size=(3, 12))
    grid = GridSearchCV(isogon.PCA(n_jobs=1), {"n_components": [1, 2, 3, 6]}, cv=3).fit(x)
    scores = grid.cv_results_["mean_test_score"]
    assert grid.best_params_["n_components"] in (3, 6) and scores[2] > 0.99 and scores[0] < scores[1] < scores[2]


def test_a_notebook_shows_scikit_learns_diagram():
    html = isogon.Faithful(8)._repr_html_()
    assert "sk-" in html and "Faithful" in html and "n_components" in html


def test_grid_search_with_processes(digits, digit_labels):
    pipeline = make_pipeline(isogon.SVD(n_components=4, n_jobs=1), KNeighborsClassifier())
    grid = {"svd__n_components": [2, 8]}
    alone = GridSearchCV(pipeline, grid, cv=2).fit(digits, digit_labels)
    parallel = GridSearchCV(pipeline, grid, cv=2, n_jobs=2).fit(digits, digit_labels)
    assert np.array_equal(alone.cv_results_["mean_test_score"], parallel.cv_results_["mean_test_score"])


def test_joblib_with_processes(digits):
    joblib = pytest.importorskip("joblib")
    estimator = quick(isogon.Faithful).fit(digits)
    parts = joblib.Parallel(n_jobs=2)(joblib.delayed(estimator.transform)(part) for part in np.array_split(digits, 3))
    assert np.array_equal(np.concatenate(parts), estimator.transform(digits))


def test_landmarks_in_a_grid(digits, digit_labels):
    landmarks = isogon.LocallyLinearLandmarks(isogon.LLE(2, components="largest"), n_landmarks=30)
    assert landmarks.get_params()["base__n_components"] == 2
    assert clone(landmarks).set_params(base__n_neighbors=7, n_landmarks=20).base.n_neighbors == 7
    assert landmarks.base.n_neighbors is None


def test_set_output_by_configuration(digits):
    pytest.importorskip("pandas")
    import sklearn

    with sklearn.config_context(transform_output="pandas"):
        assert list(isogon.TSM(2, iterations=20).fit_transform(digits).columns) == ["tsm0", "tsm1"]
    assert isinstance(isogon.TSM(2, iterations=20).fit_transform(digits), np.ndarray)


def test_not_fitted_without_scikit_learn():
    code = (
        "import sys, isogon\n"
        "try:\n"
        "    isogon.PCA().transform([[1.0]])\n"
        "except isogon.NotFittedError as error:\n"
        "    print(error)\n"
        "print('sklearn' in sys.modules, 'scipy' in sys.modules, 'pandas' in sys.modules)\n"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert "not fitted" in out and out.endswith("False False False\n")
