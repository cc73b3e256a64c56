"""What is taken for points: types, orders, containers; and what is refused, by name and without a crash."""

import gc
import os

import numpy as np
import pytest
from conftest import ESTIMATORS, quick

import isogon
from isogon import _core
from isogon._arrays import Memory, as_points
from isogon._graphs import as_neighbors

scipy_sparse = pytest.importorskip("scipy.sparse")


def fitted(points):
    return isogon.PCA(2).fit_transform(points)


def shares(a, b):
    return np.shares_memory(a, b)


def test_float32_rows_are_not_copied(digits):
    assert shares(as_points(digits), digits)
    assert shares(as_points(digits[::2]), digits)
    assert shares(as_points(digits[:, 10:20]), digits)
    assert not shares(as_points(digits[::-1]), digits)
    assert not shares(as_points(digits[:, ::2]), digits)
    assert not shares(as_points(np.asfortranarray(digits)), digits)


def test_the_library_never_converts(digits):
    """What comes to the extension is read where it lies, or refused."""
    for points in (digits.astype(float), digits.tolist(), digits.astype(">f4")):
        with pytest.raises(TypeError):
            _core.fit("pca", points, {"dimension": 2}, _core.Run())
    for points in (digits[::-1], digits[:, ::2], np.asfortranarray(digits)):
        with pytest.raises(ValueError, match="X: the numbers of a row"):
            _core.fit("pca", points, {"dimension": 2}, _core.Run())


@pytest.mark.parametrize("dtype", ["float64", "float16", "int8", "uint8", "int64", "bool", ">f4", "<f8", "longdouble"])
def test_numbers_of_every_type(dtype, digits):
    points = digits[:50] / (1 if dtype.startswith(("i", "u")) else 16) if dtype != "bool" else digits[:50] > 100
    points = (points / 4).astype(dtype) if dtype == "int8" else points.astype(dtype)
    assert np.array_equal(fitted(points), fitted(points.astype("float32")))
    assert fitted(points).dtype == np.float32


def test_every_order_gives_the_same_bits(digits):
    wanted = fitted(digits)
    for points in (
        np.asfortranarray(digits),
        digits[::-1][::-1],
        np.repeat(digits, 2, axis=1)[:, ::2],
        np.repeat(digits, 2, axis=0)[::2],
        digits.tolist(),
        digits.astype(object),
    ):
        assert np.array_equal(fitted(points), wanted)
    assert np.array_equal(fitted(digits[::-1]), fitted(digits[::-1].copy()))
    assert np.array_equal(fitted(digits[:, ::-1]), fitted(digits[:, ::-1].copy()))


@pytest.mark.parametrize("kind", ESTIMATORS.values(), ids=lambda kind: kind.__name__)
def test_rows_with_gaps_between_them_give_the_same_bits(kind, digits):
    wide = np.repeat(digits[:80], 2, axis=0)
    assert shares(as_points(wide[::2]), wide)
    assert np.array_equal(quick(kind).fit_transform(wide[::2]), quick(kind).fit_transform(digits[:80]))


def test_unaligned_rows(digits):
    raw = bytearray(digits.nbytes + 1)
    points = np.frombuffer(raw, dtype=np.float32, count=digits.size, offset=1).reshape(digits.shape)
    points[:] = digits
    assert np.array_equal(fitted(points), fitted(digits))


def test_memory_maps(tmp_path, digits):
    np.save(tmp_path / "x.npy", digits)
    mapped = np.load(tmp_path / "x.npy", mmap_mode="r")
    assert shares(as_points(mapped), mapped)
    assert np.array_equal(fitted(mapped), fitted(digits))


def test_sparse_matrices_are_not_made_dense_in_silence(digits):
    for make in (scipy_sparse.csr_matrix, scipy_sparse.csr_array, scipy_sparse.csc_matrix, scipy_sparse.coo_array):
        for call in (isogon.NMF(2).fit, lambda x: isogon.score(x, x), lambda x: isogon.threshold(x)):
            with pytest.raises(
                TypeError, match=r"^X: is a sparse matrix of 120 x 196, .* 94.1 kB as float32. .*toarray"
            ):
                call(make(digits))
    with pytest.raises(TypeError, match="sparse"):  # distances: what is not stored is not 0
        isogon.MDS(2, metric="precomputed").fit(scipy_sparse.csr_array((5, 5)))


