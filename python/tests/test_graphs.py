"""Graphs of neighbours alone, as scikit-learn's KNeighborsTransformer makes them."""

import pickle

import numpy as np
import pytest
from conftest import ESTIMATORS, quick

import isogon
from isogon import _core

sparse = pytest.importorskip("scipy.sparse")
neighbors_ = pytest.importorskip("sklearn.neighbors")

METHODS = {entry["name"] for entry in _core.methods() if entry["accepts_precomputed"]}
KINDS = {kind.__name__: kind for kind in ESTIMATORS.values() if kind._method in METHODS}
# What each needs so that a fit needs no points: a start that is not theirs, few enough neighbours, one part.
ALONE = {
    "Faithful": {"n_neighbors": 8},
    "Isomap": {"n_neighbors": 8, "components": "error"},
    "LaplacianEigenmaps": {"n_neighbors": 8, "components": "error"},
    "TSNE": {"perplexity": 2.5, "start": "random"},
    "UMAP": {"n_neighbors": 8},
}

every_kind = pytest.mark.parametrize("name", KINDS)


@pytest.fixture(scope="module")
def points():
    """In one part for eight neighbours: a filled square, seen in five dimensions."""
    random = np.random.default_rng(0)
    return (random.uniform(size=(150, 2)) @ random.normal(size=(2, 5))).astype(np.float32)


@pytest.fixture(scope="module")
def graph(points):
    return neighbors_.KNeighborsTransformer(n_neighbors=8, mode="distance").fit_transform(points)


def alone(name, **more):
    return quick(KINDS[name], **{**ALONE[name], "metric": "precomputed", **more})


def test_those_that_take_graphs_are_known():
    assert KINDS.keys() == ALONE.keys()


def start_of(name, points):
    """Faithful begins at the principal components, which a graph alone does not have."""
    return {"start": isogon.PCA(2).fit_transform(points)} if name == "Faithful" else {}


@every_kind
def test_a_graph_alone_gives_what_the_points_give(name, points, graph):
    start = start_of(name, points)
    fitted = alone(name).fit(graph, **start)
    assert fitted.embedding_.shape == (150, 2) and fitted.embedding_.dtype == np.float32
    assert fitted.n_features_in_ == 150 and fitted.options_["metric"] == "precomputed"
    beside = quick(KINDS[name], **ALONE[name]).fit_transform(points, neighbors=graph, **start)
    assert np.array_equal(fitted.embedding_, beside)


@every_kind
def test_in_a_pipeline(name, points):
    pipeline_ = pytest.importorskip("sklearn.pipeline")
    transformer = neighbors_.KNeighborsTransformer(n_neighbors=8, mode="distance")
    piped = pipeline_.make_pipeline(transformer, alone(name)).fit_transform(points)
    assert piped.shape == (150, 2)
    if name == "Isomap":  # distances differ in their last digit
        assert np.allclose(piped, isogon.Isomap(2, n_neighbors=8).fit_transform(points), atol=1e-3)


def test_isomap_as_scikit_learns(points, graph):
    manifold = pytest.importorskip("sklearn.manifold")
    theirs = manifold.Isomap(n_neighbors=8, metric="precomputed").fit_transform(graph)
    ours = isogon.Isomap(2, n_neighbors=8, metric="precomputed").fit_transform(graph)
    assert np.allclose(np.abs(theirs), np.abs(ours), atol=1e-3)


def test_every_sparse_format_and_a_smaller_k(points, graph):
    wanted = alone("Isomap").fit_transform(graph)
    for make in (sparse.csr_array, sparse.csc_matrix, sparse.coo_array):
        assert np.array_equal(alone("Isomap").fit_transform(make(graph)), wanted)
    assert np.array_equal(alone("Isomap").fit_transform(graph.astype(np.float32)), wanted)
    fewer = alone("Isomap", n_neighbors=6).fit_transform(graph)
    assert np.allclose(fewer, isogon.Isomap(2, n_neighbors=6).fit_transform(points), atol=1e-3)


