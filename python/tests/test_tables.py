"""Tables of other libraries: which are read, without a copy where there need be none; columns by name; single cells."""

import sys
from types import SimpleNamespace

import numpy as np
import pytest
from test_report import document

import isogon
from isogon._arrays import Memory, as_points

pandas = pytest.importorskip("pandas")
pyarrow = pytest.importorskip("pyarrow")
NAMES = ["a", "b", "c"]


@pytest.fixture(scope="module")
def values():
    return np.random.default_rng(0).normal(size=(60, 3)).astype(np.float32)


@pytest.fixture(scope="module")
def frame(values):
    """Three numbers, a kind, a word and a vector in each row."""
    return pandas.DataFrame(values, columns=NAMES).assign(
        kind=["x", "y", "z"] * 20, word=[f"w{i}" for i in range(60)], vector=list(values[:, ::-1])
    )


def as_arrow(frame):
    return pyarrow.Table.from_pandas(frame, preserve_index=False)


def as_polars(frame):
    return pytest.importorskip("polars").from_arrow(as_arrow(frame))  # 170 MB: not among the requirements


def as_duckdb(frame):
    return pytest.importorskip("duckdb").from_arrow(as_arrow(frame))


def as_interchange(frame):
    """A table that has the interchange protocol alone."""
    return SimpleNamespace(__dataframe__=as_arrow(frame).__dataframe__, columns=list(frame.columns))


KINDS = [lambda frame: frame, as_arrow, as_polars, as_duckdb]
every_kind = pytest.mark.parametrize("made", KINDS, ids=["pandas", "arrow", "polars", "duckdb"])


@every_kind
def test_tables_of_numbers(made, frame, values):
    table = made(frame[NAMES])
    fitted = isogon.PCA(2).fit(table)
    assert np.array_equal(fitted.embedding_, isogon.PCA(2).fit_transform(values))
    assert list(fitted.feature_names_in_) == NAMES
    with pytest.raises(ValueError, match="order"):
        fitted.transform(made(frame[NAMES[::-1]]))


def test_other_ways_into_arrow(frame, values):
    batch = as_arrow(frame[NAMES]).to_batches()[0]
    for table in (batch, as_arrow(frame[NAMES]).to_reader(), as_interchange(frame[NAMES])):
        assert np.array_equal(as_points(table), values)


@every_kind
def test_a_column_of_vectors(made, frame, values):
    wanted = isogon.PCA(2).fit_transform(values[:, ::-1])
    for fitted in (isogon.PCA(2).fit(made(frame[["vector"]])), isogon.PCA(2, columns="vector").fit(made(frame))):
        assert np.array_equal(fitted.embedding_, wanted) and fitted.n_features_in_ == 3
        assert not hasattr(fitted, "feature_names_in_")
    alone = made(frame).select("vector") if made is as_duckdb else made(frame)["vector"]
    assert np.array_equal(as_points(alone), values[:, ::-1])
    assert np.array_equal(as_points(frame["vector"].to_numpy()), values[:, ::-1])


@every_kind
def test_chosen_columns(made, frame, values):
    fitted = isogon.PCA(2, columns=["b", "a"]).fit(made(frame))
    assert np.array_equal(fitted.embedding_, isogon.PCA(2).fit_transform(values[:, [1, 0]]))
    assert np.array_equal(fitted.transform(made(frame[["word", "a", "b"]])), fitted.embedding_)
    assert fitted.score(made(frame)) == fitted.score(frame)
    with pytest.raises(ValueError, match="^columns: there is no column 'q'; the table has 'a', 'b'"):
        isogon.PCA(2, columns=["a", "q"]).fit(made(frame))


@every_kind
def test_labels_and_words_by_name(made, frame, values, tmp_path):
    table, kinds = made(frame.drop(columns="vector")), frame["kind"]
    y = isogon.PCA(2).fit_transform(values)
    wanted = isogon.score(values, y, kinds).knn_accuracy
    assert isogon.score(made(frame[[*NAMES, "kind"]]), y, "kind").knn_accuracy == wanted
    for fit in (isogon.PCA(2).fit(frame[NAMES]), isogon.PCA(2, columns=NAMES).fit(table)):
        assert isogon.score(table, fit, "kind").knn_accuracy == wanted
    isogon.report(table, y, tmp_path / "names.html", labels="kind", words="word")
    isogon.report(values, y, tmp_path / "arrays.html", labels=kinds, words=frame["word"])
    assert document(tmp_path / "names.html")["points"] == document(tmp_path / "arrays.html")["points"]
    umap = isogon.UMAP(iterations=9).fit(values, kinds)
    assert np.array_equal(
        isogon.UMAP(iterations=9).fit(made(frame[[*NAMES, "kind"]]), "kind").embedding_, umap.embedding_
    )
    with pytest.raises(TypeError, match="^labels: 'kind' names columns, and X is no table"):
        isogon.score(values, y, "kind")


