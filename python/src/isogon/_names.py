"""From the library's names of methods and options to Python's."""

import keyword
import re

# What scikit-learn calls otherwise.
KEYWORDS = {"dimension": "n_components", "neighbors": "n_neighbors", "landmarks": "n_landmarks", "seed": "random_state"}

# Parameters of scikit-learn, umap-learn and openTSNE that estimators take by their own names, and those names.
# docs/python.md has these tables; a test compares them.
ALIASES = {
    "max_iter": "iterations",
    "n_epochs": "iterations",
    "tol": "tolerance",
    "init": "start",
    "initialization": "start",
    "early_exaggeration": "exaggeration",
    "angle": "theta",
    "method": "solver",
    "negative_gradient_method": "solver",
    "negative_sample_rate": "negatives",
    "dissimilarity": "metric",
}

# Their values of an option; "barnes_hut" is "barnes-hut" without being named.
VALUES = {
    "metric": {"l2": "euclidean", "l1": "manhattan", "cityblock": "manhattan"},
    "kernel": {"rbf": "gaussian", "poly": "polynomial"},
    "solver": {"bh": "barnes-hut", "interpolation": "fft"},
}

# Parameters that estimators have not, theirs and those of early builds, and what to do instead.
INSTEAD = {
    "affinity": "LaplacianEigenmaps has it as kernel",
    "repulsion": "TSNE has it as solver",
    "epochs": "UMAP has them as iterations",
    "affinities": "fit(X, affinities=A) takes weights of edges",
    "rank": "PCAForces of PCA(rank).fit_transform(X) is the same",
    "rule": 'solver="exact" lets distances be missed at a price, "low-rank" lets them shrink',
    "weight_neighbors": "twice n_neighbors rebuild each point",
    "search": "isogon.neighbors(X, search=...) finds neighbours for fit(X, neighbors=...)",
    "n_iter": "iterations, of methods that have them, are all: openTSNE's with early exaggeration, too",
    "early_exaggeration_iter": "the first third of the iterations, but no more than 250, are exaggerated",
    "gamma": "sigma = gamma ** -0.5",
    "precomputed_knn": "fit(X, neighbors=precomputed_knn) takes them",
    "neighbors": "fit(X, neighbors=...) takes them; their number is n_neighbors",
    "radius": "fit(X, neighbors=graph) takes a graph of any such neighbours",
    "callbacks": "callback is one function of a Progress",
    "whiten": "divide the coordinates by np.sqrt(explained_variance_)",
    **dict.fromkeys(("a", "b"), "min_dist and spread give them"),
    **dict.fromkeys(("metric_params", "metric_kwds", "p"), "metric may be a function of two rows"),
    **dict.fromkeys(
        ("n_iter_without_progress", "min_grad_norm"), "all iterations are made; callback or time_limit end them before"
    ),
    **dict.fromkeys(
        ("target_metric", "target_metric_kwds", "target_n_neighbors"), "fit(X, y) sees whether y are classes or numbers"
    ),
    **dict.fromkeys(("densmap", "dens_lambda"), "density_weight=2 is densMAP, where UMAP has it"),
    **dict.fromkeys(
        ("dens_frac", "dens_var_shift", "output_dens", "output_metric", "output_metric_kwds")
        + ("set_op_mix_ratio", "local_connectivity", "repulsion_strength", "disconnection_distance", "dof", "alpha")
        + ("exaggeration", "coef0", "kernel_params", "beta_loss", "alpha_W", "alpha_H", "l1_ratio", "reg", "solver")
        + tuple(ALIASES),  # of methods that have not what they are called here
        "there is nothing like it; leave it out",
    ),
    **dict.fromkeys(
        (
            "random_state",
            "n_init",
            "copy",
            "copy_X",
            "shuffle",
            "remove_zero_eig",
            "low_memory",
            "unique",
            "max_grad_norm",
        )
        + ("svd_solver", "eigen_solver", "algorithm", "iterated_power", "n_oversamples", "power_iteration_normalizer")
        + ("path_method", "neighbors_algorithm", "hessian_tol", "modified_tol", "eigen_tol", "fit_inverse_transform")
        + (
            "transform_queue_size",
            "transform_seed",
            "transform_mode",
            "angular_rp_forest",
            "metric_mds",
            "max_step_norm",
        )
        + ("force_approximation_algorithm", "tqdm_kwds", "n_interpolation_points", "min_num_intervals")
        + ("ints_in_interval", "initial_momentum", "final_momentum", "callbacks_every_iters"),
        "nothing depends on it here; leave it out",
    ),
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
