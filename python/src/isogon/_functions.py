"""Functions over points: what the verbs of the command line do."""

import datetime
import functools
import inspect
import os
import pathlib
import platform
import tempfile

import numpy as np

from . import _core
from ._arrays import (
    Memory,
    as_classes,
    as_compressed_rows,
    as_factors,
    as_points,
    as_texts,
    is_sparse,
    require_same_columns,
)
from ._estimators import estimator_of_model
from ._names import by_option
from ._results import Report, Result, Score, Summary
from ._running import Run, real_of, seed_of, whole_of
from ._signatures import RUN_HELP, RUN_KEYWORDS, describe, options_of, parameters_of, run_parameters, with_signature
from ._tables import chosen, names_of, one_column, without


def _positional(name, default=inspect.Parameter.empty):
    return inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=default)


def _named(name, default):
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default)


def _fit_of(Y):
    return Y if hasattr(Y, "_method_of_fit") and hasattr(Y, "embedding_") else None


def _rows_of_fit(X, fit, memory, *named):
    """The points of X: of a table the columns that were fitted, or all but those that `named` name."""
    columns = getattr(fit, "columns", None)
    if columns is None and hasattr(fit, "feature_names_in_") and names_of(X) is not None:
        columns = list(fit.feature_names_in_)
    table = without(X, *named) if columns is None else chosen(X, columns, "X")
    return as_points(table, memory=memory, finite=True)


def _run(title, given, memory):
    return Run(title, **{**{name: given[name] for name in RUN_KEYWORDS}, "memory_limit": memory.left})


def load(path):
    """The fitted estimator of a model file: what save() wrote, or `isogon embed --model`.

    ValueError for a file that is no whole model of isogon's. Nothing of the file is executed.
    """
    return estimator_of_model(_core.read_model(os.fspath(path)))


_SCORE = _core.score_options()
_CROSS = _core.cross_score_options()


def _score(X, Y, labels, against, **given):
    memory = Memory(given["memory_limit"])
    fit = _fit_of(Y)
    x, y = _rows_of_fit(X, fit, memory, labels), as_points(getattr(Y, "embedding_", Y), "Y", memory=memory)
    if against is None:
        if x.shape[0] != y.shape[0]:
            raise ValueError(f"Y: {y.shape[0]} rows, where X has {x.shape[0]}; there must be one for each")
        classes = None if labels is None else as_classes(one_column(X, labels, "labels"), x.shape[0])
        with _run("score", given, memory) as run:
            options = options_of(_SCORE, given)
            if fit is not None:
                options = _core.with_options_of_fit(options, fit._method_of_fit(), by_option(fit.options_))
            found = _core.score(x, y, classes, options, run)
    else:
        if labels is not None:
            raise ValueError("labels: are for X and Y alone, not with against=")
        require_same_columns(X, against[0], "against")
        fitted_x, fitted_y = (as_points(part, "against", memory=memory) for part in against)
        with _run("score", given, memory) as run:
            found = _core.cross_score(x, y, fitted_x, fitted_y, options_of(_CROSS, given), run)
    found["summary"] = Summary(found["summary"])
    k = given["n_neighbors"]
    for name in ("recall", "all_kept", "kept_in_order"):  # names that do not change with n_neighbors
        if f"{name}_at_{k}" in found:
            found[name] = found[f"{name}_at_{k}"]
    found["n_neighbors"] = k
    return Score(found)


score = with_signature(
    _score,
    [_positional("X"), _positional("Y"), _positional("labels", None), _named("against", None)]
    + parameters_of(_SCORE)
    + run_parameters(),
    "How faithful coordinates Y (n, d) are to points X (n, D): what `isogon score` prints, as a Score.\n\n"
    "Y: coordinates, whatever made them, or a fitted estimator. Neighbours are nearest by `metric` in X and by\n"
    "`output_metric` in Y. Where they are not given, those of an estimator are its own: the metric of its fit, and\n"
    "the distances or angles that its method keeps, and so is its threshold, if it has one; bare coordinates are\n"
    "judged by distances on both sides: moving them does not change their grade.\n"
    'labels: class of each point, for knn_accuracy; unknown are those below 0, None, NaN, NA and "", which neither\n'
    "count nor vote; or the name of the column of a table X that has them. against: a pair (fitted X, fitted Y)\n"
    "where X and Y are points that were placed after a fit: pairs are then those of X with fitted X, and angle_rows\n"
    "and rank_rows do not count.\n"
    "ValueError for rows that do not fit each other and options out of bounds.\n\n"
    "Parameters\n----------\n" + describe(_SCORE) + "\n" + RUN_HELP,
)
score.__name__ = score.__qualname__ = "score"

_THRESHOLD = _core.threshold_options()


def _threshold(X, threshold, **given):
    memory = Memory(given["memory_limit"])
    x = as_points(X, least=2, memory=memory, finite=True)
    value = None if threshold is None else real_of(threshold, "threshold")
    with _run("threshold", given, memory) as run:
        return Result(_core.threshold(x, value, options_of(_THRESHOLD, given), run))