def test_nothing_is_copied_that_lies_right(values):
    flat = pyarrow.array(values.ravel())
    for column in (
        pyarrow.FixedSizeListArray.from_arrays(flat, 3),
        pyarrow.ListArray.from_arrays(range(0, 181, 3), flat),
    ):
        for table in (column, pyarrow.chunked_array([column]), pyarrow.table({"vector": column})):
            assert np.shares_memory(as_points(table), values)
    part = pyarrow.table({"vector": column}).slice(7, 9)
    assert np.shares_memory(as_points(part), values) and np.array_equal(as_points(part), values[7:16])
    several = pyarrow.concat_tables([part, part])
    assert np.array_equal(as_points(several), np.vstack([values[7:16]] * 2))


def test_copies_count(frame, values):
    mixed = frame[NAMES].astype({"a": "float64"})
    vectors = pyarrow.table({"v": pyarrow.FixedSizeListArray.from_arrays(pyarrow.array(values.ravel()), 3)})
    for table, copies in ((frame[NAMES], 1), (mixed, 2), (as_arrow(mixed), 1), (vectors, 0)):
        memory = Memory(2 * values.nbytes)
        as_points(table, memory=memory)
        assert memory.left == (2 - min(copies, 1)) * values.nbytes
        if copies:
            with pytest.raises(MemoryError, match="X: .*memory_limit"):
                as_points(table, memory=Memory(copies * values.nbytes - 1))


def test_numbers_of_every_arrow_type():
    wanted = np.array([[1.0], [0.0], [1.0]], np.float32)
    for kind in (pyarrow.int8(), pyarrow.uint64(), pyarrow.bool_(), pyarrow.float64(), pyarrow.decimal128(30, 2)):
        assert np.array_equal(as_points(pyarrow.table({"a": pyarrow.array([1, 0, 1]).cast(kind)})), wanted), kind
    assert np.array_equal(as_points(pyarrow.table({"a": wanted[:, 0].astype(np.float16)})), wanted)


def test_nullable_types_without_nulls(values):
    table = pandas.DataFrame({"a": pandas.array([1, 0, 1], "Int64"), "b": pandas.array([True, False, True], "boolean")})
    assert np.array_equal(as_points(table.assign(c=0.5)), [[1, 1, 0.5], [0, 0, 0.5], [1, 1, 0.5]])
    assert np.array_equal(as_points(table.astype(object)), [[1, 1], [0, 0], [1, 1]])


def test_bfloat16(values):
    halves = values.astype(pytest.importorskip("ml_dtypes").bfloat16)
    assert np.array_equal(as_points(halves), halves.astype(np.float32))


def of_pandas(**columns):
    return lambda: pandas.DataFrame(columns)


def of_arrow(**columns):
    return lambda: pyarrow.table(columns)


@pytest.mark.parametrize(
    "make, error, says",
    [
        (
            of_pandas(a=[1.0, 2.0], kind=["x", "y"]),
            TypeError,
            "(row 0, )?column 'kind': (holds str|must be a number, not 'x')",
        ),
        (of_pandas(a=[1.0, 2.0], day=pandas.to_datetime(["2020", "2021"])), TypeError, "column 'day': holds datetime"),
        (of_pandas(a=[1, 2], b=pandas.array([1, None], "Int64")), ValueError, "row 1, column 'b': is missing"),
        (of_pandas(a=[1, 2], b=[1, pandas.NA]), ValueError, "row 1, column 'b': is missing"),
        (of_pandas(a=[1, 2], b=[1, np.nan]), ValueError, "row 1, column 'b': the value is NaN"),
        (of_pandas(a=[1.0, 2.0], b=[1, -np.inf]), ValueError, "row 1, column 'b': the value is infinite"),
        (of_pandas(a=[1, 2], b=[1, 1e300]), ValueError, "row 1, column 'b': is beyond float32"),
        (of_pandas(a=[1, 2], b=[[1], [2]]), TypeError, "row 0, column 'b': is a vector beside other columns"),
        (of_pandas(b=[[1, 2], [2]]), ValueError, "row 1: has 1 numbers, where row 0 has 2"),
        (of_pandas(b=[[1, 2], None]), ValueError, "row 1: is missing"),
        (of_pandas(b=[[1, 2], [3, "x"]]), TypeError, "row 1, column 1: must be a number, not 'x'"),
        (of_pandas(a=pandas.arrays.SparseArray([0.0, 1.0])), TypeError, "column 'a': is sparse"),
        (of_arrow(a=[1, 2], kind=["x", "y"]), TypeError, "column 'kind': holds string"),
        (of_arrow(a=[1, 2], b=[[1], [2]]), TypeError, "column 'b': holds list"),
        (of_arrow(a=[1, 2], b=[1, None]), ValueError, "row 1, column 'b': is missing"),
        (of_arrow(a=[1, 2], b=[1, 1e300]), ValueError, "row 1, column 'b': is beyond float32"),
        (of_arrow(b=[[1, 2], [2]]), ValueError, "row 1: has 1 numbers, where row 0 has 2"),
        (of_arrow(b=[[1, 2], None]), ValueError, "row 1: is missing"),
        (of_arrow(b=[[1, 2], [3, None]]), ValueError, "row 1, column 1: is missing"),
    ],
)
def test_what_is_wrong_is_named(make, error, says):
    with pytest.raises(error, match=f"^X, {says}"):
        as_points(make(), finite=True)