def test_copies_count():
    """What a copy takes is not there for the run, whoever runs."""
    points = np.random.default_rng(0).normal(size=(400, 50)).astype(np.float32)
    copy = points.nbytes
    for given, need in (
        (points, 0),
        (points.astype(float), copy),
        (np.asfortranarray(points), copy),
        (points.tolist(), 3 * copy),  # float64 on the way
        (points.astype(object), 3 * copy),
    ):
        memory = Memory(need)
        assert np.array_equal(as_points(given, memory=memory), points)
        assert memory.left == need - (copy if need else 0)
        if need:
            with pytest.raises(MemoryError, match="X: .*memory_limit"):
                as_points(given, memory=Memory(need - 1))


def test_copies_leave_less_for_the_run():
    points = np.random.default_rng(0).normal(size=(400, 50)).astype(np.float32)
    wide = points.astype(float)
    calls = {
        "fit": lambda x, limit: isogon.PCA(2, memory_limit=limit).fit(x),
        "transform": lambda x, limit: isogon.PCA(2).fit(points).set_params(memory_limit=limit).transform(x),
        "score": lambda x, limit: isogon.score(x, x, memory_limit=limit),
        "threshold": lambda x, limit: isogon.threshold(x, memory_limit=limit),
        "neighbors": lambda x, limit: isogon.neighbors(x, 3, queries=x[:5], memory_limit=limit),
    }
    for call in calls.values():
        with pytest.raises(MemoryError, match="X: is copied"):
            call(wide, points.nbytes - 1)
        call(points, 10**8)
        call(wide, 10**8)
    with pytest.raises(MemoryError, match="Y: is copied"):
        isogon.score(points, wide, memory_limit=points.nbytes - 1)
    with pytest.raises(MemoryError, match="the limit is 0 bytes"):
        isogon.PCA(2, memory_limit=points.nbytes).fit(wide)


def test_data_frames(digits):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(digits[:, 100:110].astype(float), columns=list("abcdefghij"))
    pca = isogon.PCA(2).fit(frame)
    assert list(pca.feature_names_in_) == list("abcdefghij")
    assert np.array_equal(pca.embedding_, fitted(digits[:, 100:110]))
    table = pca.set_output(transform="pandas").transform(frame[3:6])
    assert list(table.columns) == ["pca0", "pca1"] and list(table.index) == [3, 4, 5]
    with pytest.raises(ValueError, match="order"):
        pca.transform(frame[list("bacdefghij")])
    pca.set_output(transform="default").fit(digits)
    assert not hasattr(pca, "feature_names_in_")


