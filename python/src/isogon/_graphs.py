"""Neighbours as users have them: tables, and sparse graphs of distances."""

import numpy as np

from ._arrays import _naming, as_points, is_sparse


def _lists_of_graph(graph, count, name):
    """Neighbour lists from a sparse graph of distances, as KNeighborsTransformer makes it; itself left out."""
    graph = graph.tocsr()
    if graph.shape != (count, count):
        raise ValueError(f"{name}: the graph must be of {count} x {count} points, not of {graph.shape}")
    # What is stored counts, a distance of zero too.
    rows = np.repeat(np.arange(count), np.diff(graph.indptr))
    others = graph.indices != rows
    rows, columns, distances = rows[others], graph.indices[others], graph.data[others]
    sizes = np.bincount(rows, minlength=count)
    size = int(sizes.min()) if count else 0
    if size == 0:
        raise ValueError(f"{name}: row {int(sizes.argmin())} of the graph has no neighbours")
    order = np.lexsort((columns, distances, rows))
    first = np.concatenate(([0], np.cumsum(sizes)[:-1]))
    pick = order[(first[:, None] + np.arange(size)).ravel()]
    return columns[pick].reshape(count, size), distances[pick].reshape(count, size)


def _tables(neighbors, count):
    if is_sparse(neighbors):
        return _lists_of_graph(neighbors, count, "neighbors")
    with _naming("neighbors"):
        pair = isinstance(neighbors, (tuple, list)) and len(neighbors) in (2, 3) and np.ndim(neighbors[0]) == 2
        return np.asarray(neighbors[0] if pair else neighbors), neighbors[1] if pair else None


def as_neighbors(neighbors, count):
    """(indices, distances or None) as uint32 and float32 tables (n, k) from what users have.

    Either a table of indices, a pair of tables (indices, distances), nearest first and without the point itself, or a
    sparse graph of distances (n, n) as scikit-learn's KNeighborsTransformer(mode="distance") makes it; of rows of
    different lengths each is cut to the shortest.
    """
    indices, distances = _tables(neighbors, count)
    if indices.ndim != 2 or indices.shape[0] != count or indices.shape[1] == 0 or indices.dtype.kind not in "iu":
        raise ValueError(
            f"neighbors: must be whole numbers of shape ({count}, k), a row for each point, not {indices.dtype} of "
            f"shape {indices.shape}"
        )
    if ((indices < 0) | (indices >= count)).any():
        raise ValueError(f"neighbors: must be between 0 and {count - 1}, points being counted from 0")
    if distances is not None:
        with _naming("neighbors"):
            distances = np.ascontiguousarray(distances, dtype=np.float32)
        if distances.shape != indices.shape:
            raise ValueError(f"neighbors: distances of shape {distances.shape} beside indices of {indices.shape}")
    return np.ascontiguousarray(indices, dtype=np.uint32), distances


def as_graph(X, memory):
    """(rows of no numbers, indices, distances) of a sparse graph of distances X (n, n) that stands for the points."""
    if X.dtype.kind not in "fiu":
        raise TypeError(f"X: must hold distances, not {X.dtype}")
    if len(X.shape) != 2 or X.shape[0] < 2:
        raise ValueError(f"X: must be a graph of at least 2 points, not of shape {X.shape}")
    memory.take(8 * X.nnz, "X: a graph is made lists of neighbours", 40 * X.nnz)
    indices, distances = _lists_of_graph(X, X.shape[0], "X")
    with np.errstate(over="ignore"):
        distances = np.ascontiguousarray(distances, dtype=np.float32)
    return np.empty((X.shape[0], 0), np.float32), np.ascontiguousarray(indices, dtype=np.uint32), distances


def as_table(X, metric, memory):
    """float32 distances (n, n) between all points: X itself, or what a callable makes of each pair of rows of X.

    The callable is called n (n - 1) / 2 times, with two float32 rows; it is taken to be symmetric, and a row is at 0
    from itself. Whether these are distances is the library's to say.
    """
    points = as_points(X, least=2, memory=memory)
    if not callable(metric):
        return points
    count = points.shape[0]
    memory.take(4 * count * count, "metric: distances between all points")
    table = np.zeros((count, count), np.float32)
    for i, row in enumerate(points):
        with _naming("metric"):
            table[i, i + 1 :] = [metric(row, other) for other in points[i + 1 :]]
        table[i + 1 :, i] = table[i, i + 1 :]
    return table
