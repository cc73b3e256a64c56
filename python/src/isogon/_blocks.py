"""What workers do with a block of rows, and how they name what is wrong with it: by rows of the whole array."""

import hashlib
import os
import re
import uuid

import numpy as np

from . import _core
from ._arrays import Memory, as_points
from ._running import Run

ROWS_AT_ONCE = 65536  # what a call takes besides its rows stays bounded; changes no bit, for each row stands alone
ROWS_LOOKED_AT = 4096


def where(block_info, dtype):
    """(first row, rows, numbers of a row, type) of a block, as the array says."""
    (first, last), (left, right) = block_info[0]["array-location"][:2]
    return int(first), int(last - first), int(right - left), dtype


def named(place):
    return f"X, rows {place[0]} to {place[0] + place[1] - 1}"


def fault_of(block, place):
    """What is wrong with a block that is not what the array says of it, or None."""
    first, rows, width, dtype = place
    if getattr(block, "ndim", 0) != 2:
        return f"{named(place)}: the chunk is no table of rows, but {type(block).__name__}"
    if block.shape[1] != width:
        return f"{named(place)}: the chunk has {block.shape[1]} numbers in a row, where the array says {width}"
    if block.shape[0] != rows:
        return f"{named(place)}: the chunk has {block.shape[0]} rows, where the array says {rows}"
    if str(block.dtype) != dtype:
        return f"{named(place)}: the chunk holds {block.dtype}, where the array says {dtype}"
    return None


def first_bad_number(block, first):
    """What is said of the first NaN or infinity of a block, a few rows at a time, or None."""
    for begin in range(0, block.shape[0], ROWS_LOOKED_AT):
        bad = ~np.isfinite(np.asarray(block[begin : begin + ROWS_LOOKED_AT]))
        if bad.any():
            row, column = np.argwhere(bad)[0]
            return f"X, row {first + begin + row}, column {column}: is {block[begin + row, column]}"
    return None


def inspected(block, place):
    """What is wrong with a block of this place, or None."""
    return fault_of(block, place) or first_bad_number(block, place[0])


def by_row_of_all(error, place, first):
    """What an error about rows of a block says, which are those from `first` of the whole array."""
    row = re.match(r"row (\d+)", getattr(error, "place", ""))
    if row and error.source in ("X", "queries"):
        return f"X, row {first + int(row[1])}{error.place[row.end() :]}: {error.reason}"
    return f"{named(place)}: {str(error).removeprefix('X: ')}"


def worked_through(block, place, limits, work):
    """work(rows, run) over the rows of a block, some at a time; the parts, in their order."""
    fault = fault_of(block, place)
    if fault:
        raise ValueError(fault)
    parts = []
    for begin in range(0, place[1], ROWS_AT_ONCE):
        memory = Memory(limits["memory_limit"])
        first = place[0] + begin
        try:
            rows = as_points(block[begin : begin + ROWS_AT_ONCE], memory=memory)
            with Run("block", n_jobs=limits["n_jobs"], memory_limit=memory.left) as run:
                parts.append(work(rows, run))
        except (ValueError, TypeError, MemoryError) as error:
            raise type(error)(by_row_of_all(error, place, first)) from None
    return parts


def placed(block, model, width, dtype, limits, block_info=None):
    """Coordinates (rows, width) of a block, by a SharedModel."""
    place = where(block_info, dtype)
    if place[1] == 0:
        return np.empty((0, width), np.float32)
    parts = worked_through(block, place, limits, lambda rows, run: model.model().transform(rows, run)[0])
    return parts[0] if len(parts) == 1 else np.concatenate(parts)


NEIGHBOR = np.dtype([("index", np.int64), ("distance", np.float32)])


def found_near(block, base, version, options, dtype, limits, block_info=None):
    """The nearest rows of `base` for each row of a block: (rows, k) of NEIGHBOR. By all pairs, so that what a row gets
    is what it gets in any other block."""
    place = where(block_info, dtype)
    size = options["neighbors"]
    if place[1] == 0:
        return np.empty((0, size), NEIGHBOR)
    from ._shared_model import require_version

    require_version(version)

    def search(rows, run):
        indices, distances, _ = _core.neighbors(base, rows, options, run)
        found = np.empty(indices.shape, NEIGHBOR)
        found["index"], found["distance"] = indices, distances
        return found

    return np.concatenate(worked_through(block, place, limits, search))


def stored(block, folder, number):
    """Writes a block as a .npy file, whole or not at all: {file, rows, sha256 of its numbers}. Again is the same."""
    name = f"part-{number:06d}.npy"
    hidden = os.path.join(folder, f"{name}.{uuid.uuid4().hex}.tmp")
    rows = np.ascontiguousarray(block)
    try:
        with open(hidden, "wb") as file:
            np.save(file, rows)
            file.flush()
            os.fsync(file.fileno())
        os.replace(hidden, os.path.join(folder, name))
    finally:
        if os.path.exists(hidden):
            os.remove(hidden)
    return {"file": name, "rows": int(rows.shape[0]), "sha256": hashlib.sha256(rows).hexdigest()}
