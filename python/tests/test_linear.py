"""The way back from coordinates, and shares of variance, by their definitions."""

import numpy as np
import pytest

import isogon


@pytest.fixture
def table():
    draws = np.random.default_rng(0)
    return draws.random((300, 6)) @ draws.random((6, 6)) + 1.0


def test_variances_of_pca(table):
    pca = isogon.PCA(3).fit(table)
    centred = table - table.mean(axis=0)
    singular = np.linalg.svd(centred, compute_uv=False)
    assert pca.singular_values_ == pytest.approx(singular[:3], rel=1e-4)
    assert pca.explained_variance_ == pytest.approx(singular[:3] ** 2 / 299, rel=1e-4)
    assert pca.explained_variance_ratio_ == pytest.approx((singular**2 / (singular**2).sum())[:3], rel=1e-4)
    assert pca.mean_ == pytest.approx(table.mean(axis=0), rel=1e-5)


def test_variances_of_svd(table):
    svd = isogon.SVD(3).fit(table)
    assert svd.singular_values_ == pytest.approx(np.linalg.svd(table, compute_uv=False)[:3], rel=1e-4)
    assert svd.explained_variance_ == pytest.approx(svd.embedding_.var(axis=0), rel=1e-4)
    assert svd.explained_variance_ratio_ == pytest.approx(
        svd.embedding_.astype(float).var(axis=0) / table.var(axis=0).sum(), rel=1e-4
    )
    assert not hasattr(isogon.NMF(2).fit(table), "explained_variance_")


@pytest.mark.parametrize("scale", [1e-20, 1.0, 1e12])
def test_pca_and_svd_lead_back_to_the_points(table, scale):
    """Also where the library works in another unit of length."""
    x = (table * scale).astype(np.float32)
    for kind in (isogon.PCA, isogon.SVD):
        fitted = kind(6).fit(x)
        assert np.abs(fitted.inverse_transform(fitted.embedding_) - x).max() < 1e-5 * scale * np.abs(table).max()
        few = kind(2).fit(x)
        nearest = few.inverse_transform(few.transform(x))
        mean = x.mean(axis=0, dtype=float) if kind is isogon.PCA else 0.0
        left, values, right = np.linalg.svd(x - mean, full_matrices=False)
        wanted = (left[:, :2] * values[:2]) @ right[:2] + mean
        assert np.abs(nearest - wanted).max() < 1e-3 * scale


def test_nmf_leads_back_to_its_product(table):
    w, h = np.random.default_rng(1).random((80, 2)), np.random.default_rng(2).random((2, 7))
    nmf = isogon.NMF(2, tolerance=0, iterations=2000).fit(w @ h)
    assert np.abs(nmf.inverse_transform(nmf.embedding_) - w @ h).max() < 1e-2
    product = nmf.embedding_ @ nmf.components_
    assert np.allclose(nmf.inverse_transform(nmf.embedding_), product, atol=1e-5)


def test_a_loaded_model_leads_back_too(table, tmp_path):
    for kind in (isogon.PCA, isogon.SVD, isogon.NMF):
        fitted = kind(3).fit(table)
        fitted.save(tmp_path / "m.safetensors", overwrite=True)
        loaded = isogon.load(tmp_path / "m.safetensors")
        y = fitted.embedding_[:5]
        assert np.array_equal(loaded.inverse_transform(y), fitted.inverse_transform(y))
        assert not hasattr(loaded, "explained_variance_")


def test_coordinates_beyond_float32_are_an_error():
    table = np.array([[-2e38 + i * 1e36, 0.0] for i in range(9)], np.float32)
    estimator = isogon.PCA(n_components=1).fit(table)
    with pytest.raises(RuntimeError, match="row 0.*leave out rows"):
        estimator.transform(np.array([[3e38, 0.0]], np.float32))


def test_bad_coordinates_are_named(table):
    pca = isogon.PCA(3)
    with pytest.raises(ValueError, match="not fitted"):
        pca.inverse_transform(np.zeros((2, 3)))
    pca.fit(table)
    with pytest.raises(ValueError, match="^X: must have 3 columns, the coordinates, not 2"):
        pca.inverse_transform(np.zeros((2, 2)))
    with pytest.raises(ValueError, match="row 1"):
        pca.inverse_transform([[0, 0, 0], [0, np.nan, 0]])
    with pytest.raises(MemoryError, match="memory"):
        pca.set_params(memory_limit=100).inverse_transform(np.zeros((20, 3), np.float32))
    assert not hasattr(pca, "partial_fit")


def nearest(points, k, cosine):
    rows = points.astype(float)
    if cosine:
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    distances = np.linalg.norm(rows[:, None] - rows[None], axis=2)
    np.fill_diagonal(distances, np.inf)
    return np.argsort(distances, axis=1, kind="stable")[:, :k]


@pytest.mark.parametrize(
    "estimator, of_inputs, of_outputs",
    [
        (isogon.PCA(3), False, False),
        (isogon.TSM(6, iterations=30), True, True),
        (isogon.Faithful(6, metric="cosine", n_neighbors=8), True, False),
        (isogon.UMAP(iterations=30, metric="cosine"), True, False),
        (isogon.LocallyLinearLandmarks(isogon.TSM(6, iterations=30), n_landmarks=60), True, True),
    ],
    ids=lambda value: str(value)[:12],
)
def test_score_by_its_definition(estimator, of_inputs, of_outputs, digits):
    estimator.fit(digits[:100])
    for rows in (digits[:100], digits[90:], digits[:6]):
        k = min(10, len(rows) - 1)
        pair = nearest(rows, k, of_inputs), nearest(estimator.transform(rows), k, of_outputs)
        by_hand = np.mean([len(set(a) & set(b)) / k for a, b in zip(*pair)])
        assert estimator.score(rows) == pytest.approx(by_hand, abs=0.02)  # float32 may exchange equally near ones
    with pytest.raises(ValueError, match="1 sample"):
        estimator.score(digits[:1])
