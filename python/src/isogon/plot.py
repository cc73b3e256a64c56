"""Pictures: angles and tau, maps, how a fit went, spectra, methods beside each other. Needs matplotlib.

Every function draws into `ax`, or a new figure, and returns the axes; saving and showing are the caller's.
"""

import numpy as np

from ._arrays import as_classes
from ._functions import threshold as _threshold
from ._results import Result


def _axes(ax, size=(6.0, 4.0)):
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        raise ImportError("isogon.plot needs matplotlib: pip install 'isogon[plot]'") from None
    return plt.subplots(figsize=size, layout="constrained")[1] if ax is None else ax


def angles(X, threshold=None, *, ax=None):
    """Histograms of the angles of points X (n, D): to the nearest other point, and of all pairs, with tau between.

    X: points, or what isogon.threshold() has found of them. threshold: a cosine to show instead of the one that is
    advised. A good tau lies where the nearest end and the bulk of all pairs has not begun (Saul 2022, figure 2).
    """
    found = X if isinstance(X, Result) else _threshold(X, threshold)
    ax = _axes(ax)
    degrees = found.bin_degrees * np.arange(len(found.all))
    for share, label in ((found.nearest, "nearest point"), (found["all"], "all pairs")):
        ax.stairs(share, np.append(degrees, degrees[-1] + found.bin_degrees), fill=True, alpha=0.5, label=label)
    ax.axvline(found.threshold_degrees, color="black", linewidth=1)
    ax.annotate(
        f" tau = {found.threshold:.3f}\n {found.threshold_degrees:.0f} degrees",
        (found.threshold_degrees, 1),
        xycoords=("data", "axes fraction"),
        va="top",
    )
    ax.set(xlabel="angle in degrees", ylabel="share", xlim=(0, _last_seen(found)))
    ax.set_ylim(0, 1.25 * max(found.nearest.max(), found["all"].max()))  # the words at tau stand above the bars
    ax.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=2, frameon=False)  # and the legend above all
    return ax


def _last_seen(found):
    """Where the histograms end."""
    seen = np.flatnonzero((found.nearest > 0) | (found["all"] > 0))
    return found.bin_degrees * (seen[-1] + 1) if seen.size else 180.0


def map(Y, labels=None, *, names=None, ax=None, size=None):
    """Y (n, 2), or two principal axes of Y (n, d), coloured by labels (n,): classes, unknown ones
    in gray, or numbers along a scale.

    Principal axes are labelled with their share of the variance: what the picture leaves out is the rest. The legend
    has the 20 largest classes, and says of how many. names: a text for each point, written beside it (for some tens).
    size: of the dots; by default smaller for more points.
    """
    Y = np.asarray(Y)
    if Y.ndim != 2 or Y.shape[1] < 2:
        raise ValueError(f"Y: a map needs coordinates of shape (n, d) with d of at least 2, not {Y.shape}")
    ax = _axes(ax, (6.0, 6.0))
    if Y.shape[1] > 2:
        Y, shares = _principal(Y)
        ax.set(
            **{f"{name}label": f"principal axis {i + 1} ({shares[i]:.0%} of variance)" for i, name in enumerate("xy")}
        )
    size = size if size is not None else max(0.5, min(30.0, 20000.0 / len(Y)))
    labels = None if labels is None else np.asarray(labels)
    if labels is None or labels.dtype.kind == "f":
        drawn = ax.scatter(Y[:, 0], Y[:, 1], s=size, c=labels, linewidths=0)
        if labels is not None:
            ax.figure.colorbar(drawn, ax=ax, shrink=0.6)
    else:
        _classes(ax, Y, labels, size)
    for i, name in enumerate(names if names is not None else ()):
        ax.annotate(name, Y[i, :2], fontsize="small", xytext=(2, 2), textcoords="offset points")
    ax.set_aspect("equal")
    ax.set(xticks=[], yticks=[])
    return ax


def _principal(Y):
    """Y about its mean on its two principal axes, and the share of the variance along each."""
    centred = Y - Y.mean(axis=0, dtype=np.float64)
    variances, directions = np.linalg.eigh(centred.T @ centred)
    variances = np.maximum(variances[::-1], 0.0)
    return centred @ directions[:, ::-1][:, :2], variances[:2] / (variances.sum() or 1.0)


_MOST_NAMED = 20  # classes in a legend


