"""Neighbours as users have them: tables, and sparse graphs of distances."""

from collections.abc import Mapping

import numpy as np

from ._arrays import _naming, as_points, is_sparse


def _lists_of_graph(graph, count, name, most=None):
    """Neighbour lists from a sparse graph of distances, as KNeighborsTransformer makes it; itself left out.

    As long as the longest row, or `most`; places that shorter ones leave empty hold the point itself, which is how the
    library tells them.
    """
    graph = graph.tocsr()
    if graph.shape != (count, count):
        raise ValueError(f"{name}: the graph must be of {count} x {count} points, not of {graph.shape}")
    # What is stored counts, a distance of zero too.
    rows = np.repeat(np.arange(count), np.diff(graph.indptr))
    others = graph.indices != rows
    rows, columns, distances = rows[others], graph.indices[others], graph.data[others]
    sizes = np.bincount(rows, minlength=count)
    if count == 0 or sizes.min() == 0:
        raise ValueError(f"{name}: row {int(sizes.argmin()) if count else 0} of the graph has no neighbours")
    size = int(sizes.max()) if most is None else min(most, int(sizes.max()))
    order = np.lexsort((columns, distances, rows))
    first = np.concatenate(([0], np.cumsum(sizes)[:-1]))
    places = np.minimum(np.arange(size), sizes[:, None] - 1)  # those behind the last hold its distance
    pick = order[first[:, None] + places]
    indices = np.where(np.arange(size) < sizes[:, None], columns[pick], np.arange(count)[:, None])
    return indices, distances[pick]


def _tables(neighbors, count, most):
    if is_sparse(neighbors):
        return _lists_of_graph(neighbors, count, "neighbors", most)
    if isinstance(neighbors, Mapping):
        if "indices" not in neighbors:
            raise ValueError("neighbors: has no indices; it has " + ", ".join(map(str, neighbors)))
        return np.asarray(neighbors["indices"]), neighbors.get("distances")
    with _naming("neighbors"):
        pair = isinstance(neighbors, (tuple, list)) and len(neighbors) in (2, 3) and np.ndim(neighbors[0]) == 2
        if not pair:
            return np.asarray(neighbors), None
        indices, distances = np.asarray(neighbors[0]), neighbors[1]
        other = np.asarray(distances)
        # scikit-learn's kneighbors() has the distances first.
        return (other, indices) if indices.dtype.kind == "f" and other.dtype.kind in "iu" else (indices, distances)


def as_neighbors(neighbors, count, most=None):
    """(indices, distances or None) as uint32 and float32 tables (n, k) from what users have.

    Either a table of indices, a pair of tables (indices, distances) in either order, nearest first, what neighbors()
    gives, or a sparse graph of distances (n, n) as scikit-learn's KNeighborsTransformer(mode="distance") makes it; its
    rows may be of different lengths, no more than `most` of each count. A point may stand in its own list, where it
    does not count.
    """
    indices, distances = _tables(neighbors, count, most)
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


def as_graph(X, memory, most):
    """(rows of no numbers, indices, distances) of a sparse graph of distances X (n, n) that stands for the points, of
    each row at most so many."""
    if X.dtype.kind not in "fiu":
        raise TypeError(f"X: must hold distances, not {X.dtype}")
    if len(X.shape) != 2 or X.shape[0] < 2:
        raise ValueError(f"X: must be a graph of at least 2 points, not of shape {X.shape}")
    listed = X.shape[0] * most
    memory.take(8 * listed, "X: a graph is made lists of neighbours", 40 * X.nnz + 24 * listed)
    indices, distances = _lists_of_graph(X, X.shape[0], "X", most)
    with np.errstate(over="ignore"):
        distances = np.ascontiguousarray(distances, dtype=np.float32)
    return np.empty((X.shape[0], 0), np.float32), np.ascontiguousarray(indices, dtype=np.uint32), distances


def as_table(X, metric, memory):
    """float32 distances (n, n) between all points: X itself, or what a callable makes of each pair of rows of X; and
    how many numbers a row of X has.

    The callable is called n (n - 1) / 2 times, with two float32 rows; it is taken to be symmetric, and a row is at 0
    from itself. Whether these are distances is the library's to say.
    """
    points = as_points(X, least=2, memory=memory)
    if not callable(metric):
        return points, points.shape[1]
    count = points.shape[0]
    memory.take(4 * count * count, "metric: distances between all points")
    table = np.zeros((count, count), np.float32)
    for i, row in enumerate(points):
        with _naming("metric"):
            table[i, i + 1 :] = [metric(row, other) for other in points[i + 1 :]]
        table[i + 1 :, i] = table[i, i + 1 :]
    return table, points.shape[1]