@pytest.mark.parametrize(
    "points, error, says",
    [
        (np.zeros((0, 3), np.float32), ValueError, "X: 0 sample"),
        (np.zeros((3, 0), np.float32), ValueError, "X: 0 feature"),
        (np.zeros((1, 3), np.float32), ValueError, "X: 1 sample"),
        (np.zeros(5, np.float32), ValueError, "X: .*two axes.*Reshape"),
        (np.zeros((2, 2, 2)), ValueError, "X: .*two axes"),
        (3.0, ValueError, "X"),
        (None, (ValueError, TypeError), "^X: "),
        ([[1.0, 2.0], [3.0]], ValueError, "^X, row 1: has 1 numbers, where row 0 has 2"),
        ([[1.0, 2.0], 3.0], TypeError, "^X, row 1: must be a row of numbers, not 3.0"),
        ([[1, 10**400], [2, 2]], ValueError, "^X, row 0, column 1: .*beyond float32"),
        ([["a", "b"], ["c", "d"]], TypeError, "^X, row 0, column 0: must be a number, not 'a'"),
        (np.array([["a", "b"]]), TypeError, "^X: must hold numbers, not <U1"),
        (np.array([["a", 1], ["c", 2]], dtype=object), TypeError, "^X, row 0, column 0: .*'a'"),
        (
            np.array([[2, 1], [{}, 2]], dtype=object),
            TypeError,
            "^X, row 1, column 0: argument must be .* number, not {}",
        ),
        (slice(3), TypeError, "^X: must be rows of numbers, an array or a table, not slice"),
        (np.array([[1j, 1], [2, 2]]), ValueError, "Complex"),
        (np.zeros((3, 2), "datetime64[s]"), TypeError, "X: must hold numbers"),
        (np.zeros((3, 2), [("a", float)]), TypeError, "X: must hold numbers"),
        (np.ma.masked_equal(np.eye(3), 1.0), ValueError, "X: has masked"),
        (np.array([[1.0, np.nan], [0.0, 1.0], [2.0, 1.0]]), ValueError, "X.*NaN"),
        (np.array([[1.0, np.inf], [0.0, 1.0], [2.0, 1.0]]), ValueError, "X.*inf"),
        (np.array([[1.0, 1e300], [0.0, 1.0], [2.0, 1.0]]), ValueError, "X: .*beyond float32"),
        (np.ones((4, 2)), ValueError, "X: all 4 points are equal"),
    ],
    ids=str,
)
def test_bad_points_are_refused(points, error, says):
    with pytest.raises(error, match=says):
        isogon.PCA(1).fit(points)


def test_every_argument_is_named(digits):
    ragged = [[1.0, 2.0], [3.0]]
    for name, call in {
        "start": lambda: isogon.TSNE(2).fit(digits, start=ragged),
        "neighbors": lambda: isogon.LLE(2).fit(digits, neighbors=ragged),
        "neighbors: could": lambda: isogon.LLE(2).fit(digits, neighbors=(np.ones((120, 1), int), [["far"]] * 120)),
        "Y": lambda: isogon.score(digits, ragged),
        "labels": lambda: isogon.score(digits, digits, [1, "a", None, {}] * 30),
        "against": lambda: isogon.score(digits, digits, against=(digits, ragged)),
        "queries": lambda: isogon.neighbors(digits, 3, queries=ragged),
    }.items():
        with pytest.raises((ValueError, TypeError), match=f"^{name}"):
            call()


def test_what_only_looks_masked_is_read(digits):
    class Frame:
        """A container with methods of those names."""

        mask = filled = staticmethod(lambda: None)

        def __array__(self, dtype=None, copy=None):
            return digits

    assert np.array_equal(fitted(Frame()), fitted(digits))


def test_views_of_nothing_and_of_everything():
    """Strides that repeat one row, or point nowhere."""
    row = np.arange(4, dtype=np.float32)
    same = np.lib.stride_tricks.as_strided(row, (6, 4), (0, 4))
    with pytest.raises(ValueError, match="equal"):
        isogon.PCA(1).fit(same)
    empty = np.lib.stride_tricks.as_strided(np.zeros(0, np.float32), (0, 4), (-16, 4))
    with pytest.raises(ValueError, match="0 sample"):
        isogon.PCA(1).fit(empty)


@pytest.mark.parametrize("kind", [isogon.Faithful, isogon.TSNE, isogon.LLE, isogon.PCA], ids=lambda kind: kind.__name__)
def test_buffers_that_are_gone(kind, digits):
    """What a fit was made of may go: nothing that stays looks at it."""
    points = digits.copy()
    estimator = quick(kind).fit(points)
    before = quick(kind).fit(digits)
    points[:] = np.nan
    del points
    gc.collect()
    assert np.array_equal(estimator.transform(digits[:5]), before.transform(digits[:5]))
    assert np.array_equal(estimator.embedding_, before.embedding_)
    coordinates = estimator.embedding_
    del estimator
    gc.collect()
    assert np.array_equal(coordinates, before.embedding_)


def test_a_closed_memory_map(tmp_path, digits):
    np.save(tmp_path / "x.npy", digits)
    mapped = np.load(tmp_path / "x.npy", mmap_mode="r")
    estimator = quick(isogon.TSM).fit(mapped)
    del mapped
    os.remove(tmp_path / "x.npy")
    assert np.isfinite(estimator.transform(digits[:3])).all()


