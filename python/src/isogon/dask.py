"""Points that do not fit one machine: fits on a sample of a dask array, and all its rows against the fit.

    model = isogon.dask.fit(isogon.Faithful(32), X)          # X: a dask array (n, D), any chunks
    Y = isogon.dask.transform(model, X)                      # lazy, float32 (n, 32)
    isogon.dask.write_npy(Y, "coordinates/")                 # on the workers, whole files

What comes out has the same bits whatever the chunks, the workers and their order, and those of isogon on one machine: a
row's coordinates depend on that row and the model alone, and samples are drawn by row numbers. Needs dask:
pip install 'isogon[dask]'. Where work goes is dask's to say: to the default client if there is one, else to threads.
"""

import os

import numpy as np

try:
    import dask
    import dask.array as da
except ImportError:
    raise ImportError("isogon.dask needs dask: pip install 'isogon[dask]'") from None

from . import _core
from ._arrays import Memory, as_points, human_bytes
from ._blocks import NEIGHBOR, found_near, inspected, placed
from ._dask_files import read_npy, require_same_versions, write_npy, write_zarr
from ._functions import score as _score
from ._results import Result
from ._running import memory_limit_of, seed_of, threads_of, whole_of
from ._shared_model import SharedModel
from ._signatures import options_of

__all__ = ["check", "fit", "memory", "neighbors", "read_npy", "sample_rows", "score", "transform", "write_npy",
           "write_zarr"]  # fmt: skip


def _rows_of(X, name="X"):
    """X in chunks of whole rows. ValueError or TypeError for what is no table of numbers of known size."""
    if not isinstance(X, da.Array):
        raise TypeError(f"{name}: must be a dask array, not {type(X).__name__}; dask.array.from_array makes one")
    if X.ndim != 2:
        raise ValueError(f"{name}: must have two axes, a row for each point, not {X.ndim}")
    if X.dtype.kind not in "fiub":
        raise TypeError(f"{name}: must hold numbers, not {X.dtype}")
    if any(np.isnan(size) for sizes in X.chunks for size in sizes):
        raise ValueError(f"{name}: has chunks of unknown length; {name}.compute_chunk_sizes() counts them")
    if not 0 < X.shape[0] < 1 << 32 or X.shape[1] == 0:
        raise ValueError(
            f"{name}: of shape {X.shape}, where rows must be 1 to 2^32 - 1, and numbers in them at least 1"
        )
    return X.rechunk({1: -1}) if X.numblocks[1] > 1 else X


def _places(X):
    """(first row, rows, numbers in a row, type) of each chunk."""
    firsts = np.concatenate(([0], np.cumsum(X.chunks[0])[:-1]))
    return [(int(first), rows, X.shape[1], str(X.dtype)) for first, rows in zip(firsts, X.chunks[0])]


def check(X):
    """Reads every chunk of X once, and raises ValueError for the first that is not what the array says of it.

    That is: another width, length or type, NaN or infinity, named by rows of the whole array. What transform() and the
    others meet on their way they name too; this is for knowing before hours of work begin.
    """
    X = _rows_of(X)
    blocks = X.to_delayed().ravel()
    found = dask.compute(*(dask.delayed(inspected)(block, place) for block, place in zip(blocks, _places(X))))
    for fault in found:
        if fault:
            raise ValueError(fault)


def sample_rows(n_rows, n_samples, random_state=0):
    """Numbers of rows, ascending: n_samples different ones of n_rows, all if there are no more.

    Those that `isogon embed --landmarks N --landmark-selection random` fits with the same seed.
    """
    rows = whole_of(n_rows, "n_rows", 1, 32)
    return _core.sample_rows(rows, min(whole_of(n_samples, "n_samples", 1, 32), rows), seed_of(random_state))


