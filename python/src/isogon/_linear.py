"""What estimators of linear methods have besides: the way back, and shares of variance."""

import numpy as np

from ._arrays import Memory, as_points
from ._estimator import Estimator

_ROWS = 4096  # of a block in float64


def _variances(points):
    """Of each column, over all rows; in blocks, so that no copy of the points is made."""
    count = len(points)
    mean = sum(points[i : i + _ROWS].sum(axis=0, dtype=np.float64) for i in range(0, count, _ROWS)) / count
    return sum(((points[i : i + _ROWS] - mean) ** 2).sum(axis=0) for i in range(0, count, _ROWS)) / count


class Linear(Estimator):
    """pca, svd and nmf: X ~ coordinates @ components_ (+ mean_).

    Attributes after fit
    --------------------
    singular_values_, explained_variance_, explained_variance_ratio_ : of PCA and SVD, float arrays (d,), as those of
        scikit-learn's PCA and TruncatedSVD: the variances of the coordinates (PCA: over n - 1) and their share in that
        of X. A model that was loaded has none: they are of the fitted points
    """

    def inverse_transform(self, Y):
        """Rows (m, D), float32, of which Y (m, d) are the coordinates: Y @ components_, and of PCA the mean added.

        Of fitted coordinates the nearest points that d components make; the points themselves, to rounding, where d is
        their rank. ValueError for Y of another width, or that goes beyond float32.
        """
        self._require_fitted()
        memory = Memory(self.memory_limit)
        rows = as_points(Y, "Y", memory=memory)
        width, features = self.components_.shape
        if rows.shape[1] != width:
            raise ValueError(f"Y: has {rows.shape[1]} coordinates a row, where {type(self).__name__} gives {width}")
        memory.take(4 * len(rows) * features, "X: its rows are made", 16 * min(len(rows), _ROWS) * features)
        points = np.empty((len(rows), features), np.float32)
        for i in range(0, len(rows), _ROWS):
            block = rows[i : i + _ROWS].astype(np.float64) @ self.components_.astype(np.float64)
            with np.errstate(over="ignore", invalid="ignore"):
                points[i : i + _ROWS] = block + getattr(self, "mean_", 0.0)
        if not np.isfinite(points).all():
            row = int(np.argmin(np.isfinite(points).all(axis=1)))
            raise ValueError(f"Y: row {row} is not finite, or its point is beyond float32, above 3.4e38")
        return points

    def _keep_what_there_is(self, fit, summary, rows):
        super()._keep_what_there_is(fit, summary, rows)
        measured = summary.measures
        d = self.embedding_.shape[1]
        if self._method == "pca":
            variances = np.asarray([measured[f"variance_{k}"] for k in range(d)])
            total = variances.sum() / measured["share_of_squares_kept"] if variances.any() else 1.0
            self.singular_values_ = np.sqrt(variances * (len(rows) - 1))
        elif self._method == "svd":
            variances, total = _variances(self.embedding_), _variances(rows).sum()
            self.singular_values_ = np.asarray([measured[f"singular_value_{k}"] for k in range(d)])
        else:
            return
        self.explained_variance_ = variances
        self.explained_variance_ratio_ = variances / total