threshold = with_signature(
    _threshold,
    [_positional("X"), _positional("threshold", None)] + parameters_of(_THRESHOLD) + run_parameters(),
    "The cosine above which a wished share of pairs lies, and histograms of angles: to the nearest point, and of all\n"
    "pairs (180 bins of a degree). threshold: one to describe instead of choosing.\n\n"
    "Parameters\n----------\n" + describe(_THRESHOLD) + "\n" + RUN_HELP,
)
threshold.__name__ = threshold.__qualname__ = "threshold"

_NEIGHBORS = _core.neighbor_options()


def _neighbors(X, n_neighbors, queries, **given):
    memory = Memory(given["memory_limit"])
    if is_sparse(X):
        search, rows_of = _core.sparse_neighbors, functools.partial(as_compressed_rows, memory=memory)
    else:
        search, rows_of = _core.neighbors, functools.partial(as_points, memory=memory, finite=True)
    x = rows_of(X, "X")
    require_same_columns(X, queries, "queries")
    asked = None if queries is None else rows_of(queries, "queries")
    given["n_neighbors"] = n_neighbors
    with _run("neighbors", given, memory) as run:
        indices, distances, summary = search(x, asked, options_of(_NEIGHBORS, given), run)
    return Result(indices=indices.astype(np.int64), distances=distances, summary=Summary(summary))


neighbors = with_signature(
    _neighbors,
    [_positional("X")]
    + [p.replace(kind=inspect.Parameter.POSITIONAL_OR_KEYWORD) for p in parameters_of(_NEIGHBORS)[:1]]
    + [_named("queries", None)]
    + parameters_of(_NEIGHBORS)[1:]
    + run_parameters(),
    "The nearest of every point among the others, or for every row of `queries`: indices (n, k) int64, distances\n"
    "(n, k) float32, nearest first, and a summary with the recall of an approximate search. Sparse matrices X and\n"
    "`queries` stay sparse, and are searched exactly.\n\n"
    "Parameters\n----------\n" + describe(_NEIGHBORS) + "\n" + RUN_HELP,
)
neighbors.__name__ = neighbors.__qualname__ = "neighbors"


_DECOMPOSE = [spec for spec in _core.decompose_options() if spec["name"] != "start"]
_START = next(spec for spec in _core.decompose_options() if spec["name"] == "start")


def _relu_decomposition(S, rank, start, observed, **given):
    memory = Memory(given["memory_limit"])
    rows = as_compressed_rows(S, memory=memory)
    shape = (len(rows[0]) - 1, rows[3])
    known = None if observed is None else as_compressed_rows(observed, "observed", memory)
    pair = None if isinstance(start, str) else as_factors(start, shape)
    given["rank"] = pair[0].shape[1] if pair is not None and rank is None else 16 if rank is None else rank
    options = options_of(_DECOMPOSE, given)
    if isinstance(start, str):
        options["start"] = options_of([_START], {"start": start})["start"]
    with _run("relu_decomposition", given, memory) as run:
        w, h, outputs, summary = _core.decompose(rows, known, pair, options, run)
    summary = Summary(summary)
    return Result(
        W=w,
        H=np.ascontiguousarray(h.T),
        latent_residual=summary.measures["latent_residual"],
        output_residual=summary.measures["output_residual"],
        output_residuals=outputs,
        summary=summary,
    )


relu_decomposition = with_signature(
    _relu_decomposition,
    [_positional("S"), _positional("rank", None)]
    + [_named("start", _START["default"]), _named("observed", None)]
    + [p for p in parameters_of(_DECOMPOSE) if p.name != "rank"]
    + run_parameters(),
    "S ~ max(0, W @ H) with W (m, rank) and H (rank, n), float64, for a nonnegative S (m, n): an array or one of\n"
    "SciPy's sparse matrices; nothing m x n is held for a sparse one. Also returned: latent_residual |Z - L| / |S|,\n"
    "output_residual |S - max(0, L)| / |S| of these factors, output_residuals (by update), and a summary.\n\n"
    "rank: of L; 16, or that of a start. start: " + ", ".join(map(repr, _START["choices"])) + ", or a pair\n"
    "(W, H) to go on from. observed: a matrix of S's shape that is not zero where S is known; elsewhere S is\n"
    "completed by max(0, W @ H).\n"
    "ValueError for negative entries (the first one named), a rank above the shorter side, options out of bounds.\n\n"
    "Parameters\n----------\n" + describe(_DECOMPOSE) + "\n" + RUN_HELP,
)
relu_decomposition.__name__ = relu_decomposition.__qualname__ = "relu_decomposition"


_REPORT = _core.report_options()


def _shape_of_images(shape, dimension):
    if shape is None:
        return None
    try:
        height, width = (whole_of(side, "image_shape", 1, 31) for side in shape)
    except TypeError:
        raise TypeError(f"image_shape: must be a pair (height, width), not {shape!r}") from None
    if height * width != dimension:
        raise ValueError(f"image_shape: {height} x {width} pixels are not the {dimension} numbers of a row of X")
    return width, height


