import json
import math
import random
import unittest

from program import BAD_INPUT, USAGE, ProgramTest, cluster_points, npy

KEYS = [
    "mean_angular_deviation_degrees", "jaccard", "norm_deviation_mean", "norm_deviation_max", "recall_at_10", "all_kept_at_10",
    "kept_in_order_at_10", "worst_points",
    "trustworthiness", "continuity", "points", "threshold", "sparsity", "isolated", "zero_vectors", "angle_rows", "rank_rows",
]  # fmt: skip


class Score(ProgramTest):
    def setUp(self):
        super().setUp()
        self.rows = cluster_points(120)
        self.write("x.npy", npy(self.rows))
        self.write("y.npy", npy([row[:4] for row in self.rows]))
        self.write("labels.npy", npy([i % 4 for i in range(120)], "<i8"))

    def test_points_scored_against_themselves_are_perfect(self):
        result = self.json("score", "x.npy", "x.npy", "--threshold", 0.6)
        for key in ["jaccard", "recall_at_10", "trustworthiness", "continuity"]:
            self.assertAlmostEqual(result[key], 1.0, places=6)
        self.assertAlmostEqual(result["mean_angular_deviation_degrees"], 0.0, delta=0.1)
        self.assertEqual((result["threshold"], result["points"]), (0.6, 120))

    def test_keys(self):
        result = self.json("score", "x.npy", "y.npy", "--threshold", 0.6)
        self.assertLessEqual(set(KEYS), set(result))
        self.assertNotIn("knn_accuracy", result)
        self.assertLess(result["jaccard"], 1.0)

    def test_of_more_points_the_angles_of_a_sample_are_compared(self):
        all_pairs = ["score", "x.npy", "y.npy", "--threshold", 0.6]
        self.assertNotIn("angles of", self.succeeds(*all_pairs))
        self.assertEqual(self.json(*all_pairs)["angle_rows"], 120)
        self.assertIn("angles of 50 rows, ranks over 120 rows", self.succeeds(*all_pairs, "--angle-rows", 50))
        sampled = self.json(*all_pairs, "--angle-rows", 50)
        self.assertEqual((sampled["angle_rows"], sampled["rank_rows"]), (50, 120))
        self.assertIn("compared 50 of 120 points with all others", sampled["message"])

    def test_labels_add_the_accuracy_and_neighbors_name_the_recall(self):
        result = self.json("score", "x.npy", "x.npy", "--labels", "labels.npy", "--neighbors", 5, "--threshold", 0.6)
        self.assertGreater(result["knn_accuracy"], 0.9)
        self.assertIn("recall_at_5", result)
        self.assertEqual(result["options"]["neighbors"], 5)

    def test_several_files_picked_rows_and_labels(self):
        self.write("a.npy", npy(self.rows[:50]))
        self.write("b.npy", npy(self.rows[50:]))
        self.write("la.npy", npy([i % 4 for i in range(50)], "<i8"))
        self.write("lb.npy", npy([i % 4 for i in range(50, 120)], "<i8"))
        self.write("y3.npy", npy([row[:4] for row in self.rows[2::3]]))
        picked = self.json("score", "a.npy", "b.npy", "y3.npy", "--every", 3, "--from", 2, "--labels", "la.npy",
                           "--labels", "lb.npy", "--threshold", 0.6)  # fmt: skip
        self.write("x3.npy", npy(self.rows[2::3]))
        self.write("l3.npy", npy([i % 4 for i in range(2, 120, 3)], "<i8"))
        direct = self.json("score", "x3.npy", "y3.npy", "--labels", "l3.npy", "--threshold", 0.6)
        for key in KEYS + ["knn_accuracy"]:
            self.assertEqual(picked[key], direct[key], key)

    def test_a_result_of_embed_says_by_what_to_judge(self):
        fits = {"faithful": ["--dim", 3], "umap": ["--dim", 2, "--metric", "correlation", "--neighbors", 8]}
        metrics = {"faithful": ["euclidean", "euclidean"], "umap": ["correlation", "euclidean"]}
        for method, flags in fits.items():
            self.write("run.json", self.succeeds("embed", "x.npy", "-o", method + ".npy", "--method", method, *flags,
                                                 "--json"))  # fmt: skip
            scored = self.json("score", "x.npy", method + ".npy", "--result", "run.json")
            self.assertEqual(list(scored["metrics"].values()), metrics[method])
            reported = self.json("report", "x.npy", method + ".npy", "--result", "run.json", "--overwrite")
            for key in ["recall_at_10", "trustworthiness", "metrics"]:
                self.assertEqual(scored[key], reported["quality"][key], key)
        self.assertIn("nearest by correlation in X, by distance in Y",
                      self.succeeds("score", "x.npy", "umap.npy", "--result", "run.json"))  # fmt: skip
        given = self.json("score", "x.npy", "umap.npy", "--result", "run.json", "--metric", "cosine")
        self.assertEqual(given["metrics"], {"input": "cosine", "output": "euclidean"})
        run = self.json("embed", "x.npy", "-o", "f.npy", "--dim", 3, "--method", "tsm", "--threshold", 0.7)
        self.write("run.json", json.dumps(run))
        for against in [[], ["--against", "x.npy", "f.npy"]]:
            self.assertEqual(self.json("score", "x.npy", "f.npy", "--result", "run.json", *against)["threshold"], 0.7)
        self.fails(BAD_INPUT, "score", "x.npy", "f.npy", "--result", "x.npy", says=["x.npy", "embed --json"])

    def test_the_record_beside_coordinates_says_by_what_to_judge(self):
        fits = {
            "faithful": (["--dim", 4, "--metric", "cosine"], ["cosine", "euclidean"]),
            "umap": (["--dim", 5, "--metric", "correlation", "--neighbors", 8], ["correlation", "euclidean"]),
            "svd": (["--dim", 4], ["cosine", "cosine"]),
        }
        for method, (flags, metrics) in fits.items():
            for name in [method + ".npy", method + ".csv"]:
                self.succeeds("embed", "x.npy", "-o", name, "--method", method, *flags)
                scored = self.json("score", "x.npy", name)
                self.assertEqual(list(scored["metrics"].values()), metrics, name)
                self.assertEqual(scored["result_file"], name + ".json")
        self.assertIn("svd in svd.npy.json", self.succeeds("score", "x.npy", "svd.npy"))
        given = self.json("score", "x.npy", "svd.npy", "--metric", "euclidean", "--output-metric", "euclidean")
        self.assertEqual(given["metrics"], {"input": "euclidean", "output": "euclidean"})
        compared = self.json("compare", "x.npy", "--methods", "svd", "--dims", 4, "--against-files", "mine=svd.npy")
        rows = {row["name"]: row["measures"] for row in compared["rows"]}
        self.assertEqual(rows["mine"], rows["svd"])

    def test_a_record_of_other_coordinates_is_none(self):
        self.succeeds("embed", "x.npy", "-o", "svd.npy", "--method", "svd", "--dim", 4)
        record, coordinates = self.read("svd.npy.json"), self.read("svd.npy")
        by_distance = {"input": "euclidean", "output": "euclidean"}
        for name, content in [("svd.npy", self.read("y.npy")), ("svd.npy.json", b"{"), ("svd.npy.json", b"[1]"),
                              ("svd.npy.json", record.replace(b'"options"', b'"others"'))]:  # fmt: skip
            self.write("svd.npy", coordinates)
            self.write("svd.npy.json", record)
            self.assertEqual(self.json("score", "x.npy", "svd.npy")["metrics"]["output"], "cosine")
            self.write(name, content)
            scored = self.json("score", "x.npy", "svd.npy")
            self.assertEqual((scored["metrics"], scored["result_file"]), (by_distance, None))

    def test_coordinates_of_unknown_origin_are_judged_by_distance(self):
        self.write("moved.npy", npy([[value + 8 for value in row[:4]] for row in self.rows]))
        still, moved = self.json("score", "x.npy", "y.npy"), self.json("score", "x.npy", "moved.npy")
        self.assertEqual(still["metrics"], {"input": "euclidean", "output": "euclidean"})
        self.assertAlmostEqual(still["recall_at_10"], moved["recall_at_10"], delta=0.005)

    # Of 120 points 1% of the pairs are fewer than one a point: most are isolated, by no choice of the user.
    def test_defaults_are_not_warned_of(self):
        self.write("x.npy", npy(self.rows[:40] + [[10 * (i == j) + 0.01 * i for j in range(8)] for i in range(8)]))
        for flags in [[], ["--method", "umap", "--neighbors", 5]]:
            self.succeeds("embed", "x.npy", "-o", "d.npy", "--dim", 3, "--overwrite", *flags)
            self.assertEqual(self.json("score", "x.npy", "d.npy")["warnings"], [])
            self.assertNotIn("threshold", " ".join(self.json("report", "x.npy", "d.npy", "--overwrite")["warnings"]))

    def test_text_names_the_measures(self):
        text = self.succeeds("score", "x.npy", "y.npy", "--threshold", 0.6)
        for word in ["mean angular deviation", "jaccard", "recall at 10", "trustworthiness", "continuity"]:
            self.assertIn(word, text)

    def test_mistakes(self):
        self.write("short.npy", npy([row[:4] for row in self.rows[:7]]))
        self.write("few.npy", npy([1, 2, 3], "<i8"))
        self.fails(USAGE, "score", "x.npy", says=["only one file"])
        self.fails(BAD_INPUT, "score", "x.npy", "short.npy", says=["short.npy", 7, 120])
        self.fails(BAD_INPUT, "score", "x.npy", "y.npy", "--labels", "few.npy", says=["few.npy", 3, 120])
        self.fails(USAGE, "score", "x.npy", "y.npy", "--threshold", 1, says=["threshold", 1])
        self.fails(USAGE, "score", "x.npy", "y.npy", "--neighbors", 0, says=["neighbors", 0])
        self.fails(USAGE, "score", "x.npy", "y.npy", "--metric", "far", says=["metric", "cosine"])

    def test_a_map_that_is_moved_keeps_its_grade(self):
        place = [row[:2] for row in self.rows]
        self.write("map.npy", npy(place))
        self.write("moved.npy", npy([[x + 10, y + 10] for x, y in place]))
        here, there = (self.json("score", "x.npy", name, "--threshold", 0.6) for name in ["map.npy", "moved.npy"])
        self.assertEqual(here["metrics"], {"input": "euclidean", "output": "euclidean"})
        for key in ["recall_at_10", "trustworthiness", "continuity"]:
            self.assertAlmostEqual(here[key], there[key], delta=0.01)
        self.assertEqual(self.json("score", "x.npy", "y.npy")["metrics"], {"input": "euclidean", "output": "euclidean"})
        mixed = self.json("score", "x.npy", "map.npy", "--metric", "cosine")
        self.assertEqual(mixed["metrics"], {"input": "cosine", "output": "euclidean"})
        self.assertIn("by cosine in X, by distance in Y", self.succeeds("score", "x.npy", "map.npy", "--metric", "cosine"))

    def test_without_each_points_pair_with_itself(self):
        result = self.json("score", "x.npy", "y.npy", "--threshold", 0.6)
        self.assertGreater(result["deviation_without_self_degrees"], result["mean_angular_deviation_degrees"])
        self.assertLess(result["jaccard_without_self"], result["jaccard"])


