"""Names of scikit-learn, umap-learn and openTSNE: taken, or told what stands for them."""

import inspect
import re

import numpy as np
import pytest
from conftest import ESTIMATORS, ROOT, quick

import isogon
from isogon._names import ALIASES, INSTEAD, VALUES

UMAP = """
    n_neighbors n_components metric metric_kwds output_metric output_metric_kwds n_epochs learning_rate init
    min_dist spread low_memory n_jobs set_op_mix_ratio local_connectivity repulsion_strength negative_sample_rate
    transform_queue_size a b random_state angular_rp_forest target_n_neighbors target_metric target_metric_kwds
    target_weight transform_seed transform_mode force_approximation_algorithm verbose tqdm_kwds unique densmap
    dens_lambda dens_frac dens_var_shift output_dens disconnection_distance precomputed_knn
""".split()
OPENTSNE = """
    n_components perplexity learning_rate early_exaggeration_iter early_exaggeration n_iter exaggeration dof theta
    n_interpolation_points min_num_intervals ints_in_interval initialization metric metric_params initial_momentum
    final_momentum max_grad_norm max_step_norm n_jobs neighbors negative_gradient_method callbacks
    callbacks_every_iters random_state verbose
""".split()
SCIKIT_LEARN = {
    "TSNE": ("manifold", "TSNE"),
    "Isomap": ("manifold", "Isomap"),
    "LLE": ("manifold", "LocallyLinearEmbedding"),
    "LaplacianEigenmaps": ("manifold", "SpectralEmbedding"),
    "PCA": ("decomposition", "PCA"),
    "SVD": ("decomposition", "TruncatedSVD"),
    "KernelPCA": ("decomposition", "KernelPCA"),
    "NMF": ("decomposition", "NMF"),
}


def require_taken_or_told(kind, names):
    for name in names:
        try:
            kind(**{name: None})
        except TypeError as error:
            told = str(error)
            assert f"has no parameter '{name}': {INSTEAD.get(name)}" in told, told


def test_every_name_of_umap_learn_and_opentsne():
    require_taken_or_told(isogon.UMAP, UMAP)
    require_taken_or_told(isogon.TSNE, OPENTSNE)


@pytest.mark.parametrize("ours", SCIKIT_LEARN)
def test_every_name_of_scikit_learn(ours):
    module, name = SCIKIT_LEARN[ours]
    theirs = getattr(pytest.importorskip(f"sklearn.{module}"), name)
    require_taken_or_told(ESTIMATORS[ours], list(inspect.signature(theirs).parameters))


def test_the_table_of_the_documents_is_the_codes():
    page = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
    section = page.partition("### Names of other packages")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| (\w+ )?(`.*`) \| `([^`]+)`", section, re.MULTILINE)
    found = [(kind.strip(), name, ours) for kind, theirs, ours in rows for name in re.findall("`([^`]+)`", theirs)]
    wanted = [("", name, ours) for name, ours in ALIASES.items()]
    wanted += [(option, name, ours) for option, names in VALUES.items() for name, ours in names.items()]
    assert sorted(found) == sorted([*wanted, ("solver", "barnes_hut", "barnes-hut")])


def test_every_alias_has_a_method():
    for name, own in ALIASES.items():
        assert [kind for kind in ESTIMATORS.values() if own in kind._parameter_names()], name


@pytest.mark.parametrize(
    "theirs, ours",
    [
        (
            lambda: isogon.UMAP(n_epochs=30, init="pca", negative_sample_rate=3),
            dict(iterations=30, start="pca", negatives=3),
        ),
        (
            lambda: isogon.TSNE(max_iter=40, angle=0.7, method="barnes_hut", early_exaggeration=6.0, metric="l1"),
            dict(iterations=40, theta=0.7, solver="barnes-hut", exaggeration=6.0, metric="manhattan"),
        ),
        (
            lambda: isogon.TSNE(max_iter=40, initialization="random", negative_gradient_method="bh"),
            dict(iterations=40, start="random", solver="barnes-hut"),
        ),
        (lambda: isogon.KernelPCA(kernel="poly", tol=1e-3), dict(kernel="polynomial", tolerance=1e-3)),
        (lambda: isogon.Isomap(2, metric="l2", max_iter=99), dict(n_components=2, metric="euclidean", iterations=99)),
    ],
)
def test_a_fit_by_other_names_is_the_same(theirs, ours, digits):
    given = theirs()
    assert np.array_equal(given.fit_transform(digits), type(given)(**ours).fit_transform(digits))


def test_names_of_values_in_functions(digits):
    by_l2 = isogon.neighbors(digits, 5, metric="l2")
    assert np.array_equal(by_l2.indices, isogon.neighbors(digits, 5, metric="euclidean").indices)


def test_parameters_have_one_name(digits):
    umap = isogon.UMAP(n_epochs=30)
    assert repr(umap) == "UMAP(iterations=30)" and "n_epochs" not in umap.get_params()
    assert umap.set_params(n_epochs=7).iterations == 7
    with pytest.raises(TypeError, match=r"^UMAP\(\): n_epochs is iterations, which is given too"):
        isogon.UMAP(n_epochs=3, iterations=3)
    with pytest.raises(TypeError, match=r"^UMAP\(\): n_epochs is iterations, which is given too"):
        isogon.UMAP(max_iter=3, n_epochs=3)
    with pytest.raises(TypeError, match="PCA.. has no parameter 'max_iter'"):
        isogon.PCA(max_iter=3)
    with pytest.raises(TypeError, match=r"^start: .*fit\(X, start=...\) takes coordinates"):
        isogon.TSNE(init=digits[:, :2]).fit(digits)


def test_scikit_learn_clones_and_searches_by_other_names():
    base = pytest.importorskip("sklearn.base")
    from sklearn.model_selection import GridSearchCV

    nmf = isogon.NMF(2, max_iter=30, n_jobs=1)
    assert base.clone(nmf).get_params() == nmf.get_params()
    x = np.random.default_rng(0).random((60, 5))
    grid = GridSearchCV(nmf, {"max_iter": [1, 50]}, cv=2).fit(x)
    assert {one["max_iter"] for one in grid.cv_results_["params"]} == {1, 50}
    assert grid.best_estimator_.iterations == grid.best_params_["max_iter"]


@pytest.mark.parametrize("name", ["UMAP", "TSNE", "Isomap", "LLE", "Faithful"])
def test_neighbors_as_umap_learn_has_them(name, digits):
    """(indices, distances, index), each point first among its own."""
    near = isogon.neighbors(digits, 14, metric="euclidean")
    alone = np.arange(len(digits))[:, None]
    indices = np.hstack([alone, near.indices]).astype(np.int32)
    distances = np.hstack([np.zeros_like(alone), near.distances]).astype(np.float32)
    kind = quick(ESTIMATORS[name], **({"perplexity": 4} if name == "TSNE" else {}))
    wanted = kind.fit_transform(digits, neighbors=near)
    for given in ((indices, distances, object()), (indices, distances, None), (indices, distances)):
        assert np.array_equal(kind.fit_transform(digits, neighbors=given), wanted)


def test_neighbors_of_umap_learn_itself(digits):
    umap = pytest.importorskip("umap.umap_")
    knn = umap.nearest_neighbors(digits, 15, "euclidean", None, False, np.random.RandomState(0))
    assert np.array_equal(knn[0][:, 0], np.arange(len(digits)))
    fitted = isogon.UMAP(iterations=20).fit(digits, neighbors=knn)
    assert fitted.options_["n_neighbors"] == 14 and fitted.embedding_.shape == (120, 2)
