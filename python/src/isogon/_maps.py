"""Maps that stay where they are: updates, and tables that are mapped one after the other."""

import numpy as np

from ._arrays import as_points
from ._estimator import Estimator
from ._starts import labels_of, matched


class Map(Estimator):
    """A method that starts some rows where they were and holds them there."""

    def update(self, X, *, hold=0.5):
        """Adds the rows X (m, D) to the fit; embedding_ then has them after those that it had. Returns self.

        A fit of all rows that starts the fitted ones where they are and the others among their neighbours. hold, 0 to
        1: how firmly the fitted ones stay; at 0.5 they move by less than a hundredth of the map's width on average, at
        1 not at all. Labels of an earlier fit do not count. Time and memory of a fit.
        """
        self._require_fitted()
        model = self._require_model()
        inputs, start = model.array("inputs"), model.array("coordinates")
        names = getattr(self, "feature_names_in_", None)
        added = as_points(X)
        if added.shape[1] != inputs.shape[1]:
            raise ValueError(
                f"X has {added.shape[1]} features, but {type(self).__name__} was fitted to {inputs.shape[1]}"
            )
        before = self.hold
        try:
            self.hold = hold
            self._fit(np.concatenate([inputs, added]), start)
        finally:
            self.hold = before
        if names is not None:
            self.feature_names_in_ = names
        return self


def procrustes(Y, onto):
    """Y (n, d) shifted, turned and perhaps reflected, so that its rows come as near as can be to those of `onto` (same
    shape), by least squares over the rows of which neither is NaN. Lengths stay as they are. float64 (n, d).

    Schoenemann, "A generalized solution of the orthogonal Procrustes problem", Psychometrika 1966.
    """
    y, target = np.asarray(Y, dtype=np.float64), np.asarray(onto, dtype=np.float64)
    if y.ndim != 2 or y.shape != target.shape:
        raise ValueError(f"onto: must be of the shape of Y, {y.shape}, not {target.shape}")
    common = ~np.isnan(y).any(axis=1) & ~np.isnan(target).any(axis=1)
    if not common.any():
        raise ValueError("onto: has no row in common with Y")
    middle, target_middle = y[common].mean(axis=0), target[common].mean(axis=0)
    u, _, v = np.linalg.svd((y[common] - middle).T @ (target[common] - target_middle))
    return (y - middle) @ (u @ v) + target_middle


def align(estimator, tables, *, ids=None, hold=0.5):
    """Maps of several tables, slices of time for one, in which the same things lie at about the same places.

    The first is fitted freely. Each further one is fitted by a copy of `estimator` that starts the rows of the slice
    before at their places and holds them there, 0 to 1 (UMAP, TSNE); maps of other methods are turned onto the one
    before by procrustes(). Rows of two tables are the same thing if they have the same label in their tables' index or
    in `ids`, a list of labels for each table; without either, row i is the same in all tables. Returns a list of
    float32 arrays (n_t, d). Time of the fits.
    """
    tables = list(tables)
    ids = [labels_of(X) or list(range(len(X))) for X in tables] if ids is None else [list(own) for own in ids]
    if len(ids) != len(tables):
        raise ValueError(f"ids: must be {len(tables)}, one list for each table, not {len(ids)}")
    for number, (X, own) in enumerate(zip(tables, ids)):
        if len(own) != len(X) or len(set(own)) < len(own):
            raise ValueError(
                f"ids[{number}]: must be {len(X)} labels, each of them once, one for each row of the table"
            )
    maps = []
    for X, own in zip(tables, ids):
        fit = type(estimator)(**estimator.get_params(deep=False))
        if not maps:
            maps.append(fit.fit_transform(X))
        elif isinstance(fit, Map):
            fit.hold = hold
            maps.append(fit.fit_transform(X, start=matched(maps[-1], ids[len(maps) - 1], own)))
        else:
            onto = matched(maps[-1], ids[len(maps) - 1], own)
            maps.append(procrustes(fit.fit_transform(X), onto).astype(np.float32))
    return maps
