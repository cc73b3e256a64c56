"""Maps that stay: starts of some rows, updates, targets of numbers, and tables mapped one after the other."""

import numpy as np
import pytest

import isogon

QUICK = {"n_neighbors": 10, "iterations": 60, "random_state": 0}


@pytest.fixture
def clusters():
    random = np.random.default_rng(1)
    return (random.normal(size=(150, 5)) + 20 * np.eye(5)[np.arange(150) % 3]).astype(np.float32)


def test_rows_of_a_fit_stay_and_others_come_to_their_neighbours(clusters):
    for method in (isogon.UMAP(**QUICK), isogon.TSNE(iterations=60)):
        old = method.fit(clusters[:120])
        places = old.embedding_.copy()
        for start in (places, old):  # in order, and by equal inputs
            fit = type(old)(**{**old.get_params(), "hold": 1}).fit(clusters, start=start)
            np.testing.assert_allclose(fit.embedding_[:120], places, atol=1e-5)
            nearest = isogon.neighbors(fit.embedding_, 1).indices[:, 0]
            assert (nearest % 3 == np.arange(150) % 3).mean() > 0.95
    shuffled = np.random.default_rng(0).permutation(150)
    fit = isogon.UMAP(**QUICK, hold=1).fit(clusters[shuffled], start=old)
    known = shuffled < 120
    np.testing.assert_allclose(fit.embedding_[known], places[shuffled[known]], atol=1e-5)


def test_of_a_fit_on_landmarks_these_alone_have_places(clusters):
    some = isogon.LocallyLinearLandmarks(isogon.TSM(2), n_landmarks=30).fit(clusters)
    fit = isogon.UMAP(**QUICK, hold=1).fit(clusters, start=some)
    fitted = some.landmark_indices_
    assert fit.summary_.counts["started"] == 30
    np.testing.assert_allclose(fit.embedding_[fitted], some.embedding_[fitted], rtol=1e-5, atol=1e-5)


def test_a_start_is_matched_by_the_index_of_tables(clusters):
    pandas = pytest.importorskip("pandas")
    names = [f"row {i}" for i in range(150)]
    table = pandas.DataFrame(clusters, index=names)
    places = pandas.DataFrame(np.random.default_rng(2).normal(size=(100, 2)), index=names[99::-1])
    fit = isogon.UMAP(**QUICK, hold=1).fit(table, start=places)
    np.testing.assert_allclose(fit.embedding_[:100], places.to_numpy()[::-1], rtol=1e-6)
    with pytest.raises(ValueError, match="twice"):
        isogon.UMAP().fit(table, start=pandas.concat([places, places]))
    with pytest.raises(ValueError, match="none of the rows"):
        isogon.UMAP().fit(table, start=places.rename(index=str.upper))


def test_starts_that_fit_nothing(clusters):
    with pytest.raises(ValueError, match="hold"):
        isogon.UMAP(hold=0.5).fit(clusters)
    with pytest.raises(ValueError, match="start"):
        isogon.UMAP().fit(clusters, start=np.zeros((151, 2)))
    with pytest.raises(ValueError, match="start"):
        isogon.Faithful(2).fit(clusters, start=np.ones((149, 2)))  # all rows or none
    with pytest.raises(ValueError, match="keeps no fitted rows"):
        isogon.UMAP().fit(clusters, start=isogon.PCA(2).fit(clusters))
    with pytest.raises(ValueError, match="not fitted"):
        isogon.UMAP().fit(clusters, start=isogon.UMAP())
    with pytest.raises(ValueError, match="no row has coordinates"):
        isogon.UMAP().fit(clusters, start=np.full((150, 2), np.nan))


