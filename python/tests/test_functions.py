"""score, threshold, neighbors, generate."""

import numpy as np
import pytest

import isogon


def cosines(x):
    unit = x / np.linalg.norm(x, axis=1, keepdims=True)
    return unit @ unit.T


def test_score_of_the_points_themselves(digits, digit_labels):
    score = isogon.score(digits, digits, digit_labels)
    assert score.jaccard == 1 and score.recall_at_10 == 1 and score["mean_angular_deviation_degrees"] < 1e-3
    assert 0 < score.knn_accuracy <= 1 and score.points == 120
    assert isogon.score(digits, digits, [str(label) for label in digit_labels]).knn_accuracy == score.knn_accuracy
    assert "knn_accuracy" not in isogon.score(digits, digits)


def test_recall_by_hand(random_points):
    y = random_points[:, :3]
    near = [np.argsort(-np.where(np.eye(60, dtype=bool), -2, cosines(v)), axis=1)[:, :5] for v in (random_points, y)]
    by_hand = np.mean([len(set(a) & set(b)) / 5 for a, b in zip(*near)])
    ours = isogon.score(random_points, y, n_neighbors=5, metric="cosine", output_metric="cosine")
    assert ours.recall_at_5 == pytest.approx(by_hand)


def test_each_side_goes_by_its_own_metric(digits):
    fit = isogon.UMAP(2, metric="cosine").fit(digits)
    assert isogon.score(digits, fit).metrics == {"input": "cosine", "output": "euclidean"}
    faithful = isogon.Faithful(8, metric="cosine").fit(digits)
    assert isogon.score(digits, faithful).metrics == {"input": "cosine", "output": "euclidean"}
    assert isogon.score(digits, isogon.SVD(2).fit(digits)).metrics == {"input": "cosine", "output": "cosine"}
    assert isogon.score(digits, digits[:, :4]).metrics == {"input": "euclidean", "output": "euclidean"}
    here, moved = (isogon.score(digits, fit.embedding_ + shift, metric="cosine") for shift in (0, 10))
    assert here.metrics == moved.metrics == {"input": "cosine", "output": "euclidean"}
    assert here.recall_at_10 == pytest.approx(moved.recall_at_10, abs=0.01)
    assert here.deviation_without_self_degrees > here.mean_angular_deviation_degrees


def plain_measures(x, y, k, orders=200):
    """Recall, trustworthiness and continuity as defined: means over random orders of what ties in y, each with the
    order of what ties in x that suits it best."""
    rng = np.random.default_rng(0)
    n, sums = len(x), np.zeros(3)
    for i in range(n):
        others = np.delete(np.arange(n), i)
        in_x, in_y = (((p[others] - p[i]).astype(float) ** 2).sum(1) for p in (x, y))
        kth = np.sort(in_x)[k - 1]
        inside, rank = in_x < kth * (1 - 1e-5), 1 + (in_x < in_x[:, None] * (1 - 1e-5)).sum(1)
        tied = (in_x <= kth * (1 + 1e-5)) & ~inside
        for _ in range(orders):
            order = np.lexsort((rng.random(n - 1), in_y))
            right = inside.copy()
            right[order[tied[order]][: k - inside.sum()]] = True
            places = 1 + np.flatnonzero(right[order])
            near = order[:k]
            sums += [right[near].sum() / k, np.maximum(0, rank[near] - k).sum(), np.maximum(0, places - k).sum()]
    recall, false, lost = sums / (n * orders)
    most = k * (2 * n - 3 * k - 1) / 2
    return recall, 1 - false / most, 1 - lost / most


def test_score_with_ties():
    rng = np.random.default_rng(1)
    binary, grid = rng.integers(0, 2, (90, 8)).astype("f4"), rng.integers(0, 4, (90, 2)).astype("f4")
    for x, y in [(binary, grid), (grid, binary), (binary, np.zeros((90, 2), "f4")), (rng.normal(size=(90, 3)), grid)]:
        score = isogon.score(x, y, metric="euclidean", n_neighbors=7, threshold=0.5)
        assert (score.recall, score.trustworthiness, score.continuity) == pytest.approx(
            plain_measures(x.astype("f4"), y, 7), abs=3e-3
        )
    turned = (binary - binary.mean(0)) @ np.linalg.qr(rng.normal(size=(8, 8)))[0]
    perfect = isogon.score(binary, turned, metric="euclidean")
    assert (perfect.recall, perfect.all_kept, perfect.trustworthiness, perfect.continuity) == (1, 1, 1, 1)


