"""Vectors into search engines, ids kept: index files of faiss and rows for PostgreSQL with pgvector, for which neither
is needed, and graph indexes that hnswlib and usearch build where they are installed.

Vectors are rows (n, d), what fit_transform() gives, or Codes; `ids` are one whole number each, the row numbers if left
out.
"""

import importlib
import os

import numpy as np

from . import _core
from ._arrays import Memory, as_points
from ._codes import Codes
from ._functions import _run
from ._signatures import RUN_KEYWORDS

_METRICS = {"cosine": ("cosine", "cos"), "inner-product": ("ip", "ip"), "euclidean": ("l2", "l2sq")}


def _ids(ids, count):
    if ids is None:
        return None
    array = np.asarray(ids)
    if array.shape != (count,) or array.dtype.kind not in "iu":
        raise ValueError(f"ids: must be {count} whole numbers, not {array.dtype} of shape {array.shape}")
    if array.dtype.kind == "u" and array.max(initial=0) > np.iinfo(np.int64).max:
        raise ValueError(f"ids: {array.max()} is more than 64 bits hold with a sign")
    return np.ascontiguousarray(array, dtype=np.int64)


def _plain_run(memory):
    return _run("export", dict(RUN_KEYWORDS), memory)


def _metric(metric):
    if metric not in _METRICS:
        raise ValueError(f"metric = {metric!r} must be cosine, inner-product or euclidean")
    return metric


def faiss(path, vectors, *, metric=None, ids=None, model=None, overwrite=False, memory_limit=None):
    """Writes an exhaustive index that faiss.read_index() reads; faiss is not needed.

    vectors: rows, or Codes, which stay as many bytes: distances are those of Codes.search(), but where they are for
    cosine, faiss ranks by the distance of the query's direction. metric: cosine (the default; scores are cosines),
    inner-product or euclidean (squared distances); Codes have their own. model: a fitted SVD or PCA, so that the index
    takes vectors as they were before.
    """
    first = None if model is None else model._require_model()
    memory = Memory(memory_limit)
    if isinstance(vectors, Codes):
        if metric is not None:
            raise ValueError(f"metric = {metric!r}: Codes are for {vectors.options['metric']}, which the index goes by")
        with _plain_run(memory) as run:
            _core.write_faiss_codes(os.fspath(path), vectors._core, _ids(ids, len(vectors)), first, overwrite, run)
        return
    x = as_points(vectors, "vectors", memory=memory)
    with _plain_run(memory) as run:
        _core.write_faiss(os.fspath(path), x, _metric(metric or "cosine"), _ids(ids, len(x)), first, overwrite, run)


def pgvector(path, vectors, *, ids=None, overwrite=False, memory_limit=None):
    r"""Writes rows for psql's `\copy items (id, embedding) from 'path'`: a table of PostgreSQL with a column vector(d).

    ids: whole numbers, or texts.
    """
    memory = Memory(memory_limit)
    x = _rows(vectors, memory)
    texts = ids is not None and all(isinstance(name, str) for name in ids)
    if texts and len(ids) != len(x):
        raise ValueError(f"ids: {len(ids)}, where there are {len(x)} vectors; there must be one for each")
    with _plain_run(memory) as run:
        _core.write_copy(
            os.fspath(path), x, None if texts else _ids(ids, len(x)), list(ids) if texts else [], overwrite, run
        )


def hnswlib(vectors, *, metric="cosine", ids=None, memory_limit=None, **options):
    """An hnswlib.Index of the vectors, built by hnswlib (pip install hnswlib). options: of its init_index() (M,
    ef_construction, random_seed). The graph depends on the order in which threads insert: num_threads=1 repeats it.
    """
    engine = _engine("hnswlib")
    x = _rows(vectors, Memory(memory_limit))
    threads = options.pop("num_threads", -1)
    index = engine.Index(_METRICS[_metric(metric)][0], x.shape[1])
    index.init_index(len(x), **options)
    index.add_items(x, _ids(ids, len(x)), num_threads=threads)
    return index


def usearch(vectors, *, metric="cosine", ids=None, memory_limit=None, **options):
    """A usearch.index.Index of the vectors, built by usearch (pip install usearch). options: of its Index (dtype,
    connectivity, expansion_add, expansion_search). As with hnswlib, num_threads=1 repeats a graph.
    """
    engine = _engine("usearch.index")
    x = _rows(vectors, Memory(memory_limit))
    keys = np.arange(len(x)) if ids is None else _ids(ids, len(x))
    if keys.min() < 0:
        raise ValueError(f"ids: {keys.min()} is below 0, which usearch's keys cannot be")
    if len(np.unique(keys)) < len(keys):
        raise ValueError("ids: some are given twice, which usearch's keys cannot be")
    threads = options.pop("num_threads", 0)
    index = engine.Index(ndim=x.shape[1], metric=_METRICS[_metric(metric)][1], **{"dtype": "f32", **options})
    index.add(keys.astype(np.uint64), x, threads=threads)
    return index


def _rows(vectors, memory):
    if isinstance(vectors, Codes):
        return vectors.decode(memory_limit=memory.left)
    x = as_points(vectors, "vectors", memory=memory)
    bad = np.flatnonzero(~np.isfinite(x).all(axis=1))
    if len(bad):
        raise ValueError(f"vectors: row {bad[0]} has NaN or infinity")
    return x


def _engine(name):
    try:
        return importlib.import_module(name)
    except ImportError:
        package = name.partition(".")[0]
        raise ImportError(f"isogon.export.{package} needs {package}: pip install {package}") from None


__all__ = ["faiss", "hnswlib", "pgvector", "usearch"]
