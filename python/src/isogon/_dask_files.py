"""Dask arrays as folders of .npy files or as Zarr arrays, and the versions of workers."""

import json
import os
import re

import dask
import dask.array as da
import numpy as np

from . import _core
from ._blocks import stored
from ._running import whole_of

INDEX = "parts.json"
UNFINISHED = "parts.unfinished"  # there from the beginning of a run to its end: what else lies there is its own
OURS = re.compile(r"part-\d{6}\.npy(\.[0-9a-f]{32}\.tmp)?|parts\.json(\.tmp)?|parts\.unfinished")


def require_same_versions():
    """RuntimeError that names a worker of the default client which has another isogon, or none."""
    try:
        from distributed import default_client

        client = default_client()
    except (ImportError, ValueError):
        return  # threads of this process, which have this isogon
    if client.asynchronous:
        return  # each task asks for itself
    from importlib.metadata import version

    for worker, found in sorted(client.run(version, "isogon", on_error="return").items()):
        if found != _core.__version__:
            what = f"isogon {found}" if isinstance(found, str) else f"no isogon ({type(found).__name__}: {found})"
            raise RuntimeError(
                f"worker {worker} has {what}, where this process has {_core.__version__}: install the same on both"
            )


def _in_rows(Y, rows):
    if not isinstance(Y, da.Array) or Y.ndim != 2:
        raise TypeError("Y: must be a dask array of two axes")
    return Y.rechunk({0: -1 if rows is None else rows, 1: -1}) if rows is not None else Y.rechunk({1: -1})


def write_npy(Y, folder, *, rows=None, overwrite=False):
    """Writes a dask array (n, d) as .npy files of its chunks, on the workers; returns their paths in order of rows.

    part-000000.npy and so on, and in the end parts.json, which lists them with rows and SHA-256 of their numbers: a
    folder without it is not whole. Each file appears whole or not at all; a task that is done twice, because a worker
    died, writes the same again. rows: of a file, instead of those of Y's chunks. The folder must be one that all
    workers and this process see, and empty, or what a run left that was broken off; overwrite=True replaces a whole
    array, whose files may then be no inputs of Y. OSError for any other folder, and if what workers wrote is not here.
    """
    Y = _in_rows(Y, None if rows is None else whole_of(rows, "rows", 1, 32))
    folder = os.path.abspath(os.fspath(folder))
    _claim(folder, overwrite)
    blocks = Y.to_delayed().ravel()
    parts = dask.compute(*(dask.delayed(stored)(block, folder, number) for number, block in enumerate(blocks)))
    paths = [os.path.join(folder, part["file"]) for part in parts]
    for path in paths:
        if not os.path.exists(path):
            raise OSError(f"{path}: a worker has written it, and it is not here; give a folder that all machines share")
    _remove_others(folder, {os.path.basename(path) for path in paths})
    index = os.path.join(folder, INDEX)
    result = {"rows": Y.shape[0], "dimension": Y.shape[1], "dtype": str(Y.dtype), "parts": list(parts)}
    hidden = index + ".tmp"
    with open(hidden, "w", encoding="utf-8") as file:
        json.dump(result, file, indent=1)
    os.replace(hidden, index)
    os.remove(os.path.join(folder, UNFINISHED))
    return paths


def _claim(folder, overwrite):
    """Makes the folder, or takes it if what lies in it is ours to replace."""
    os.makedirs(folder, exist_ok=True)
    names = os.listdir(folder)
    others = [name for name in names if not OURS.fullmatch(name)]
    if others:
        raise OSError(f"{folder}: holds other files ({sorted(others)[0]}); give an empty folder")
    if names and UNFINISHED not in names and not overwrite:
        raise OSError(f"{folder}: holds an array already; overwrite=True replaces it")
    with open(os.path.join(folder, UNFINISHED), "w", encoding="utf-8"):
        pass
    if INDEX in names:
        os.remove(os.path.join(folder, INDEX))


def _remove_others(folder, names):
    """Parts of an earlier array that had more of them, and what workers left that died while they wrote."""
    for name in os.listdir(folder):
        if name.startswith("part-") and name not in names:
            os.remove(os.path.join(folder, name))


def write_zarr(Y, url, *, rows=None, overwrite=False):
    """Writes a dask array (n, d) as a Zarr array, on the workers. rows: of a chunk; Zarr's are all alike but the last,
    so rows of Y's first chunk by default. Needs zarr: pip install zarr. Whole only when this returns."""
    try:
        import zarr  # noqa: F401
    except ImportError:
        raise ImportError("write_zarr needs zarr: pip install zarr") from None
    _in_rows(Y, None).rechunk({0: Y.chunks[0][0] if rows is None else rows}).to_zarr(url, overwrite=overwrite)


def _header(path):
    """Shape and type of a .npy file of rows, its numbers unread."""
    try:
        part = np.load(path, mmap_mode="r")
    except OSError as error:
        raise ValueError(f"{path}: cannot be read: {error}") from None
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None
    if part.ndim != 2:
        raise ValueError(f"{path}: must have two axes, not {part.ndim}")
    return part.shape, part.dtype


def _paths_of(source):
    """Files of a folder by its parts.json, or as they are given."""
    if not isinstance(source, (str, os.PathLike)):
        return [os.path.abspath(os.fspath(path)) for path in source], None
    index = os.path.join(source, INDEX)
    try:
        with open(index, encoding="utf-8") as file:
            result = json.load(file)
    except FileNotFoundError:
        raise ValueError(
            f"{index}: is not there, so the folder holds no whole array; or give a list of files"
        ) from None
    return [os.path.abspath(os.path.join(source, part["file"])) for part in result["parts"]], result


def read_npy(source):
    """A dask array (n, D) of .npy files, a chunk each: a folder that write_npy() has written, or paths in order.

    Heads are read at once, numbers by the tasks, so all machines must see the files. ValueError names a file that is
    missing, damaged, or of another width or type than the first.
    """
    paths, result = _paths_of(source)
    if not paths:
        raise ValueError("source: there are no files")
    heads = [_header(path) for path in paths]
    (_, width), dtype = heads[0]
    for path, (shape, other) in zip(paths, heads):
        if shape[1] != width or other != dtype:
            raise ValueError(f"{path}: rows of {shape[1]} {other}, where {paths[0]} has rows of {width} {dtype}")
    for path, (shape, _), part in zip(paths, heads, result["parts"] if result else [{}] * len(paths)):
        if part.get("rows", shape[0]) != shape[0]:
            raise ValueError(f"{path}: {shape[0]} rows, where {INDEX} says {part['rows']}")
    load = dask.delayed(np.load)
    parts = [
        da.from_delayed(load(path, mmap_mode="r"), shape, dtype, meta=np.empty((0, 0), dtype))
        for path, (shape, _) in zip(paths, heads)
    ]
    return da.concatenate(parts)
