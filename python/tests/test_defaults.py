"""Every class as it comes fits any table; what is asked for in so many words is refused where it cannot be."""

import re
import warnings

import numpy as np
import pytest
from conftest import ESTIMATORS

import isogon

every_class = pytest.mark.parametrize("kind", ESTIMATORS.values(), ids=lambda kind: kind.__name__)


def tables():
    draws = np.random.default_rng(1)
    return {
        "10 x 2": draws.random((10, 2)),
        "3 x 5": draws.random((3, 5)),
        "40 x 1": draws.random((40, 1)),
        "60 x 20": draws.random((60, 20)),
    }


@every_class
@pytest.mark.parametrize("shape", tables())
def test_defaults_fit_small_tables(kind, shape):
    if kind.__name__ == "TSM" and shape == "40 x 1":
        pytest.skip("numbers on a line have no angles")
    x = tables()[shape]
    n, features = x.shape
    fitted = kind().fit(x)
    d = fitted.embedding_.shape[1]
    usual = next(spec["default"] for spec in fitted._specs if spec["name"] == "dimension")
    most = min(usual, features, n - 1)
    assert d == (min(most, max(1, min(12, n - 1) - 1)) if kind.__name__ == "LLE" else most)
    assert fitted.options_["n_components"] == d and np.isfinite(fitted.embedding_).all()
    assert fitted.transform(x[:2]).shape == (2, d)


@every_class
def test_defaults_fit_groups_that_lie_apart(kind, apart):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        fitted = kind().fit(apart)
    assert fitted.embedding_.shape[0] == 150 and np.isfinite(fitted.embedding_).all()
    told = [str(one.message) for one in caught]
    assert len(set(told)) == len(told) and not [text for text in told if "--" in text or re.search(r"\d\.\d{6}", text)]
    if "components" in fitted.options_:
        assert fitted.options_["components"] in ("bridge", "largest") and len(told) >= 1
        with pytest.raises(ValueError, match="take more n_neighbors, or components "):
            kind(components="error").fit(apart)


@every_class
def test_what_is_asked_for_is_refused_where_it_cannot_be(kind):
    x = tables()["10 x 2"]
    with pytest.raises(ValueError, match="^n_components = 10: "):
        kind(n_components=10).fit(x)
    if "n_neighbors" in kind().get_params() and kind.__name__ != "UMAP":  # which takes all there are
        with pytest.raises(ValueError, match="^n_neighbors = 12: "):
            kind(n_neighbors=12).fit(x)


def test_none_may_be_said():
    x = tables()["10 x 2"]
    assert np.array_equal(
        isogon.Isomap(None, n_neighbors=None, components=None).fit_transform(x), isogon.Isomap().fit_transform(x)
    )
    with pytest.raises(TypeError, match="^n_components: must be a whole number, or None, not 'auto'"):
        isogon.Isomap("auto").fit(x)


def test_given_neighbors_are_as_many_as_there_are():
    x = tables()["60 x 20"]
    near = isogon.neighbors(x, 8, metric="euclidean").indices
    assert isogon.Isomap(2).fit(x, neighbors=near).options_["n_neighbors"] == 8
    with pytest.raises(ValueError, match="n_neighbors = 9"):
        isogon.Isomap(2, n_neighbors=9).fit(x, neighbors=near)


def test_landmarks_count_where_they_are_what_is_fitted(apart):
    base = isogon.LLE()
    fitted = isogon.LocallyLinearLandmarks(base, n_landmarks=4).fit(apart)
    assert fitted.options_["n_components"] == 2 and fitted.options_["components"] == "separate"
    assert isogon.LandmarkSDE(n_landmarks=3).fit(tables()["60 x 20"]).options_["n_components"] == 2


def test_auto_is_what_the_command_line_means_by_it(digits):
    found = isogon.Faithful("auto").fit(digits)
    assert found.get_params()["recall"] == 0.99 and "kept_neighbors_in_8" in found.summary_.measures
    assert isogon.Faithful().fit(digits).embedding_.shape == (120, 16)
    with pytest.raises(ValueError, match="^recall = 0.6: has an effect only with n_components auto"):
        isogon.Faithful(recall=0.6).fit(digits)