def fit(estimator, X, *, n_samples=100_000, random_state=0):
    """Fits the estimator on a sample of X's rows, in this process, and returns it.

    The rows are drawn by their numbers in X, so that chunks do not count; they are kept as sample_rows_. What is fitted
    is what estimator.fit(x[sample_rows(n, n_samples, random_state)]) would fit of the same rows in memory, to the bit.
    n_samples: how many rows, 4 D bytes each here; a method of all pairs takes time with their square. ValueError names
    a row of X that holds NaN or infinity, and arguments at fault.
    """
    if not hasattr(estimator, "_require_model"):
        raise TypeError(f"estimator: must be one of isogon's, not {estimator!r}")
    X = _rows_of(X)
    rows = sample_rows(X.shape[0], n_samples, random_state)
    sample = _drawn(X, rows)
    _require_finite(sample, rows)
    estimator.fit(sample)
    estimator.sample_rows_ = rows
    return estimator


def _drawn(X, rows):
    (sample,) = dask.compute(X[rows.astype(np.int64)])
    if sample.shape != (len(rows), X.shape[1]) or sample.dtype != X.dtype:
        raise ValueError(
            f"X: its chunks gave a sample of shape {sample.shape} of {sample.dtype}, where ({len(rows)}, {X.shape[1]}) "
            f"of {X.dtype} was due; isogon.dask.check(X) says which chunk is not what the array says of it"
        )
    return sample


def _require_finite(sample, rows):
    for begin in range(0, len(rows), 4096):
        bad = ~np.isfinite(sample[begin : begin + 4096])
        if bad.any():
            row, column = np.argwhere(bad)[0]
            raise ValueError(f"X, row {rows[begin + row]}, column {column}: is {sample[begin + row, column]}")


def _limits(n_jobs, memory_limit):
    threads_of(n_jobs)
    return {"n_jobs": n_jobs, "memory_limit": memory_limit_of(memory_limit)}


def memory(model, X):
    """Bytes that one task of transform(model, X) holds of the largest chunk: the chunk, its float32 copy where it is
    none, its coordinates, and the model, which all tasks of a process share (as file and made ready).

    A worker of t threads runs t such tasks. What the library takes on the way it states by itself, and refuses with
    memory_limit= to go beyond.
    """
    X, shared = _rows_of(X), SharedModel.of(model)
    return _task_bytes(X, shared, shared.dimensions({"n_jobs": None})[1])


def _task_bytes(X, shared, width):
    rows = max(X.chunks[0])
    copies = 0 if X.dtype == np.float32 else 4 * rows * X.shape[1]
    return rows * X.shape[1] * X.dtype.itemsize + copies + 4 * rows * width + 3 * shared.size


def _require_memory(needed, limits, X):
    if limits["memory_limit"] is not None and needed > limits["memory_limit"]:
        raise MemoryError(
            f"X: a task holds {human_bytes(needed)} with chunks of {max(X.chunks[0])} rows; the limit is "
            f"{human_bytes(limits['memory_limit'])}: raise memory_limit, or X.rechunk() to fewer rows"
        )


def transform(model, X, *, n_jobs=1, memory_limit=None):
    """Coordinates of all rows of X, lazily: a dask array (n, d) of float32, in X's chunks of rows.

    model: a fitted estimator, which travels to each worker once; or the path of a model file that all machines see,
    which each reads for itself. A row's coordinates are model.transform()'s, to the bit. n_jobs: threads of one task,
    beside which dask runs others; memory_limit: bytes that one task may hold, X's chunk and the model included.

    ValueError for X of another width, RuntimeError for workers with another version of isogon, MemoryError for chunks
    beyond the limit: all at once. What only the data shows (NaN, a chunk that is not as declared) is a ValueError of
    the computation that names rows of X; check(X) looks for it before.
    """
    X, shared, limits = _rows_of(X), SharedModel.of(model), _limits(n_jobs, memory_limit)
    inputs, width = shared.dimensions({"n_jobs": None})
    if X.shape[1] != inputs:
        raise ValueError(f"X: has {X.shape[1]} numbers in a row, where the model takes {inputs}")
    _require_memory(_task_bytes(X, shared, width), limits, X)
    require_same_versions()
    if limits["memory_limit"] is not None:
        limits["memory_limit"] -= 3 * shared.size + max(X.chunks[0]) * X.shape[1] * X.dtype.itemsize
    return X.map_blocks(
        placed,
        dask.delayed(shared, name=f"isogon-model-{shared.digest}"),
        width,
        str(X.dtype),
        limits,
        dtype=np.float32,
        chunks=(X.chunks[0], (width,)),
        meta=np.empty((0, 0), np.float32),
        name=f"isogon-transform-{dask.base.tokenize(X.name, shared.digest, limits)}",
    )


