"""Indexes for engines: what each finds is what isogon finds, under the ids that were given."""

import importlib
import importlib.util

import numpy as np
import pytest
from conftest import ROOT

import isogon


@pytest.fixture
def vectors():
    return np.random.default_rng(0).normal(size=(500, 8)).astype(np.float32) + 1


@pytest.fixture
def queries():
    return np.random.default_rng(1).normal(size=(20, 8)).astype(np.float32) + 1


IDS = 10**10 + 7 * np.arange(500)


def example():
    spec = importlib.util.spec_from_file_location("engines", ROOT / "examples" / "engines" / "search_and_rerank.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def read_faiss(path):
    return pytest.importorskip("faiss").read_index(str(path))


@pytest.mark.parametrize("metric", ["cosine", "inner-product", "euclidean"])
def test_faiss_reads_what_is_written(vectors, queries, tmp_path, metric):
    isogon.export.faiss(tmp_path / "x.faiss", vectors, metric=metric, ids=IDS)
    scores, found = read_faiss(tmp_path / "x.faiss").search(queries, 5)
    slow = isogon.neighbors(vectors, 5, queries=queries, metric=metric, search="exact")
    assert np.array_equal(found, IDS[slow.indices])
    ours = {"cosine": 1 - scores, "inner-product": -scores, "euclidean": np.sqrt(np.maximum(scores, 0))}[metric]
    np.testing.assert_allclose(ours, slow.distances, atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize("metric", ["inner-product", "euclidean"])
@pytest.mark.parametrize("size", [3, 8])
def test_faiss_searches_codes_as_we_do(vectors, queries, tmp_path, metric, size):
    codes = isogon.Codes.of(vectors, bytes=size, metric=metric)
    isogon.export.faiss(tmp_path / "c.faiss", codes)
    index = read_faiss(tmp_path / "c.faiss")
    scores, found = index.search(queries, 5)
    ours = codes.search(queries, 5)
    scores = -scores if metric == "inner-product" else np.sqrt(scores)
    np.testing.assert_allclose(scores, ours.distances, atol=1e-4, rtol=1e-4)
    decoded = codes.decode()
    found_vectors = decoded[found.ravel()]
    np.testing.assert_allclose(found_vectors, decoded[ours.indices.ravel()], atol=1e-4)  # the same, ties apart
    index.add(vectors[:50])
    faiss = pytest.importorskip("faiss")
    stored = faiss.downcast_index(index.index)
    assert np.mean(faiss.vector_to_array(stored.codes).reshape(-1, size)[500:] == codes.codes[:50]) > 0.99


def test_faiss_ranks_codes_for_cosine_by_distances_of_directions(vectors, queries, tmp_path):
    codes = isogon.Codes.of(vectors, bytes=4)
    isogon.export.faiss(tmp_path / "c.faiss", codes)
    scores, _ = read_faiss(tmp_path / "c.faiss").search(queries, 1)
    units = queries / np.linalg.norm(queries, axis=1, keepdims=True)
    slow = ((units[:, None] - codes.decode()[None]) ** 2).sum(axis=2).min(axis=1)
    np.testing.assert_allclose(scores[:, 0], slow, atol=1e-5)


@pytest.mark.parametrize("kind", [isogon.SVD, isogon.PCA])
def test_faiss_maps_raw_queries_by_a_linear_model(vectors, queries, tmp_path, kind):
    model = kind(n_components=3).fit(vectors)
    isogon.export.faiss(tmp_path / "y.faiss", model.embedding_, metric="euclidean", model=model)
    _, found = read_faiss(tmp_path / "y.faiss").search(queries, 5)
    slow = isogon.neighbors(model.embedding_, 5, queries=model.transform(queries), metric="euclidean", search="exact")
    assert np.array_equal(found, slow.indices)


@pytest.mark.parametrize("metric", ["cosine", "inner-product", "euclidean"])
@pytest.mark.parametrize("engine", ["hnswlib", "usearch"])
def test_graph_indexes_find_the_nearest_by_their_ids(vectors, queries, engine, metric):
    pytest.importorskip(engine)
    wide = {"expansion_search": 300} if engine == "usearch" else {}
    index = getattr(isogon.export, engine)(vectors, metric=metric, ids=IDS, num_threads=1, **wide)
    truth = IDS[isogon.neighbors(vectors, 5, queries=queries, metric=metric, search="exact").indices]
    if engine == "hnswlib":
        index.set_ef(200)
        found = index.knn_query(queries, 5)[0]
    else:
        found = index.search(queries, 5).keys
    assert np.mean([len(np.intersect1d(a, b)) for a, b in zip(found.astype(np.int64), truth)]) / 5 > 0.9


@pytest.mark.parametrize("engine", ["faiss", "faiss, codes", "hnswlib", "usearch"])
def test_the_example_finds_more_after_ranking_again(engine):
    module = example()
    pytest.importorskip(module.ENGINES[engine][0])
    points = isogon.generate("drawn-digits", 660).points
    x, queries, ids = points[:600], points[600:], 5 + 3 * np.arange(600)
    truth = ids[isogon.neighbors(x, 10, queries=queries, search="exact").indices]
    found, ranked = module.search(x, queries, ids, engine)
    assert module.recall(ranked, truth) >= max(module.recall(found, truth), 0.9)


def test_rows_for_postgresql(tmp_path):
    isogon.export.pgvector(tmp_path / "x.copy", [[0.5, -1], [2, 1e-7]], ids=[7, 8])
    assert (tmp_path / "x.copy").read_text() == "7\t[0.5,-1]\n8\t[2,1e-07]\n"
    isogon.export.pgvector(tmp_path / "w.copy", [[0.5, -1], [2, 3]], ids=["a\tb", "c"])
    assert (tmp_path / "w.copy").read_text() == "a\\tb\t[0.5,-1]\nc\t[2,3]\n"
    with pytest.raises(OSError, match="exists"):
        isogon.export.pgvector(tmp_path / "w.copy", [[0.5, -1]])


def test_what_cannot_be_is_refused(vectors, tmp_path):
    with pytest.raises(ValueError, match="metric = 'l2'.*euclidean"):
        isogon.export.faiss(tmp_path / "x", vectors, metric="l2")
    with pytest.raises(ValueError, match="ids: must be 500"):
        isogon.export.faiss(tmp_path / "x", vectors, ids=[1, 2])
    with pytest.raises(ValueError, match="whole numbers"):
        isogon.export.pgvector(tmp_path / "x", vectors, ids=np.linspace(0, 1, 500))
    with pytest.raises(ValueError, match="ids: 1.*2 vectors"):
        isogon.export.pgvector(tmp_path / "x", [[1, 2], [3, 4]], ids=["one"])
    with pytest.raises(ValueError, match="Codes are for cosine"):
        isogon.export.faiss(tmp_path / "x", isogon.Codes.of(vectors, bytes=2, rounds=1), metric="cosine")
    with pytest.raises(ValueError, match="not linear"):
        isogon.export.faiss(tmp_path / "x", vectors[:, :2], model=isogon.Faithful(n_components=2).fit(vectors[:60]))
    with pytest.raises(ValueError, match="NaN"):
        isogon.export.pgvector(tmp_path / "x", [[np.nan, 1]])
    assert not (tmp_path / "x").exists()


@pytest.mark.parametrize("engine", ["hnswlib", "usearch"])
def test_an_engine_that_is_missing_is_named_with_its_remedy(vectors, monkeypatch, engine):
    whole = importlib.import_module

    def without(name, *rest):
        if name.partition(".")[0] == engine:
            raise ImportError(name)
        return whole(name, *rest)

    monkeypatch.setattr("importlib.import_module", without)
    with pytest.raises(ImportError, match=f"pip install {engine}"):
        getattr(isogon.export, engine)(vectors)


def test_keys_that_usearch_cannot_have(vectors):
    pytest.importorskip("usearch")
    with pytest.raises(ValueError, match="ids: -1 is below 0"):
        isogon.export.usearch(vectors, ids=np.arange(500) - 1)
    with pytest.raises(ValueError, match="twice"):
        isogon.export.usearch(vectors, ids=np.arange(500) // 2)
