import math
import os
import unittest

from program import BAD_INPUT, OVER_LIMIT, UNUSABLE, USAGE, ProgramTest, cluster_points, npy, read_npy


def cosine(x, y):
    lengths = math.sqrt(sum(a * a for a in x) * sum(b * b for b in y))
    return sum(a * b for a, b in zip(x, y)) / lengths


def centred(x):
    return [value - sum(x) / len(x) for value in x]


DISTANCES = {
    "cosine": lambda x, y: 1.0 - cosine(x, y),
    "inner-product": lambda x, y: -sum(a * b for a, b in zip(x, y)),
    "euclidean": math.dist,
    "manhattan": lambda x, y: sum(abs(a - b) for a, b in zip(x, y)),
    "correlation": lambda x, y: 1.0 - cosine(centred(x), centred(y)),
}
BINARY = {
    "hamming": lambda x, y: sum(a != b for a, b in zip(x, y)) / len(x),
    "jaccard": lambda x, y: sum(a != b for a, b in zip(x, y)) / max(1, sum(a or b for a, b in zip(x, y))),
}


class Neighbors(ProgramTest):
    def setUp(self):
        super().setUp()
        self.rows = cluster_points(120)
        self.write("x.npy", npy(self.rows))

    def test_they_are_the_nearest_by_every_metric(self):
        for metric, distance in DISTANCES.items():
            with self.subTest(metric=metric):
                result = self.json("neighbors", "x.npy", "-k", 4, "-o", "n.npy", "--distances", "d.npy", "--metric",
                                   metric, "--overwrite")
                self.assertEqual((result["verb"], result["metric"]), ("neighbors", metric))
                self.assertEqual((result["rows"], result["columns"]), (120, 4))
                self.assertEqual((result["output"], result["distances"]), ("n.npy", "d.npy"))
                self.assertEqual(result["counts"]["exact"], 1)
                lists, far = read_npy(self.path("n.npy")), read_npy(self.path("d.npy"))
                for i, row in enumerate(self.rows):
                    truth = sorted(distance(row, other) for j, other in enumerate(self.rows) if j != i)[:4]
                    self.assertNotIn(i, lists[i])
                    for a in range(4):
                        self.assertAlmostEqual(far[i][a], truth[a], places=4)
                        self.assertAlmostEqual(distance(row, self.rows[lists[i][a]]), truth[a], places=4)

    def test_of_zeros_and_ones_by_binary_metrics(self):
        bits = [[int(value > 0) for value in row] for row in self.rows]
        self.write("bits.npy", npy(bits))
        for metric, distance in BINARY.items():
            with self.subTest(metric=metric):
                flags = ["-k", 4, "-o", "n.npy", "--distances", "d.npy", "--metric", metric, "--overwrite"]
                self.succeeds("neighbors", "bits.npy", *flags)
                far = read_npy(self.path("d.npy"))
                for i, row in enumerate(bits):
                    truth = sorted(distance(row, other) for j, other in enumerate(bits) if j != i)[:4]
                    for a in range(4):
                        self.assertAlmostEqual(far[i][a], truth[a], places=6)
                self.fails(BAD_INPUT, "neighbors", "x.npy", *flags, says=["row 0, column 0", metric, "zeros and ones"])

    def test_a_metric_without_an_index_says_so(self):
        flags = ["neighbors", "x.npy", "-k", 3, "-o", "n.npy", "--metric", "manhattan"]
        self.fails(USAGE, *flags, "--search", "approximate", says=["no index for metric manhattan", "exact"])
        self.fails(USAGE, *flags, "--save-index", "i.safetensors", says=["manhattan", "has no index"])
        self.fails(USAGE, "neighbors", "x.npy", "-o", "n.npy", "--metric", "taxi", says=["taxi", "manhattan"])

    def test_every_format_of_the_output_holds_the_same(self):
        self.succeeds("neighbors", "x.npy", "-k", 3, "-o", "n.npy")
        lists = read_npy(self.path("n.npy"))
        for name in ["n.csv", "n.tsv", "n.ivecs"]:
            self.succeeds("neighbors", "x.npy", "-k", 3, "-o", name)
        self.assertEqual([list(map(int, line.split(b","))) for line in self.read("n.csv").splitlines()], lists)
        self.assertEqual(self.read("n.csv").replace(b",", b"\t"), self.read("n.tsv"))
        self.assertEqual(len(self.read("n.ivecs")), 120 * 16)

    def test_a_graph_keeps_indices_and_distances(self):
        self.succeeds("neighbors", "x.npy", "-k", 3, "-o", "graph.safetensors")
        info = self.json("info", "graph.safetensors")
        self.assertEqual(info["kind"], "neighbor-graph")
        self.assertEqual({array["name"] for array in info["arrays"]}, {"indices", "distances"})

    def test_queries_find_points(self):
        self.write("q.npy", npy([self.rows[7], [2 * value for value in self.rows[40]]]))
        self.succeeds("neighbors", "x.npy", "--queries", "q.npy", "-k", 2, "-o", "n.npy")
        lists = read_npy(self.path("n.npy"))
        self.assertEqual([row[0] for row in lists], [7, 40])

    def test_an_index_serves_later_runs(self):
        self.succeeds("neighbors", "x.npy", "-k", 3, "-o", "a.npy", "--save-index", "i.safetensors")
        self.assertEqual(self.json("info", "i.safetensors")["kind"], "neighbor-index")
        result = self.json("neighbors", "i.safetensors", "-k", 3, "-o", "b.npy")
        self.assertEqual(result["counts"]["exact"], 0)
        self.assertEqual(self.read("a.npy"), self.read("b.npy"))
        self.succeeds("neighbors", "i.safetensors", "--queries", "x.npy", "-k", 1, "-o", "c.npy")
        self.assertEqual([row[0] for row in read_npy(self.path("c.npy"))], list(range(120)))

    def test_the_approximate_search_says_what_it_found(self):
        self.write("many.npy", npy(cluster_points(2000, dimension=30, classes=9)))
        text = self.succeeds("neighbors", "many.npy", "-k", 5, "-o", "n.npy", "--search", "approximate")
        self.assertIn("approximate, ", text)
        result = self.json("neighbors", "many.npy", "-k", 5, "-o", "m.npy", "--search", "approximate", "--threads", 1)
        self.assertGreater(result["measures"]["recall"], 0.9)
        self.assertEqual(self.read("n.npy"), self.read("m.npy"))

    def test_pairs_above_a_cosine(self):
        result = self.json("neighbors", "x.npy", "--above", 0.9, "-o", "p.npy", "--distances", "d.npy")
        pairs, far = read_npy(self.path("p.npy")), read_npy(self.path("d.npy"))
        self.assertEqual(result["columns"], 2)
        truth = [[i, j] for i in range(120) for j in range(i + 1, 120) if cosine(self.rows[i], self.rows[j]) > 0.9]
        self.assertEqual(pairs, truth)
        for (i, j), (distance,) in zip(pairs, far):
            self.assertAlmostEqual(distance, 1.0 - cosine(self.rows[i], self.rows[j]), places=4)

    def test_impossible_requests_are_refused(self):
        run = ["neighbors", "x.npy", "-o", "n.npy"]
        self.fails(USAGE, *run, "-k", 120, says=["-k 120", "120"])
        self.fails(USAGE, *run, "-k", 0, says=["-k 0"])
        self.fails(USAGE, *run, "--recall", 1, says=["--recall", "below 1"])
        self.fails(USAGE, *run, "--metric", "chebyshev", says=["chebyshev", "manhattan"])
        self.fails(USAGE, *run, "--above", 0.5, "--queries", "x.npy", says=["--above", "--queries"])
        self.fails(USAGE, *run, "--above", 1, says=["--above 1", "below 1"])
        self.fails(OVER_LIMIT, *run, "--memory-limit", "5k", says=["5"])
        self.fails(USAGE, "neighbors", "x.npy", "-o", "n.fvecs", says=[".ivecs"])

    def test_options_without_effect_are_refused(self):
        run = ["neighbors", "x.npy", "-o", "n.npy"]
        self.fails(USAGE, *run, "--above", 0.5, "-k", 3, says=["-k 3", "no effect", "leave it out"])
        self.fails(USAGE, *run, "-k", 3, "--save-index", "j.safetensors", "--search", "exact", says=["--search"])
        self.succeeds(*run, "-k", 3, "--save-index", "i.safetensors")
        indexed = ["neighbors", "i.safetensors", "-o", "m.npy", "-k", 3]
        self.fails(USAGE, *indexed, "--metric", "euclidean", says=["--metric", "built with its own"])
        self.fails(USAGE, *indexed, "--save-index", "j.safetensors", says=["i.safetensors is an index"])

    def test_no_pair_above_writes_nothing(self):
        code, out, err = self.run_program("neighbors", "x.npy", "-o", "n.npy", "--above", 0.9999999, "--json")
        self.assertEqual(code, UNUSABLE)
        self.assertIn("lower --above", err)
        self.assertIsNone(self.parse_one_object(out)["output"])
        self.assertFalse(os.path.exists(self.path("n.npy")))

    def test_bad_input_is_refused(self):
        self.write("nan.npy", npy([[1.0, float("nan")], [1.0, 2.0], [2.0, 1.0]]))
        self.fails(BAD_INPUT, "neighbors", "nan.npy", "-k", 1, "-o", "n.npy", says=["nan.npy", "row 0, column 1"])
        self.write("short.npy", npy([[1.0, 2.0]]))
        self.fails(BAD_INPUT, "neighbors", "x.npy", "--queries", "short.npy", "-k", 1, "-o", "n.npy", says=["short.npy: points of"])
        self.succeeds("neighbors", "x.npy", "-k", 2, "-o", "graph.safetensors")
        self.fails(BAD_INPUT, "neighbors", "graph.safetensors", "-k", 2, "-o", "n.npy", says=["neighbor-graph"])

    def test_a_time_limit_leaves_nothing_behind(self):
        digits = self.digits(3000)
        for way in [[], ["--search", "approximate"], ["--save-index", "i.safetensors"]]:
            run = ["neighbors", digits, "-k", 5, "-o", "n.npy", "--time-limit", "0.001s", "--json", *way]
            code, out, err = self.run_program(*run)
            self.assertEqual(code, OVER_LIMIT, err)
            self.assertIn("stopped", err)
            self.assertIsNone(self.parse_one_object(out)["output"])
            self.assertFalse(os.path.exists(self.path("n.npy")))
            self.assertFalse(os.path.exists(self.path("i.safetensors")))


if __name__ == "__main__":
    unittest.main()
