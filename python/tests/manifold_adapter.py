"""isogon's classes behind the signatures of scikit-learn's manifold classes, so that its own tests can ask them.

An adapter translates parameters and nothing else: a value that isogon has nothing for skips the test that says it.
Which way the numbers are found (eigen_solver and the like) is of no concern to a result and not looked at.
"""

import inspect

import numpy as np
import pytest

import isogon
from isogon._parameters import Parameters, with_parameters

ANY = object()  # taken and not looked at


def lacking(name, value):
    pytest.skip(f"isogon has nothing for {name}={value!r}")


def choice(**known):
    """A parameter of texts: ours for each of theirs, as a dictionary of keywords."""

    def translated(name, value):
        return known[value] if isinstance(value, str) and value in known else lacking(name, value)

    return translated


def only(*values):
    """A parameter that must be one of these values, at which it says what isogon does anyway."""
    return lambda name, value: {} if any(value is one or value == one for one in values) else lacking(name, value)


def keyword(ours, factor=None):
    """The same number by another name."""

    def translated(name, value):
        if value is None:
            lacking(name, value)
        return {ours: value if factor is None or isinstance(value, str) else factor * value}

    return translated


METRIC = choice(
    euclidean={"metric": "euclidean"}, cosine={"metric": "cosine"}, precomputed={"metric": "precomputed"}, minkowski={}
)
NO_MATTER = dict.fromkeys(
    ("eigen_solver", "eigen_tol", "tol", "max_iter", "path_method", "neighbors_algorithm", "hessian_tol")
    + ("modified_tol", "gamma", "angle", "min_grad_norm", "n_iter_without_progress"),
    ANY,
)
SAME = {
    "n_components": keyword("n_components"),
    "n_neighbors": keyword("n_neighbors"),
    "random_state": lambda name, value: {"random_state": value},
    "n_jobs": lambda name, value: {"n_jobs": value},
}

PARAMETERS = {
    "Isomap": {"radius": only(None), "metric": METRIC, "p": only(2), "metric_params": only(None)},
    "LocallyLinearEmbedding": {"reg": only(1e-3), "method": only("standard")},
    "SpectralEmbedding": {
        "affinity": choice(
            nearest_neighbors={"kernel": "connectivity"},
            precomputed_nearest_neighbors={"kernel": "connectivity", "metric": "precomputed"},
        ),
        "n_neighbors": lambda name, value: {} if value is None else {"n_neighbors": value},
    },
    "ClassicalMDS": {"metric": METRIC, "metric_params": only(None, {"p": 2})},
    "TSNE": {
        "perplexity": keyword("perplexity"),
        "early_exaggeration": keyword("exaggeration"),
        "learning_rate": keyword("learning_rate", 4),  # ours is of a quarter of the gradient
        "max_iter": keyword("iterations"),
        "init": lambda name, value: {"start": value} if isinstance(value, str) else {"start": "random"},
        "metric": METRIC,
        "metric_params": only(None),
        "method": choice(exact={"solver": "exact"}, barnes_hut={}),  # so few points are repelled by all pairs
        "verbose": only(0),
    },
}

CLASSES = {
    "Isomap": isogon.Isomap,
    "LocallyLinearEmbedding": isogon.LLE,
    "SpectralEmbedding": isogon.LaplacianEigenmaps,
    "ClassicalMDS": isogon.MDS,
    "TSNE": isogon.TSNE,
}


class Adapter(Parameters):
    """A class of scikit-learn's by name, parameters and fit; the fit is that of `_ours`."""

    used = False  # whether a test has asked any of them

    def fit(self, X, y=None):
        Adapter.used = True
        said = PARAMETERS[type(self).__name__]
        ours = {}
        for name, value in self.get_params(deep=False).items():
            translated = said.get(name) or SAME.get(name) or NO_MATTER[name]
            if translated is not ANY:
                ours.update(translated(name, value))
        init = getattr(self, "init", None)
        start = {"start": init} if isinstance(init, np.ndarray) else {}
        self._fitted = CLASSES[type(self).__name__](**ours).fit(X, **start)
        return self

    def fit_transform(self, X, y=None):
        return self.fit(X).embedding_

    def transform(self, X):
        return self._fitted.transform(X)

    def __sklearn_is_fitted__(self):
        return "_fitted" in vars(self)

    def __getattr__(self, name):
        if name.startswith("__") or "_fitted" not in vars(self):
            raise AttributeError(name)
        if name == "kl_divergence_":
            return self._fitted.summary_.measures["kl_divergence"]
        return getattr(self._fitted, name)

    def __sklearn_tags__(self):
        return CLASSES[type(self).__name__]().__sklearn_tags__()


def adapted(theirs):
    """The adapter that stands for a class of scikit-learn's."""
    parameters = list(inspect.signature(theirs.__init__).parameters.values())[1:]
    return type(theirs.__name__, (Adapter,), {"__init__": with_parameters(parameters)})
