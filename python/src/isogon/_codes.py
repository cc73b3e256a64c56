"""Vectors in a few bytes each: what `isogon quantize` makes."""

import os

import numpy as np

from . import _core
from ._arrays import Memory, as_points
from ._functions import _positional, _run
from ._results import Result
from ._running import whole_of
from ._shared_model import bytes_of_file, read_from_bytes
from ._signatures import RUN_HELP, RUN_KEYWORDS, describe, options_of, parameters_of, run_parameters, with_signature

_OPTIONS = _core.codes_options()


def _plain_run(memory):
    return _run("codes", dict(RUN_KEYWORDS), memory)


class Codes:
    """Vectors of d numbers in a few bytes each: product codes behind a learned rotation. Made by Codes.of(X), encode()
    and load(); `codes` (n, bytes) are the bytes themselves, `shape` is (n, d), `options` are those used.

    Example: codes = isogon.Codes.of(Y, bytes=16); codes.search(queries, 10).indices
    """

    def __init__(self, core):
        if not isinstance(core, _core.VectorCodes):
            raise TypeError("Codes: are made by Codes.of(X), Codes.load(path) or encode(X)")
        self._core = core

    @classmethod
    def load(cls, path):
        """Of a file that save() or `isogon quantize` wrote. ValueError for any other."""
        return cls(_core.read_codes(os.fspath(path)))

    def save(self, path, *, overwrite=False):
        """Writes them (.safetensors), whole or not at all."""
        self._core.write(os.fspath(path), overwrite)

    @property
    def codes(self):
        return self._core.codes

    @property
    def shape(self):
        return self._core.shape

    @property
    def options(self):
        return self._core.options

    def __len__(self):
        return self.shape[0]

    def __repr__(self):
        return f"Codes({self.shape[0]} vectors of {self.shape[1]} numbers in {self.options['bytes']} bytes each)"

    def __getstate__(self):
        return {"isogon_version": _core.__version__, "_file": bytes_of_file(lambda path: self._core.write(path, False))}

    def __setstate__(self, saved):
        self._core = read_from_bytes(_core.read_codes, saved["_file"])

    def encode(self, X, *, memory_limit=None):
        """The codes of other vectors (m, d), by the same codewords."""
        memory = Memory(memory_limit)
        x = as_points(X, memory=memory)
        with _plain_run(memory) as run:
            return Codes(_core.make_codes(x, {}, self._core, run))

    def decode(self, *, memory_limit=None):
        """The vectors (n, d) that the codes stand for; of length about 1 where metric is cosine."""
        memory = Memory(memory_limit)
        with _plain_run(memory) as run:
            return self._core.decode(run)

    def search(self, queries, n_neighbors=10, *, memory_limit=None):
        """The nearest coded vectors of each query, which is compared as it is: indices, distances (m, n_neighbors)."""
        memory = Memory(memory_limit)
        asked = as_points(queries, "queries", memory=memory)
        with _plain_run(memory) as run:
            indices, distances = self._core.search(asked, whole_of(n_neighbors, "n_neighbors", 1, 32), run)
        return Result(indices=indices.astype(np.int64), distances=distances)

    def recall(self, X, n_neighbors=10, *, memory_limit=None):
        """The share of the nearest of 1,000 of the vectors X that were coded, which a search of the codes finds."""
        memory = Memory(memory_limit)
        x = as_points(X, memory=memory)
        with _plain_run(memory) as run:
            return self._core.recall(x, whole_of(n_neighbors, "n_neighbors", 1, 32), run)


def _of(X, **given):
    memory = Memory(given["memory_limit"])
    x = as_points(X, memory=memory)
    with _run("codes", given, memory) as run:
        return Codes(_core.make_codes(x, options_of(_OPTIONS, given), None, run))


Codes.of = staticmethod(
    with_signature(
        _of,
        [_positional("X"), *parameters_of(_OPTIONS), *run_parameters()],
        "Codes of the vectors X (n, d), learned from at most 65,536 of them.\n\n"
        "Parameters\n----------\n" + describe(_OPTIONS) + "\n" + RUN_HELP,
    )
)