def turned(rows, seed=3):
    """The rows turned about the origin at random, in float64."""
    draw = random.Random(seed)
    axes = []
    while len(axes) < len(rows[0]):
        axis = [draw.gauss(0, 1) for _ in rows[0]]
        for other in axes + axes:
            along = sum(a * b for a, b in zip(axis, other))
            axis = [a - along * b for a, b in zip(axis, other)]
        length = math.sqrt(sum(a * a for a in axis))
        axes.append([a / length for a in axis])
    return [[sum(a * b for a, b in zip(axis, row)) for axis in axes] for row in rows]


def distances(rows, i):
    return [sum((a - b) ** 2 for a, b in zip(rows[i], row)) for row in rows]


def plain_measures(x, y, k, orders=300):
    """Recall, trustworthiness and continuity as defined: the mean over orders of what ties in y, drawn at random; in
    each of these x has the order that suits it best. Squared distances of x that differ by less than 1e-5 tie."""
    draw = random.Random(7)
    n, sums = len(x), [0.0, 0.0, 0.0]
    for i in range(n):
        in_x, in_y = distances(x, i), distances(y, i)
        others = [j for j in range(n) if j != i]
        kth = sorted(in_x[j] for j in others)[k - 1]
        inside = {j for j in others if in_x[j] < kth * (1 - 1e-5)}
        tied = {j for j in others if j not in inside and in_x[j] <= kth * (1 + 1e-5)}
        rank = {j: 1 + sum(in_x[l] < in_x[j] * (1 - 1e-5) for l in others) for j in others}
        for _ in range(orders):
            order = sorted(others, key=lambda j: (in_y[j], draw.random()))
            chosen = [j for j in order if j in tied][: k - len(inside)]
            sums[0] += len(set(order[:k]) & (inside | set(chosen))) / k / orders
            sums[1] += sum(max(0, rank[j] - k) for j in order[:k]) / orders
            sums[2] += sum(max(0, place + 1 - k) for place, j in enumerate(order) if j in inside or j in chosen) / orders
    most = n * k * (2 * n - 3 * k - 1) / 2
    return sums[0] / n, 1 - sums[1] / most, 1 - sums[2] / most