def test_score_against(digits):
    pca = isogon.SVD(4).fit(digits[:80])
    result = isogon.score(digits[80:], pca.transform(digits[80:]), against=(digits[:80], pca.embedding_))
    assert result.points == 40 and result.fitted == 80 and 0 <= result.jaccard <= 1
    assert result.metrics == {"input": "euclidean", "output": "euclidean"}
    chords = isogon.score(
        digits[80:], pca.transform(digits[80:]), against=(digits[:80], pca.embedding_), metric="cosine"
    )
    assert chords.metrics == {"input": "cosine", "output": "cosine"} and chords.recall != result.recall
    with pytest.raises(ValueError, match="labels"):
        isogon.score(digits, digits, np.zeros(120), against=(digits, digits))


def test_threshold_by_hand(random_points):
    result = isogon.threshold(random_points, sparsity=0.9)
    pairs = cosines(random_points.astype(float))[np.triu_indices(60, 1)]
    assert np.mean(pairs <= result.threshold) == pytest.approx(0.9, abs=0.01)
    assert result.all.sum() == pytest.approx(1) and result.nearest.shape == (180,)
    shown = isogon.threshold(random_points, 0.5)
    assert shown.threshold == 0.5 and shown.sparsity == pytest.approx(np.mean(pairs <= 0.5), abs=1e-3)


def test_neighbors_by_hand(random_points):
    result = isogon.neighbors(random_points, 4, metric="euclidean")
    distances = np.linalg.norm(random_points[:, None] - random_points[None], axis=2)
    np.fill_diagonal(distances, np.inf)
    assert np.array_equal(result.indices, np.argsort(distances, axis=1)[:, :4])
    assert np.allclose(result.distances, np.sort(distances, axis=1)[:, :4], rtol=1e-5)
    asked = isogon.neighbors(random_points, 1, queries=random_points[5:8])
    assert asked.indices.ravel().tolist() == [5, 6, 7]


def test_queries_that_are_some_of_the_points_in_memory(random_points):
    for points, queries in (
        (random_points[:20], random_points),
        (random_points, random_points[:20]),
        (random_points, random_points[::2]),
    ):
        shared = isogon.neighbors(points, 3, queries=queries, search="exact")
        apart = isogon.neighbors(points, 3, queries=queries.copy(), search="exact")
        assert np.array_equal(shared.indices, apart.indices) and np.array_equal(shared.distances, apart.distances)


def test_generated_points_depend_on_their_number_alone():
    made = isogon.generate("swiss-roll", 50, noise=0.1)
    assert np.array_equal(made.points[:20], isogon.generate("swiss-roll", 20, noise=0.1).points)
    assert made.points.shape == (50, 3) and made.truth.shape == (50, 2)
    assert set(isogon.generators()) >= {"drawn-digits", "swiss-roll", "blobs"}


@pytest.mark.parametrize(
    "call, error, says",
    [
        (lambda x: isogon.score(x, x[:9]), ValueError, "Y: 9 rows"),
        (lambda x: isogon.score(x, x[:, 0]), ValueError, "Y: .*two axes"),
        (lambda x: isogon.score(x, x, [1, 2]), ValueError, "labels"),
        (lambda x: isogon.score(x, x, n_neighbors=60), ValueError, "n_neighbors = 60"),
        (lambda x: isogon.score(x, x, nearest=3), TypeError, "nearest"),
        (lambda x: isogon.threshold(x, 2.0), ValueError, "threshold"),
        (lambda x: isogon.threshold(x, "high"), TypeError, "threshold"),
        (lambda x: isogon.threshold(x, sparsity=2), ValueError, "sparsity = 2"),
        (lambda x: isogon.neighbors(x, 0), ValueError, "n_neighbors = 0"),
        (lambda x: isogon.neighbors(x, 60), ValueError, "n_neighbors = 60"),
        (lambda x: isogon.neighbors(x, 3, queries=x[:, :2]), ValueError, None),
        (lambda x: isogon.generate("sponge"), ValueError, "sponge"),
        (lambda x: isogon.generate("blobs", colour=3), TypeError, "colour"),
        (lambda x: isogon.generate("blobs", 0), ValueError, "count"),
        (lambda x: isogon.generate("blobs", -1), ValueError, "count = -1"),
        (lambda x: isogon.generate("blobs", 1 << 32), ValueError, "count: "),
        (lambda x: isogon.generate("blobs", 10**400), ValueError, "count: "),
        (lambda x: isogon.generate("blobs", 2.5), TypeError, "count: "),
        (lambda x: isogon.generate(3), TypeError, "name: "),
        (lambda x: isogon.threshold(x, 10**400), ValueError, "threshold: "),
        (lambda x: isogon.threshold(x, True), TypeError, "threshold: "),
        (lambda x: isogon.neighbors(x, 1 << 64), ValueError, "n_neighbors"),
    ],
)
def test_bad_arguments_are_named(call, error, says, random_points):
    with pytest.raises(error, match=says):
        call(random_points)