@every_kind
def test_such_a_fit_has_no_transform_and_says_why(name, points, graph, tmp_path):
    fitted = alone(name).fit(graph)
    for each in (fitted, pickle.loads(pickle.dumps(fitted))):
        with pytest.raises(ValueError, match="graph alone"):
            each.transform(points)
        with pytest.raises(ValueError, match="graph alone"):
            each.save(tmp_path / "m.safetensors")
    again = fitted.set_params(metric="euclidean").fit(points)
    assert again.transform(points[:3]).shape == (3, 2) and again.options_.get("metric", "euclidean") == "euclidean"


@pytest.mark.parametrize(
    "name, more, error, says",
    [
        ("Isomap", {"n_neighbors": 9}, ValueError, "n_neighbors = 9: .*at most 8"),
        ("Isomap", {"n_components": 150}, ValueError, "n_components = 150"),
        ("Isomap", {"metric": "chebyshev"}, ValueError, "metric = chebyshev"),
        ("TSNE", {"metric": "chebyshev"}, ValueError, "metric = chebyshev"),
        ("TSNE", {"metric": 3}, TypeError, "metric"),
        ("TSNE", {"start": "pca"}, ValueError, "start = pca: needs the points"),
        ("UMAP", {"start": "pca"}, ValueError, "start = pca: needs the points"),
    ],
)
def test_what_needs_the_points_is_named(name, more, error, says, graph):
    with pytest.raises(error, match=says):
        alone(name, **more).fit(graph.toarray() if "metric" in more else graph)


def test_a_graph_without_its_metric_is_told_of_it(graph):
    with pytest.warns(isogon.FitWarning, match='^X: is square.*metric="precomputed"'):
        isogon.Isomap(2).fit(graph)
    with pytest.raises(TypeError, match='^X: is a sparse matrix.* metric="precomputed" if it is a graph of distances'):
        isogon.LLE(2).fit(graph)


def changed(graph, value):
    other = graph.copy()
    other.data[20] = value
    return other


@pytest.mark.parametrize(
    "change, error, says",
    [
        (lambda graph: graph.toarray(), ValueError, "X, row .*symmetric"),
        (lambda graph: graph[:, :100], ValueError, "X: the graph must be of 150 x 150"),
        (lambda graph: sparse.csr_matrix((150, 150)), ValueError, "X: row 0 .*no neighbours"),
        (lambda graph: graph * 0, ValueError, "X: all distances are 0"),
        (lambda graph: changed(graph, np.nan), ValueError, "X, row 2"),
        (lambda graph: changed(graph, 1e300), ValueError, "X, row 2"),
        (lambda graph: changed(graph, -1.0), ValueError, "X, row 2.*negative"),
        (lambda graph: graph.astype(complex), TypeError, "X: must hold distances"),
    ],
    ids=range(8),
)
def test_bad_graphs_are_named(change, error, says, graph):
    with pytest.raises(error, match=says):
        alone("Isomap").fit(change(graph))


def test_nothing_else_may_say_the_neighbours(graph, points):
    with pytest.raises(ValueError, match="neighbors: are X itself"):
        alone("Isomap").fit(graph, neighbors=graph)
    with pytest.raises(ValueError, match="base: .*precomputed"):
        isogon.LocallyLinearLandmarks(alone("Isomap"), n_landmarks=20).fit(points)
    with pytest.raises(MemoryError, match="X: a graph"):
        alone("Isomap", memory_limit=1000).fit(graph)


def table_of(points, order=1):
    return np.abs(points[:, None] - points[None]).sum(axis=2) if order == 1 else distances_of(points)


def distances_of(points):
    return np.sqrt(((points[:, None].astype(np.float64) - points[None]) ** 2).sum(axis=2))


@every_kind
def test_a_table_of_distances_is_the_graph_of_its_nearest(name, points):
    table = distances_of(points)
    fitted = alone(name).fit(table)
    nearest = neighbors_.KNeighborsTransformer(n_neighbors=8, mode="distance", metric="precomputed").fit_transform(
        table
    )
    assert np.array_equal(fitted.embedding_, alone(name).fit(nearest).embedding_)
    assert fitted.n_features_in_ == 150 and fitted.options_["metric"] == "precomputed"
    with pytest.raises(ValueError, match="left no model"):
        fitted.transform(points)