class Ties(ProgramTest):
    MEASURES = ["recall_at_10", "trustworthiness", "continuity"]

    def scored(self, x, y, *more):
        self.write("x.npy", npy(x))
        self.write("y.npy", npy(y))
        return self.json("score", "x.npy", "y.npy", "--threshold", 0.5, *(more or ["--metric", "euclidean"]))

    def tied_inputs(self):
        draw = random.Random(2)
        binary = [[draw.randrange(2) for _ in range(16)] for _ in range(150)]
        counts = [[draw.randrange(9) for _ in range(5)] for _ in range(150)]
        ratings = [[(draw.randrange(5) - 2.2) / 1.3 for _ in range(8)] for _ in range(150)]
        one_hot = [[float(k == i % 7) for k in range(7)] for i in range(140)]
        some = [[draw.gauss(0, 1) for _ in range(6)] for _ in range(50)]
        return [binary, counts, ratings, one_hot, some + some + some]

    def test_perfect_maps_of_tied_inputs_are_perfect(self):
        for x in self.tied_inputs():
            for y in [x, turned(x)]:
                for metric in ["euclidean", "cosine"]:
                    result = self.scored(x, y, "--metric", metric)
                    self.assertEqual([result[key] for key in self.MEASURES + ["all_kept_at_10"]], [1.0] * 4)
                    self.assertEqual(result["worst_points"], [])

    def test_one_hot_rows_on_islands_are_perfect(self):
        draw = random.Random(4)
        x = [[float(k == i % 7) for k in range(7)] for i in range(140)]
        y = [[i % 7 + draw.gauss(0, 0.01), draw.gauss(0, 0.01)] for i in range(140)]
        result = self.scored(x, y)
        self.assertEqual([result[key] for key in self.MEASURES], [1.0] * 3)

    def test_all_points_at_one_place_are_chance(self):
        x = [[random.Random(i).gauss(0, 1) for _ in range(4)] for i in range(101)]
        result = self.scored(x, [[0.3, 0.3]] * 101)
        self.assertAlmostEqual(result["recall_at_10"], 0.1, places=9)
        self.assertAlmostEqual(result["trustworthiness"], result["continuity"], places=9)
        self.assertLess(abs(result["trustworthiness"] - 0.5), 0.06)
        self.write("labels.npy", npy([i // 25 for i in range(100)], "<i8"))
        flat = self.scored(x[:100], [[0.3, 0.3]] * 100, "--labels", "labels.npy", "--metric", "euclidean")
        self.assertEqual(flat["knn_accuracy"], 0.25)

    def test_agrees_with_the_plain_definition(self):
        draw = random.Random(5)
        for x in [self.tied_inputs()[0][:60], [[draw.gauss(0, 1) for _ in range(3)] for _ in range(60)]]:
            for y in [[[draw.randrange(4), draw.randrange(4)] for _ in x], [[row[0], row[1] // 1] for row in x]]:
                result = self.scored(x, y)
                for key, value in zip(self.MEASURES, plain_measures(x, y, 10)):
                    self.assertAlmostEqual(result[key], value, delta=0.004, msg=key)

    def test_the_order_of_rows_decides_nothing(self):
        draw = random.Random(6)
        for x in self.tied_inputs():
            y = [[row[0], draw.randrange(3)] for row in x]
            labels = [draw.randrange(3) for _ in x]
            order = list(range(len(x)))
            draw.shuffle(order)
            found = []
            for rows in [range(len(x)), order]:
                self.write("labels.npy", npy([labels[i] for i in rows], "<i8"))
                found.append(self.scored([x[i] for i in rows], [y[i] for i in rows], "--labels", "labels.npy",
                                         "--metric", "euclidean"))  # fmt: skip
            for key in self.MEASURES + ["all_kept_at_10", "knn_accuracy", "knn_accuracy_inputs"]:
                self.assertAlmostEqual(found[0][key], found[1][key], places=9, msg=key)

    def test_new_points_tie_too(self):
        draw = random.Random(8)
        fitted = [[draw.randrange(1, 3) for _ in range(8)] for _ in range(120)]
        new = [[draw.randrange(1, 3) for _ in range(8)] for _ in range(40)]
        both = turned(new + fitted)
        for name, rows in [("x", new), ("f", fitted), ("y", both[:40]), ("g", both[40:])]:
            self.write(name + ".npy", npy(rows))
        result = self.json("score", "x.npy", "y.npy", "--against", "f.npy", "g.npy", "--threshold", 0.9)
        self.assertEqual(result["recall_at_10"], 1.0)

    def test_distances_need_no_threshold(self):
        x = [[1000 + random.Random(8 * i + k).random() for k in range(8)] for i in range(200)]
        self.write("x.npy", npy(x))
        self.write("y.npy", npy([row[:4] for row in x]))
        result = self.json("score", "x.npy", "y.npy", "--metric", "euclidean")
        self.assertGreater(result["recall_at_10"], 0.2)
        self.assertGreater(result["trustworthiness"], 0.7)
        self.assertIn("angles below 60 degrees", result["warnings"][0])
        self.fails(BAD_INPUT, "score", "x.npy", "y.npy", "--metric", "cosine", says=["same direction"])


class Against(ProgramTest):
    def setUp(self):
        super().setUp()
        rows = cluster_points(120)
        self.new, self.fitted = rows[:50], rows[50:]
        for name, part in [("x", self.new), ("f", self.fitted)]:
            self.write(name + ".npy", npy(part))
        for name, part in [("y", self.new), ("g", self.fitted)]:
            self.write(name + ".npy", npy([row[:4] for row in part]))

    def score(self, *more):
        return self.json("score", "x.npy", "y.npy", "--against", "f.npy", "g.npy", "--threshold", 0.6, *more)

    def test_keys(self):
        result = self.score()
        keys = set(KEYS) - {"trustworthiness", "continuity", "sparsity", "angle_rows", "rank_rows", "all_kept_at_10",
                            "kept_in_order_at_10", "worst_points"}  # fmt: skip
        self.assertLessEqual(keys, set(result))
        self.assertFalse((set(KEYS) - keys | {"knn_accuracy"}) & set(result))
        self.assertEqual(result["against"], {"inputs": "f.npy", "outputs": "g.npy", "points": 70})
        self.assertEqual((result["points"], result["threshold"]), (50, 0.6))
        self.assertEqual(set(result["options"]), {"threshold", "neighbors", "metric", "output-metric", "seed"})
        self.assertIn("recall_at_5", self.score("--neighbors", 5))
        self.assertLess(result["jaccard"], 1.0)

    def test_neighbours_are_found_by_the_metric_of_each_side(self):
        self.assertEqual(self.score()["metrics"], {"input": "euclidean", "output": "euclidean"})
        by_cosine = self.score("--metric", "cosine", "--output-metric", "euclidean")
        self.assertEqual(by_cosine["metrics"], {"input": "cosine", "output": "euclidean"})
        self.assertNotEqual(by_cosine["recall_at_10"], self.score()["recall_at_10"])
        self.fails(USAGE, "score", "x.npy", "y.npy", "--against", "f.npy", "g.npy", "--output-metric", "inner-product",
                   says=["--output-metric", "cosine, euclidean"])  # fmt: skip

    def test_pairs_are_those_of_new_points_with_fitted_ones(self):
        # Where all coordinates are kept, nothing is lost; where those of the fitted points are mixed up, nearly all is.
        perfect = self.json("score", "x.npy", "x.npy", "--against", "f.npy", "f.npy", "--threshold", 0.6)
        self.assertEqual((perfect["jaccard"], perfect["recall_at_10"]), (1.0, 1.0))
        self.assertEqual(perfect["mean_angular_deviation_degrees"], 0.0)
        self.write("mixed.npy", npy(self.fitted[1:] + self.fitted[:1]))
        mixed = self.json("score", "x.npy", "x.npy", "--against", "f.npy", "mixed.npy", "--threshold", 0.6)
        self.assertLess(mixed["jaccard"], 0.3)
        self.assertEqual(mixed["norm_deviation_max"], 0.0)

    def test_fitted_points_placed_at_their_own_coordinates_score_as_the_fit(self):
        square = self.json("score", "f.npy", "g.npy", "--threshold", 0.6)
        cross = self.json("score", "f.npy", "g.npy", "--against", "f.npy", "g.npy", "--threshold", 0.6)
        self.assertEqual(cross["jaccard"], square["jaccard"])
        degrees = "mean_angular_deviation_degrees"
        self.assertAlmostEqual(cross[degrees], square[degrees], places=9)

    def test_the_threshold_is_chosen_from_the_fitted_inputs(self):
        result = self.json("score", "x.npy", "y.npy", "--against", "f.npy", "g.npy")
        self.assertEqual(result["threshold"], self.json("score", "f.npy", "g.npy")["threshold"])

    def test_picked_rows_are_those_of_the_new_points_alone(self):
        self.write("y3.npy", npy([row[:4] for row in self.new[2::3]]))
        self.write("x3.npy", npy(self.new[2::3]))
        picked = self.json("score", "--against", "f.npy", "g.npy", "x.npy", "y3.npy", "--every", 3, "--from", 2)
        direct = self.json("score", "x3.npy", "y3.npy", "--against", "f.npy", "g.npy")
        for key in set(KEYS) & set(direct):
            self.assertEqual(picked[key], direct[key], key)

    def test_text_says_against_how_many(self):
        text = self.succeeds("score", "x.npy", "y.npy", "--against", "f.npy", "g.npy", "--threshold", 0.6)
        for word in ["mean angular deviation", "jaccard", "norm deviation", "recall at 10"]:
            self.assertIn(word, text)
        self.assertIn("50 points against 70 fitted ones", text)
        self.assertNotIn("trustworthiness", text)

    def test_mistakes(self):
        against = ["score", "x.npy", "y.npy", "--against"]
        self.write("labels.npy", npy([0] * 50, "<i8"))
        self.write("questions.txt", ": a\none two three four\n")
        both = [*against, "f.npy", "g.npy"]
        self.fails(BAD_INPUT, *against, "f.npy", "y.npy", says=["y.npy", 50, "f.npy", 70])
        self.fails(BAD_INPUT, *against, "g.npy", "f.npy", says=["g.npy", "4 numbers", "inputs have 8"])
        self.fails(BAD_INPUT, *against, "f.npy", "f.npy", says=["f.npy", "8 numbers", "coordinates have 4"])
        self.fails(BAD_INPUT, *against, "f.npy", "none.npy", says=["none.npy"])
        self.fails(BAD_INPUT, "score", "x.npy", "g.npy", "--against", "f.npy", "g.npy", says=["g.npy", 70, 50])
        self.fails(USAGE, *against, "f.npy", says=["--against"])
        self.fails(USAGE, *both, "--against", "f.npy", "g.npy", says=["--against"])
        self.fails(USAGE, *both, "--labels", "labels.npy", says=["--labels", "--against", "leave it out"])
        self.fails(USAGE, *both, "--analogies", "questions.txt", says=["--analogies", "--against", "leave it out"])
        self.fails(USAGE, *both, "--rank-rows", 100, says=["--rank-rows", "score --against", "leave it out"])
        self.fails(USAGE, *both, "--neighbors", 71, says=["neighbors", 71, 70])
        self.fails(USAGE, *both, "--threshold", 1, says=["threshold", 1])


QUESTIONS = """: family
man woman king queen
Man Woman King Queen
man woman king prince
: gram8-plural
man woman king tree
: gram9-other-words
eins zwei drei vier
"""

WORDS = {
    "man": [1, 0, 0, 0],
    "woman": [0, 1, 0, 0],
    "king": [1, 0, 1, 0],
    "queen": [0, 1, 1, 0],
    "tree": [0, 0, 0, 1],
    "stone": [0, 0, 0, -1],
}


def vec(words):
    lines = ["%d %d" % (len(words), len(next(iter(words.values()))))]
    lines += [" ".join([word, *map(str, row)]) for word, row in words.items()]
    return "\n".join(lines) + "\n"


class Analogies(ProgramTest):
    def setUp(self):
        super().setUp()
        self.write("questions.txt", QUESTIONS)
        self.write("x.vec", vec(WORDS))
        # The coordinates have lost what tells kings from men.
        self.write("y.npy", npy([[row[0], row[1], row[3]] for row in WORDS.values()]))

    def score(self, x, y, *more):
        return self.json("score", x, y, "--threshold", 0.5, "--neighbors", 2, "--analogies", "questions.txt", *more)

    def test_inputs_and_coordinates_side_by_side(self):
        analogies = self.score("x.vec", "y.npy")["analogies"]
        self.assertEqual(analogies["file"], "questions.txt")
        x, y = analogies["x"], analogies["y"]
        self.assertEqual((x["questions"], x["covered"], x["correct"]), (5, 3, 2))
        self.assertEqual((x["semantic_accuracy"], x["syntactic_accuracy"]), (1.0, 0.0))
        self.assertAlmostEqual(x["accuracy"], 2 / 3)
        self.assertEqual((y["questions"], y["covered"]), (5, 3))
        self.assertEqual(list(x), list(y))
        family, plural, other = x["categories"]
        self.assertEqual(
            family,
            {"name": "family", "kind": "semantic", "questions": 3, "covered": 2, "correct": 2, "accuracy": 1.0},
        )
        self.assertEqual((plural["name"], plural["kind"], plural["accuracy"]), ("gram8-plural", "syntactic", 0.0))
        self.assertEqual((other["covered"], other["accuracy"]), (0, None))

    def test_the_words_are_those_of_the_coordinates_if_the_inputs_have_none(self):
        self.write("x.npy", npy([list(map(float, row)) for row in WORDS.values()]))
        swapped = self.score("x.npy", "x.vec")["analogies"]
        self.assertEqual(swapped["x"], self.score("x.vec", "y.npy")["analogies"]["x"])
        self.assertEqual(swapped["x"], swapped["y"])

    def test_words_are_picked_with_their_rows(self):
        doubled = {}
        for word, row in WORDS.items():
            doubled["not-" + word] = [value + 1 for value in row]
            doubled[word] = row
        self.write("doubled.vec", vec(doubled))
        picked = self.score("doubled.vec", "y.npy", "--every", 2, "--from", 1)["analogies"]
        self.assertEqual(picked, self.score("x.vec", "y.npy")["analogies"])

    def test_other_measures_stay_as_they_are(self):
        with_them = self.score("x.vec", "y.npy")
        without = self.json("score", "x.vec", "y.npy", "--threshold", 0.5, "--neighbors", 2)
        self.assertNotIn("analogies", without)
        self.assertEqual(set(with_them), set(without) | {"analogies"})
        self.assertIn("analogies", with_them["seconds_by_phase"])
        for key in without.keys() - {"seconds", "seconds_by_phase", "peak_memory_bytes"}:
            self.assertEqual(with_them[key], without[key], key)

    def test_text_has_a_table(self):
        text = self.succeeds("score", "x.vec", "y.npy", "--threshold", 0.5, "--neighbors", 2, "--analogies",
                             "questions.txt")  # fmt: skip
        table = [line.split() for line in text[text.index("analogies") :].splitlines()]
        self.assertEqual(table[0], ["analogies", "questions", "covered", "X", "Y"])
        self.assertEqual(table[1][:4], ["family", "3", "2", "1.0000"])
        self.assertEqual(table[3], ["gram9-other-words", "1", "0", "-", "-"])
        self.assertEqual(table[4][:5], ["all", "semantic", "3", "2", "1.0000"])
        self.assertEqual(table[5][:5], ["all", "syntactic", "2", "1", "0.0000"])
        self.assertEqual(table[6][:4], ["all", "5", "3", "0.6667"])

    def test_words_that_differ_and_questions_that_none_covers_are_warned_of(self):
        others = dict(zip(["man", "woman", "King", "queen", "tree", "stone"], WORDS.values()))
        self.write("others.vec", vec(others))
        warnings = self.score("x.vec", "others.vec")["warnings"]
        self.assertEqual([warning for warning in warnings if "row 2" in warning and "differ" in warning], warnings[-1:])
        self.write("questions.txt", ": a\neins zwei drei vier\n")
        result = self.score("x.vec", "y.npy")
        self.assertIn("none of the 1 questions", result["warnings"][-1])
        self.assertIsNone(result["analogies"]["y"]["accuracy"])

    def test_mistakes(self):
        rows = [list(map(float, row)) for row in WORDS.values()]
        self.write("x.npy", npy(rows))
        self.write("bad.txt", ": a\none two three four\none two three\n")
        common = ["--threshold", 0.5, "--neighbors", 2, "--analogies"]
        self.fails(USAGE, "score", "x.npy", "y.npy", *common, "questions.txt", says=["words", ".vec", "--word-column"])
        self.fails(BAD_INPUT, "score", "x.vec", "y.npy", *common, "bad.txt", says=["bad.txt", "line 3", "3 words"])
        self.fails(BAD_INPUT, "score", "x.vec", "y.npy", *common, "none.txt", says=["none.txt"])
        self.fails(BAD_INPUT, "score", "x.vec", "y.npy", *common, "x.npy", says=["x.npy", "line 1", "analogies"])


if __name__ == "__main__":
    unittest.main()