def _base_of(base, memory):
    """The points that are searched: of a model the fitted ones."""
    if hasattr(base, "_require_model") or isinstance(base, (str, os.PathLike)):
        return SharedModel.of(base).fitted_points()[0]
    return as_points(base, "base", memory=memory)


def neighbors(base, X, n_neighbors=10, *, metric="cosine", n_jobs=1, memory_limit=None):
    """The nearest rows of `base` for every row of X, lazily: dask arrays indices (n, k) int64 and distances (n, k)
    float32, nearest first, by all pairs: isogon.neighbors(base, k, queries=X, search="exact") to the bit.

    base: points (m, D) in memory, or a model, then its fitted points. metric, n_neighbors: as isogon.neighbors() has
    them. Errors as of transform().
    """
    X, limits = _rows_of(X), _limits(n_jobs, memory_limit)
    points = _base_of(base, Memory(limits["memory_limit"]))
    if X.shape[1] != points.shape[1]:
        raise ValueError(f"X: has {X.shape[1]} numbers in a row, where base has {points.shape[1]}")
    specs = [spec for spec in _core.neighbor_options() if spec["name"] in ("neighbors", "metric")]
    options = {**options_of(specs, {"n_neighbors": n_neighbors, "metric": metric}), "search": "exact"}
    _core.neighbors(points, points[:1], options, _core.Run(1))  # refused here, if they are out of bounds
    _require_memory(points.nbytes + max(X.chunks[0]) * (X.shape[1] * X.dtype.itemsize + 12 * n_neighbors), limits, X)
    require_same_versions()
    name = dask.base.tokenize(points, X.name, options, limits)
    found = X.map_blocks(
        found_near,
        dask.delayed(points, name=f"isogon-base-{dask.base.tokenize(points)}"),
        _core.__version__,
        options,
        str(X.dtype),
        limits,
        dtype=NEIGHBOR,
        chunks=(X.chunks[0], (n_neighbors,)),
        meta=np.empty((0, 0), NEIGHBOR),
        name=f"isogon-neighbors-{name}",
    )
    return found["index"], found["distance"]


def score(X, Y, *, against=None, n_samples=20_000, random_state=0, **options):
    """How faithful Y is to X, on a sample of rows, lazily: a dask Delayed of what isogon.score() tells of these rows.

    The rows are sample_rows(n, n_samples, random_state), so that chunks do not count: isogon.score(x[rows], y[rows],
    ...) to the bit. against: a fitted estimator, the path of a model file, or (fitted X, fitted Y): the sampled rows
    are then judged among the fitted ones, the share of all that counts for new points. options: isogon.score()'s.
    """
    X, Y = _rows_of(X), _rows_of(Y, "Y")
    if X.shape[0] != Y.shape[0]:
        raise ValueError(f"Y: {Y.shape[0]} rows, where X has {X.shape[0]}; there must be one for each")
    rows = sample_rows(X.shape[0], n_samples, random_state)
    if against is not None and not isinstance(against, tuple):
        against = SharedModel.of(against).fitted_points()
    require_same_versions()
    fitted = None if against is None else dask.delayed(tuple(np.asarray(part) for part in against))
    picked = rows.astype(np.int64)
    return dask.delayed(_scored, pure=False)(X[picked], Y[picked], rows, fitted, options)


def _scored(x, y, rows, against, options):
    _require_finite(x, rows)
    return Result(_score(x, y, against=against, **options))
