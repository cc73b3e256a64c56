"""What every estimator does, whatever its method."""

import pickle
from fractions import Fraction

import numpy as np
import pytest
from conftest import ESTIMATORS, all_kinds, name_of, quick

import isogon
from isogon import _core
from isogon._names import keyword_of

every_kind = pytest.mark.parametrize("estimator", all_kinds(), ids=name_of)
every_class = pytest.mark.parametrize("kind", ESTIMATORS.values(), ids=lambda kind: kind.__name__)


def test_every_method_of_the_registry_has_an_estimator():
    names = {entry["name"] for entry in _core.methods()}
    assert {kind._method for kind in ESTIMATORS.values()} == names
    assert all(
        kind.__name__ in isogon.__all__ and getattr(isogon, kind.__name__) is kind for kind in ESTIMATORS.values()
    )
    assert len(ESTIMATORS) == len(names) >= 13


@every_class
def test_keywords_and_defaults_follow_from_the_option_table(kind):
    entry = next(entry for entry in _core.methods() if entry["name"] == kind._method)
    parameters = kind().get_params()
    for option in entry["options"]:
        fitted = option["name"] in ("dimension", "neighbors") or (kind.__name__, option["name"]) == ("TSNE", "start")
        default = "auto" if option["default"] is None else None if fitted else option["default"]
        assert parameters[keyword_of(option["name"])] == default
        assert option["help"] in kind.__doc__
    assert entry["source"] in kind.__doc__


@every_kind
def test_fit_leaves_coordinates_and_how_it_went(estimator, digits):
    points = digits.copy()
    assert estimator.fit(points) is estimator
    assert np.array_equal(points, digits), "the input was written to"
    assert estimator.embedding_.dtype == np.float32
    assert estimator.embedding_.shape == (120, 2)
    assert np.isfinite(estimator.embedding_).all()
    assert estimator.n_features_in_ == 196
    assert estimator.summary_.termination in ("converged", "iteration-limit", "stalled")
    assert estimator.summary_.message and estimator.options_["n_components"] == 2
    assert sum(estimator.summary_.seconds.values()) > 0
    assert list(estimator.get_feature_names_out()) == [type(estimator).__name__.lower() + str(i) for i in range(2)]


# Options that are None where another says so: what has no effect was not used.
WITHOUT_EFFECT = {"threshold", "sigma", "recall", "extension_neighbors"}


@every_kind
def test_options_are_parameters_as_used(estimator, digits):
    used = estimator.fit(digits).options_
    parameters = estimator.get_params()
    parameters.update({name.split("__")[1]: value for name, value in parameters.items() if name.startswith("base__")})
    assert used.keys() <= parameters.keys()
    assert not [name for name, value in used.items() if isinstance(value, str) and value == "auto"]
    assert {name for name, value in used.items() if value is None} <= WITHOUT_EFFECT
    for name, value in used.items():
        if parameters[name] not in ("auto", None) and value is not None and name != "solver":
            assert value == parameters[name] or name.startswith("extension")


def test_what_was_left_open_has_a_value(digits):
    assert isogon.TSNE(iterations=30).fit(digits).options_["perplexity"] == 30
    assert isogon.LaplacianEigenmaps().fit(digits).options_["sigma"] > 0
    faithful = isogon.Faithful(16).fit(digits).options_
    assert (faithful["n_neighbors"], faithful["metric"]) == (12, "euclidean")
    assert 0 < isogon.TSM(4).fit(digits).options_["threshold"] < 1
    assert isogon.Isomap().fit(digits).options_["components"] == "bridge"
    assert isogon.Isomap(graph="tsm").fit(digits).options_["threshold"] > 0
    landmarks = isogon.LocallyLinearLandmarks(isogon.LaplacianEigenmaps(2), n_landmarks=30).fit(digits).options_
    assert (landmarks["n_landmarks"], landmarks["extension"], landmarks["extension_neighbors"]) == (30, "lll", 3)
    assert isogon.LandmarkSDE(2).fit(digits).options_["n_landmarks"] == 40


def test_landmarks_of_lsde_are_chosen_as_asked(digits):
    drawn, far = (
        isogon.LandmarkSDE(2, n_landmarks=12, landmark_selection=how).fit(digits) for how in ("random", "farthest")
    )
    assert far.options_["landmark_selection"] == "farthest"
    assert not np.array_equal(drawn.embedding_, far.embedding_)


