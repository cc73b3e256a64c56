"""Codes: the same bytes as the command line's, and errors in Python's words."""

import copy
import pickle

import numpy as np
import pytest

import isogon


@pytest.fixture
def vectors():
    return np.random.default_rng(0).normal(size=(600, 12)).astype(np.float32)


def test_codes_stand_for_the_vectors(vectors):
    codes = isogon.Codes.of(vectors, bytes=12, metric="euclidean")
    assert codes.codes.shape == (600, 12) and codes.codes.dtype == np.uint8
    assert codes.shape == vectors.shape and len(codes) == 600
    assert np.abs(codes.decode() - vectors).mean() < 0.05
    assert codes.recall(vectors) > 0.8
    assert "12 bytes" in repr(codes)


def test_a_search_compares_queries_as_they_are(vectors):
    codes = isogon.Codes.of(vectors, bytes=6)
    found = codes.search(vectors[:5], 4)
    slow = isogon.neighbors(codes.decode(), 4, queries=vectors[:5], search="exact")
    assert np.array_equal(found.indices, slow.indices)
    assert found.distances.shape == (5, 4)


def test_files_are_read_back_and_encode_by_the_same_codewords(vectors, tmp_path):
    codes = isogon.Codes.of(vectors, bytes=4, random_state=3)
    codes.save(tmp_path / "c.safetensors")
    loaded = isogon.Codes.load(tmp_path / "c.safetensors")
    assert np.array_equal(loaded.codes, codes.codes)
    assert np.array_equal(loaded.encode(vectors[7:9]).codes, codes.codes[7:9])
    with pytest.raises(OSError, match="exists"):
        codes.save(tmp_path / "c.safetensors")
    isogon.PCA(n_components=2).fit(vectors).save(tmp_path / "pca.safetensors")
    with pytest.raises(ValueError, match="codes"):
        isogon.Codes.load(tmp_path / "pca.safetensors")


def test_pickles_and_copies_are_the_codes(vectors):
    codes = isogon.Codes.of(vectors, bytes=4, random_state=3)
    for other in (pickle.loads(pickle.dumps(codes)), copy.deepcopy(codes)):
        assert np.array_equal(other.codes, codes.codes)
        assert {**other.options, "seed": 3} == codes.options  # with a seed nothing more is drawn: a file holds none
        assert np.array_equal(other.search(vectors[:5], 3).indices, codes.search(vectors[:5], 3).indices)


def test_what_cannot_be_is_refused(vectors):
    with pytest.raises(ValueError, match="bytes = 13.*at most 12"):
        isogon.Codes.of(vectors, bytes=13)
    with pytest.raises(TypeError, match="Codes.of"):
        isogon.Codes(vectors)
    codes = isogon.Codes.of(vectors, bytes=2, rounds=1)
    with pytest.raises(ValueError, match="12"):
        codes.encode(vectors[:, :5])
    with pytest.raises(ValueError, match="n_neighbors"):
        codes.search(vectors, 0)
    with pytest.raises(ValueError, match="NaN"):
        codes.search(np.full((1, 12), np.nan))
    with pytest.raises(MemoryError, match="limit"):
        codes.decode(memory_limit=100)
