"""What estimators of linear methods have besides: shares of variance."""

import numpy as np

from ._estimator import Estimator

_ROWS = 4096  # of a block in float64


def _variances(points):
    """Of each column, over all rows, which may be compressed; in blocks, so that no copy of the points is made."""
    if isinstance(points, tuple):
        offsets, columns, values, width = points
        sums, squares = (np.bincount(columns, weights, width) for weights in (values, values**2))
        return squares / (len(offsets) - 1) - (sums / (len(offsets) - 1)) ** 2
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

    def _keep_what_there_is(self, fit, summary, rows):
        super()._keep_what_there_is(fit, summary, rows)
        measured = summary.measures
        d = self.embedding_.shape[1]
        if self._method == "pca":
            variances = np.asarray([measured[f"variance_{k}"] for k in range(d)])
            total = variances.sum() / measured["share_of_squares_kept"] if variances.any() else 1.0
            self.singular_values_ = np.sqrt(variances * (len(self.embedding_) - 1))
        elif self._method == "svd":
            variances, total = _variances(self.embedding_), _variances(rows).sum()
            self.singular_values_ = np.asarray([measured[f"singular_value_{k}"] for k in range(d)])
        else:
            return
        self.explained_variance_ = variances
        self.explained_variance_ratio_ = variances / total
