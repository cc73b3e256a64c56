"""Sparse matrices as points: what they give is what dense rows give, and they never become dense."""

import copy

import numpy as np
import pytest

import isogon

sparse = pytest.importorskip("scipy.sparse")
FORMATS = (sparse.csr_matrix, sparse.csc_array, sparse.coo_array, sparse.lil_matrix)


@pytest.fixture(scope="module")
def counts():
    draw = np.random.default_rng(1)
    table = np.zeros((200, 90), np.float32)
    for i, row in enumerate(table):
        words = np.where(draw.random(15) < 0.8, draw.integers(30, size=15) * 3 + i % 3, draw.integers(90, size=15))
        np.add.at(row, words, 1)
    return table


@pytest.mark.parametrize("metric", ["cosine", "euclidean", "manhattan", "correlation", "inner-product"])
def test_neighbors_are_those_of_dense_rows(counts, metric):
    known = isogon.neighbors(counts, 6, metric=metric, search="exact")
    for make in FORMATS:
        found = isogon.neighbors(make(counts), 6, metric=metric)
        assert np.allclose(found.distances, known.distances, atol=1e-5)
    asked = isogon.neighbors(sparse.csr_array(counts), 6, metric=metric, queries=sparse.csr_array(counts[:9]))
    known = isogon.neighbors(counts, 6, metric=metric, queries=counts[:9], search="exact")
    assert np.allclose(asked.distances, known.distances, atol=1e-5)
    with pytest.raises(ValueError, match="^queries"):
        isogon.neighbors(sparse.csr_array(counts), 6, queries=sparse.csr_array(counts[:9, :80]))


@pytest.mark.parametrize("estimator", [isogon.PCA(4), isogon.SVD(4)])
def test_linear_maps_of_any_format(counts, estimator):
    dense = copy.deepcopy(estimator.fit(counts))
    known = dense.embedding_
    for make in FORMATS:
        fit = estimator.fit(make(counts))
        assert fit.n_features_in_ == 90
        assert np.allclose(fit.embedding_, known, atol=1e-3)
        assert np.allclose(fit.explained_variance_ratio_, dense.explained_variance_ratio_, atol=1e-4)
        assert np.allclose(fit.singular_values_, dense.singular_values_, rtol=1e-4)
        assert np.allclose(fit.transform(make(counts)), known, atol=1e-3)
        assert np.array_equal(fit.transform(make(counts)), fit.transform(counts))
        assert 0 < fit.score(make(counts)) <= 1
        assert np.allclose(fit.score(make(counts)), fit.score(counts), atol=0.05)
    explicit = sparse.csr_matrix(counts)
    explicit.data[0] = 0
    assert np.allclose(estimator.fit(explicit).embedding_, estimator.fit(explicit.toarray()).embedding_, atol=1e-3)


def test_many_rows_become_dense_some_at_a_time(counts, monkeypatch):
    from isogon import _estimator

    fit = isogon.PCA(3).fit(counts)
    whole = fit.transform(counts)
    monkeypatch.setattr(_estimator, "_DENSE_BYTES", 4 * 90 * 7)
    assert np.array_equal(fit.transform(sparse.csr_array(counts)), whole)


def test_maps_by_their_neighbors(counts):
    groups = np.arange(200) % 3
    x = sparse.csr_matrix(counts)
    for estimator in (
        isogon.UMAP(metric="cosine", iterations=100),
        isogon.TSNE(metric="cosine", iterations=300),
        isogon.Faithful(8, metric="cosine"),
    ):
        fit = estimator.fit(x)
        assert fit.embedding_.shape[0] == 200 and fit.n_features_in_ == 90
        assert isogon.score(counts, fit.embedding_, groups).knn_accuracy > 0.9
        with pytest.raises(ValueError, match=r"sparse matrix .*isogon.SVD\(100\)"):
            fit.transform(x)
    kept = isogon.Faithful(24, metric="cosine").fit(x)
    dense = isogon.Faithful(24, metric="cosine").fit(counts)
    assert abs(kept.kept_.mean() - dense.kept_.mean()) < 0.02
    assert kept.options_["metric"] == "cosine"


def test_labels_and_starts(counts):
    x = sparse.csr_array(counts)
    start = np.random.default_rng(2).normal(size=(200, 2)).astype(np.float32)
    held = isogon.UMAP(iterations=20, hold=1).fit(x, start=start)
    assert np.array_equal(held.embedding_, start)
    assert isogon.UMAP(iterations=20).fit(x, np.arange(200) % 3).summary_.counts["labelled"] == 200


@pytest.mark.parametrize(
    "call, error, says",
    [
        (lambda x: isogon.LLE(2).fit(x), TypeError, r"^X: is a sparse matrix of 200 x 90.*isogon.SVD\(100\)"),
        (lambda x: isogon.score(x, x), TypeError, "^X: is a sparse matrix"),
        (lambda x: isogon.Faithful("auto").fit(x), (TypeError, ValueError), "number"),
        (lambda x: isogon.LocallyLinearLandmarks(n_landmarks=50).fit(x), TypeError, "^X: is a sparse matrix"),
        (lambda x: isogon.PCA(2).fit(x * np.nan), ValueError, "finite|NaN"),
        (lambda x: isogon.UMAP(memory_limit="10k").fit(x), MemoryError, "X: is copied to compressed rows"),
        (lambda x: isogon.UMAP().fit(x.astype(complex)), TypeError, "^X: must hold numbers"),
    ],
)
def test_what_is_refused(counts, call, error, says):
    with pytest.raises(error, match=says):
        call(sparse.csr_matrix(counts))


def test_a_square_matrix_is_told_of_graphs(counts):
    with pytest.warns(isogon.FitWarning, match='is square.*metric="precomputed"'):
        isogon.UMAP(iterations=5).fit(sparse.csr_matrix(counts[:90]))


def test_a_pipeline_from_words_to_a_map():
    text = pytest.importorskip("sklearn.feature_extraction.text")
    from sklearn.pipeline import make_pipeline

    topics = ("the cat sat on a mat", "stocks and bonds fell as markets closed", "rain and wind in the hills")
    documents = [f"{topics[i % 3]} {topics[i % 3].split()[i % 6]} {i % 11}" for i in range(120)]
    pipeline = make_pipeline(text.TfidfVectorizer(), isogon.UMAP(metric="cosine", iterations=50))
    assert pipeline.fit_transform(documents).shape == (120, 2)
