"""Defaults that fit any table: "auto" of n_components and n_neighbors, which a fit resolves by its data.

Imports nothing: stubs.py reads it where there is no numpy.
"""

# What follows the library's help, with the usual value in it.
_HELP = {
    "dimension": "auto: {usual}, or fewer where X has fewer features or no more than so many rows",
    "neighbors": "auto: {usual}, or all others where there are fewer",
    "start": "auto: {usual}, or random where X are distances",
    "recall": "auto: none, n_components says how many numbers there are",
}


def adaptive(specs):
    """The option tables with "auto" as the default of what may not fit some data; `usual` is then the value."""
    found = []
    by_distances = any(spec["name"] == "metric" and "precomputed" in spec["choices"] for spec in specs)
    for spec in map(dict, specs):
        usual = spec["default"] if spec["name"] in _HELP else None
        if spec["name"] == "start" and not (by_distances and usual == "pca"):
            usual = None
        if usual is not None:
            text = spec["help"].split("; auto:")[0]
            if spec["name"] == "dimension" and any(other["name"] == "recall" for other in specs):
                text += "; with recall auto is the fewest that reach it"
            spec["help"] = f"{text}; {_HELP[spec['name']].format(usual=usual)}"
            spec.update(usual=usual, default=None, automatic=True)
        found.append(spec)
    return tuple(found)


def without_open(specs, options):
    """The options without those that are left to the library, which fits them to the data where they are not given.

    n_components stays, as None, where recall is what it is found by.
    """
    open_ones = {spec["name"] for spec in specs if "usual" in spec and options[spec["name"]] is None}
    if options.get("recall") is not None:
        open_ones.discard("dimension")
    return {name: value for name, value in options.items() if name not in open_ones}
