import math
import unittest

from program import BAD_INPUT, OVER_LIMIT, USAGE, ProgramTest, npy, read_npy


def rolled_strip(count):
    """A strip of about 9 x 2, bent by half a turn."""
    rows = []
    for i in range(count):
        along = 9.0 * ((i * 0.6180339887) % 1.0)
        rows.append([3.0 * math.cos(along / 3.0), 2.0 * i / count, 3.0 * math.sin(along / 3.0)])
    return rows


class Lsde(ProgramTest):
    def setUp(self):
        super().setUp()
        self.write("x.npy", npy(rolled_strip(300)))

    def fit(self, *more, landmarks=12):
        return ["embed", "x.npy", "-o", "y.npy", "--overwrite", "--method", "lsde", "--dim", 2, "--landmarks", landmarks, *more]

    def test_the_summary_tells_what_was_done_and_how_good_it_is(self):
        result = self.json(*self.fit())
        self.assertEqual(result["termination"], "converged")
        counts, measures = result["counts"], result["measures"]
        self.assertEqual(counts["landmarks"], 12)
        self.assertLess(counts["monitored"], counts["constraints"])
        self.assertEqual(counts["suggested_dimension"], 2)
        self.assertEqual(len(result["trace"]), counts["rounds"])
        self.assertLess(measures["duality_gap"], 2e-3)
        self.assertLess(measures["largest_violation"], 1e-9)
        shares = [measures["spectrum_%d" % k] for k in range(2)]
        self.assertGreater(sum(shares), 0.99)
        for phase in ["neighbors", "weights", "reconstruction", "solver", "monitoring"]:
            self.assertIn(phase, result["seconds_by_phase"])
        self.assertAlmostEqual(sum(v * v for row in read_npy(self.path("y.npy")) for v in row),
                               measures["trace"] * sum(shares), delta=1e-4 * measures["trace"])

    def test_landmarks_are_chosen_as_told_and_number_what_they_should(self):
        seen = set()
        for more in [[], ["--landmark-selection", "farthest"], ["--landmark-selection", "kmeans++"], ["--seed", 1]]:
            result = self.json(*self.fit(*more))
            self.assertEqual(result["options"]["landmarks"], 12)
            seen.add(self.read("y.npy"))
        self.assertEqual(len(seen), 4)
        usual = self.json("embed", "x.npy", "-o", "z.npy", "--method", "lsde", "--dim", 2, "--tolerance", 1)
        self.assertEqual(usual["counts"]["landmarks"], 40)

    def test_neighbours_from_a_file_are_those_that_are_used(self):
        self.succeeds(*self.fit())
        own = self.read("y.npy")
        self.succeeds("neighbors", "x.npy", "-k", 12, "--metric", "euclidean", "-o", "graph.safetensors")
        self.succeeds(*self.fit("--neighbor-graph", "graph.safetensors"))
        self.assertEqual(self.read("y.npy"), own)
        self.fails(USAGE, *self.fit("--neighbor-graph", "graph.safetensors", "--neighbors", 7), says=["neighbors"])

    def test_nonsense_is_refused_with_its_bound(self):
        self.fails(USAGE, *self.fit(landmarks=2), says=["--landmarks 2", "above 2"])
        self.fails(USAGE, *self.fit(landmarks=301), says=["--landmarks 301", "at most 300"])
        self.fails(USAGE, *self.fit("--extension", "lll"), says=["extension", "lsde"])
        self.fails(USAGE, *self.fit("--neighbors", 300), says=["below 300"])
        self.fails(OVER_LIMIT, *self.fit("--memory-limit", "50k"), says=["limit"])
        apart = [[value + 100.0 * (i % 2) for value in row] for i, row in enumerate(rolled_strip(300))]
        self.write("x.npy", npy(apart))
        self.fails(BAD_INPUT, *self.fit("--components", "error"), says=["2 components", "150, 150"])
        self.assertIn("2 components", self.json(*self.fit())["warnings"][0])
        self.assertEqual(self.json(*self.fit("--components", "bridge"))["counts"]["bridges"], 1)

    def test_a_time_limit_in_a_round_leaves_the_best_so_far_or_says_that_there_is_none(self):
        self.write("x.npy", npy(rolled_strip(3000)))
        code, _, err = self.run_program(*self.fit("--tolerance", "1e-6", "--time-limit", "1s", landmarks=60))
        self.assertEqual(code, OVER_LIMIT)
        self.assertIn("best result so far is in y.npy", err)
        self.assertEqual(len(read_npy(self.path("y.npy"))), 3000)


if __name__ == "__main__":
    unittest.main()
