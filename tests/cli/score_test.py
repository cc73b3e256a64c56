import unittest

from program import BAD_INPUT, USAGE, ProgramTest, cluster_points, npy

KEYS = [
    "mean_angular_deviation_degrees", "jaccard", "norm_deviation_mean", "norm_deviation_max", "recall_at_10",
    "trustworthiness", "continuity", "points", "threshold", "sparsity", "isolated", "zero_vectors", "rank_rows",
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
        self.fails(USAGE, "score", "x.npy", "y.npy", "--nearness", "far", says=["nearness", "cosine"])


if __name__ == "__main__":
    unittest.main()
