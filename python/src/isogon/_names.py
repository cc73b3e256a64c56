"""From the library's names of methods and options to Python's."""

import keyword
import re

# What scikit-learn calls otherwise.
KEYWORDS = {"dimension": "n_components", "neighbors": "n_neighbors", "landmarks": "n_landmarks", "seed": "random_state"}

# Parameters that estimators of early builds had, and what stands for them.
FORMER = {
    "affinity": "LaplacianEigenmaps has it as kernel",
    "repulsion": "TSNE has it as solver",
    "epochs": "UMAP has them as iterations",
    "n_epochs": "UMAP has them as iterations",
    "affinities": "fit(X, affinities=A) takes weights of edges",
    "rank": "PCAForces of PCA(rank).fit_transform(X) is the same",
    "rule": 'solver="exact" lets distances be missed at a price, "low-rank" lets them shrink',
    "weight_neighbors": "twice n_neighbors rebuild each point",
    "search": "isogon.neighbors(X, search=...) finds neighbours for fit(X, neighbors=...)",
    **dict.fromkeys(
        ("recipe", "momentum", "regularize", "virtual_inputs", "norms", "scale", "offset", "keep", "price", "rounds")
        + ("ridge", "extension_ridge", "samples", "step", "closeness"),
        "leave it out: the default of early builds is what is done",
    ),
}

# Class names that are no method's name with a capital letter.
CLASSES = {
    "tsm": "TSM",
    "svd": "SVD",
    "pca": "PCA",
    "mds": "MDS",
    "kpca": "KernelPCA",
    "lle": "LLE",
    "laplacian": "LaplacianEigenmaps",
    "sde": "SDE",
    "lsde": "LandmarkSDE",
    "nmf": "NMF",
    "tsne": "TSNE",
    "umap": "UMAP",
    "pca2": "PCA2",
    "lle2": "LLE2",
    "pca-forces": "PCAForces",
}

# The library's names of arguments.
_ARGUMENTS = {"input": "X", "neighbour lists": "neighbors", "neighbor graph": "neighbors"}

# What messages of the library call by an option of the program that Python has not.
_INSTEAD = {
    "embed model": "an estimator's save()",
    "embed landmarks": "LocallyLinearLandmarks",
    "convert standardize": "scikit-learn's StandardScaler",
}

# Of methods that make everything from landmarks, these landmark options are the method's own.
MADE_OF_LANDMARKS = {"lsde": ("landmarks", "landmark-selection")}


# Methods whose fit is a linear map, or its parts.
LINEAR = ("pca", "svd", "nmf")


def keyword_of(option):
    """The keyword of an option: "target-weight" is target_weight."""
    name = KEYWORDS.get(option, option.replace("-", "_"))
    return name + "_" if keyword.iskeyword(name) else name


def option_of(keyword):
    """The option of a keyword: what keyword_of() makes it from."""
    for option, name in KEYWORDS.items():
        if name == keyword:
            return option
    return keyword.rstrip("_").replace("_", "-")


def by_keyword(options):
    """Options as used under the names of parameters."""
    return {keyword_of(name): value for name, value in options.items()}


def by_option(parameters):
    """Parameters as used under the library's names."""
    return {option_of(name): value for name, value in parameters.items()}


def class_of(method):
    """The name of a method's estimator: "faithful" is Faithful, "pca-forces" is PCAForces."""
    return CLASSES.get(method) or "".join(part[:1].upper() + part[1:] for part in re.split("[-_]", method))


def word_for(option):
    """What a message says for an option that it names: the extension asks for it when it makes the message."""
    return _INSTEAD.get(option) or _ARGUMENTS.get(option) or keyword_of(option)


def argument_of(source):
    """What bad input is called: X, or a file by its name. As an option, points is a number of them."""
    return "X" if source == "points" else _ARGUMENTS.get(source, source)


def of_the_graph(error):
    """An error about neighbours where X is their graph."""
    if getattr(error, "source", None) != "neighbors":
        return error
    return ValueError(f"X{error.place and ', ' + error.place}: {error.reason}")
