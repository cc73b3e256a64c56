import unittest

from program import BAD_INPUT, OVER_LIMIT, USAGE, ProgramTest, cluster_points, npy, read_npy

FIT = ["embed", "x.npy", "-o", "y.npy", "--dim", 3, "--threads", 1, "--model", "map.safetensors"]
EXTEND = ["extend", "map.safetensors", "new.npy", "-o", "placed.npy"]


class Extend(ProgramTest):
    def setUp(self):
        super().setUp()
        self.write("x.npy", npy(cluster_points(80)))
        self.write("new.npy", npy(cluster_points(30, seed=7)))

    def fit(self, *more):
        self.succeeds(*FIT, *more)

    def test_new_points_get_coordinates(self):
        for method in ["faithful", "tsm"]:
            self.fit("--method", method, "--overwrite")
            result = self.json(*EXTEND, "--overwrite")
            self.assertEqual((result["verb"], result["method"], result["output"]), ("extend", method, "placed.npy"))
            self.assertEqual(result["shape"], {"points": 30, "dimension": 3})
            self.assertEqual(result["options"], {"neighbors": 0, "ridge": 1e-4, "tolerance": 1e-4, "iterations": 500})
            self.assertEqual((result["counts"]["landmarks"], result["counts"]["unknown"]), (80, 30))
            self.assertEqual((result["counts"]["neighbors"], result["unreached"]), (12, []))
            self.assertLessEqual(result["measures"]["residual"], 1e-4)
            self.assertEqual(len(read_npy(self.path("placed.npy"))), 30)

    def test_it_tells_people_too(self):
        self.fit()
        text = self.succeeds(*EXTEND)
        self.assertIn("placed.npy: 30 points of 3 numbers, from 8, by map.safetensors (faithful)", text)
        self.assertIn("converged: residual", text)
        for phase in ["neighbors", "weights", "solution"]:
            self.assertIn(phase, text)

    def test_the_bits_are_those_of_any_number_of_threads(self):
        self.fit()
        made = []
        for threads in [1, 2, 3]:
            self.succeeds(*EXTEND, "--threads", threads, "--overwrite")
            made.append(self.read("placed.npy"))
        self.assertEqual(made, [made[0]] * 3)

    def test_every_option_changes_what_it_promises(self):
        self.fit()
        plain = self.json(*EXTEND)
        coordinates = self.read("placed.npy")
        for flag, value in [("--neighbors", 5), ("--ridge", 0.1)]:
            self.succeeds(*EXTEND, flag, value, "--overwrite")
            self.assertNotEqual(self.read("placed.npy"), coordinates, flag)
        self.assertGreater(self.json(*EXTEND, "--tolerance", 0.1, "--overwrite")["measures"]["residual"],
                           plain["measures"]["residual"])
        few = self.json(*EXTEND, "--iterations", 1, "--overwrite")
        self.assertEqual((few["counts"]["iterations"], few["termination"]), (1, "iteration-limit"))
        self.assertIn("more iterations", few["warnings"][0])

    def test_points_that_no_landmark_reaches_are_named(self):
        self.write("x.npy", npy([row + [0.0] * 8 for row in cluster_points(80)]))
        self.write("new.npy", npy([[0.0] * 8 + row for row in cluster_points(30, seed=7)]))
        self.fit()
        result = self.json(*EXTEND)
        self.assertEqual(result["unreached"], list(range(30)))
        self.assertIn("0, 1, 2, 3, 4, ...", result["warnings"][0])

    def test_what_cannot_be_is_refused(self):
        self.fit("--method", "svd")
        self.fails(USAGE, *EXTEND, says=["svd", "linear", "transform"])
        self.fit("--overwrite")
        self.fails(USAGE, *EXTEND, "--ridge", 0, says=["--ridge", "0"])
        self.fails(USAGE, *EXTEND, "--neighbors", "many", says=["--neighbors", "many"])
        self.fails(USAGE, "extend", "map.safetensors", "new.npy", "-o", "x.npy", says=["x.npy", "--overwrite"])
        self.fails(BAD_INPUT, "extend", "x.npy", "new.npy", "-o", "placed.npy", says=["x.npy"])
        self.write("nan.npy", npy([[float("nan")] * 8]))
        self.fails(BAD_INPUT, "extend", "map.safetensors", "nan.npy", "-o", "placed.npy", says=["nan.npy", "NaN"])
        self.write("narrow.npy", npy(cluster_points(5, 7)))
        self.fails(BAD_INPUT, "extend", "map.safetensors", "narrow.npy", "-o", "placed.npy", says=["narrow.npy", "7", "8"])
        self.assertNotIn("placed.npy", self.names())

    def test_limits(self):
        self.fit()
        before = self.names()
        code, out, err = self.run_program(*EXTEND, "--time-limit", "0.000001")
        self.assertEqual((code, out), (OVER_LIMIT, ""), err)
        self.assertIn("nothing was written", err)
        self.fails(OVER_LIMIT, *EXTEND, "--memory-limit", "50k", says=["memory"])
        self.assertEqual(self.names(), before)


class TransformByWeights(ProgramTest):
    def setUp(self):
        super().setUp()
        self.write("x.npy", npy(cluster_points(80)))
        self.rows = cluster_points(30, seed=7)
        self.write("new.npy", npy(self.rows))

    def transform(self, *more):
        result = self.json("transform", "map.safetensors", "new.npy", "-o", "placed.npy", "--overwrite", *more)
        return result, read_npy(self.path("placed.npy"))

    def test_the_ways_differ_and_each_row_stands_alone(self):
        self.succeeds(*FIT)
        plain, placed = self.transform()
        self.assertEqual(plain["by"], "placement")
        self.assertEqual(self.transform("--by", "placement")[1], placed)
        mixed, together = self.transform("--by", "weights")
        self.assertEqual(mixed["by"], "weights")
        self.assertNotEqual(together, placed)
        self.assertNotEqual(self.transform("--by", "weights", "--neighbors", 4)[1], together)
        self.assertNotEqual(self.transform("--by", "weights", "--ridge", 0.1)[1], together)
        self.write("new.npy", npy([self.rows[17]]))
        self.assertEqual(self.transform("--by", "weights", "--threads", 1)[1], [together[17]])

    def test_what_cannot_be_is_refused(self):
        to = ["transform", "map.safetensors", "new.npy", "-o", "placed.npy"]
        self.succeeds(*FIT, "--method", "pca")
        self.assertEqual(self.transform()[0]["by"], "map")
        for way in ["weights", "placement"]:
            self.fails(USAGE, *to, "--overwrite", "--by", way, says=["faithful"])
        self.fails(USAGE, *to, "--overwrite", "--by", "magic", says=["--by", "magic", "placement", "weights"])
        self.fails(USAGE, *to, "--overwrite", "--ridge", 0.1, says=["--ridge", "weights"])


if __name__ == "__main__":
    unittest.main()
