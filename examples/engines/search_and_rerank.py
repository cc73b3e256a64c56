"""Builds an index of reduced vectors in a search engine, searches it, and ranks what it found again by the stored inputs.

    pip install faiss-cpu hnswlib usearch
    python examples/engines/search_and_rerank.py

prints, for each engine that is installed, how many of the 10 nearest of unseen queries the engine finds, and how many are
left of 50 candidates that are ranked again. Vectors have ids of their own. Other vectors: search(x, queries, ids, engine).
"""

import importlib.util
import tempfile
from pathlib import Path

import numpy as np

import isogon


def faiss_search(y, ids, queries, count):
    import faiss

    with tempfile.TemporaryDirectory() as folder:
        isogon.export.faiss(Path(folder) / "y.faiss", y, metric="euclidean", ids=ids)
        index = faiss.read_index(str(Path(folder) / "y.faiss"))
    return index.search(queries, count)[1]


def faiss_codes_search(y, ids, queries, count):
    """Of 16 bytes a vector."""
    import faiss

    with tempfile.TemporaryDirectory() as folder:
        isogon.export.faiss(Path(folder) / "y.faiss", isogon.Codes.of(y, bytes=16, metric="euclidean"), ids=ids)
        index = faiss.read_index(str(Path(folder) / "y.faiss"))
    return index.search(queries, count)[1]


def hnswlib_search(y, ids, queries, count):
    index = isogon.export.hnswlib(y, metric="euclidean", ids=ids, M=16, ef_construction=200, num_threads=1)
    index.set_ef(2 * count)
    return index.knn_query(queries, count, num_threads=1)[0].astype(np.int64)


def usearch_search(y, ids, queries, count):
    more = {"connectivity": 16, "expansion_search": 2 * count, "num_threads": 1}
    index = isogon.export.usearch(y, metric="euclidean", ids=ids, **more)
    return index.search(queries, count).keys.astype(np.int64)


ENGINES = {
    "faiss": ("faiss", faiss_search),
    "faiss, codes": ("faiss", faiss_codes_search),
    "hnswlib": ("hnswlib", hnswlib_search),
    "usearch": ("usearch", usearch_search),
}


def rerank(x, ids, queries, candidates, k):
    """The k of each query's candidates (ids) with the largest cosine in the stored inputs x."""
    order = np.argsort(ids)
    rows = order[np.searchsorted(ids, candidates, sorter=order)]
    best = []
    for query, own in zip(queries, rows):
        cosines = x[own] @ query / np.linalg.norm(x[own], axis=1)
        best.append(ids[own[np.argsort(-cosines, kind="stable")[:k]]])
    return np.array(best)


def search(x, queries, ids, engine, k=10, candidates=50, dimension=16):
    """(ids found by the engine, ids after ranking again) for each query: near by cosine in x, by distance in y."""
    model = isogon.Faithful(n_components=dimension, metric="cosine").fit(x)
    found = ENGINES[engine][1](model.embedding_, ids, model.transform(queries), candidates)
    return found[:, :k], rerank(x, ids, queries, found, k)


def recall(found, truth):
    return np.mean([len(np.intersect1d(a, b)) for a, b in zip(found, truth)]) / truth.shape[1]


def main():
    points = isogon.generate("drawn-digits", 2200).points
    x, queries = points[:2000], points[2000:]
    ids = 1000 + 7 * np.arange(len(x))
    truth = ids[isogon.neighbors(x, 10, queries=queries, search="exact").indices]
    print(f"{len(x)} vectors of {x.shape[1]} numbers in 16, {len(queries)} queries, recall@10")
    for engine, (package, _) in ENGINES.items():
        if importlib.util.find_spec(package) is None:
            print(f"{engine}: pip install {'faiss-cpu' if package == 'faiss' else package}")
            continue
        found, ranked = search(x, queries, ids, engine)
        print(f"{engine}: {recall(found, truth):.3f}, ranked again {recall(ranked, truth):.3f}")


if __name__ == "__main__":
    main()
