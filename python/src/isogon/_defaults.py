"""Defaults that fit any table: "auto" of n_components, n_neighbors and components, which a fit resolves by its data.

Imports nothing: stubs.py reads it where there is no numpy.
"""

# What follows the library's help, with the usual value in it.
_HELP = {
    "dimension": "auto: {usual}, or fewer where X has fewer features or no more than so many rows",
    "neighbors": "auto: {usual}, or all others where there are fewer",
    "components": "auto: {usual}, with a warning where there are several; error for a graph of distances",
    "recall": "auto: none, n_components says how many numbers there are",
}

# Methods whose neighbours must be more than their numbers a point.
_SPANNED_BY_NEIGHBORS = ("lle",)


def _usual(spec):
    """The value that "auto" stands for where the data allows it; None: the library's own default serves any data."""
    name = spec["name"]
    if name == "components":
        return next((choice for choice in ("bridge", "largest") if choice in spec["choices"]), None)
    return spec["default"] if name in _HELP else None


def adaptive(specs):
    """The option tables with "auto" as the default of what may not fit some data; `usual` is then the value."""
    found = []
    for spec in map(dict, specs):
        usual = _usual(spec)
        if usual is not None:
            text = spec["help"].split("; auto:")[0]
            if spec["name"] == "dimension" and any(other["name"] == "recall" for other in specs):
                text += "; with recall auto is the fewest that reach it"
            spec["help"] = f"{text}; {_HELP[spec['name']].format(usual=usual)}"
            spec.update(usual=usual, default=None, automatic=True)
        found.append(spec)
    return tuple(found)


def resolved(specs, options, *, method, points, features, listed=None, most=None):
    """The options of a fit of `points` points with what "auto" of adaptive() is for them.

    features: of the points, 0 of a graph alone. listed: how many neighbours of each point were given. most: how many
    components there may be, besides. What was asked for stays what it is, for the library to judge.
    """
    usual = {spec["name"]: spec["usual"] for spec in specs if "usual" in spec}
    result = dict(options)
    left_open = [name for name in usual if result[name] is None]
    others = max(1, points - 1)
    if "neighbors" in left_open:
        result["neighbors"] = min(usual["neighbors"], others, listed or others)
    if "components" in left_open:
        result["components"] = usual["components"] if features else "error"
    if "recall" in left_open:
        del result["recall"]
    if "dimension" in left_open and result.get("recall") is None:
        spanned = result["neighbors"] - 1 if method in _SPANNED_BY_NEIGHBORS else others
        bounds = (usual["dimension"], others, features or others, spanned, others if most is None else most)
        result["dimension"] = max(1, min(bounds))
    return result