def _classes(ax, Y, labels, size):
    import matplotlib

    unknown = as_classes(labels, len(Y)) < 0
    if unknown.any():
        ax.scatter(Y[unknown, 0], Y[unknown, 1], s=size, color="lightgray", linewidths=0, label="unknown")
    if labels.dtype.kind == "O":  # what is unknown has no order beside what is known
        labels = np.where(unknown, "", labels.astype(str))
    kinds, sizes = np.unique(labels[~unknown], return_counts=True)
    named = set(np.argsort(-sizes, kind="stable")[:_MOST_NAMED])
    # tab10 and tab20 are lists of colours, of which the first are taken; turbo is a scale, and divided.
    few = next((name for most, name in ((10, "tab10"), (20, "tab20")) if len(kinds) <= most), None)
    colours = matplotlib.colormaps[few] if few else matplotlib.colormaps["turbo"].resampled(len(kinds))
    for i, kind in enumerate(kinds):
        mine = (labels == kind) & ~unknown
        label = str(kind) if i in named else None
        ax.scatter(Y[mine, 0], Y[mine, 1], s=size, color=colours(i), linewidths=0, label=label)
    title = f"largest {len(named)} of {len(kinds)} classes" if len(named) < len(kinds) else None
    ax.legend(
        loc="center left", bbox_to_anchor=(1, 0.5), markerscale=max(1.0, 5.0 / size**0.5), frameon=False, title=title
    )


def trace(summary, *, ax=None):
    """The objective of a fit over its iterations, and the relative change of it, from `summary_` or an estimator."""
    summary = getattr(summary, "summary_", summary)
    found = summary["trace"]
    if not found["iteration"]:
        raise ValueError("summary: has no trace; the method does not iterate")
    ax = _axes(ax)
    objective = np.asarray(found["objective"])
    (line,) = ax.plot(found["iteration"], objective, label="objective")
    if (objective > 0).all():
        ax.set_yscale("log")
    ax.set(xlabel="iteration", ylabel="objective", title=summary["termination"])
    change = np.abs(found["change"])
    if (change > 0).any():
        other = ax.twinx()
        (second,) = other.plot(found["iteration"], np.where(change > 0, change, np.nan), color="C1", label="change")
        other.set_yscale("log")
        other.set_ylabel("change")
        ax.legend(handles=[line, second])
    return ax


def spectrum(source, *, ax=None):
    """Eigenvalues by their order: of a fit that has them, of the Gram matrix of coordinates (n, d), or as given (d,).

    How many dimensions the data has is where they fall.
    """
    values = getattr(source, "eigenvalues_", None)
    if values is None:
        values = np.asarray(getattr(source, "embedding_", source), dtype=float)
    if values.ndim == 2:
        values = np.linalg.svd(values, compute_uv=False) ** 2
    if values.ndim != 1 or values.size == 0:
        raise ValueError(f"source: must be a fit, coordinates (n, d) or eigenvalues (d,), not of shape {values.shape}")
    ax = _axes(ax)
    ax.bar(np.arange(1, values.size + 1), values)
    ax.set(xlabel="number", ylabel="eigenvalue")
    return ax


# What compare() shows: key, title, and whether more is better.
MEASURES = (
    ("mean_angular_deviation_degrees", "angles off by, degrees", False),
    ("jaccard", "Jaccard index of near pairs", True),
    ("recall", "recall of the nearest", True),
    ("norm_deviation_mean", "lengths off by", False),
    ("trustworthiness", "trustworthiness", True),
)


def compare(results, *, measures=None, ax=None, axes=None):
    """Scores of several methods side by side: results is {name: what isogon.score() found}.

    measures: keys of scores to show instead of the usual ones. ax: axes to draw into, one for each measure (axes is an
    older name of it). Returns the axes, one for each measure.
    """
    axes = axes if ax is None else ax
    if not results:
        raise ValueError("results: there is nothing to compare")
    titles = {key: (title + (", more is better" if more else ", less is better")) for key, title, more in MEASURES}
    keys = [key for key in measures or titles if all(key in result for result in results.values())]
    if not keys:
        raise ValueError("measures: there is none that all results have")
    if axes is None:
        first = _axes(None, (3.0 * len(keys), 0.5 + 0.4 * len(results)))
        figure = first.figure
        first.remove()
        axes = np.atleast_1d(figure.subplots(1, len(keys), sharey=True))
    names = list(results)
    for one, key in zip(np.atleast_1d(axes), keys):
        bars = one.barh(names, [results[name][key] for name in names], color=[f"C{i}" for i in range(len(names))])
        one.bar_label(bars, fmt="%.3g", padding=2)
        one.set_title(titles.get(key, key), fontsize="small")
        one.margins(x=0.25)
    np.atleast_1d(axes)[0].invert_yaxis()
    return axes