@every_kind
def test_fit_transform_is_fit_and_its_coordinates(estimator, digits):
    first = estimator.fit_transform(digits)
    assert np.array_equal(first, estimator.embedding_)
    assert np.array_equal(first, estimator.fit(digits).embedding_)


@every_kind
def test_transform_goes_row_by_row(estimator, digits):
    estimator.fit(digits[:100])
    together = estimator.transform(digits[80:])
    assert together.dtype == np.float32 and together.shape == (40, 2)
    assert np.array_equal(together[::-1], estimator.transform(digits[80:][::-1]))
    assert np.array_equal(together[7:8], estimator.transform(digits[87:88]))


@every_kind
def test_threads_change_no_bit(estimator, digits):
    alone = estimator.set_params(n_jobs=1).fit_transform(digits)
    three = estimator.set_params(n_jobs=3).fit_transform(digits)
    estimator.set_params(n_jobs=None)
    assert np.array_equal(alone, three)


@pytest.mark.parametrize("name", ["Faithful", "TSM"])
def test_a_fitted_row_gets_its_fitted_coordinates(name, digits):
    estimator = quick(ESTIMATORS[name]).fit(digits)
    assert np.array_equal(estimator.transform(digits[3:9]), estimator.embedding_[3:9])


def test_linear_methods_tell_their_map(digits):
    pca = isogon.PCA(3).fit(digits)
    assert pca.components_.shape == (3, 196)
    assert np.allclose(pca.components_ @ pca.components_.T, np.eye(3), atol=1e-5)
    assert np.allclose((digits - pca.mean_) @ pca.components_.T, pca.embedding_, atol=1e-2)
    svd = isogon.SVD(3).fit(digits)
    assert not hasattr(svd, "mean_")
    assert np.allclose(digits @ svd.components_.T, svd.embedding_, atol=1e-2)
    nmf = isogon.NMF(3, random_state=1).fit(digits)
    assert nmf.components_.shape == (3, 196) and (nmf.components_ >= 0).all() and (nmf.embedding_ >= 0).all()


def test_attributes_of_methods_that_have_them(digits):
    faithful = isogon.Faithful(4).fit(digits)
    assert 0 < isogon.TSM(4).fit(digits).threshold_ < 1 and not hasattr(faithful, "threshold_")
    assert faithful.n_iter_ == faithful.summary_.trace["iteration"][-1]
    assert isogon.TSNE(iterations=70).fit(digits[:60]).n_iter_ == 70
    assert isogon.UMAP(iterations=70).fit(digits[:60]).n_iter_ == 70
    assert isogon.MDS(2).fit(digits).eigenvalues_.shape == (2,)
    assert faithful.kept_.shape == (len(digits),) and faithful.kept_.dtype == np.float32
    assert np.isclose(faithful.kept_.mean(), faithful.summary_.measures["kept_neighbors"])
    result = isogon.score(digits, faithful, n_neighbors=12)
    assert np.isclose(result.recall_at_12, faithful.kept_.mean()) and result.all_kept_at_12 == np.mean(
        faithful.kept_ == 1
    )
    assert [one["kept"] for one in result.worst_points] == sorted(faithful.kept_)[:10]
    landmarks = isogon.LocallyLinearLandmarks(isogon.Faithful(4), n_landmarks=50).fit(digits)
    assert landmarks.landmark_indices_.shape == (50,) and not hasattr(landmarks, "kept_")


@pytest.mark.parametrize("metric", ["cosine", "euclidean"])
def test_kept_is_what_the_definition_counts(metric, digits):
    faithful = isogon.Faithful(8, metric=metric, n_neighbors=6).fit(digits)

    def nearest(points):
        rows = points.astype(np.float64)
        if metric == "cosine" and points is digits:
            rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        distances = ((rows[:, None] - rows[None]) ** 2).sum(axis=2)
        np.fill_diagonal(distances, np.inf)
        return np.argsort(distances, axis=1, kind="stable")[:, :6]

    shares = [len(set(a) & set(b)) / 6 for a, b in zip(nearest(digits), nearest(faithful.embedding_))]
    # float32 may exchange neighbours that are equally near
    assert np.mean(~np.isclose(shares, faithful.kept_)) < 0.05
    assert faithful.summary_.counts["certified_points"] == len(digits)


