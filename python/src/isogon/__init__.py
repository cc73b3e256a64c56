"""isogon: dimensionality reduction in which nearest neighbours survive.

Estimators in scikit-learn's manner, one for each method (isogon.methods() lists them), and functions that judge:

    import isogon
    Y = isogon.Faithful(n_components=32).fit_transform(X)     # X: n points of D numbers, Y: n of 32
    isogon.score(X, Y).recall_at_10
"""

from ._analogies import analogies
from ._anndata import embed_anndata
from ._codes import Codes
from ._core import __version__
from ._core import did_you_mean as _did_you_mean
from ._estimator import Estimator, FitWarning
from ._estimators import CLASSES as _CLASSES
from ._estimators import METHODS as _METHODS
from ._estimators import LocallyLinearLandmarks
from ._functions import generate, generators, load, neighbors, relu_decomposition, report, score, threshold
from ._maps import align, procrustes
from ._results import Result, Score, Summary
from ._running import Progress
from ._scikit import NotFittedError

globals().update({cls.__name__: cls for cls in _CLASSES.values()})


def methods():
    """{class name: what the method does}, one for each method that there is."""
    return {_CLASSES[name].__name__: method["title"] for name, method in _METHODS.items()}


_MODULES = ("dask", "export", "plot")  # imported when they are asked for: two of them need dask, and matplotlib


def __dir__():
    return sorted({*globals(), *_MODULES})


def __getattr__(name):
    if name in _MODULES:
        import importlib

        return importlib.import_module(f"isogon.{name}")
    raise AttributeError(f"module 'isogon' has no attribute {name!r}{_did_you_mean(name, __all__)}")


__all__ = [
    "__version__",
    "Codes",
    "Estimator",
    "FitWarning",
    "LocallyLinearLandmarks",
    "NotFittedError",
    "Progress",
    "Result",
    "Score",
    "Summary",
    "align",
    "analogies",
    "embed_anndata",
    "generate",
    "generators",
    "load",
    "methods",
    "neighbors",
    "procrustes",
    "relu_decomposition",
    "report",
    "score",
    "threshold",
    *sorted(cls.__name__ for cls in _CLASSES.values()),
]