@every_kind
def test_a_callable_is_a_table_of_what_it_gives(name, points):
    calls = []

    def manhattan(a, b):
        calls.append(a.shape)
        return np.abs(a - b).sum()

    fitted = alone(name, metric=manhattan).fit(points)
    assert len(calls) == 150 * 149 / 2 and set(calls) == {(5,)}
    assert np.allclose(fitted.embedding_, alone(name).fit(table_of(points)).embedding_, rtol=1e-3, atol=1e-3)
    assert fitted.n_features_in_ == 5
    assert fitted.get_params()["metric"] is manhattan


def test_mds_takes_tables_and_callables_too(points):
    ours = isogon.MDS(2, metric=lambda a, b: np.sqrt(((a - b) ** 2).sum())).fit_transform(points)
    table = isogon.MDS(2, metric="precomputed").fit_transform(distances_of(points))
    assert np.allclose(ours, table, atol=1e-4)


def test_kernel_pca_takes_values_of_a_kernel(points):
    decomposition = pytest.importorskip("sklearn.decomposition")
    rows = points - points.mean()
    values = (rows @ rows.T + 2.0) ** 2
    ours = isogon.KernelPCA(3, kernel="precomputed").fit(values)
    theirs = decomposition.KernelPCA(3, kernel="precomputed").fit_transform(values)
    signs = np.sign((ours.embedding_ * theirs).sum(axis=0))
    assert np.allclose(ours.embedding_ * signs, theirs, atol=1e-3 * np.abs(theirs).max())
    assert ours.n_features_in_ == 150 and ours.__sklearn_tags__().input_tags.pairwise
    assert not isogon.KernelPCA(3).__sklearn_tags__().input_tags.pairwise
    with pytest.raises(ValueError, match="kernel values alone and left no model"):
        ours.transform(values[:3])
    with pytest.raises(ValueError, match="X: 150 x 100: a table of kernel values"):
        isogon.KernelPCA(3, kernel="precomputed").fit(values[:, :100])
    with pytest.raises(ValueError, match="X, row 1, column 0: .*symmetric"):
        isogon.KernelPCA(3, kernel="precomputed").fit(np.triu(values))


@pytest.mark.parametrize(
    "change, says",
    [
        (lambda table: table[:, :100], "X: 150 x 100: a table of distances has as many columns"),
        (lambda table: np.where(np.arange(150) == 7, table + 1, table), "X, row .*symmetric"),
        (lambda table: table + np.eye(150), "X, row 0, column 0: the distance of a point to itself is 1, not 0"),
        (lambda table: -table, "X, row .*below 0"),
        (
            lambda table: np.where(table == table[7, 3], -1e-3, table),
            "X, row 7, column 3: the distance -0.001 is below 0",
        ),
        (lambda table: np.where(table == 0, np.nan, table), "X, row 0, column 0"),
    ],
    ids=range(6),
)
@pytest.mark.parametrize("name", [*KINDS, "MDS"])
def test_what_is_no_table_is_named(name, change, says, points):
    estimator = isogon.MDS(2, metric="precomputed") if name == "MDS" else alone(name)
    with pytest.raises(ValueError, match=says):
        estimator.fit(change(distances_of(points)))


def test_a_callable_that_gives_no_distances_is_named(points):
    with pytest.raises(ValueError, match="metric: "):
        alone("UMAP", metric=lambda a, b: "far").fit(points)
    with pytest.raises(ValueError, match="row 1, column 0.*below 0"):
        alone("UMAP", metric=lambda a, b: -1.0).fit(points)
    with pytest.raises(MemoryError, match="metric: distances between all points"):
        alone("UMAP", metric=lambda a, b: 1.0, memory_limit=1000).fit(points)
    with pytest.raises(ValueError, match="base: "):
        isogon.LocallyLinearLandmarks(isogon.Isomap(2, metric=lambda a, b: 1.0), n_landmarks=20).fit(points)


def test_scikit_learn_is_told_that_pairs_are_given(graph):
    utils = pytest.importorskip("sklearn.utils")
    assert utils.get_tags(alone("UMAP")).input_tags.pairwise
    assert not utils.get_tags(isogon.UMAP()).input_tags.pairwise