def test_update_adds_rows_and_moves_the_others_little(clusters):
    fit = isogon.UMAP(**QUICK).fit(clusters[:130])
    before = fit.embedding_.copy()
    free = isogon.UMAP(**{**QUICK, "random_state": 1}).fit(clusters, start=before)
    assert fit.update(clusters[130:]) is fit
    assert fit.embedding_.shape == (150, 2) and fit.hold == 0
    moved = np.linalg.norm(fit.embedding_[:130] - before, axis=1).mean()
    assert 0 < moved < 0.2 * np.linalg.norm(np.delete(free.embedding_, range(130, 150), 0) - before, axis=1).mean()
    np.testing.assert_array_equal(fit.transform(clusters[:5]), fit.embedding_[:5])
    with pytest.raises(ValueError, match="3 features"):
        fit.update(np.ones((4, 3)))
    with pytest.raises(ValueError):
        isogon.UMAP().update(clusters)


def test_numbers_with_fractions_are_targets():
    random = np.random.default_rng(3)
    X, y = random.normal(size=(200, 4)), random.random(200)

    def apart(y, known=slice(None)):
        placed = isogon.UMAP(random_state=0).fit_transform(X, y)[known]
        return np.abs(truth[known] - truth[known][isogon.neighbors(placed, 1).indices[:, 0]]).mean()

    truth = y
    assert apart(None) > 0.2
    for given in (y, y[:, None], np.c_[y, np.zeros(200)]):
        assert apart(given) < 0.1
    known = np.arange(200) % 5 > 0
    assert apart(np.where(known, y, np.nan), known) < 0.75 * apart(None, known)
    truth = np.round(5 * y)
    assert apart(truth) < 0.6 * apart(None)  # classes, as whole numbers are
    with pytest.raises(ValueError, match="inf"):
        isogon.UMAP().fit(X, np.where(y < 0.5, y, np.inf))


def test_density_is_kept_where_it_counts():
    random = np.random.default_rng(4)
    X = (
        random.normal(size=(300, 5)) * np.where(np.arange(300) % 2, 1, 0.05)[:, None]
        + 30 * (np.arange(300) % 2)[:, None]
    )
    kept = [
        isogon.UMAP(density_weight=w, random_state=0).fit(X).summary_.measures["density_correlation"] for w in (1e-9, 2)
    ]
    assert kept[1] > kept[0] + 0.1
    assert "density_correlation" not in isogon.UMAP(**QUICK).fit(X).summary_.measures


def test_procrustes_undoes_a_motion():
    random = np.random.default_rng(5)
    onto = random.normal(size=(40, 3))
    turn = np.linalg.qr(random.normal(size=(3, 3)))[0]
    moved = onto @ turn + [1, 2, 3]
    onto[3] = np.nan  # a row that is not known
    found = isogon.procrustes(moved, onto)
    np.testing.assert_allclose(np.delete(found, 3, 0), np.delete(onto, 3, 0), atol=1e-10)
    with pytest.raises(ValueError, match="shape"):
        isogon.procrustes(moved, onto[:, :2])


@pytest.mark.parametrize("estimator", [isogon.UMAP(**QUICK), isogon.PCA(2)], ids=["held", "turned"])
def test_aligned_tables_keep_things_in_place(clusters, estimator):
    random = np.random.default_rng(6)
    slices = [clusters[:120] + 0.2 * random.normal(size=(120, 5)), clusters[30:] + 0.2 * random.normal(size=(120, 5))]
    ids = [list(range(120)), list(range(30, 150))]
    maps = isogon.align(estimator, slices, ids=ids)
    assert [y.shape for y in maps] == [(120, 2), (120, 2)]
    width = np.ptp(maps[0], axis=0).max()
    assert np.linalg.norm(maps[1][:90] - maps[0][30:], axis=1).mean() < 0.05 * width
    with pytest.raises(ValueError, match="ids"):
        isogon.align(estimator, slices, ids=ids[:1])
    with pytest.raises(ValueError, match=r"ids\[1\]"):
        isogon.align(estimator, slices, ids=[ids[0], [1] * 120])
