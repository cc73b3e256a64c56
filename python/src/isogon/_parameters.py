"""Parameters of estimators: what __init__ is given, untouched, read and set by name."""

import inspect

from ._core import did_you_mean
from ._names import ALIASES, INSTEAD


class Parameters:
    """get_params(), set_params() and a repr for a class whose __init__ has a signature."""

    @classmethod
    def _parameter_names(cls):
        return [name for name in inspect.signature(cls.__init__).parameters if name != "self"]

    @classmethod
    def _default_parameters(cls):
        """The defaults by name, of the parameters that have one."""
        parameters = inspect.signature(cls.__init__).parameters
        return {name: one.default for name, one in parameters.items() if one.default is not inspect.Parameter.empty}

    def get_params(self, deep=True):
        """The parameters by name; `deep`: also those of estimators among them, as name__parameter."""
        found = {}
        for name in self._parameter_names():
            value = getattr(self, name)
            found[name] = value
            if deep and hasattr(value, "get_params") and not isinstance(value, type):
                found.update({f"{name}__{key}": inner for key, inner in value.get_params().items()})
        return found

    def set_params(self, **parameters):
        """Sets parameters by the names of get_params(); ValueError for one that there is not."""
        known = self._parameter_names()
        inner = {}
        for name, value in by_own_names(type(self).__name__, parameters, known).items():
            own, nested, rest = name.partition("__")
            if own not in known:
                raise ValueError(
                    f"Invalid parameter {own!r} for estimator {self!r}{did_you_mean(own, known) or '.'} "
                    f"Valid parameters are: {sorted(known)!r}."
                )
            if nested:
                inner.setdefault(own, {})[rest] = value
            else:
                setattr(self, name, value)
        for name, values in inner.items():
            getattr(self, name).set_params(**values)
        return self

    def _repr_html_(self):
        """For notebooks: as scikit-learn shows its own, where it is installed; else None, and repr() is shown."""
        try:
            from sklearn.utils import estimator_html_repr
        except ImportError:
            return None
        return estimator_html_repr(self)

    def __repr__(self):
        defaults = inspect.signature(type(self).__init__).parameters
        changed = [
            f"{name}={value!r}"
            for name, value in self.get_params(deep=False).items()
            if value is not defaults[name].default and repr(value) != repr(defaults[name].default)
        ]
        return f"{type(self).__name__}({', '.join(changed)})"


def by_own_names(caller, given, known):
    """{parameter: value} under the names that are `known`, of what other packages call so: n_epochs is iterations."""
    found = {}
    for name, value in given.items():
        own = name if name in known or ALIASES.get(name) not in known else ALIASES[name]
        if own in found or (own != name and own in given):
            raise TypeError(f"{caller}: {name} is {own}, which is given too")
        found[own] = value
    return found


def bound_to(signature, caller, args, kwargs):
    """The arguments by name, defaults among them; TypeError that names the caller and what it may have meant."""
    for name in kwargs:
        if name not in signature.parameters:
            known = [one for one in signature.parameters if one != "self"]
            raise TypeError(f"{caller} has no parameter {name!r}{did_you_mean(name, known)}")
    try:
        bound = signature.bind(*args, **kwargs)
    except TypeError as error:
        raise TypeError(f"{caller}: {error}") from None
    bound.apply_defaults()
    return dict(bound.arguments)


def with_parameters(parameters):
    """An __init__ that keeps what it is given, by this list of inspect.Parameter."""
    signature = inspect.Signature([inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD), *parameters])

    def __init__(*args, **kwargs):
        caller = f"{type(args[0]).__name__}()"
        kwargs = by_own_names(caller, kwargs, signature.parameters)
        for name in sorted(kwargs.keys() & INSTEAD.keys() - signature.parameters.keys()):
            raise TypeError(f"{caller} has no parameter {name!r}: {INSTEAD[name]}")
        values = bound_to(signature, caller, args, kwargs)
        self = values.pop("self")
        for name, value in values.items():
            setattr(self, name, value)

    __init__.__signature__ = signature
    return __init__
