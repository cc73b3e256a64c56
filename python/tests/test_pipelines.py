"""Whole paths: a frame to clusters, a file of vectors to the same file with coordinates, cells to groups."""

from types import SimpleNamespace

import numpy as np
import pytest
from sklearn.cluster import HDBSCAN
from sklearn.metrics import adjusted_rand_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import isogon

pandas = pytest.importorskip("pandas")
pytest.importorskip("pyarrow")
KINDS = np.arange(240) % 4


@pytest.fixture(scope="module")
def vectors():
    """Four groups of 60 in 12 numbers, far apart for their spread."""
    draw = np.random.default_rng(7)
    return (6.0 * draw.normal(size=(4, 12))[KINDS] + draw.normal(size=(240, 12))).astype(np.float32)


def groups_of(places):
    return HDBSCAN(min_cluster_size=20, copy=True).fit_predict(np.asarray(places))


def test_a_frame_becomes_clusters_under_its_index(vectors):
    index = [f"customer {i}" for i in range(240)]
    frame = pandas.DataFrame(vectors * np.geomspace(1, 1e4, 12), index=index, columns=[f"c{k}" for k in range(12)])
    path = make_pipeline(StandardScaler(), isogon.UMAP(2, random_state=0)).set_output(transform="pandas")
    places = path.fit_transform(frame)
    assert list(places.index) == index and list(places.columns) == ["umap0", "umap1"]
    assert adjusted_rand_score(KINDS, groups_of(places)) > 0.95
    assert np.array_equal(path.transform(frame.iloc[:5]), places.iloc[:5])


def test_parquet_with_vectors_comes_back_with_coordinates(vectors, tmp_path):
    given = pandas.DataFrame({"id": [f"doc-{i:03}" for i in range(240)], "embedding": list(vectors), "kind": KINDS})
    given.to_parquet(tmp_path / "docs.parquet")
    table = pandas.read_parquet(tmp_path / "docs.parquet")
    places = (
        isogon.Faithful(3, metric="cosine", columns="embedding").set_output(transform="pandas").fit_transform(table)
    )
    table.join(places).to_parquet(tmp_path / "places.parquet")
    made = pandas.read_parquet(tmp_path / "places.parquet")
    assert list(made.columns) == [*given.columns, "faithful0", "faithful1", "faithful2"]
    assert made[["id", "kind"]].equals(given[["id", "kind"]])
    assert adjusted_rand_score(KINDS, groups_of(made[["faithful0", "faithful1", "faithful2"]])) > 0.9


def test_cells_take_the_steps_of_scanpy(vectors):
    scipy_sparse = pytest.importorskip("scipy.sparse")
    counts = np.random.default_rng(1).poisson(np.exp(0.35 * np.abs(vectors)))
    adata = SimpleNamespace(X=scipy_sparse.csr_matrix(counts, dtype=np.float32), obsm={})
    adata.X = scipy_sparse.csr_matrix(adata.X.multiply(1e4 / adata.X.sum(axis=1))).log1p()
    isogon.embed_anndata(adata, isogon.PCA(6), key_added="X_pca")
    isogon.embed_anndata(adata, isogon.UMAP(random_state=0))
    assert list(adata.obsm) == ["X_pca", "X_isogon_umap"]
    # Groups of cells are those that the components have: a map mixes none of them.
    assert isogon.score(adata.obsm["X_pca"], adata.obsm["X_isogon_umap"])["trustworthiness"] > 0.95