def test_a_zero_vector_has_no_neighbours_to_lose(digits):
    faithful = isogon.Faithful(4, metric="cosine").fit(np.vstack([np.zeros_like(digits[:1]), digits]))
    assert faithful.kept_.shape == (len(digits) + 1,) and faithful.kept_[0] == 1  # all others are equally near
    assert np.isclose(faithful.kept_[1:].mean(), faithful.summary_.measures["kept_neighbors"])


def test_faithful_finds_its_dimension(digits):
    found = isogon.Faithful("auto", recall=0.7).fit(digits)
    d = found.embedding_.shape[1]
    assert found.options_["n_components"] == d and found.summary_.measures["kept_neighbors"] >= 0.7
    assert d == 1 or found.summary_.measures[f"kept_neighbors_in_{d - 1}"] < 0.7
    with pytest.raises(ValueError, match="^recall = 0.7: has an effect only with n_components auto"):
        isogon.Faithful(4, recall=0.7).fit(digits)


def test_what_two_numbers_cannot_hold_is_a_map_with_a_warning(digits):
    with pytest.warns(isogon.FitWarning, match="2 numbers .* the coordinates are those of t-SNE"):
        isogon.Faithful(2).fit(digits)


def test_a_new_fit_forgets_the_old_one(digits):
    faithful = isogon.Faithful(4).fit(digits)
    isogon_pca = isogon.PCA(2).fit(digits)
    assert hasattr(isogon_pca, "mean_")
    faithful.fit(digits[:80, :100])
    assert faithful.n_features_in_ == 100 and faithful.embedding_.shape == (80, 4)


def test_options_reach_the_method(digits):
    plain = isogon.Faithful(4).fit_transform(digits)
    for changed in ({"n_neighbors": 5}, {"metric": "cosine"}, {"iterations": 3}, {"tolerance": 0.5}):
        assert not np.array_equal(plain, isogon.Faithful(4, **changed).fit_transform(digits)), changed
    drawn = [isogon.NMF(4, start="random", random_state=seed).fit_transform(digits) for seed in (1, 1, 2)]
    assert np.array_equal(drawn[0], drawn[1]) and not np.array_equal(drawn[0], drawn[2])


def test_seeds_of_every_kind(digits):
    def fitted(state):
        return isogon.NMF(2, start="random", random_state=state).fit_transform(digits)

    assert np.array_equal(fitted(np.int64(5)), fitted(5))
    assert np.array_equal(fitted(np.random.RandomState(5)), fitted(np.random.RandomState(5)))
    assert np.array_equal(fitted(np.random.default_rng(5)), fitted(np.random.default_rng(5)))
    assert not np.array_equal(fitted(None), fitted(None))


def test_a_start_is_taken(digits):
    start = np.random.default_rng(0).normal(size=(120, 2))
    tsne = isogon.TSNE(iterations=20)
    assert not np.array_equal(tsne.fit_transform(digits), tsne.fit_transform(digits, start=start))
    with pytest.raises(ValueError, match="start"):
        isogon.Faithful(2).fit(digits, start=start[:10])


def test_landmarks_are_all_points_where_there_are_no_more(digits):
    base = quick(isogon.LaplacianEigenmaps)
    whole = isogon.LocallyLinearLandmarks(base, n_landmarks=1000).fit_transform(digits)
    assert np.array_equal(whole, base.fit_transform(digits))
    some = isogon.LocallyLinearLandmarks(base, n_landmarks=20).fit(digits)
    assert some.summary_.counts["landmarks"] == 20
    assert not np.array_equal(whole, some.embedding_)


def test_landmarks_of_what_has_none():
    with pytest.raises(TypeError, match="base"):
        isogon.LocallyLinearLandmarks(base="isomap").fit(np.eye(5))
    with pytest.raises(ValueError, match="n_landmarks"):
        isogon.LocallyLinearLandmarks(n_landmarks=1).fit(np.eye(5))
    with pytest.raises(ValueError, match="tsne|TSNE|landmarks"):
        isogon.LocallyLinearLandmarks(isogon.TSNE(), n_landmarks=3).fit(np.eye(9))


