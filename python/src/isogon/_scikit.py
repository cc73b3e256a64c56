"""scikit-learn's manners, by what its own code asks of an estimator; scikit-learn itself is imported only if it is."""

import sys

import numpy as np


class NotFittedError(ValueError, AttributeError):
    """transform() before fit(). Where scikit-learn is loaded, its own exception of that name is raised instead."""


def not_fitted(estimator):
    message = f"This {type(estimator).__name__} instance is not fitted yet: call fit first"
    if "sklearn" in sys.modules:
        from sklearn.exceptions import NotFittedError as theirs

        return theirs(message)
    return NotFittedError(message)


def check_names(estimator, names, reset):
    """Column names as they were fitted: kept in a fit, compared afterwards."""
    if reset:
        if names is not None:
            estimator.feature_names_in_ = names
        elif hasattr(estimator, "feature_names_in_"):
            del estimator.feature_names_in_
        return
    fitted = getattr(estimator, "feature_names_in_", None)
    kind = type(estimator).__name__
    if fitted is None and names is None:
        return
    if names is None:
        _warn(f"X does not have valid feature names, but {kind} was fitted with feature names")
    elif fitted is None:
        _warn(f"X has feature names, but {kind} was fitted without feature names")
    elif len(fitted) != len(names) or not (fitted == names).all():
        raise ValueError(_different_names(fitted, names))


def _warn(message):
    import warnings

    warnings.warn(message, UserWarning, stacklevel=5)


def _different_names(fitted, names):
    message = "The feature names should match those that were passed during fit.\n"
    unseen = sorted(set(names) - set(fitted))
    missing = sorted(set(fitted) - set(names))
    for title, found in (
        ("Feature names unseen at fit time:", unseen),
        ("Feature names seen at fit time, yet now missing:", missing),
    ):
        if found:
            message += (
                title + "\n" + "".join(f"- {name}\n" for name in found[:5]) + ("- ...\n" if len(found) > 5 else "")
            )
    if not unseen and not missing:
        message += "Feature names must be in the same order as they were in fit.\n"
    return message


def wrapped(estimator, values, X):
    """Coordinates in the container that set_output() or scikit-learn's configuration asks for."""
    container = getattr(estimator, "_sklearn_output_config", {}).get("transform")
    if container is None and "sklearn" in sys.modules:
        import sklearn

        container = sklearn.get_config().get("transform_output")
    if container in (None, "default"):
        return values
    names = estimator.get_feature_names_out()
    if container == "pandas":
        import pandas

        index = X.index if isinstance(X, (pandas.DataFrame, pandas.Series)) else None
        return pandas.DataFrame(values, index=index, columns=names, copy=False)
    if container == "polars":
        import polars

        return polars.DataFrame(values, schema=list(names), orient="row")
    raise ValueError(f"set_output(transform={container!r}): must be 'default', 'pandas' or 'polars'")


def tags(nonnegative, pairwise=False, sparse=False):
    from sklearn.utils import InputTags, Tags, TargetTags, TransformerTags

    return Tags(
        estimator_type=None,
        target_tags=TargetTags(required=False),
        transformer_tags=TransformerTags(preserves_dtype=["float32"]),
        input_tags=InputTags(sparse=sparse, positive_only=nonnegative, pairwise=pairwise),
    )


def checked_input_features(estimator, input_features):
    """get_feature_names_out() takes the names of the inputs too, which must then be those that were fitted."""
    if input_features is None:
        return
    given = np.asarray(input_features, dtype=object)
    fitted = getattr(estimator, "feature_names_in_", None)
    if fitted is not None and not np.array_equal(fitted, given):
        raise ValueError("input_features is not equal to feature_names_in_")
    if given.shape != (estimator.n_features_in_,):
        raise ValueError(
            f"input_features should have length equal to number of features ({estimator.n_features_in_}), "
            f"got {given.shape}"
        )
