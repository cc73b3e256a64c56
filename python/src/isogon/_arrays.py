"""What users bring as points, neighbours and labels, as the arrays that the library reads."""

import contextlib

import numpy as np

from . import _core
from ._running import memory_limit_of
from ._tables import array_of, column_names, first_fault, rows_of_objects


def require_same_columns(X, given, name):
    """ValueError unless a data frame `given` has the columns of the data frame X, in their order."""
    names, others = column_names(X), column_names(given)
    if names is None or others is None or list(names) == list(others):
        return
    missing = [one for one in names if one not in set(others)]
    unexpected = [one for one in others if one not in set(names)]
    parts = [f"{what} {some[:5]}" for what, some in (("missing", missing), ("unexpected", unexpected)) if some]
    raise ValueError(
        f"{name}: must have the columns of X, in the same order: "
        + ("; ".join(parts) or f"it has the same in another; give {name}[X.columns]")
    )


def is_sparse(X):
    """Whether X is one of SciPy's sparse matrices or arrays, without importing SciPy."""
    return hasattr(X, "tocsr") and hasattr(X, "nnz")


@contextlib.contextmanager
def _naming(name):
    """What numpy refuses, as a ValueError or a TypeError that begins with the argument's name."""
    try:
        yield
    except (OverflowError, ValueError) as error:
        raise ValueError(f"{name}: {error}") from None
    except TypeError as error:
        raise TypeError(f"{name}: {error}") from None


def human_bytes(number):
    for unit in ("bytes", "kB", "MB", "GB"):
        if number < 1000:
            return f"{number:.3g} {unit}"
        number /= 1000
    return f"{number:.3g} TB"


class Memory:
    """Bytes that may be taken: what goes into copies of the input is not there for the run."""

    def __init__(self, limit=None):
        self.left = memory_limit_of(limit)

    def take(self, number, what, beside=0):
        """Takes them, and states before that so many others are needed `beside` them for a while."""
        if self.left is None:
            return
        if number + beside > self.left:
            raise MemoryError(
                f"{what}, which needs {human_bytes(number + beside)} of memory; the limit is "
                f"{human_bytes(self.left)}; raise memory_limit, or give fewer rows"
            )
        self.left -= number


def _require_dense(X, name):
    """TypeError for a sparse matrix: dense it may be larger than anyone expects."""
    if not is_sparse(X):
        return
    shape = " x ".join(map(str, X.shape))
    graph = ', or metric="precomputed" if it is a graph of distances' if X.shape[0] == X.shape[-1] else ""
    raise TypeError(
        f"{name}: is a sparse matrix of {shape}, and rows must be dense: {human_bytes(4 * int(np.prod(X.shape)))} as "
        f'float32. Give X.astype("float32").toarray(), or fewer columns: isogon.SVD(100).fit_transform(X){graph}'
    )


def _numbers(X, name, finite=False):
    """X as an array of real numbers of whatever type and order, and the bytes that are new in that."""
    # Asked by its look: numpy.ma is imported when it is first named, and that takes longer than a small fit.
    if isinstance(X, np.ndarray) and hasattr(X, "filled") and np.any(X.mask):
        raise ValueError(f"{name}: has masked values; fill them or leave their rows out")
    found = array_of(X, name, finite)
    if found is not None:
        array, new = found
    else:
        try:
            array = np.asarray(X)
        except (OverflowError, TypeError, ValueError) as error:
            fault = first_fault(X, name) if isinstance(X, (list, tuple)) else None
            raise fault or type(error)(f"{name}: {error}") from None
        new = 0 if isinstance(X, np.ndarray) or array.base is not None else array.nbytes
    if array.dtype.kind == "O":
        array = rows_of_objects(array, name)
        new += array.nbytes
    if array.dtype.kind == "V" and array.dtype.names is None and np.can_cast(array.dtype, np.float32):  # bfloat16
        array = array.astype(np.float32)
        new += array.nbytes
    if array.dtype.kind == "U" and isinstance(X, (list, tuple)):
        raise first_fault(X, name) or TypeError(f"{name}: must hold numbers, not texts")
    if array.dtype.kind == "c":
        raise ValueError(f"{name}: Complex data not supported")
    if array.dtype.kind not in "fiub":
        raise TypeError(f"{name}: must hold numbers, not {array.dtype}")
    return array, new


