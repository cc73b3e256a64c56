"""What all estimators do alike; each method's own follows from its option table."""

import numbers
import os
import warnings

import numpy as np

from . import _core
from ._arrays import (
    Memory,
    as_classes,
    as_compressed_rows,
    as_points,
    is_of_targets,
    is_sparse,
    without_diagonal,
)
from ._graphs import as_graph, as_neighbors, as_table
from ._names import by_keyword, by_option, keyword_of, of_the_graph
from ._parameters import Parameters
from ._results import Summary
from ._running import Run, seed_of
from ._scikit import check_names, checked_input_features, not_fitted, tags, wrapped
from ._shared_model import model_bytes, model_of_bytes
from ._signatures import RUN_KEYWORDS, options_of
from ._starts import start_rows
from ._tables import chosen, column_names, one_column, without

_DENSE_BYTES = 1 << 25  # of sparse rows that are dense at a time


class FitWarning(UserWarning):
    """Something about the data or the fit that its user should know; the message says what to do."""


class Estimator(Parameters):
    """Base of all estimators.

    Attributes after fit
    --------------------
    embedding_ : float32 array (n, d), a row for each row of X
    summary_ : how the fit went: termination, message, trace, seconds, counts, measures, warnings
    options_ : every parameter of the method as it was used, "auto" ones as chosen from the data; None: had no effect
    n_features_in_, feature_names_in_ : what X had
    n_iter_ : iterations made, of methods that iterate
    components_ : of linear methods and nmf, float array (d, D); mean_ : of pca
    eigenvalues_ : of spectral methods; threshold_ : of methods with one
    landmark_indices_ : which rows were fitted, where not all were
    kept_ : of Faithful, float32 array (n,), the share of each row's n_neighbors nearest that embedding_ keeps; where
        more than 20000 rows or landmarks are fitted the summary has the shares of a sample instead
    """

    _method = ""
    _specs = ()
    _uses_neighbors = False
    _uses_affinities = False
    _uses_labels = False
    _starts_some = False  # rows without coordinates to start from too
    _graph_alone = False  # takes a graph of distances instead of points
    _takes_sparse = False  # takes points as a sparse matrix, which stays sparse

    # ---- what subclasses change

    def _request(self, points):
        """(method, options, landmark options) for a fit of so many points; what is left open is not among them."""
        given = self.get_params(deep=False)
        if self._by_distances():
            given["metric"] = "euclidean"  # distances as they are
        return self._method, options_of(self._specs, given), {}

    def _most_neighbors(self):
        """How many neighbours of each point a fit looks at, at most; None: unknown."""
        usual = {spec["name"]: spec["default"] for spec in self._specs}
        asked = getattr(self, keyword_of("neighbors"), None)
        asked = usual.get("neighbors") if asked is None or isinstance(asked, str) else asked
        most = asked if isinstance(asked, numbers.Integral) else 0
        most *= 2 if self._method == "lsde" else 1  # twice as many rebuild each point as have their distances kept
        perplexity = getattr(self, "perplexity", None)
        if most == 0 and isinstance(perplexity, numbers.Real) and 0 < perplexity < 1e6:
            return int(3 * perplexity) + 1
        return int(most) or 100

    def _precomputed(self):
        """Whether X is a graph of distances, and no points."""
        return self._graph_alone and isinstance(self.metric, str) and self.metric == "precomputed"

    def _is_of_pairs(self):
        """Whether X has a column for each row: distances, or values of a kernel."""
        given = (getattr(self, name, None) for name in ("metric", "kernel"))
        return any(isinstance(value, str) and value == "precomputed" for value in given)

    def _by_distances(self):
        """Whether the fit is of distances alone: those that X is, or that a callable makes of points."""
        return self._precomputed() or (self._takes_tables() and callable(self.metric))

    def _takes_tables(self):
        return any(spec["name"] == "metric" and "precomputed" in spec["choices"] for spec in self._specs)

    def _method_of_fit(self):
        return self._method

    def _option_names(self):
        return [spec["name"] for spec in self._specs]

    # ---- fit and transform

    def fit(self, X, y=None, *, start=None, neighbors=None, affinities=None):
        """Fits the points X (n, D): an array, a table, or, for most methods, a sparse matrix, which stays sparse.

        y is not looked at, but by UMAP: there it is a label for each row, unknown where it is -1, None, NaN, NA or "",
        and draws rows of one label together, as much as target_weight says; a text is the name of X's column that has
        them, which is then none of the points'. Numbers with fractions, and several columns of numbers, are targets,
        NaN where unknown, and draw rows of near targets together.

        start: coordinates (n, d) to begin from, of methods that iterate; a table with an index is matched by that with
        X, a fitted estimator by equal inputs. UMAP and TSNE start rows that have none among their neighbours: rows of
        NaN, those after the first m of (m, d), those that are not in the index or were not fitted. Their hold= keeps
        the others in place. neighbors: of methods that start from
        neighbours, those of all points instead of a search: indices (n, k), a pair (indices, distances), what
        neighbors() gives, or a sparse graph of distances (n, n) as KNeighborsTransformer makes it. affinities: of t-SNE
        and UMAP, the weights of edges instead of these, a symmetric matrix (n, n), sparse or not, whose diagonal does
        not count; such a fit has no transform. Returns self.
        ValueError or TypeError names the argument that is at fault. Ctrl-C ends the fit, leaves the best so far in
        place and raises KeyboardInterrupt.
        """
        self._fit(X, start, neighbors, affinities, y)
        return self

    def fit_transform(self, X, y=None, *, start=None, neighbors=None, affinities=None):
        """fit(), then its coordinates: float32 (n, d)."""
        self._fit(X, start, neighbors, affinities, y)
        return wrapped(self, self.embedding_, X)

    def transform(self, X):
        """Coordinates (m, d), float32, for rows X (m, D), each by itself: the same bits alone and in any batch.

        A fitted row gets its fitted coordinates; of several equal ones, which a fit may place apart, those of one.
        """
        return wrapped(self, self._of_rows(X, lambda model, *given: model.transform(*given)[0]), X)

    def distances_to_fit(self, X, *, in_radii=False):
        """How far each row of X (m, D) lies from the nearest fitted one, by the metric of the fit: float32 (m,).

        in_radii: over that row's own radius, its distance to its 10th nearest fitted row: about 1 for rows like
        the fitted ones, many for rows of which the fit knows nothing, and whose coordinates mean little. 0 for a fitted
        row. Time of a search among all fitted rows. ValueError for fits that keep none, as linear ones.
        """
        return np.ascontiguousarray(self._of_rows(X, lambda model, *given: model.distances(*given))[:, int(in_radii)])

    def _of_rows(self, X, work):
        """What work(model, rows, run) gives for rows X (m, D) like the fitted ones."""
        self._require_fitted()
        model = self._require_model()
        memory = Memory(self.memory_limit)
        X = chosen(X, self.columns)
        if is_sparse(X):  # linear maps take rows one by one: some at a time are dense
            X, step = X.tocsr(), max(1, _DENSE_BYTES // (4 * max(1, X.shape[1])))
            parts = (X[first : first + step].toarray() for first in range(0, max(1, X.shape[0]), step))
            return np.concatenate([self._of_rows(part, work) for part in parts])
        rows = as_points(X, memory=memory, finite=True)
        check_names(self, column_names(X, rows.shape[1]), reset=False)
        if rows.shape[1] != self.n_features_in_:
            raise ValueError(
                f"X has {rows.shape[1]} features, but {type(self).__name__} is expecting {self.n_features_in_} "
                "features as input."
            )
        with self._run(memory) as run:
            return work(model, rows, run)

    def query_map(self, *, queries_like=None, prototypes=256, directions=128, random_state=0):
        """A fitted copy whose transform() takes microseconds a row, keeps no inputs, and is less faithful.

        Of TSM: a map that is fitted to what was fitted. It is meant for queries; stored rows keep the coordinates that
        they have. queries_like: rows such as will be asked, where these are unlike the fitted ones; they are placed by
        transform(), and the map learns from them too. prototypes: linear pieces of the map; 1 is a linear map.
        directions: singular directions of the inputs that it looks at. What it keeps, and why: docs/methods/tsm.md.
        ValueError for other methods.
        """
        from ._estimators import estimator_of_model

        self._require_fitted()
        model = self._require_model()
        memory = Memory(self.memory_limit)
        queries = None
        if queries_like is not None:
            queries_like = chosen(queries_like, self.columns)
            queries = as_points(queries_like, "queries_like", memory=memory)
            names = column_names(queries_like, queries.shape[1])
            if names is not None:
                check_names(self, names, reset=False)
        with self._run(memory) as run:
            seed = seed_of(random_state)
            return estimator_of_model(model.query_map(queries, prototypes, directions, seed, run))

    def score(self, X, y=None):
        """How well neighbours are kept, for grid search: of the 10 nearest of each row of X (n, D) among its rows the
        share that is among the 10 nearest of its coordinates, on average; from 0 to 1, and more is better.

        Rows are placed by transform(), so that X may be held out; of n <= 10 rows all n - 1 others are the nearest. By
        `metric` for X, where the method has that option, and by distance for coordinates; of TSM by angle for both.
        More n_components score higher, as a rule. y is not looked at. Costs a transform and two searches for
        neighbours; ValueError for one row, and for fits that have no transform.
        """
        memory = Memory(self.memory_limit)
        placed = as_points(self.transform(X), memory=memory, least=2)
        points = (
            as_compressed_rows(X, "X", memory) if is_sparse(X) else as_points(chosen(X, self.columns), memory=memory)
        )
        k = min(10, len(placed) - 1)
        with self._run(memory) as run:
            near, kept = (_nearest(side, k, metric, run) for side, metric in zip((points, placed), self._nearness()))
        return float(np.mean([np.isin(a, b).mean() for a, b in zip(near, kept)]))

    def _nearness(self):
        """What makes neighbours of inputs, and of coordinates, for score()."""
        own = "cosine" if self._method == "tsm" else "euclidean"
        return getattr(self, "metric", own), own

    def inverse_transform(self, X):
        """Inputs (m, D), float32, for coordinates X (m, d), each row by itself.

        What linear methods and NMF keep of them; else mixtures of the fitted inputs whose coordinates are nearest, with
        weights that rebuild the row from these. The coordinates of a point that was fitted give its own input, bit for
        bit, those of several points at one place the first one's; points that the fit left out (landmarks,
        components="largest") get mixtures. The farther a row is from all fitted ones, the less its inputs mean.
        ValueError for fits that have no transform.
        """
        self._require_fitted()
        model = self._require_model()
        memory = Memory(self.memory_limit)
        rows = as_points(X, memory=memory)
        if rows.shape[1] != self._n_features_out:
            raise ValueError(f"X: must have {self._n_features_out} columns, the coordinates, not {rows.shape[1]}")
        with self._run(memory) as run:
            return model.inverse_transform(rows, run)[0]

    def _fit(self, X, start, neighbors=None, affinities=None, y=None):
        memory = Memory(self.memory_limit)
        if self._uses_labels and isinstance(y, str):
            X, y = X if self.columns is not None else without(X, y), one_column(X, y, "y")
        X = chosen(X, self.columns)
        rows, extras, features = self._input(X, neighbors, memory)
        names = column_names(X, features)
        if start is not None:
            extras["start"] = start_rows(start, X, rows, memory, self._starts_some)
        if affinities is not None:
            if not self._uses_affinities:
                raise ValueError(f"affinities: {type(self).__name__} lets no edges pull; leave them out")
            extras["affinities"] = without_diagonal(as_compressed_rows(affinities, "affinities", memory))
        if self._uses_labels and y is not None:
            if is_of_targets(y):
                extras["targets"] = as_points(np.asarray(y).reshape(len(y), -1), "y", memory=memory)
            else:
                extras["classes"] = as_classes(y, rows.shape[0], "y", " labels, one for each row of X")
        if names is not None and not any("\0" in name for name in names):
            extras["columns"] = [name.encode("utf-8", "surrogateescape") for name in names]
        running = self._run(memory)
        with running as run:
            method, options, landmarks = self._request(rows.shape[0])
            if self._by_distances() and "neighbors" not in extras:
                options["metric"] = "precomputed"
            try:
                fit = _core.fit(method, rows, options, run, landmarks, **extras)
            except ValueError as error:
                if self._precomputed():
                    raise of_the_graph(error) from None
                if rows.shape[1] > 1:
                    raise
                # Points on a line are all alike to methods that look at angles: that is likely why.
                raise ValueError(f"{error} (X has n_features = 1)") from None
            running.whole = fit.summary["termination"] not in ("cancelled", "time-limit")
        self._keep(fit, extras.get("sparse", rows), features, names)

    def _input(self, X, neighbors, memory):
        """Rows of X and, as the library takes them, neighbours; of a graph alone rows without numbers. And how many
        numbers a row of X has."""
        if self._by_distances():
            if neighbors is not None:
                raise ValueError('neighbors: are X itself with metric="precomputed"; leave them out')
            if not (self._precomputed() and is_sparse(X)):
                table, features = as_table(X, self.metric, memory)
                return table, {}, features
            rows, indices, distances = as_graph(X, memory, self._most_neighbors())
            return rows, {"neighbors": indices, "distances": distances}, len(rows)
        if is_sparse(X) and self._takes_sparse and neighbors is None:
            if X.shape[0] == X.shape[1] and self._graph_alone:
                warnings.warn(
                    'X: is square, and was taken for points; a graph of distances goes with metric="precomputed"',
                    FitWarning,
                    stacklevel=4,
                )
            return np.empty((X.shape[0], 0), np.float32), {"sparse": as_compressed_rows(X, "X", memory)}, X.shape[1]
        rows = as_points(X, least=2, memory=memory, finite=True)
        if neighbors is None:
            return rows, {}, rows.shape[1]
        if not self._uses_neighbors:
            raise ValueError(f"neighbors: {type(self).__name__} does not start from neighbours; leave them out")
        indices, distances = as_neighbors(neighbors, rows.shape[0], self._most_neighbors())
        return rows, {"neighbors": indices, "distances": distances}, rows.shape[1]

    def _keep(self, fit, rows, features, names):
        """Puts what a fit left in place of what was there; raises what Python raised meanwhile."""
        summary = Summary(fit.summary)
        if fit.coordinates is not None:
            self._forget()
            check_names(self, names, reset=True)
            self.n_features_in_ = features
            self.embedding_ = fit.coordinates
            self.summary_ = summary
            self.options_ = self._options_as_used(fit, summary)
            self._model = fit.model
            self._keep_what_there_is(fit, summary, rows)
        raised = fit.take_raised()
        if raised is not None:
            raise raised
        if fit.coordinates is None:
            raise _no_result(summary)
        for sentence in summary.warnings:
            warnings.warn(sentence, FitWarning, stacklevel=4)

    def _options_as_used(self, fit, summary):
        """By parameter; what is "auto" in the end had no effect, and is None."""
        own = {name: fit.options[name] for name in self._option_names() if name in fit.options}
        used = by_keyword({**own, "metric": "precomputed"} if self._precomputed() else own)
        return {name: None if value == "auto" else value for name, value in used.items()}

    def _keep_arrays(self, arrays):
        """What a fit or a model has of a linear map."""
        if "directions" in arrays:
            self.components_ = np.ascontiguousarray(arrays["directions"].T)
            if arrays["centered"] != 0:
                self.mean_ = arrays["center"] * arrays["unit"]
        if "parts" in arrays:
            self.components_ = arrays["parts"]

    def _keep_what_there_is(self, fit, summary, rows):
        # The trace of layouts has some iterations only.
        made = next((summary.counts[name] for name in ("iterations", "epochs") if name in summary.counts), None)
        iterations = [made] if made is not None else summary.trace["iteration"]
        if iterations:
            self.n_iter_ = int(iterations[-1])
        self._keep_arrays(fit.map)
        if "kept" in fit.map:
            self.kept_ = fit.map["kept"]
        eigenvalues = [value for name, value in summary.measures.items() if name.startswith("eigenvalue_")]
        if eigenvalues:
            self.eigenvalues_ = np.asarray(eigenvalues)
        if "threshold" in summary.measures:
            self.threshold_ = summary.measures["threshold"]
        if fit.landmark_rows is not None:
            self.landmark_indices_ = fit.landmark_rows.astype(np.int64)

    def _forget(self):
        for name in [name for name in vars(self) if name.endswith("_") and not name.startswith("_")]:
            delattr(self, name)

    def _run(self, memory):
        given = {name: getattr(self, name) for name in RUN_KEYWORDS}
        return Run(type(self).__name__, **{**given, "memory_limit": memory.left})

    # ---- scikit-learn's manners

    def get_feature_names_out(self, input_features=None):
        """Names of the coordinates: "faithful0", "faithful1", ..."""
        self._require_fitted()
        checked_input_features(self, input_features)
        prefix = type(self).__name__.lower()
        return np.asarray([f"{prefix}{i}" for i in range(self._n_features_out)], dtype=object)

    @property
    def _n_features_out(self):
        if hasattr(self, "embedding_"):
            return self.embedding_.shape[1]
        with Run("dimensions", n_jobs=self.n_jobs) as run:
            return self._model.dimensions(run)[1]

    def set_output(self, *, transform=None):
        """What transform() gives: "default" (arrays), "pandas" or "polars"; None leaves it."""
        if transform is not None:
            self._sklearn_output_config = {"transform": transform}
        return self

    def __sklearn_is_fitted__(self):
        return hasattr(self, "n_features_in_")

    def __sklearn_tags__(self):
        return tags(
            nonnegative=self._method == "nmf",
            pairwise=self._is_of_pairs(),
            sparse=self._precomputed() or (self._takes_sparse and not self._is_of_pairs()),
        )

    def _require_fitted(self):
        if not self.__sklearn_is_fitted__():
            raise not_fitted(self)

    def _require_model(self):
        if self._model is None:
            if "precomputed" in (self.options_.get("metric"), self.options_.get("kernel")):
                given = "kernel values" if self.options_.get("kernel") == "precomputed" else "distances or a graph"
                raise ValueError(
                    f"{type(self).__name__}: the fit was of {given} alone and left no model: "
                    "new points are placed by the fitted points, which are not known"
                )
            _core.require_transform(by_option(self.options_))
            raise ValueError(
                f"{type(self).__name__}: the fit left no model, as one of given affinities or of a sparse matrix does "
                "not; fit again, on dense rows: isogon.SVD(100).fit_transform(X) makes them"
            )
        return self._model

    # ---- files and pickles

    def save(self, path, *, overwrite=False):
        """Writes the model as the command line does (isogon embed --model): a .safetensors file, whole or not at all.

        OSError if it cannot be written or is there already.
        """
        self._require_fitted()
        self._require_model().write(os.fspath(path), overwrite)

    def __getstate__(self):
        state = dict(vars(self))
        model = state.pop("_model", None)
        if model is not None:
            state["_model_file"] = model_bytes(model)
        return {"isogon_version": _core.__version__, "state": state}

    def __setstate__(self, saved):
        state = dict(saved["state"])
        data = state.pop("_model_file", None)
        if "options_" in state:  # an older version had the library's names
            state["options_"] = by_keyword(state["options_"])
        # A pickle of an older version has no parameters that came later.
        vars(self).update({**self._default_parameters(), **state})
        if data is not None:
            self._model = model_of_bytes(data)
        elif self.__sklearn_is_fitted__():
            self._model = None


def _nearest(points, k, metric, run):
    """Numbers of the k nearest rows of each (n, k)."""
    options = {spec["name"]: spec["default"] for spec in _core.neighbor_options()}
    search = _core.sparse_neighbors if isinstance(points, tuple) else _core.neighbors
    return search(points, None, {**options, "neighbors": k, "metric": metric}, run)[0]


def _no_result(summary):
    if summary.termination == "time-limit":
        return TimeoutError(f"time_limit: over before there were coordinates; {summary.message}")
    return RuntimeError(f"the fit ended without coordinates ({summary.termination}): {summary.message}")