@pytest.mark.parametrize(
    "setting",
    [{"n_jobs": 1}, {"memory_limit": 10**9}, {"time_limit": 5}, {"callback": print}, {"verbose": True}],
    ids=str,
)
def test_how_to_run_is_said_to_the_landmarks(setting, digits):
    base = isogon.LaplacianEigenmaps(2, **setting)
    with pytest.raises(ValueError, match=f"base: its {next(iter(setting))} .*LocallyLinearLandmarks"):
        isogon.LocallyLinearLandmarks(base, n_landmarks=30).fit(digits)


@pytest.mark.parametrize(
    "parameters, error, says",
    [
        ({"n_components": 900}, ValueError, "n_components = 900"),
        ({"n_components": 0}, ValueError, "n_components = 0"),
        ({"n_components": 2.5}, TypeError, "n_components"),
        ({"n_components": "many"}, TypeError, "n_components"),
        ({"n_components": True}, TypeError, "n_components"),
        ({"n_components": 1 << 80}, ValueError, "n_components"),
        ({"tolerance": -1.5}, ValueError, "tolerance = -1.5"),
        ({"tolerance": "high"}, TypeError, "tolerance"),
        ({"tolerance": float("nan")}, ValueError, "tolerance"),
        ({"metric": "speed"}, ValueError, "metric = speed"),
        ({"metric": 3}, TypeError, "metric"),
        ({"n_neighbors": 0}, ValueError, "n_neighbors = 0"),
        ({"random_state": -1}, ValueError, "random_state"),
        ({"random_state": "x"}, TypeError, "random_state"),
        ({"n_jobs": 0}, ValueError, "n_jobs"),
        ({"n_jobs": 1.5}, TypeError, "n_jobs"),
        ({"memory_limit": -1}, ValueError, "memory_limit"),
        ({"memory_limit": 1000}, MemoryError, "memory_limit|limit"),
        ({"time_limit": -1}, ValueError, "time_limit"),
        ({"time_limit": "soon"}, TypeError, "time_limit"),
        ({"callback": 3}, TypeError, "callback"),
        ({"memory_limit": 1 << 64}, ValueError, "memory_limit: .*2.64"),
        ({"n_components": 10**5000}, ValueError, "n_components: .*64 bits"),
        ({"tolerance": 10**400}, ValueError, "tolerance: "),
        ({"tolerance": Fraction(10**400)}, ValueError, "tolerance: "),
        ({"random_state": 10**5000}, ValueError, "random_state: "),
        ({"n_jobs": 10**400}, ValueError, "n_jobs"),
        ({"time_limit": 10**400}, ValueError, "time_limit: "),
        ({"time_limit": float("nan")}, ValueError, "time_limit"),
        ({"time_limit": True}, TypeError, "time_limit"),
    ],
)
def test_bad_parameters_are_named(parameters, error, says, digits):
    estimator = isogon.Faithful().set_params(**parameters)  # no complaint before fit
    with pytest.raises(error, match=says):
        estimator.fit(digits)
    assert not hasattr(estimator, "embedding_")


def test_numbers_of_every_type(digits):
    wanted = isogon.Faithful(4, tolerance=0.5, iterations=3).fit_transform(digits)
    for odd in (Fraction(1, 2), np.float32(0.5), np.float64(0.5)):
        estimator = isogon.Faithful(np.int8(4), tolerance=odd, iterations=np.uint64(3), time_limit=Fraction(10**6))
        estimator.set_params(memory_limit=(1 << 64) - 1, n_jobs=np.int16(1), random_state=np.uint8(0))
        assert np.array_equal(estimator.fit_transform(digits), wanted)
    for endless in (np.float32("inf"), 1e300, np.int64(10**12)):
        assert np.array_equal(estimator.set_params(time_limit=endless).fit_transform(digits), wanted)


def test_parameters_of_early_builds_say_what_stands_for_them():
    for make, says in [
        (lambda: isogon.UMAP(epochs=9), "UMAP.*'epochs': UMAP has them as iterations"),
        (lambda: isogon.TSNE(repulsion="fft"), "'repulsion': TSNE has it as solver"),
        (lambda: isogon.LLE(ridge=0.1), "'ridge': leave it out"),
    ]:
        with pytest.raises(TypeError, match=says):
            make()