def _beyond_float32(array, rows):
    """Whether a finite number became infinite; without a table as large as the points where none is infinite."""
    if array.dtype.kind != "f" or array.dtype.itemsize <= 4 or rows.size == 0:
        return False
    if np.fmax.reduce(rows, axis=None) < np.inf and np.fmin.reduce(rows, axis=None) > -np.inf:
        return False
    return bool((np.isinf(rows) & np.isfinite(array)).any())


def _float32(array, name, new, memory):
    """float32 rows whose numbers lie side by side: the array itself if it is that, else a copy."""
    if array.dtype == np.float32 and array.dtype.isnative and array.flags.aligned:
        step, inner = array.strides
        if inner == 4 and step >= 4 * array.shape[1] and step % 4 == 0:
            memory.take(new, f"{name}: is made an array")
            return array
    memory.take(4 * array.size, f"{name}: is copied to rows of float32", new)
    with np.errstate(over="ignore"):
        rows = np.ascontiguousarray(array, dtype=np.float32)
    if _beyond_float32(array, rows):
        raise ValueError(f"{name}: holds numbers beyond float32, above 3.4e38")
    return rows


def as_points(X, name="X", *, least=1, memory=None, finite=False):
    """float32 rows (n, D) of X: an array, a list of lists, a table of any library, a memory map.

    Without a copy where X is float32 and the numbers of each row lie side by side; a copy is taken from `memory`.
    `finite`: of a table, what is not is named by its column; else what is missing there is NaN. The library finds the
    rest.
    Raises ValueError or TypeError that begins with `name` for anything but n >= `least` rows of at least one real
    number each, MemoryError for a copy that would be over the limit.
    """
    memory = memory or Memory()
    _require_dense(X, name)
    array, new = _numbers(X, name, finite)
    if array.ndim != 2:
        raise ValueError(
            f"{name}: must have two axes, a row for each point, not {array.ndim}. Reshape your data: "
            "X.reshape(1, -1) if it is one point, X.reshape(-1, 1) if its points are numbers"
        )
    if array.shape[1] == 0:
        raise ValueError(f"{name}: 0 feature(s) (shape={array.shape}) while a minimum of 1 is required.")
    if array.shape[0] < least:
        raise ValueError(
            f"{name}: {array.shape[0]} sample(s) (shape={array.shape}) while a minimum of {least} is required."
        )
    return _float32(array, name, new, memory)


def as_compressed_rows(S, name="S", memory=None):
    """(offsets, columns, values, number of columns) of a matrix: SciPy's sparse ones, or an array without its zeros.

    float64; entries of a row in the order of their columns, those that stand twice added. ValueError or TypeError that
    begins with `name` for anything but a matrix of real numbers.
    """
    memory = memory or Memory()
    if is_sparse(S):
        if S.dtype.kind not in "fiub":
            raise TypeError(f"{name}: must hold numbers, not {S.dtype}")
        if len(S.shape) != 2:
            raise ValueError(f"{name}: must have two axes, not {len(S.shape)}")
        memory.take(32 * S.nnz, f"{name}: is copied to compressed rows")
        rows = S.tocsr()
        if not (rows.has_canonical_format and rows.has_sorted_indices and rows.data.all()):
            rows = rows.copy()
            rows.sum_duplicates()
            rows.eliminate_zeros()
        used = rows.indptr[-1]  # SciPy may hold room for more
        offsets, columns, values = rows.indptr, rows.indices[:used], rows.data[:used]
        shape = rows.shape
    else:
        array = _numbers(S, name)[0]
        if array.ndim != 2:
            raise ValueError(f"{name}: must have two axes, not {array.ndim}")
        memory.take(array.size + 48 * np.count_nonzero(array), f"{name}: is copied to compressed rows")
        places = array != 0
        offsets = np.concatenate(([0], np.cumsum(places.sum(axis=1))))
        columns, values, shape = np.nonzero(places)[1], array[places], array.shape
    if max(shape) >= 1 << 32:
        raise ValueError(f"{name}: {shape[0]} x {shape[1]}, where rows and columns must be fewer than 2^32")
    return (
        np.ascontiguousarray(offsets, dtype=np.uint64),
        np.ascontiguousarray(columns, dtype=np.uint32),
        np.ascontiguousarray(values, dtype=np.float64),
        shape[1],
    )


