"""UMAP by labels, and inputs from coordinates."""

import numpy as np
import pytest
from conftest import quick

import isogon


@pytest.fixture(scope="module")
def noise():
    return np.random.default_rng(0).normal(size=(300, 4)).astype(np.float32)


@pytest.fixture(scope="module")
def labels():
    return np.random.default_rng(1).integers(3, size=300)


def share_of_one_label(map_, labels):
    nearest = isogon.neighbors(map_, 1, metric="euclidean").indices[:, 0]
    return np.mean(labels == labels[nearest])


def fitted(noise, y=None, **more):
    return isogon.UMAP(iterations=150, **more).fit_transform(noise, y)


def test_labels_draw_their_points_together(noise, labels):
    assert share_of_one_label(fitted(noise), labels) < 0.5
    assert share_of_one_label(fitted(noise, labels), labels) > 0.8
    names = np.array(["ape", "bee", "cat"])[labels]
    assert np.array_equal(fitted(noise, names), fitted(noise, labels))
    assert np.array_equal(fitted(noise, labels.astype(float)), fitted(noise, labels))
    assert np.array_equal(fitted(noise, labels[:, None]), fitted(noise, labels))
    assert np.array_equal(fitted(noise, list(names)), fitted(noise, labels))


def test_labels_that_are_unknown_or_count_for_nothing_change_no_bit(noise, labels):
    plain = fitted(noise)
    assert np.array_equal(fitted(noise, np.full(300, -1)), plain)
    assert np.array_equal(fitted(noise, np.full(300, np.nan)), plain)
    assert np.array_equal(fitted(noise, [None] * 300), plain)
    assert np.array_equal(fitted(noise, labels, target_weight=0.0), plain)
    some = np.where(np.arange(300) % 2, labels, -1)
    names = np.where(some < 0, None, np.array(["a", "b", "c"])[labels])
    assert np.array_equal(fitted(noise, names), fitted(noise, some))
    assert not np.array_equal(fitted(noise, some), plain)


def test_labels_that_do_not_fit_are_named(noise, labels):
    with pytest.raises(ValueError, match="y: must be 300 labels"):
        fitted(noise, labels[:10])
    with pytest.raises(ValueError, match="target_weight = 0.7.*labels"):
        fitted(noise, target_weight=0.7)
    with pytest.raises(ValueError, match="target_weight = 2"):
        fitted(noise, labels, target_weight=2)


def test_other_estimators_do_not_look_at_y(noise, labels):
    plain = isogon.TSNE(iterations=20).fit_transform(noise)
    assert np.array_equal(isogon.TSNE(iterations=20).fit_transform(noise, labels), plain)


def arc(count, seed):
    angle = np.random.default_rng(seed).uniform(-2.5, 2.5, size=count)
    height = np.random.default_rng(seed + 1).uniform(size=count)
    turned = np.random.default_rng(5).normal(size=(3, 6))
    return (np.stack([np.cos(angle), np.sin(angle), height], axis=1) @ turned).astype(np.float32)


@pytest.mark.parametrize("name", ["UMAP", "Faithful", "TSNE", "Isomap"])
def test_fitted_coordinates_give_their_inputs(name):
    points = arc(200, 0)
    estimator = quick(getattr(isogon, name), n_components=2).fit(points)
    assert np.array_equal(estimator.inverse_transform(estimator.embedding_), points)
    with pytest.raises(ValueError, match="X: must have 2 columns"):
        estimator.inverse_transform(points)


def test_inputs_from_coordinates_are_nearer_than_the_best_plane_s():
    points, others = arc(600, 0), arc(100, 10)

    def error(estimator):
        return np.linalg.norm(estimator.inverse_transform(estimator.transform(others)) - others)

    plane = isogon.SVD(2).fit(points)
    best = np.linalg.norm(plane.transform(others) @ plane.components_ - others)
    assert error(isogon.UMAP().fit(points)) < best
