import unittest

from program import BAD_INPUT, USAGE, ProgramTest, cluster_points, npy, read_npy

FIT = ["--dim", 3, "--threshold", 0.6, "--method", "tsm"]


class NeighborGraph(ProgramTest):
    """The user's own neighbour lists, wherever neighbours are needed."""

    def setUp(self):
        super().setUp()
        rows = cluster_points(120)
        self.write("new.npy", npy(rows[:30]))
        self.write("old.npy", npy(rows[30:]))
        self.write("all.npy", npy(rows))
        self.succeeds("neighbors", "new.npy", "old.npy", "-k", 12, "-o", "graph.safetensors")
        self.succeeds("neighbors", "new.npy", "old.npy", "-k", 12, "-o", "graph.npy")
        self.lists = read_npy(self.path("graph.npy"))

    def extend(self, *more):
        return ["extend", "map.safetensors", "new.npy", "-o", "y.npy", "--overwrite", *more]

    def landmarks(self, *more):
        return ["embed", "all.npy", "-o", "y.npy", *FIT, "--landmarks", 60, "--extension", "llx", "--overwrite", *more]

    def test_the_same_lists_give_the_same_coordinates(self):
        self.succeeds("embed", "old.npy", "-o", "fitted.npy", *FIT, "--model", "map.safetensors")
        for command in [self.extend(), self.landmarks()]:
            self.succeeds(*command)
            searched = self.read("y.npy")
            for graph in ["graph.safetensors", "graph.npy"]:
                self.succeeds(*command, "--neighbor-graph", graph)
                self.assertEqual(self.read("y.npy"), searched)

    def test_other_lists_give_other_coordinates(self):
        self.succeeds(*self.landmarks())
        searched = self.read("y.npy")
        self.succeeds("neighbors", "all.npy", "-k", 12, "--metric", "euclidean", "-o", "other.csv")
        self.succeeds(*self.landmarks("--neighbor-graph", "other.csv"))
        self.assertNotEqual(self.read("y.npy"), searched)

    def test_a_fit_keeps_the_neighbors_that_it_is_given(self):
        fit = ["embed", "all.npy", "-o", "y.npy", "--dim", 4, "--metric", "euclidean", "--overwrite"]
        found = self.json(*fit, "--neighbor-graph", "graph.npy")
        self.assertGreaterEqual(found["counts"]["near_pairs"], 120 * 12 / 2)
        self.assertGreater(found["measures"]["kept_neighbors"], 0.5)
        self.assertNotIn("neighbor_recall", found["measures"])
        self.succeeds("neighbors", "all.npy", "-k", 12, "--metric", "euclidean", "-o", "near.npy")
        self.succeeds("neighbors", "all.npy", "-k", 12, "--metric", "euclidean", "-o", "near.safetensors")
        self.succeeds(*fit, "--neighbor-graph", "near.npy")
        kept = self.read("y.npy")
        self.succeeds(*fit, "--neighbor-graph", "near.safetensors")
        self.assertEqual(self.read("y.npy"), kept)

    def test_a_file_by_another_metric_is_refused(self):
        self.succeeds("neighbors", "all.npy", "-k", 12, "--metric", "euclidean", "-o", "near.safetensors")
        by_cosine = ["graph.safetensors", "by cosine", "by euclidean", "neighbors --metric euclidean"]
        for method in ["umap", "isomap", "lsde"]:
            fit = ["embed", "all.npy", "-o", "y.npy", "--dim", 2, "--method", method, "--overwrite"]
            self.fails(BAD_INPUT, *fit, "--neighbor-graph", "graph.safetensors", says=by_cosine)
        self.fails(BAD_INPUT, "sweep", "all.npy", "--method", "isomap", "--grid", "neighbors=8,10", "--truth", "all.npy",
                   "--neighbor-graph", "graph.safetensors", says=by_cosine)
        self.fails(USAGE, "sweep", "all.npy", "--method", "isomap", "--grid", "metric=cosine,euclidean", "--truth", "all.npy",
                   "--neighbor-graph", "graph.safetensors", says=["--neighbor-graph", "--grid"])
        self.succeeds("embed", "all.npy", "-o", "y.npy", "--dim", 2, "--method", "umap", "--metric", "cosine", "--neighbors", 12,
                      "--overwrite", "--neighbor-graph", "graph.safetensors")
        fit = ["embed", "all.npy", "-o", "y.npy", "--dim", 4, "--overwrite"]
        self.succeeds(*fit, "--metric", "cosine", "--neighbor-graph", "graph.safetensors")
        self.fails(BAD_INPUT, *fit, "--neighbor-graph", "graph.safetensors", says=by_cosine)
        self.succeeds("embed", "old.npy", "-o", "fitted.npy", *FIT, "--model", "map.safetensors")
        for command in [self.extend(), self.landmarks(), [*fit, "--metric", "cosine"]]:
            self.fails(BAD_INPUT, *command, "--neighbor-graph", "near.safetensors", says=["by euclidean", "by cosine"])

    def test_bad_lists_are_refused_by_row(self):
        cases = {"range": (120, "120 does not exist"), "self": (7, "besides the point itself"), "negative": (-1, "-1 does not exist"),
                 "twice": (self.lists[7][0], "twice")}
        for name, (value, why) in cases.items():
            with self.subTest(name):
                lists = [list(row) for row in self.lists]
                lists[7][5] = value
                self.write("bad.npy", npy(lists, "<i4"))
                self.fails(BAD_INPUT, *self.landmarks("--neighbor-graph", "bad.npy"), says=["bad.npy", "row 7", why])

    def test_a_point_may_be_in_its_own_list(self):
        self.write("self.npy", npy([[i, *row] for i, row in enumerate(self.lists)], "<i4"))
        self.write("without.npy", npy(self.lists, "<i4"))
        for command in (self.landmarks(), ["embed", "all.npy", "-o", "y.npy", "--dim", 2, "--method", "umap", "--metric", "cosine",
                                           "--overwrite"]):
            self.succeeds(*command, "--neighbor-graph", "without.npy")
            without = self.read("y.npy")
            self.succeeds(*command, "--neighbor-graph", "self.npy")
            self.assertEqual(self.read("y.npy"), without)

    def test_lists_that_do_not_belong_are_refused(self):
        self.write("short.npy", npy(self.lists[:100], "<i4"))
        self.fails(BAD_INPUT, *self.landmarks("--neighbor-graph", "short.npy"), says=["100 rows", "120 rows"])
        self.write("narrow.npy", npy([row[:3] for row in self.lists], "<i4"))
        self.fails(USAGE, *self.landmarks("--neighbor-graph", "narrow.npy"), says=["3"])
        self.write("floats.npy", npy([[0.5, 1.5]] * 120))
        self.fails(BAD_INPUT, *self.landmarks("--neighbor-graph", "floats.npy"), says=["whole numbers"])

    def test_lists_that_nobody_reads_are_refused(self):
        alone = ["embed", "all.npy", "-o", "y.npy", "--neighbor-graph", "graph.npy"]
        self.fails(USAGE, *alone, "--method", "svd", "--dim", 3, says=["--landmarks"])
        self.fails(USAGE, *alone, "--dim", 3, "--neighbors", 13, says=["--neighbors", "at most 12"])
        self.fails(USAGE, "embed", "all.npy", "-o", "y.npy", "--extension", "llx", says=["--extension", "--landmarks"])
        command = ["embed", "all.npy", "-o", "y.npy", *FIT, "--landmarks", 60, "--neighbor-graph", "graph.npy"]
        self.fails(USAGE, *command, says=["--extension llx"])
        self.fails(USAGE, *command[:-2], "--extension-neighbors", 5, says=["--extension-neighbors 5", "weights or llx"])


if __name__ == "__main__":
    unittest.main()
