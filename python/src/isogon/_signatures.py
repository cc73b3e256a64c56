"""Keywords from option tables: signatures, defaults, and the way back to what the library reads."""

import inspect
import numbers
import operator
import reprlib

from ._names import VALUES, keyword_of
from ._parameters import bound_to
from ._running import real_of, seed_of

RUN_KEYWORDS = {"n_jobs": None, "memory_limit": None, "time_limit": None, "callback": None, "verbose": False}

COLUMNS = inspect.Parameter("columns", inspect.Parameter.KEYWORD_ONLY, default=None)


def default_of(spec):
    """The default as Python shows it: "auto" is chosen from the data; None is the library's, which fits it to them."""
    if spec["fits_data"]:
        return None
    return "auto" if spec["default"] is None else spec["default"]


def parameters_of(specs):
    """Keyword-only parameters, one for each option."""
    return [
        inspect.Parameter(keyword_of(spec["name"]), inspect.Parameter.KEYWORD_ONLY, default=default_of(spec))
        for spec in specs
    ]


def run_parameters():
    return [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=value) for name, value in RUN_KEYWORDS.items()
    ]


def _converted(spec, value):
    """One value as the library takes it. TypeError for what is of no use at all; bounds are the library's to judge."""
    name, kind = keyword_of(spec["name"]), spec["kind"]
    if name == "random_state":
        return seed_of(value)
    if spec["automatic"] and (value is None or (isinstance(value, str) and value == "auto")):
        return None
    if value is None and "auto" in spec["choices"]:
        return "auto"
    is_flag = isinstance(value, bool) or type(value).__name__ in ("bool_", "bool")
    if kind == "flag" and is_flag:
        return bool(value)
    if kind == "integer" and not is_flag:
        try:
            number = operator.index(value)
        except TypeError:
            pass
        else:
            if not -(1 << 63) <= number < 1 << 63:
                raise ValueError(f"{name}: must fit into 64 bits")
            return number
    if kind == "number" and not is_flag and isinstance(value, numbers.Real):
        return real_of(value, name)
    if kind == "choice" and isinstance(value, str):
        dashed = value.replace("_", "-")
        return str(VALUES.get(name, {}).get(value, dashed if dashed in spec["choices"] else value))
    wanted = {"flag": "True or False", "integer": "a whole number", "number": "a number", "choice": "text"}[kind]
    if kind == "choice":
        wanted = "one of " + ", ".join(map(repr, spec["choices"]))
    wanted += "; fit(X, start=...) takes coordinates" if name == "start" else ""
    wanted += ", or auto" if spec["automatic"] else ", or None" if spec["fits_data"] else ""
    raise TypeError(f"{name}: must be {wanted}, not {reprlib.repr(value)}")


def options_of(specs, given):
    """{option: value} as the library takes it, from {keyword: value}, without those that it fits to the data."""
    values = [(spec, given[keyword_of(spec["name"])]) for spec in specs]
    return {
        spec["name"]: _converted(spec, value) for spec, value in values if value is not None or not spec["fits_data"]
    }


def describe(specs):
    """The options as the "Parameters" of a docstring."""
    lines = []
    for spec in specs:
        default = default_of(spec)
        kind = {"flag": "bool", "integer": "int", "number": "float"}.get(spec["kind"])
        kind = kind or "{" + ", ".join(map(repr, spec["choices"])) + "}"
        auto = ' or "auto"' if spec["automatic"] else ""
        none, usual = (" or None", f"; None: {spec['default']}, or what X allows") if spec["fits_data"] else ("", "")
        lines += [
            f"{keyword_of(spec['name'])} : {kind}{auto}{none}, default {default!r}",
            f"    {spec['help']}{usual}{_bounds(spec)}",
        ]
    return "\n".join(lines)


def _bounds(spec):
    low, high = spec["minimum"], spec["maximum"]
    words = ("above", "below") if spec["open"] else ("at least", "at most")
    parts = [f"{word} {bound:g}" for word, bound in zip(words, (low, high)) if bound is not None]
    return f" ({' and '.join(parts)})" if parts else ""


RUN_HELP = """n_jobs : int or None, default None: all cores
    threads; None or -1: all that the process may use (at most OMP_NUM_THREADS for None). Changes no bit of a result
memory_limit : int, str or None, default None
    bytes that may be taken beyond the input, "2G", "500M" and "2GiB" too; a run that needs more is refused before it
    takes them (MemoryError)
time_limit : float or None, default None
    seconds after which the best so far is given
callback : callable or None, default None
    called with a Progress between two steps, in the thread that called; a true answer ends the run with the best so
    far. Of maps, tsm and faithful its coordinates() are those of this step
verbose : bool, default False
    show progress on stderr: one line, which is written over; in a notebook a bar, where tqdm is installed"""

COLUMNS_HELP = """columns : str, list of str or None, default None: all
    of a table, those that are the points, in fit() and in transform(); one may be a column of vectors
"""


def with_signature(function, parameters, doc=None):
    """The function with this signature, by which calls are checked and completed."""
    signature = inspect.Signature(parameters)

    def checked(*args, **kwargs):
        return function(**bound_to(signature, f"{checked.__name__}()", args, kwargs))

    checked.__name__ = checked.__qualname__ = function.__name__
    checked.__module__ = "isogon"
    checked.__doc__ = doc or function.__doc__
    checked.__signature__ = signature
    return checked
