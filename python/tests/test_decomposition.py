"""relu_decomposition."""

import numpy as np
import pytest

import isogon


@pytest.fixture
def planted():
    random = np.random.default_rng(0)
    return np.maximum(0, random.standard_normal((90, 4)) @ random.standard_normal((4, 80)))


def test_a_planted_matrix_is_found(planted):
    found = isogon.relu_decomposition(planted, 4, stall_tolerance=0, latent_tolerance=1e-8)
    assert found.W.shape == (90, 4) and found.H.shape == (4, 80) and found.W.dtype == np.float64
    error = np.linalg.norm(planted - np.maximum(0, found.W @ found.H)) / np.linalg.norm(planted)
    assert error < 1e-8 and found.output_residual == pytest.approx(error, abs=1e-12)
    assert found.summary.termination == "converged"
    assert len(found.output_residuals) == len(found.summary.trace["iteration"])


def test_every_algorithm_and_start(planted):
    for algorithm in ("newton", "alternating", "momentum", "a-nmd", "3b", "ebcd", "em", "tikhonov"):
        own = {"momentum": 0.5} if algorithm in ("momentum", "em") else {}
        found = isogon.relu_decomposition(planted, 4, algorithm=algorithm, iterations=20, **own)
        assert found.output_residual < 0.5, algorithm
    for start in ("auto", "shifted", "spherical", "svd", "nuclear", "random"):
        assert isogon.relu_decomposition(planted, 4, start=start, iterations=30).output_residual < 0.2, start
    symmetric = np.maximum(0, planted @ planted.T - 5)
    symmetric = isogon.relu_decomposition(symmetric, 6, algorithm="symmetric", iterations=20)
    assert np.allclose(np.abs(symmetric.W), np.abs(symmetric.H.T))


def test_sparse_matrices_are_the_same(planted):
    sparse = pytest.importorskip("scipy.sparse")
    dense = isogon.relu_decomposition(planted, 3, iterations=5)
    for made in (sparse.csr_matrix, sparse.coo_matrix, sparse.csc_array):
        assert np.array_equal(isogon.relu_decomposition(made(planted), 3, iterations=5).W, dense.W)
    assert np.array_equal(isogon.relu_decomposition(planted.astype(np.float32), 3, iterations=5).W.shape, (90, 3))


def test_unknown_entries_are_completed(planted):
    known = np.random.default_rng(1).random(planted.shape) < 0.8
    found = isogon.relu_decomposition(planted * known, 4, observed=known, stall_tolerance=0, latent_tolerance=1e-9)
    completed = np.maximum(0, found.W @ found.H)
    assert np.linalg.norm((completed - planted)[~known]) < 1e-4 * np.linalg.norm(planted)


def test_it_goes_on_from_factors(planted):
    first = isogon.relu_decomposition(planted, 4, iterations=3, start="random")
    second = isogon.relu_decomposition(planted, 4, iterations=3, start=(first.W, first.H))
    assert second.output_residual < first.output_residual


def test_threads_change_no_bit_and_callbacks_end_it(planted):
    one, two = (isogon.relu_decomposition(planted, 4, iterations=6, n_jobs=jobs).W for jobs in (1, 2))
    assert np.array_equal(one, two)
    ended = isogon.relu_decomposition(
        planted, 8, callback=lambda result: result.phase == "updates" and result.done == 2
    )
    assert ended.summary.termination == "cancelled" and len(ended.output_residuals) == 2


@pytest.mark.parametrize(
    "change, words",
    [
        (dict(S=-np.ones((3, 4))), "S = .*row 0, column 0"),
        (dict(S=np.zeros((3, 4))), "S"),
        (dict(S=np.full((3, 4), np.nan)), "S|row 0"),
        (dict(S=np.ones(3)), "S: must have two axes"),
        (dict(rank=5), "rank = 5"),
        (dict(rank=0), "rank"),
        (dict(start="far"), "start"),
        (dict(start=(np.ones((3, 2)), np.ones((2, 5)))), "start"),
        (dict(observed=np.ones((4, 3))), "observed"),
        (dict(algorithm="best"), "algorithm"),
    ],
)
def test_bad_input_is_named(change, words):
    arguments = {"S": np.ones((3, 4)), "rank": 2, **change}
    with pytest.raises((ValueError, TypeError), match=words):
        isogon.relu_decomposition(**arguments)