def test_parameters_without_effect_are_refused_by_their_keywords(digits):
    for estimator, says in [
        (isogon.TSNE(solver="exact", theta=0.3), "^theta = 0.3: has an effect only with solver barnes-hut"),
        (isogon.UMAP(kernel="cauchy", min_dist=0.3), "^min_dist = 0.3: has an effect only with kernel fitted"),
        (isogon.Isomap(graph="tsm", n_neighbors=6), "^n_neighbors = 6: has an effect only with graph neighbors"),
    ]:
        with pytest.raises(ValueError, match=says):
            estimator.fit(digits)


def test_unknown_parameters_are_refused():
    with pytest.raises(TypeError, match="perplexity"):
        isogon.Faithful(perplexity=3)
    with pytest.raises(ValueError, match="perplexity"):
        isogon.Faithful().set_params(perplexity=3)


def test_a_repr_shows_what_was_changed():
    assert repr(isogon.Faithful()) == "Faithful()"
    assert repr(isogon.Faithful(n_components=4, recall=0.5)) == "Faithful(n_components=4, recall=0.5)"


@pytest.mark.parametrize("estimator", [isogon.Faithful(4), isogon.UMAP(iterations=5), isogon.TSNE(iterations=5)])
def test_fits_say_how_far_rows_lie_from_them(digits, estimator):
    fitted, asked = digits[:100], digits[100:]
    fit = estimator.fit(fitted)
    distances = fit.distances_to_fit(asked)
    assert distances.shape == (20,) and distances.dtype == np.float32
    apart = np.linalg.norm(asked[:, None] - fitted, axis=2)
    assert np.allclose(distances, apart.min(axis=1), rtol=1e-4)
    radii = np.sort(np.linalg.norm(fitted[:, None] - fitted, axis=2), axis=1)[:, 10]
    in_radii = fit.distances_to_fit(asked, in_radii=True)
    assert np.allclose(in_radii, distances / radii[apart.argmin(axis=1)], rtol=1e-4)
    assert not fit.distances_to_fit(fitted).any()
    with pytest.raises(ValueError, match="keeps no fitted points"):
        isogon.PCA(2).fit(fitted).distances_to_fit(asked)
    with pytest.raises(ValueError, match="not fitted"):
        isogon.Faithful(4).distances_to_fit(asked)


def test_a_map_for_queries_needs_no_inputs(digits, tmp_path):
    fitted, asked = digits[:100], digits[100:]
    tsm = isogon.TSM(8).fit(fitted)
    mapped = tsm.query_map(prototypes=4)
    rows = mapped.transform(asked)
    assert rows.shape == (20, 8)
    assert np.array_equal(mapped.transform(asked[3:4]), rows[3:4])
    assert np.allclose(np.linalg.norm(rows, axis=1), np.linalg.norm(asked, axis=1), rtol=1e-5)
    mapped.save(tmp_path / "map.safetensors")
    assert {"inputs", "coordinates"} <= set(tsm._model.arrays)
    assert not {"inputs", "coordinates"} & set(mapped._model.arrays)
    assert np.array_equal(isogon.load(tmp_path / "map.safetensors").transform(asked), rows)
    assert np.array_equal(pickle.loads(pickle.dumps(mapped)).transform(asked), rows)
    # Rows that it was shown are nearer to where transform() puts them.
    placed = tsm.transform(asked)
    shown = tsm.query_map(prototypes=4, queries_like=asked).transform(asked)
    assert np.linalg.norm(shown - placed) < np.linalg.norm(rows - placed)
    with pytest.raises(ValueError, match="^prototypes = 0: "):
        tsm.query_map(prototypes=0)
    with pytest.raises(ValueError, match="196"):
        tsm.query_map(queries_like=asked[:, :5])
    for other in (isogon.PCA(2), isogon.Faithful(2)):
        with pytest.raises(ValueError, match="tsm"):
            other.fit(fitted).query_map()
    with pytest.raises(ValueError, match="not fitted"):
        isogon.TSM(8).query_map()