def without_diagonal(rows):
    """Compressed rows as as_compressed_rows() makes them, without entries that join a point to itself."""
    offsets, columns, values, width = rows
    others = columns != np.repeat(np.arange(len(offsets) - 1), np.diff(offsets.astype(np.int64)))
    if others.all():
        return rows
    kept = np.concatenate(([0], np.cumsum(others)))[offsets.astype(np.int64)]
    return kept.astype(np.uint64), np.ascontiguousarray(columns[others]), np.ascontiguousarray(values[others]), width


def as_factors(factors, shape, name="start"):
    """W (m, r) and the transpose of H (r, n) as float64 tables, from a pair of arrays."""
    try:
        w, h = factors
    except (TypeError, ValueError):
        raise TypeError(f"{name}: must be a pair of arrays (W, H)") from None
    w = np.ascontiguousarray(_numbers(w, name)[0], dtype=np.float64)
    h = np.ascontiguousarray(_numbers(h, name)[0].astype(np.float64).T)
    if w.ndim != 2 or h.ndim != 2 or (w.shape[0], h.shape[0]) != shape or w.shape[1] != h.shape[1]:
        raise ValueError(f"{name}: W of shape {w.shape} and H of {h.T.shape} do not make a matrix of shape {shape}")
    if not (np.isfinite(w).all() and np.isfinite(h).all()):
        raise ValueError(f"{name}: holds numbers that are not finite")
    return w, h


def _one_each(values, name, count, what):
    with _naming(name):
        array = np.asarray(values)
    if array.shape == (count, 1):
        array = array[:, 0]
    if array.shape != (count,):
        raise ValueError(f"{name}: must be {count}{what}, not of shape {array.shape}")
    return array


def as_texts(values, name, count):
    """One text a point, from values of any kind; None for None."""
    if values is None:
        return None
    array = _one_each(values, name, count, ", one for each point")
    return [str(value).encode("utf-8", "replace").decode() for value in array.tolist()]


def is_of_targets(y):
    """Whether y are numbers to be near rather than classes: several columns, or numbers with fractions."""
    array = np.asarray(y)
    if array.dtype.kind not in "fiub":
        return False
    if array.ndim == 2 and array.shape[1] > 1:
        return True
    return array.dtype.kind == "f" and bool((array[np.isfinite(array)] % 1 != 0).any())


def as_classes(labels, count, name="labels", what=", one for each point"):
    """One whole number a point, int64, below 0 where it is unknown, from labels of any kind.

    Whole numbers are classes, those below 0 unknown; of other labels equal ones are a class. None, NaN, NA, NaT, ""
    and the texts that tables have for them are unknown, as to the command line.
    """
    array = _one_each(labels, name, count, what)
    if array.dtype.kind in "iub":
        return np.ascontiguousarray(array, dtype=np.int64)
    for label in array.tolist():
        if isinstance(label, (dict, list, set, tuple)):
            raise TypeError(f"{name}: must be texts or numbers, not {type(label).__name__}")
    return _core.number_labels(as_texts(array, name, count))