def test_neighbor_graphs(digits):
    neighbors = isogon.neighbors(digits, 8, metric="euclidean")
    plain = isogon.LLE(2, n_neighbors=8, components="largest")
    wanted = plain.fit_transform(digits)
    for given in (neighbors.indices, (neighbors.indices, neighbors.distances), neighbors.indices.astype(np.int32)):
        assert np.array_equal(plain.fit_transform(digits, neighbors=given), wanted)
    other = isogon.neighbors(digits, 16, metric="euclidean").indices[:, 8:]
    assert not np.array_equal(plain.fit_transform(digits, neighbors=other), wanted)


def test_faithful_keeps_given_neighbors(digits):
    near = isogon.neighbors(digits, 8, metric="euclidean").indices
    searched = isogon.Faithful(8, n_neighbors=8).fit(digits)
    given = isogon.Faithful(8).fit(digits, neighbors=near)
    assert given.kept_.mean() == pytest.approx(searched.kept_.mean(), abs=0.05)
    assert "neighbor_recall" not in given.summary_.measures
    with pytest.raises(ValueError, match="n_neighbors.* at most 8"):
        isogon.Faithful(8, n_neighbors=9).fit(digits, neighbors=near)


def test_graphs_of_scikit_learn(digits):
    neighbors_ = pytest.importorskip("sklearn.neighbors")
    graph = neighbors_.KNeighborsTransformer(n_neighbors=12, mode="distance").fit_transform(digits)
    indices, distances = as_neighbors(graph, 120)
    ours = isogon.neighbors(digits, 12, metric="euclidean", search="exact")
    assert np.array_equal(indices, ours.indices[:, : indices.shape[1]])
    assert np.allclose(distances, ours.distances[:, : indices.shape[1]], rtol=1e-3)
    isomap = isogon.Isomap(2, n_neighbors=8, components="bridge")
    assert np.allclose(isomap.fit_transform(digits, neighbors=graph), isomap.fit_transform(digits), rtol=1e-2, atol=1.0)


@pytest.mark.parametrize(
    "given",
    [
        np.zeros((3, 2), int),
        np.full((120, 2), 120),
        np.full((120, 2), -1),
        np.zeros((120, 2)),
        np.zeros((120, 0), int),
        np.zeros((120, 3), int),
        "near",
        (np.zeros((120, 2), int), np.zeros((120, 3))),
        scipy_sparse.csr_matrix((120, 120)),
        scipy_sparse.csr_matrix((120, 100)),
    ],
    ids=str,
)
def test_bad_neighbors_are_refused(given, digits):
    with pytest.raises(ValueError, match="neighbors"):
        isogon.LLE(2, n_neighbors=2).fit(digits, neighbors=given)
    with pytest.raises(ValueError, match="neighbors"):
        isogon.PCA(2).fit(digits, neighbors=given)


def test_affinities(digits):
    weights = scipy_sparse.random(120, 120, 0.1, random_state=1)
    weights = weights + weights.T + scipy_sparse.diags([1.0] * 119, 1) + scipy_sparse.diags([1.0] * 119, -1)
    weights.setdiag(0.0)
    weights = weights.tocsr()
    weights.eliminate_zeros()
    for estimator in (isogon.TSNE(2, iterations=20), isogon.UMAP(2, iterations=10)):
        fitted = estimator.fit(digits, affinities=weights)
        wanted = fitted.embedding_
        assert np.array_equal(estimator.fit_transform(digits, affinities=weights.toarray()), wanted)
        assert not np.array_equal(estimator.fit_transform(digits), wanted)
        with pytest.raises(ValueError, match="affinities"):
            estimator.fit(digits, affinities=weights).transform(digits[:2])
    with pytest.raises(ValueError, match="no edges"):
        isogon.PCA(2).fit(digits, affinities=weights)
    weights[3, 4] = 7.0
    with pytest.raises(ValueError, match="row 3, column 4"):
        isogon.UMAP(2).fit(digits, affinities=weights)
