"""One class for each method of the registry, and the one that fits any of them on landmarks."""

import inspect

import numpy as np

from . import _core
from ._estimator import Estimator
from ._linear import Linear
from ._maps import Map
from ._names import LINEAR, MADE_OF_LANDMARKS, by_keyword, class_of, keyword_of
from ._parameters import with_parameters
from ._running import Run
from ._signatures import (
    COLUMNS,
    COLUMNS_HELP,
    RUN_HELP,
    RUN_KEYWORDS,
    describe,
    options_of,
    parameters_of,
    run_parameters,
)

LANDMARK_SPECS = tuple(_core.landmark_options())


class _MadeOfLandmarks(Estimator):
    """A method that has landmarks among its options."""

    _landmark_specs = ()

    def _request(self, points):
        method, options, _ = super()._request(points)
        return method, options, options_of(self._landmark_specs, self.get_params(deep=False))

    def _options_as_used(self, fit, summary):
        return {**super()._options_as_used(fit, summary), "n_landmarks": int(summary.counts["landmarks"])}

    def _option_names(self):
        return super()._option_names() + [spec["name"] for spec in self._landmark_specs]


def _document(method, specs):
    title = method["title"][:1].upper() + method["title"][1:]
    extras = []
    if method["starts"]:
        extras.append("fit takes start=, coordinates to begin from.")
    if method["uses_neighbors"]:
        extras.append("fit takes neighbors=, the neighbours of all points.")
    if method["uses_affinities"]:
        extras.append("fit takes affinities=, the weights of edges between all points.")
    if method["name"] == "tsne":
        extras.append("n_components above 3: every iteration looks at all pairs, in time n^2.")
    if method["accepts_precomputed"]:
        extras.append(
            'metric="precomputed": X are distances between n points, and no points: a symmetric table (n, n), of which '
            "each row's nearest are taken, or a sparse graph (n, n) as "
            'KNeighborsTransformer(mode="distance") makes it. '
            "Such a fit has no transform."
        )
    if method["accepts_sparse"]:
        extras.append(
            "X may be a sparse matrix of SciPy's, which stays sparse"
            + ("; such a fit has no transform." if method["accepts_precomputed"] else ".")
        )
    if any(spec["name"] == "metric" and "precomputed" in spec["choices"] for spec in specs):
        extras.append(
            "metric may be a callable: f(a, b), the distance of two float32 rows, symmetric. It is called for each of "
            "the n (n - 1) / 2 pairs, in Python, and 4 n^2 bytes hold what it gives; the fit is then one of "
            "precomputed distances."
        )
    if any(spec["name"] == "kernel" and "precomputed" in spec["choices"] for spec in specs):
        extras.append(
            'kernel="precomputed": X are values of the kernel between n points, a symmetric table (n, n). '
            "Such a fit has no transform."
        )
    if method["uses_labels"]:
        extras.append(
            "fit takes y, labels of the rows, -1, None and NaN where unknown: edges between unlike ones are weakened; "
            "or targets, numbers of which near ones draw rows together."
        )
    return "\n".join(
        [
            f"{title}.",
            "",
            f"Source: {method['source']}",
            "",
            "Parameters",
            "----------",
            describe(specs),
            COLUMNS_HELP + RUN_HELP,
            "",
        ]
        + extras
        + [_attributes(Estimator)]
        + ([_attributes(Linear).split("\n", 2)[2]] if _base_of(method["name"]) is Linear else [])
    )


def _attributes(kind):
    return inspect.getdoc(kind).split("\n", 2)[2]


def estimator_class(method):
    """The estimator of one entry of the registry."""
    specs = tuple(method["options"])
    own = tuple(spec for spec in LANDMARK_SPECS if spec["name"] in MADE_OF_LANDMARKS.get(method["name"], ()))
    name = class_of(method["name"])
    members = {
        "__init__": with_parameters(_order(parameters_of(specs + own)) + [COLUMNS, *run_parameters()]),
        "__doc__": _document(method, specs + own),
        "__module__": "isogon",
        "_method": method["name"],
        "_specs": specs,
        "_landmark_specs": own,
        "_uses_neighbors": method["uses_neighbors"],
        "_uses_affinities": method["uses_affinities"],
        "_uses_labels": method["uses_labels"],
        "_starts_some": method["starts_some"],
        "_graph_alone": method["accepts_precomputed"],
        "_takes_sparse": method["accepts_sparse"],
    }
    return type(name, (_base_of(method["name"], method["starts_some"]),), members)


def _base_of(method, starts_some=False):
    if method in MADE_OF_LANDMARKS:
        return _MadeOfLandmarks
    return Linear if method in LINEAR else Map if starts_some else Estimator


def _order(parameters):
    """n_components may come without its name, as in scikit-learn."""
    first = [p.replace(kind=inspect.Parameter.POSITIONAL_OR_KEYWORD) for p in parameters if p.name == "n_components"]
    return first + [p for p in parameters if p.name != "n_components"]


_MAP = ("directions", "center", "centered", "unit", "parts")
METHODS = {method["name"]: method for method in _core.methods()}
CLASSES = {method: estimator_class(entry) for method, entry in METHODS.items()}


