"""From the library's names of methods and options to Python's."""

import contextlib
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

# What messages say of files and of flags that are no option's name.
_PHRASES = {
    "embed --model": "an estimator's save()",
    " with --model": "",
    "--dim": "n_components",
    "isogon convert --standardize does it, and scikit-learn's StandardScaler": "scikit-learn's StandardScaler does it",
    "or use --landmarks": "or use LocallyLinearLandmarks",
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


def in_python_words(message, names=()):
    """A message of the library in names of Python: "dimension = 9: ..." begins with n_components, --start is start."""
    for phrase, instead in _PHRASES.items():
        message = re.sub(re.escape(phrase) + r"(?![a-z-])", instead, message)
    message = re.sub("--([a-z][a-z0-9-]*[a-z0-9])", lambda flag: keyword_of(flag[1]), message)
    for option in names:
        if message.startswith(option + " = "):
            return keyword_of(option) + message[len(option) :]
    message = re.sub(r"^(neighbour lists(?=[:,])|neighbor graph(?= =))", "neighbors", message)
    message = re.sub(r"^(input|points)(?=[:,])", "X", message)
    # The words by which scikit-learn's checks know it.
    return f"Negative values in data passed to {message}" if "takes no negative numbers" in message else message


def of_the_graph(message):
    """A message about neighbours where X is their graph."""
    return re.sub(r"^(neighbors|neighbour lists)(?=[:,])", "X", message)


@contextlib.contextmanager
def naming_arguments(names=()):
    """Errors of the library that leave here name the keyword that is at fault."""
    try:
        yield
    except (ValueError, TypeError, MemoryError) as error:
        message = in_python_words(str(error), names)
        if message == str(error):
            raise
        raise type(error)(message) from None
