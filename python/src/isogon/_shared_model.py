"""A fitted model on its way to the workers of a cluster: read once by each process, and the same for all tasks."""

import hashlib
import os
import tempfile
import threading

from . import _core
from ._running import Run

MOST_KEPT = 4  # models by process: those of one computation, hardly ever more than one


def bytes_of_file(write):
    """What write(path) leaves in a .safetensors file."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "kept.safetensors")
        write(path)
        with open(path, "rb") as file:
            return file.read()


def read_from_bytes(read, data):
    """What read(path) makes of a .safetensors file of these bytes."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "kept.safetensors")
        with open(path, "wb") as file:
            file.write(data)
        return read(path)


def model_bytes(model):
    """A model as the bytes of the file that save() writes."""
    return bytes_of_file(lambda path: model.write(path, False))


def model_of_bytes(data):
    return read_from_bytes(_core.read_model, data)


class _Kept:
    """Models that this process has read, by digest; the last few."""

    guard = threading.Lock()
    models = {}

    @classmethod
    def model(cls, digest, read):
        with cls.guard:  # while one thread reads, the others wait for the same model
            if digest not in cls.models:
                model = read()
                while len(cls.models) >= MOST_KEPT:
                    del cls.models[next(iter(cls.models))]
                cls.models[digest] = model
            return cls.models[digest]


def digest_of(data):
    return hashlib.sha256(data).hexdigest()


def require_version(version):
    """RuntimeError unless this process has the isogon that asks: other versions may give other bits."""
    if version != _core.__version__:
        raise RuntimeError(
            f"isogon {_core.__version__} is installed on this worker, and {version} where the work is handed out: "
            "install the same on both"
        )


class SharedModel:
    """The bytes of a model file, or where all machines find it, and what they must be.

    Small enough for any message in the second case: then `data` is None.
    """

    def __init__(self, data, path=None):
        self.digest, self.size = digest_of(data), len(data)
        self.data, self.path = (data, None) if path is None else (None, os.path.abspath(path))
        self.version = _core.__version__

    @classmethod
    def of(cls, model):
        """Of a fitted estimator, or of the path of a model file."""
        if isinstance(model, (str, os.PathLike)):
            _core.read_model(os.fspath(model))  # refused here, if it is none
            with open(model, "rb") as file:
                return cls(file.read(), os.fspath(model))
        if not hasattr(model, "_require_model"):
            raise TypeError(
                f"model: must be a fitted estimator of isogon's, or the path of a model file, not {model!r}"
            )
        model._require_fitted()
        return cls(model_bytes(model._require_model()))

    def model(self):
        """The model, in this process. RuntimeError for another version of isogon, ValueError for another file."""
        require_version(self.version)
        return _Kept.model(self.digest, self._read)

    def _read(self):
        data = self.data
        if data is None:
            with open(self.path, "rb") as file:
                data = file.read()
        if digest_of(data) != self.digest:
            raise ValueError(f"model: {self.path} is not the same file on this worker as where the work is handed out")
        return model_of_bytes(data)

    def dimensions(self, limits):
        """Numbers of a point, and of its coordinates."""
        with Run("dimensions", **limits) as run:
            return self.model().dimensions(run)

    def fitted_points(self):
        """(inputs, coordinates) of the fitted points; ValueError for models that keep none."""
        model = self.model()
        if "inputs" not in model.arrays:
            raise ValueError(f"model: one of {model.method} keeps no fitted points; give points instead of a model")
        return model.array("inputs"), model.array("coordinates")
