import os
import time
import unittest

from program import BAD_INPUT, OVER_LIMIT, USAGE, ProgramTest, cluster_points, default_signals, npy, read_npy

FIT = ["embed", "x.npy", "-o", "y.npy", "--dim", 3, "--landmarks", 40]


class Landmarks(ProgramTest):
    def setUp(self):
        super().setUp()
        self.rows = cluster_points(120)
        self.write("x.npy", npy(self.rows))

    def test_all_rows_come_out_and_the_summary_tells(self):
        for method in ["faithful", "tsm"]:
            for selection in ["random", "kmeans++"]:
                with self.subTest(method=method, selection=selection):
                    result = self.json(*FIT, "--overwrite", "--method", method, "--landmark-selection", selection)
                    self.assertEqual(result["shape"], {"points": 120, "dimension": 3})
                    self.assertEqual(len(read_npy(self.path("y.npy"))), 120)
                    self.assertEqual((result["counts"]["landmarks"], result["counts"]["placed"]), (40, 80))
                    self.assertEqual(result["options"]["landmarks"], 40)
                    self.assertEqual(result["options"]["landmark-selection"], selection)
                    for phase in ["choose landmarks", "transform"]:
                        self.assertIn(phase, result["seconds_by_phase"])

    def test_every_extension_gives_all_rows_and_they_differ(self):
        seen = set()
        for extension in ["placement", "weights", "llx"]:
            result = self.json(*FIT, "--overwrite", "--extension", extension)
            self.assertEqual(result["options"]["extension"], extension)
            others = result["counts"]["placed"]
            self.assertEqual((others, len(read_npy(self.path("y.npy")))), (80, 120))
            seen.add(self.read("y.npy"))
        self.assertEqual(len(seen), 3)

    def test_a_model_of_the_fit_places_the_rows_alike(self):
        self.succeeds(*FIT, "--model", "map.safetensors")
        self.succeeds("transform", "map.safetensors", "x.npy", "-o", "again.npy")
        self.assertEqual(self.read("again.npy"), self.read("y.npy"))

    def test_bits_depend_on_the_seed_and_not_on_threads_or_files(self):
        self.succeeds(*FIT, "--threads", 1)
        first = self.read("y.npy")
        for threads in [2, 3]:
            self.succeeds(*FIT, "--threads", threads, "--overwrite")
            self.assertEqual(self.read("y.npy"), first)
        self.write("a.npy", npy(self.rows[:70]))
        self.write("b.npy", npy(self.rows[70:]))
        self.succeeds("embed", "a.npy", "b.npy", "-o", "z.npy", *FIT[4:])
        self.assertEqual(self.read("z.npy"), first)
        self.succeeds(*FIT, "--seed", 1, "--overwrite")
        self.assertNotEqual(self.read("y.npy"), first)

    def test_more_landmarks_than_points_and_other_nonsense(self):
        fit = ["embed", "x.npy", "-o", "y.npy", "--dim", 3]
        for count in [120, 5000]:
            self.fails(USAGE, *fit, "--landmarks", count, says=["--landmarks %d" % count, "below 120", "leave it out"])
        self.fails(USAGE, *fit, "--landmarks", 1, says=["at least 2"])
        self.fails(USAGE, *fit, "--landmarks", -1, says=["landmarks"])
        self.fails(USAGE, *fit, "--landmarks", 3, says=["dimension"])
        self.fails(USAGE, *fit, "--landmarks", 40, "--landmark-selection", "some", says=["some", "kmeans++"])
        self.fails(USAGE, *fit, "--landmarks", 40, "--method", "svd", says=["svd", "faithful"])
        self.fails(USAGE, *fit, "--landmarks", 40, "--start-from", "x.npy", says=["--start-from", "--landmarks"])
        self.write("nan.npy", npy(self.rows[:50] + [[float("nan")] * 8]))
        self.fails(BAD_INPUT, "embed", "nan.npy", "-o", "y.npy", "--landmarks", 10, says=["nan.npy", "row 50", "NaN"])
        self.assertEqual(sorted(self.names()), ["nan.npy", "x.npy"])

    def test_a_memory_limit_is_stated_before_the_fit(self):
        arguments = [*FIT, "--memory-limit", "4K"]
        self.fails(OVER_LIMIT, *arguments, says=["limit is 4", "landmarks"])

    def test_a_checkpoint_of_the_fit_can_be_resumed(self):
        fit = [*FIT, "--method", "tsm", "--solver", "sphere"]
        self.succeeds(*fit, "--checkpoint", "run.safetensors", "--checkpoint-every", 0, "--iterations", 5)
        self.succeeds(*fit[:3], "whole.npy", *fit[4:], "--iterations", 20)
        self.succeeds(*fit, "--overwrite", "--iterations", 20, "--resume", "run.safetensors")
        self.assertEqual(self.read("y.npy"), self.read("whole.npy"))

    def test_no_time_at_all_writes_nothing(self):
        code, out, err = self.run_program(*FIT, "--time-limit", "0.000001")
        self.assertEqual((code, out), (OVER_LIMIT, ""), err)
        self.assertEqual(self.names(), ["x.npy"])

    def test_an_interrupted_fit_leaves_its_model_only(self):
        self.digits(500)
        long = ["--landmarks", 400, "--dim", 8, "--tolerance", 0, "--iterations", 1000000]
        process = self.start("embed", "digits.npy", "-o", "y.npy", *long, "--model", "map.safetensors", "--checkpoint",
                             "run.safetensors", "--checkpoint-every", 0, "--quiet", preexec_fn=default_signals)
        deadline = time.monotonic() + 60
        while not os.path.exists(self.path("run.safetensors")) and time.monotonic() < deadline:
            time.sleep(0.01)
        _, err = self.interrupt(process)
        self.assertIn("map.safetensors", err)
        self.assertNotIn("y.npy", self.names())
        self.assertFalse([name for name in self.names() if name.endswith(".tmp")])
        self.succeeds("transform", "map.safetensors", "digits.npy", "-o", "y.npy")
        arrays = {array["name"]: array["shape"] for array in self.json("info", "run.safetensors")["arrays"]}
        long[-1] = arrays["trace"][0] + 40
        for name, more in [("whole.npy", []), ("resumed.npy", ["--resume", "run.safetensors"])]:
            self.succeeds("embed", "digits.npy", "-o", name, *long, *more)
        self.assertEqual(self.read("resumed.npy"), self.read("whole.npy"))


if __name__ == "__main__":
    unittest.main()
