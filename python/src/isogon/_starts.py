"""Coordinates that a fit starts from, and which of its rows they are of."""

import numpy as np

from ._arrays import as_points


def start_rows(start, X, rows, memory, partial):
    """Coordinates to start the `rows` of X from: of a fitted estimator or a table those of the same inputs or index,
    else one for each row in order. Rows without any are NaN where a `partial` start will do."""
    if hasattr(start, "_require_fitted"):
        places, index, wanted = _fitted_rows(start, rows)
    else:
        places = as_points(start, "start", memory=memory)
        index, wanted = labels_of(start), labels_of(X)
        if index is None or wanted is None:
            index, wanted = range(len(places)), range(len(rows) if partial else len(places))
    return matched(places, index, wanted)


def _fitted_rows(start, rows):
    """The coordinates that an estimator's model keeps, and what tells whose they are: the numbers of the inputs."""
    start._require_fitted()
    model = start._require_model()
    if not {"inputs", "coordinates"} <= set(model.arrays):
        raise ValueError(f"start: {type(start).__name__} keeps no fitted rows; give its embedding_")
    inputs = model.array("inputs")
    if inputs.shape[1] != rows.shape[1]:
        raise ValueError(f"start: was fitted to rows of {inputs.shape[1]} numbers, and X has {rows.shape[1]}")
    return model.array("coordinates"), [row.tobytes() for row in inputs], [row.tobytes() for row in rows]


def labels_of(table):
    """The index of a table of pandas, unless it is the numbers of the rows."""
    index = getattr(table, "index", None)
    if index is None or callable(index) or type(index).__name__ == "RangeIndex":
        return None
    return index.tolist()


def matched(places, index, wanted):
    """The place of each that is wanted, NaN where none is known."""
    known = dict(zip(index, range(len(places))))
    if len(known) < len(places) and not isinstance(index[0], bytes):
        raise ValueError("start: its index has a label twice, and rows are matched by it")
    found = np.array([known.get(label, -1) for label in wanted])
    if len(places) > len(wanted) and isinstance(index, range):
        return places  # too many: the fit says so
    if (found < 0).all():
        raise ValueError("start: has a place for none of the rows of X")
    rows = np.full((len(found), places.shape[1]), np.nan, dtype=np.float32)
    rows[found >= 0] = places[found[found >= 0]]
    return rows