def _as_columns(columns, count):
    """Texts by the names of the columns of a mapping or a data frame."""
    if columns is None:
        return {}
    if hasattr(columns, "get_columns"):  # polars
        columns = {column.name: column for column in columns.get_columns()}
    if not hasattr(columns, "items"):
        raise TypeError(f"columns: must be a mapping of names to values or a DataFrame, not {type(columns).__name__}")
    texts = {}
    for name, values in columns.items():
        if str(name) in texts:
            raise ValueError(f"columns: {str(name)!r} is the name of two columns; each needs its own")
        values = np.asarray(values)
        if values.dtype.kind == "M":  # of which tolist() makes nanoseconds
            values = np.datetime_as_string(values)
        texts[str(name)] = as_texts(values, f"columns[{name!r}]", count)
    return texts


def _origin(path):
    return {
        "command": "isogon.report(X, Y)" if path is None else f"isogon.report(X, Y, {os.fspath(path)!r})",
        "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "machine": f"{os.cpu_count()} cores, Python {platform.python_version()}",
    }


def _report(X, Y, path, labels, words, columns, image_shape, title, overwrite, **given):
    memory = Memory(given["memory_limit"])
    fit = _fit_of(Y)
    x, y = _rows_of_fit(X, fit, memory, labels, words), as_points(getattr(Y, "embedding_", Y), "Y", memory=memory)
    if x.shape[0] != y.shape[0]:
        raise ValueError(f"Y: {y.shape[0]} rows, where X has {x.shape[0]}; there must be one for each")
    naming = {
        "title": "" if title is None else str(title),
        "name": "coordinates" if fit is None else type(fit).__name__,
        "labels": as_texts(one_column(X, labels, "labels"), "labels", x.shape[0]),
        "words": as_texts(one_column(X, words, "words"), "words", x.shape[0]),
        "columns": _as_columns(columns, x.shape[0]),
        "image_shape": _shape_of_images(image_shape, x.shape[1]),
    }
    result = (None, {}, {}) if fit is None else (fit._method_of_fit(), by_option(fit.options_), dict(fit.summary_))
    options = options_of(_REPORT, given)
    with tempfile.TemporaryDirectory() as folder, _run("report", given, memory) as run:
        file = os.path.join(folder, "report.html") if path is None else os.fspath(path)
        shown, warnings, verdict = _core.write_report(
            x, y, file, overwrite, naming, *result, _origin(path), options, run
        )
        page = {"html": pathlib.Path(file).read_text(encoding="utf-8")} if path is None else {"path": file}
    return Report(**page, points=shown, verdict=verdict, warnings=list(warnings))


report = with_signature(
    _report,
    [_positional("X"), _positional("Y"), _positional("path", None)]
    + [_named(name, None) for name in ("labels", "words", "columns", "image_shape", "title")]
    + [_named("overwrite", False)]
    + parameters_of(_REPORT)
    + run_parameters(),
    "Writes a page that shows coordinates and how far to believe them: one HTML file, which needs no network; that\n"
    "of `isogon report`. Gives back path, points shown, the verdict and the warnings that stand on top of the page; a\n"
    "notebook shows the page itself. Without a path there is no file, and html is the page.\n\n"
    "X: the inputs (n, D). Y: their coordinates (n, d), whatever made them, or a fitted estimator, of whose run the\n"
    "page then tells too. labels, words: class and name of each point, of any kind, or the columns of X that have\n"
    "them, by name. columns: what else is known of the points, by which the page colours and filters them: a mapping\n"
    "of names to n values each, or a DataFrame of n rows; numbers, dates and any text; None, NaN and NA are unknown.\n"
    "image_shape: (height, width) of inputs that are images, row by row. title: what stands on top.\n"
    "OSError for a file that exists (unless overwrite) or cannot be written; nothing half-written stays behind.\n\n"
    "Parameters\n----------\n" + describe(_REPORT) + "\n" + RUN_HELP,
)
report.__name__ = report.__qualname__ = "report"


def generate(name, count=5000, random_state=0, **options):
    """A made data set by name, as `isogon generate` makes it: points (count, D), labels or None, truth or None.

    isogon.generators() lists names and options. Point i depends on random_state and i alone.
    """
    if not isinstance(name, str):
        raise TypeError(f"name: must be text, one of generators(), not {name!r}")
    entry = next((entry for entry in _core.generators() if entry["name"] == name), None)
    specs = entry["options"] if entry else []
    given = {spec["name"]: spec for spec in specs}
    values = {}
    for keyword, value in options.items():
        spec = given.get(keyword.replace("_", "-"))
        if spec is None:
            raise TypeError(f"generate() of {name} has no option {keyword}; it has {', '.join(given) or 'none'}")
        values.update(options_of([spec], {keyword: value}))
    with Run("generate") as run:
        count = whole_of(count, "count", 1, 32)
        points, labels, truth = _core.generate(name, count, seed_of(random_state), values, run)
    return Result(points=points, labels=labels, truth=truth)


def generators():
    """Names of the made data sets and what they are."""
    return {entry["name"]: entry["title"] for entry in _core.generators() if not entry["from_images"]}