@pytest.fixture(scope="module")
def groups(points):
    """Three groups that lie apart, and their distances."""
    apart = points + np.repeat([0.0, 20.0, 55.0], 50)[:, None].astype(np.float32)
    return apart, distances_of(apart).astype(np.float32)


@pytest.mark.parametrize("name", ["Isomap", "LaplacianEigenmaps"])
def test_parts_are_joined_by_a_full_table(name, groups):
    points, table = groups
    kind = KINDS[name]
    with pytest.warns(isogon.FitWarning, match="3 components"):
        fitted = kind(2, metric="precomputed").fit(table)
    assert fitted.summary_.counts["bridges"] == 2 and fitted.options_["components"] == "bridge"
    # Eigenvalues of three far groups are nearly equal, so that their eigenvectors may be turned.
    apart = distances_of(fitted.embedding_)
    assert np.allclose(apart, distances_of(kind(2).fit_transform(points)), rtol=1e-3, atol=1e-3 * apart.max())
    called = kind(2, metric=lambda a, b: float(np.sqrt(((a - b) ** 2).sum()))).fit(points)
    assert np.allclose(distances_of(called.embedding_), apart, rtol=1e-2, atol=1e-2 * apart.max())


@every_kind
def test_tables_and_graphs_are_taken_as_they_come(name, points, graph, groups):
    for given in (graph, distances_of(points), groups[1]):
        fitted = KINDS[name](metric="precomputed").fit(given)
        assert fitted.embedding_.shape[0] == 150 and np.isfinite(fitted.embedding_).all()


@pytest.mark.parametrize("name", ["Isomap", "LaplacianEigenmaps"])
def test_a_sparse_graph_alone_in_parts_is_refused_where_something_is_to_join_them(name, groups):
    graph = neighbors_.KNeighborsTransformer(n_neighbors=6, mode="distance").fit_transform(groups[0])
    with pytest.raises(ValueError, match="X: the neighbour graph falls into 3 components"):
        KINDS[name](2, metric="precomputed").fit(graph)
    for policy in ("bridge", "largest"):
        with pytest.raises(ValueError, match=f"components = {policy}: needs the points"):
            KINDS[name](2, metric="precomputed", components=policy).fit(graph)
        assert KINDS[name](2, metric="precomputed", components=policy, n_neighbors=12).fit(
            neighbors_.KNeighborsTransformer(n_neighbors=60, mode="distance").fit_transform(points_in_one(groups))
        )
    if name == "LaplacianEigenmaps":
        assert KINDS[name](2, metric="precomputed", components="separate").fit(graph).embedding_.shape == (150, 2)


def points_in_one(groups):
    return groups[0] - np.repeat([0.0, 20.0, 55.0], 50)[:, None]


@every_kind
def test_rounding_in_a_table_is_taken(name, points):
    table = distances_of(points)
    exact = alone(name).fit_transform(table)
    rough = table.copy()
    rough[np.arange(150), np.arange(150)] = 1e-8
    rough[3, 3] = -4e-16
    rough[5, 9] *= 1 + 1e-7
    assert np.allclose(alone(name).fit_transform(rough), exact, rtol=1e-2, atol=1e-2)
    rough[7, 8] = rough[8, 7] = -4e-16
    assert np.isfinite(alone(name).fit_transform(rough)).all()
    assert np.isfinite(isogon.MDS(2, metric="precomputed").fit_transform(rough)).all()


@every_kind
def test_blocks_are_taken(name):
    block = np.arange(60) // 10
    table = np.abs(block[:, None] - block).astype(np.float64)
    fitted = KINDS[name](2, metric="precomputed", **({"perplexity": 2} if name == "TSNE" else {"n_neighbors": 5}))
    assert np.isfinite(fitted.fit_transform(table)).all()
    table[table > 0] = np.inf
    if name == "Isomap":
        with pytest.raises(ValueError, match="all finite distances are 0"):
            fitted.fit(table)
    with pytest.raises(ValueError, match="X: all .*: there is nothing to embed"):
        fitted.fit(np.zeros((60, 60)))