def test_what_is_missing_may_be_unknown():
    for table in (pandas.DataFrame({"a": [1.0, None], "b": [2, 3]}), pyarrow.table({"a": [1.0, None], "b": [2, 3]})):
        assert np.array_equal(as_points(table, "start"), [[1, 2], [np.nan, 3]], equal_nan=True)
        with pytest.raises(ValueError, match="^X, row 1, column 'a': (is missing|the value is NaN)"):
            isogon.PCA(1).fit(table)
        with pytest.raises(ValueError, match="^X, row 1, column 'a'"):
            isogon.threshold(table)


def test_what_needs_pyarrow_says_so(frame, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ImportError, match="^X: SimpleNamespace is read by pyarrow: pip install pyarrow"):
        as_points(SimpleNamespace(__dataframe__=None, columns=["a"]))


def test_results_are_as_set_output_says(frame):
    turned = frame.iloc[::-1]
    for X in (turned[NAMES], turned["vector"]):
        table = isogon.PCA(2).set_output(transform="pandas").fit_transform(X)
        assert list(table.index) == list(turned.index) and list(table.columns) == ["pca0", "pca1"]
    polars = pytest.importorskip("polars")
    table = isogon.PCA(1).set_output(transform="polars").fit_transform(as_polars(frame[NAMES]))
    assert isinstance(table, polars.DataFrame) and table.columns == ["pca0"]


def cells(**obsm):
    """What isogon asks of an AnnData."""
    return SimpleNamespace(X=np.random.default_rng(1).random((40, 9)), obsm=obsm)


def test_single_cells_keep_their_coordinates():
    adata = cells()
    fit = isogon.embed_anndata(adata, isogon.PCAForces(2, iterations=5))
    assert list(adata.obsm) == ["X_isogon_pca_forces"] and adata.obsm["X_isogon_pca_forces"] is fit.embedding_
    assert np.array_equal(fit.embedding_, isogon.PCAForces(2, iterations=5).fit_transform(adata.X))
    adata = cells(X_pca=adata.X[:, :4], X_other=adata.X[:, 4:])
    for given, rows in (
        ({}, adata.obsm["X_pca"]),
        ({"use_rep": "X_other"}, adata.obsm["X_other"]),
        ({"use_rep": "X"}, adata.X),
    ):
        isogon.embed_anndata(adata, isogon.PCA(2), key_added="X_mine", **given)
        assert np.array_equal(adata.obsm["X_mine"], isogon.PCA(2).fit_transform(rows))
    with pytest.raises(ValueError, match="use_rep = 'X_umap': must be X or one of adata.obsm, X_pca, X_other, X_mine"):
        isogon.embed_anndata(adata, isogon.PCA(2), use_rep="X_umap")
    adata.X = pytest.importorskip("scipy.sparse").csr_array(adata.X)
    with pytest.raises(TypeError, match=r"^adata.X: is sparse; scanpy.pp.pca\(adata\) first"):
        isogon.embed_anndata(adata, isogon.LLE(2), use_rep="X")
    assert (
        isogon.embed_anndata(adata, isogon.PCA(2), use_rep="X", key_added="X_mine").n_features_in_ == adata.X.shape[1]
    )
    for wrong in ((adata.X, isogon.PCA(2)), (adata, "pca")):
        with pytest.raises(TypeError, match="^(adata|estimator): must be"):
            isogon.embed_anndata(*wrong)


def test_anndata_itself():
    adata = pytest.importorskip("anndata").AnnData(np.random.default_rng(1).random((40, 9)).astype(np.float32))
    fit = isogon.embed_anndata(adata, isogon.UMAP(iterations=5))
    assert np.array_equal(adata.obsm["X_isogon_umap"], fit.embedding_)
