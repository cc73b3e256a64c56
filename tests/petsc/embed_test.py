"""mpirun -n 4 isogon embed --method laplacian: the coordinates of one process to the residuals, and its mistakes by name."""

import os
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "cli"), os.path.join(HERE, "..", "mpi")]
from mpirun import MpiTest  # noqa: E402
from program import BAD_INPUT, OVER_LIMIT, USAGE, cluster_points, npy, read_npy  # noqa: E402

# Residuals over the gaps between eigenvalues: those of lle are millionths of |A|, where residuals end at 1e-13 |A|.
WAYS = [
    ("laplacian", [], 1e-6),
    ("laplacian", ["--kernel", "self-tuning"], 1e-6),
    ("laplacian", ["--landmarks", 120, "--extension-neighbors", 6], 1e-6),
    ("lle", [], 1e-4),
    ("lle", ["--landmarks", 120, "--extension-neighbors", 6], 1e-4),
]  # fmt: skip


def fit(method, *more, neighbors=10):
    return ["embed", "x.npy", "--method", method, "--dim", 3, "--neighbors", neighbors, "--threads", 1, "--quiet", *more]


def difference(rows, truth):
    """The largest of a coordinate over the largest coordinate."""
    apart = max(abs(a - b) for row, other in zip(rows, truth) for a, b in zip(row, other))
    return apart / max(abs(value) for row in truth for value in row)


class SparseTest(MpiTest):
    def setUp(self):
        super().setUp()
        self.succeeds("generate", "swiss-roll", "-o", "x.npy", "--count", 901)  # not to be divided by 2 or 4

    def share(self, ranks, *arguments):
        code, out, err = self.by_ranks(ranks, *arguments)
        self.assertEqual(code, 0, err)
        return out

    def coordinates(self, name):
        return read_npy(self.path(name))


class Agreement(SparseTest):
    def test_any_number_of_ranks_gives_the_coordinates_of_one_process(self):
        for method, flags, most in WAYS:
            self.succeeds(*fit(method, *flags, "-o", "one.npy", "--overwrite"))
            for ranks in [1, 2, 4]:
                with self.subTest(method=method, flags=flags, ranks=ranks):
                    out = self.share(ranks, *fit(method, *flags, "-o", "y.npy", "--overwrite"))
                    self.assertEqual(out.count("y.npy"), 1, out)  # one voice
                    self.assertLess(difference(self.coordinates("y.npy"), self.coordinates("one.npy")), most)

    def test_the_result_is_told_as_that_of_one_process(self):
        for flags in [[], ["--landmarks", 120]]:
            alone = self.json(*fit("laplacian", *flags, "-o", "y.npy", "--overwrite"))
            shared = self.parse_one_object(self.share(2, *fit("laplacian", *flags, "-o", "y.npy", "--overwrite", "--json")))
            self.assertEqual(set(shared) - set(alone), {"ranks"})
            self.assertEqual(set(alone) - set(shared), set())
            for part in ["counts", "measures", "seconds_by_phase"]:
                self.assertEqual(set(alone[part]) - set(shared[part]), set(), part)
            self.assertEqual(shared["counts"]["ranks"], 2)
            self.assertEqual(shared["options"], alone["options"])
            self.assertIn("SLEPc over 2 ranks", shared["message"])
            self.assertLess(shared["measures"]["residual"], 1e-7)
            self.assertAlmostEqual(shared["measures"]["sigma"], alone["measures"]["sigma"], delta=1e-12)
            self.assertEqual([rank["peak_memory_bytes"] > 1e6 for rank in shared["ranks"]], [True, True])

    def test_neighbours_from_a_file_are_those_that_are_used(self):
        self.succeeds("neighbors", "x.npy", "-k", 14, "--metric", "euclidean", "-o", "graph.safetensors")
        self.succeeds("neighbors", "x.npy", "-k", 14, "--metric", "euclidean", "-o", "graph.csv")  # without distances
        for method in ["laplacian", "lle"]:
            self.succeeds(*fit(method, "-o", "one.npy", "--overwrite", neighbors=14))
            for graph in ["graph.safetensors", "graph.csv"]:
                with self.subTest(method=method, graph=graph):
                    self.share(2, *fit(method, "--neighbor-graph", graph, "-o", "y.npy", "--overwrite", neighbors=14))
                    self.assertLess(difference(self.coordinates("y.npy"), self.coordinates("one.npy")), 1e-4)

    def test_a_model_places_new_points_as_that_of_one_process(self):
        self.succeeds("generate", "swiss-roll", "-o", "new.npy", "--count", 50, "--seed", 7)
        for flags in [[], ["--landmarks", 120]]:
            self.succeeds(*fit("laplacian", *flags, "-o", "one.npy", "--overwrite", "--model", "one.safetensors"))
            self.share(3, *fit("laplacian", *flags, "-o", "y.npy", "--overwrite", "--model", "y.safetensors"))
            for name in ["one", "y"]:
                self.succeeds("transform", name + ".safetensors", "new.npy", "-o", "placed-" + name + ".npy", "--overwrite")
            self.assertLess(difference(self.coordinates("placed-y.npy"), self.coordinates("placed-one.npy")), 1e-5)

    def test_a_report_is_made_by_the_first_rank_alone(self):
        self.share(2, *fit("laplacian", "-o", "y.npy", "--report", "r.html"))
        self.assertIn("r.html", self.names())

    def test_more_ranks_than_landmarks_or_few_points_are_enough(self):
        self.write("x.npy", npy(cluster_points(40, classes=1)))
        self.share(4, *fit("laplacian", "-o", "y.npy"))
        self.assertEqual(len(self.coordinates("y.npy")), 40)