def unequal(graph):
    """The graph without most of rows 0 and 7."""
    graph = graph.copy()
    graph.eliminate_zeros()  # each point itself
    graph = graph.tolil()
    for row, keep in ((0, 3), (7, 1)):
        columns = np.array(graph.rows[row])
        for column in columns[np.argsort(graph.data[row])][keep:]:
            graph[row, column] = 0
    graph = graph.tocsr()
    graph.eliminate_zeros()
    return graph


@every_kind
def test_rows_of_a_graph_keep_their_own_lengths(name, points, graph):
    short = unequal(graph)
    assert sorted(set(np.diff(short.indptr))) == [1, 3, 8]
    start = start_of(name, points)
    fitted = alone(name).fit(short, **start)
    beside = quick(KINDS[name], **ALONE[name]).fit(points, neighbors=short, **start)
    assert np.array_equal(fitted.embedding_, beside.embedding_)
    if name == "Isomap":  # not only one edge of each row, as if all were as short as the shortest
        edges = set(map(tuple, np.argwhere(short.toarray() > 0)))
        assert fitted.summary_.counts["edges"] == len({tuple(sorted(pair)) for pair in edges})


def test_methods_that_need_as_many_neighbours_of_each_point_say_so(points, graph):
    short = unequal(graph)
    assert isogon.LLE(2).fit(points, neighbors=graph).options_["n_neighbors"] == 8
    with pytest.raises(ValueError, match="n_neighbors = 8: must be at most 3, which is what the list of row 0 holds"):
        isogon.LLE(2, n_neighbors=8).fit(points, neighbors=short)


@pytest.mark.parametrize("name", ["Isomap", "LaplacianEigenmaps", "LLE", "UMAP", "TSNE", "Faithful"])
def test_neighbours_of_others_are_taken(name, points):
    kind = getattr(isogon, name)
    fast = (
        {}
        if name in ("Isomap", "LaplacianEigenmaps", "LLE", "Faithful")
        else {"iterations": 20 if name == "TSNE" else 1}  # more make much of the last bit
    )
    search = neighbors_.NearestNeighbors(n_neighbors=9).fit(points)
    distances, indices = search.kneighbors(points)  # each point first in its own list

    def fit(neighbors):
        return kind(2, **fast).fit(points, neighbors=neighbors)

    wanted = fit((indices[:, 1:], distances[:, 1:])).embedding_
    for given in (
        (indices, distances),
        (distances, indices),
        indices,
        indices[:, 1:],
        {"indices": indices[:, 1:], "distances": distances[:, 1:]},
    ):
        assert np.allclose(fit(given).embedding_, wanted, rtol=1e-2, atol=1e-2)
    ours = isogon.neighbors(points, 8, metric="euclidean")
    assert np.allclose(fit(ours).embedding_, wanted, rtol=1e-2, atol=1e-2)
    swapped = distances.astype(np.float32)
    swapped[4, 5], swapped[4, 4] = swapped[4, 4], np.nextafter(swapped[4, 4], np.float32(9))
    assert np.isfinite(fit((indices, swapped)).embedding_).all()
    with pytest.raises(ValueError, match="row 0: distances must ascend"):
        fit((indices[:, :0:-1], distances[:, :0:-1]))
    with pytest.raises(ValueError, match="has no indices"):
        fit({"neighbors": indices})


def test_perplexity_fits_a_graph_of_few_edges(points, graph):
    fitted = isogon.TSNE(metric="precomputed", iterations=20).fit(graph)
    assert fitted.options_["perplexity"] == pytest.approx(8 / 3) and fitted.options_["start"] == "random"
    assert isogon.TSNE(iterations=20).fit(points, neighbors=graph).options_["perplexity"] == pytest.approx(8 / 3)
    with pytest.raises(ValueError, match="perplexity = 30: .*below"):
        isogon.TSNE(metric="precomputed", perplexity=30).fit(graph)


@pytest.mark.parametrize("name", ["TSNE", "UMAP"])
def test_the_diagonal_of_affinities_does_not_count(name, points, graph):
    weights = graph + graph.T
    weights.data = np.exp(-weights.data)
    kind = KINDS[name](2, iterations=60)
    wanted = kind.fit(points, affinities=weights).embedding_
    for given in (weights + sparse.eye(150), (weights + sparse.eye(150)).toarray()):
        assert np.array_equal(kind.fit(points, affinities=given).embedding_, wanted)