class LocallyLinearLandmarks(Estimator):
    __doc__ = """A method fitted on landmarks, and all other points from them.

    Spectral methods are solved for the landmarks with every point a mixture of them (Vladymyrov and
    Carreira-Perpinan 2013); of Faithful and TSM the landmarks are fitted alone and all others placed among them.

    Parameters
    ----------
    base : estimator or None, default None
        what to fit, and its options; None: LaplacianEigenmaps(). How to run (n_jobs and the like) is not said there
    n_landmarks : int, default 1000
        how many points are landmarks; the fit is that of `base` if there are no more points than that
    """

    def _base(self):
        base = CLASSES["laplacian"]() if self.base is None else self.base
        if not isinstance(base, Estimator) or isinstance(base, (LocallyLinearLandmarks, _MadeOfLandmarks)):
            raise TypeError(f"base: must be an estimator of isogon's without landmarks of its own, not {base!r}")
        return base

    def _request(self, points):
        base = self._base()
        for name, default in {**RUN_KEYWORDS, COLUMNS.name: None}.items():
            if getattr(base, name) is not default:
                raise ValueError(f"base: its {name} would count for nothing; give it to LocallyLinearLandmarks")
        if base._by_distances():
            raise ValueError('base: with metric="precomputed" there are no points to choose landmarks among')
        landmarks = options_of(LANDMARK_SPECS, self.get_params(deep=False))
        if landmarks["landmarks"] < 2:
            raise ValueError(f"n_landmarks = {landmarks['landmarks']}: must be at least 2")
        method, options, _ = base._request(points)
        return method, options, landmarks if landmarks["landmarks"] < points else {}

    def _options_as_used(self, fit, summary):
        used = super()._options_as_used(fit, summary)
        if fit.landmark_rows is None and not used.get("n_landmarks"):
            return used  # all points were fitted
        used.update(by_keyword(options_of(LANDMARK_SPECS, self.get_params(deep=False))))
        mixes = METHODS[self._method_of_fit()]["embeds_on_landmarks"]
        if used["extension"] == "auto":
            used["extension"] = "lll" if mixes else "placement"
        if used["extension"] == "placement":
            used.update(extension_neighbors=None)
        elif used["extension_neighbors"] == 0:
            usual = used["n_components"] + 1 if mixes else 4 * used["n_components"]
            used["extension_neighbors"] = int(summary.counts.get("extension_neighbors", usual))
        return used

    def _most_neighbors(self):
        return None  # of an extension, which is said otherwise

    def _nearness(self):
        return self._base()._nearness()

    def _method_of_fit(self):
        return self._base()._method

    def _option_names(self):
        return self._base()._option_names() + [spec["name"] for spec in LANDMARK_SPECS]

    @property
    def _uses_neighbors(self):
        return True

    def __sklearn_tags__(self):
        tags = self._base().__sklearn_tags__()
        tags.input_tags.sparse = False  # landmarks are chosen among dense rows
        return tags


def _landmark_parameters():
    list_ = parameters_of(LANDMARK_SPECS)
    return [p.replace(default=1000) if p.name == "n_landmarks" else p for p in list_]


LocallyLinearLandmarks.__init__ = with_parameters(
    [inspect.Parameter("base", inspect.Parameter.POSITIONAL_OR_KEYWORD, default=None)]
    + _landmark_parameters()
    + [COLUMNS, *run_parameters()]
)
LocallyLinearLandmarks.__module__ = "isogon"
LocallyLinearLandmarks.__doc__ = (
    inspect.cleandoc(LocallyLinearLandmarks.__doc__)
    + "\n"
    + describe([spec for spec in LANDMARK_SPECS if spec["name"] != "landmarks"])
    + "\n"
    + COLUMNS_HELP
    + RUN_HELP
)


def estimator_of_model(model):
    """A fitted estimator from a model: parameters from its options, attributes from its arrays."""
    with Run("load") as run:
        features, _ = model.dimensions(run)
        columns = model.column_names(features)
    kind = CLASSES.get(model.method)
    if kind is None:
        raise ValueError(f"the model is one of {model.method}, a method that this isogon does not have")
    options = {keyword_of(name): "auto" if value is None else value for name, value in model.options.items()}
    names = kind._parameter_names()
    options.pop("recall", None)  # n_components is the number that it led to
    estimator = kind(**{name: value for name, value in options.items() if name in names})
    rest = {name: value for name, value in options.items() if name not in names}
    if rest.get("n_landmarks"):
        known = LocallyLinearLandmarks._parameter_names()
        estimator = LocallyLinearLandmarks(estimator, **{name: rest[name] for name in rest if name in known})
    estimator._model = model
    estimator._keep_arrays({name: model.array(name) for name in _MAP if name in model.arrays})
    estimator.n_features_in_ = features
    if columns is not None:
        estimator.feature_names_in_ = np.asarray(columns, dtype=object)
    estimator.options_ = by_keyword(model.options)
    if "coordinates" in model.arrays and model.array("coordinates").ndim == 2:
        estimator.embedding_ = model.array("coordinates")
    return estimator