class Refusals(SparseTest):
    def test_what_ranks_have_no_way_for(self):
        for method, flags, words in [
            ("laplacian", ["--kernel", "perplexity"], ["kernel", "perplexity", "gaussian"]),
            ("laplacian", ["--components", "bridge"], ["components", "bridge", "error"]),
            ("lle", ["--components", "separate"], ["components", "separate", "error"]),
            ("laplacian", ["--landmarks", 120, "--extension", "nystrom"], ["extension", "nystrom", "lll"]),
            ("lle", ["--landmarks", 120, "--extension", "weights"], ["extension", "weights", "lll"]),
        ]:  # fmt: skip
            with self.subTest(method=method, flags=flags):
                self.refuses(USAGE, *fit(method, *flags, "-o", "y.npy"), says=[*words, "without mpirun"])
        self.refuses(USAGE, *fit("isomap", "-o", "y.npy"), says=["isomap", "faithful, tsm", "laplacian", "lle"])

    def test_mistakes_that_one_process_refuses_too(self):
        self.write("old.npy", b"mine")
        self.refuses(USAGE, *fit("laplacian", "-o", "old.npy"), says=["old.npy", "--overwrite"])
        self.assertEqual(self.read("old.npy"), b"mine")
        self.refuses(USAGE, *fit("laplacian", "-o", "y.npy", neighbors=901), ranks=4, says=["--neighbors 901", "below 901"])
        self.refuses(USAGE, *fit("laplacian", "--sigma", "1e-9", "-o", "y.npy"), says=["sigma"])
        self.refuses(USAGE, *fit("lle", "--landmarks", 3, "-o", "y.npy"), says=["--landmarks 3"])
        self.refuses(USAGE, *fit("lle", "--checkpoint", "c.safetensors", "-o", "y.npy"), says=["these have: faithful"])
        self.refuses(BAD_INPUT, *fit("lle", "--neighbor-graph", "no.csv", "-o", "y.npy"), says=["no.csv"])

    def test_a_graph_in_pieces_is_refused_with_their_sizes(self):
        rows = cluster_points(150, classes=1)
        self.write("x.npy", npy([[value + 1e4 * (i % 3 == 0) for value in row] for i, row in enumerate(rows)]))
        for method in ["laplacian", "lle"]:
            self.refuses(BAD_INPUT, *fit(method, "-o", "y.npy"), ranks=3,
                         says=["2 components", "100, 50 points", "--neighbors", "--components", "without mpirun"])  # fmt: skip

    def test_ranks_that_read_other_data(self):
        run = fit("laplacian", "--neighbor-graph", "graph.csv", "-o", "y.npy")
        for folder, size in [("a", 12), ("b", 12), ("c", 14)]:
            os.mkdir(self.path(folder))
            self.write(os.path.join(folder, "x.npy"), self.read("x.npy"))
            self.succeeds("neighbors", "x.npy", "-k", size, "--metric", "euclidean", "-o", os.path.join(folder, "graph.csv"))
        result = self.mixed(*[(["--wdir", self.path(name)], run) for name in "abc"])
        self.explains(BAD_INPUT, result, ["graph.csv", "rank 2", "other data", "same file"])
        self.assertNotIn("y.npy", os.listdir(self.path("a")))
        # Of the same length, and alike in the first million bytes: the last neighbour of the last point is another one.
        rows = [line.split(",") for line in self.read(os.path.join("a", "graph.csv")).decode().split()]
        rows = [[f"{int(number):0100}" for number in row] for row in rows]
        taken = {len(rows) - 1, *map(int, rows[-1])}
        for folder in "ab":
            self.write(os.path.join(folder, "graph.csv"), "\n".join(",".join(row) for row in rows).encode())
            rows[-1][-1] = f"{min(set(range(len(rows))) - taken):0100}"
        result = self.mixed(*[(["--wdir", self.path(name)], run) for name in "ab"])
        self.explains(BAD_INPUT, result, ["graph.csv", "rank 1", "other data", "same file"])

    def test_a_time_limit_ends_all_ranks_together(self):
        code, _, err = self.by_ranks(2, *fit("laplacian", "-o", "y.npy", "--time-limit", "0.001s"))
        self.assertEqual(code, OVER_LIMIT, err)
        self.assertEqual(len([line for line in self.voices(err) if "--time-limit" in line]), 1, err)
        self.assertNotIn("y.npy", self.names())

    def test_the_program_tells_that_it_knows_petsc(self):
        self.assertIn("PETSc", self.succeeds("--version"))


if __name__ == "__main__":
    unittest.main()
