import math
import os
import unittest

from program import BAD_INPUT, OVER_LIMIT, UNUSABLE, USAGE, ProgramTest, cluster_points, default_signals, npy, read_npy

# Clusters are not one graph.
IN_PIECES = {"isomap": ["--components", "bridge"], "lsde": ["--components", "bridge"],
             "sde": ["--components", "bridge"], "lle": ["--components", "separate"],
             "laplacian": ["--components", "separate"]}
FIT = ["embed", "x.npy", "-o", "y.npy", "--dim", 3, "--threads", 1]
LONG = ["embed", "digits.npy", "--dim", 8, "--tolerance", 0]


class Transform(ProgramTest):
    def setUp(self):
        super().setUp()
        self.rows = cluster_points(80)
        self.write("x.npy", npy(self.rows))

    def fit(self, *more):
        self.succeeds(*FIT, "--model", "map.safetensors", *more)

    def test_every_method_gives_fitted_rows_their_coordinates(self):
        for method in self.json("methods")["methods"]:
            with self.subTest(method=method["name"]):
                if method["name"] == "nmf":
                    self.write("x.npy", npy([[abs(value) for value in row] for row in self.rows]))
                self.fit("--method", method["name"], "--overwrite", *IN_PIECES.get(method["name"], []))
                result = self.json("transform", "map.safetensors", "x.npy", "-o", "again.npy", "--overwrite")
                self.assertEqual(self.read("again.npy"), self.read("y.npy"))
                self.assertEqual((result["verb"], result["method"]), ("transform", method["name"]))
                self.assertEqual((result["model"], result["output"]), ("map.safetensors", "again.npy"))
                self.assertEqual(result["shape"], {"points": 80, "dimension": 3})
                # Both are judged as their records say.
                fitted, placed = (self.json("score", "x.npy", name, "-k", 5) for name in ["y.npy", "again.npy"])
                self.assertEqual(placed["result_file"], "again.npy.json")
                for key in ["metrics", "threshold", "recall_at_5"]:
                    self.assertEqual(placed[key], fitted[key], key)

    def test_in_any_unit_of_length_fitted_rows_get_their_coordinates_and_new_ones_those_near_them(self):
        methods = [[method["name"]] for method in self.json("methods")["methods"]] + [["faithful", "--metric", "cosine"]]
        for name, *more in methods:
            rows = [[abs(value) for value in row] for row in self.rows] if name == "nmf" else self.rows
            self.write("x.npy", npy(rows[:60]))
            self.write("new.npy", npy(rows[60:]))
            self.fit("--method", name, "--overwrite", *IN_PIECES.get(name, []), *more)
            self.succeeds("transform", "map.safetensors", "new.npy", "-o", "placed.npy", "--overwrite")
            before = read_npy(self.path("y.npy")) + read_npy(self.path("placed.npy"))
            for exponent in [-100, -20, -10, 20, 100]:
                with self.subTest(method=name, more=more, exponent=exponent):
                    factor = 2.0 ** exponent
                    self.write("x.npy", npy([[value * factor for value in row] for row in rows[:60]]))
                    self.write("new.npy", npy([[value * factor for value in row] for row in rows[60:]]))
                    self.fit("--method", name, "--overwrite", *IN_PIECES.get(name, []), *more)
                    self.succeeds("transform", "map.safetensors", "x.npy", "-o", "again.npy", "--overwrite")
                    self.succeeds("transform", "map.safetensors", "new.npy", "-o", "placed.npy", "--overwrite")
                    self.assertEqual(self.read("again.npy"), self.read("y.npy"))
                    after = read_npy(self.path("y.npy")) + read_npy(self.path("placed.npy"))
                    unit = max(map(abs, after[0])) / max(map(abs, before[0]))
                    self.assertIn(unit, (1.0, factor))
                    self.assertEqual([[value / unit for value in row] for row in after], [list(row) for row in before])

    def test_the_other_way_fitted_coordinates_give_their_inputs(self):
        for method in self.json("methods")["methods"]:
            name = method["name"]
            if name in ("svd", "pca", "nmf", "sde", "lsde"):
                continue
            with self.subTest(method=name):
                self.fit("--method", name, "--overwrite", *IN_PIECES.get(name, []))
                result = self.json("transform", "map.safetensors", "y.npy", "-o", "back.npy", "--inverse", "--overwrite")
                self.assertEqual(read_npy(self.path("back.npy")), read_npy(self.path("x.npy")))
                self.assertEqual(result["by"], "inverse")
                self.assertNotIn("back.npy.json", self.names())
                self.assertEqual(result["shape"], {"points": 80, "dimension": 8})
        self.fails(BAD_INPUT, "transform", "map.safetensors", "x.npy", "-o", "b.npy", "--inverse", says=["x.npy", "8", "3"])
        self.fails(USAGE, "transform", "map.safetensors", "y.npy", "-o", "b.npy", "--inverse", "--by", "weights",
                   says=["--inverse"])

    def test_the_other_way_linear_maps_give_what_they_keep(self):
        for method in ["svd", "pca"]:
            self.succeeds("embed", "x.npy", "-o", "y.npy", "--dim", 8, "--method", method, "--model", "map.safetensors",
                          "--overwrite")
            self.succeeds("transform", "map.safetensors", "y.npy", "-o", "back.npy", "--inverse", "--overwrite")
            for row, truth in zip(read_npy(self.path("back.npy")), self.rows):
                for value, wanted in zip(row, truth):
                    self.assertAlmostEqual(value, wanted, places=4)

    def test_by_a_metric_new_rows_are_placed_by_it_too(self):
        self.write("new.npy", npy(self.rows[3:5]))
        for metric in ["manhattan", "correlation"]:
            self.fit("--method", "umap", "--metric", metric, "--overwrite")
            self.succeeds("transform", "map.safetensors", "new.npy", "-o", "placed.npy", "--overwrite")
            self.assertEqual(read_npy(self.path("placed.npy")), read_npy(self.path("y.npy"))[3:5])

    def test_new_rows_come_out_alike_alone_and_together(self):
        self.fit()
        rows = cluster_points(30, seed=7)
        self.write("new.npy", npy(rows))
        text = self.succeeds("transform", "map.safetensors", "new.npy", "-o", "all.npy")
        self.assertIn("all.npy: 30 points of 3 numbers, from 8, by map.safetensors (faithful)", text)
        together = read_npy(self.path("all.npy"))
        for threads in [1, 2, 3]:
            for i in [0, 17, 29]:
                self.write("one.npy", npy([rows[i]]))
                self.succeeds("transform", "map.safetensors", "one.npy", "-o", "alone.npy", "--overwrite", "--threads", threads)
                self.assertEqual(read_npy(self.path("alone.npy")), [together[i]])

    def test_the_rows_that_lie_farthest_from_the_fit_are_named(self):
        self.fit()
        rows = cluster_points(30, seed=7)
        rows[3] = self.rows[3]
        rows[11] = [value + 50 for value in rows[11]]
        self.write("new.npy", npy(rows))
        run = ["transform", "map.safetensors", "new.npy", "-o", "new-y.npy", "--overwrite"]
        farthest = self.json(*run)["farthest_rows"]
        self.assertEqual((len(farthest), farthest[0]["row"]), (10, 11))
        distances = [far["distance"] for far in farthest]
        self.assertEqual(distances, sorted(distances, reverse=True))
        self.assertAlmostEqual(distances[0], min(math.dist(rows[11], row) for row in self.rows), places=3)
        self.assertNotIn(3, [far["row"] for far in farthest])
        self.assertRegex(self.succeeds(*run), r"farthest_rows +row 11 \([0-9.]+\), row [0-9]+ \(")
        fitted = self.json("transform", "map.safetensors", "x.npy", "-o", "again.npy")
        self.assertEqual(fitted["farthest_rows"], [])
        self.assertNotIn("farthest_rows", self.json(*run, "--by", "weights"))

    def test_rows_are_placed_by_indexes_where_that_is_asked_for(self):
        self.succeeds("generate", "drawn-digits", "--count", 330, "-o", "d.npy")
        self.succeeds("generate", "drawn-digits", "--count", 30, "--seed", 7, "-o", "new.npy")
        fit = ["embed", "d.npy", "-o", "y.npy", "--dim", 8, "--model", "map.safetensors", "--overwrite"]
        self.succeeds(*fit)
        transform = ["transform", "map.safetensors", "new.npy", "-o", "a.npy", "--overwrite"]
        exact = self.json(*transform)
        self.assertEqual(exact["search"], "exact")  # a small model keeps no indexes
        self.assertEqual(exact, exact | {"measures": {}})
        result = self.json(*transform, "--search", "approximate")
        self.assertEqual((result["search"], result["counts"]["compared_rows"]), ("approximate", 10))
        for measure in ["near_found", "recall_at_10", "recall_at_10_exact", "distance_from_exact"]:
            self.assertIn(measure, result["measures"])
        first = self.read("a.npy")
        text = self.succeeds(*transform, "--search", "approximate", "--threads", 1)
        self.assertEqual(self.read("a.npy"), first)
        self.assertIn("approximate", text)
        self.fails(USAGE, *transform, "--search", "index")
        self.fails(USAGE, *transform, "--search", "exact", "--by", "weights")
        self.fails(USAGE, *transform, "--as-queries", says=["--as-queries", "any more", "Euclidean distance", "leave it out"])
        self.succeeds(*fit, "--method", "tsm")
        self.fails(USAGE, *transform, "--search", "approximate")

    def test_stacked_and_picked_rows_are_those_of_a_file_of_them(self):
        self.fit()
        parts = [cluster_points(count, seed=count) for count in [11, 1, 20]]
        for i, part in enumerate(parts):
            self.write("part%d.npy" % i, npy(part))
        self.succeeds("convert", "part2.npy", "part2.csv")
        every = sum(parts, [])
        for flags in [[], ["--every", 3], ["--every", 7, "--from", 12], ["--from", 31]]:
            step = int(flags[flags.index("--every") + 1]) if "--every" in flags else 1
            start = int(flags[flags.index("--from") + 1]) if "--from" in flags else 0
            self.write("picked.npy", npy(every[start::step]))
            self.succeeds("transform", "map.safetensors", "picked.npy", "-o", "a.npy", "--overwrite")
            for last in ["part2.npy", "part2.csv"]:
                files = ["part0.npy", "part1.npy", last]
                self.succeeds("transform", "map.safetensors", *files, "-o", "b.npy", "--overwrite", *flags)
                self.assertEqual(self.read("b.npy"), self.read("a.npy"), flags)
        self.fails(USAGE, "transform", "map.safetensors", "part0.npy", "-o", "c.npy", "--from", 11, says=["--from", "10"])
        self.write("nan.npy", npy([every[0], [1.0] * 7 + [float("inf")]]))
        files = ["part0.npy", "nan.npy"]
        self.fails(BAD_INPUT, "transform", "map.safetensors", *files, "-o", "c.npy", says=["nan.npy", "row 1, column 7"])

    def test_words_and_labels_travel_with_their_rows(self):
        self.fit()
        rows = cluster_points(6, seed=4)
        lines = ["w%d,%s,%d" % (i, ",".join(map(repr, row)), i % 3) for i, row in enumerate(rows)]
        self.write("w.csv", "word,a,b,c,d,e,f,g,h,label\n" + "\n".join(lines) + "\n")
        self.succeeds("transform", "map.safetensors", "w.csv", "-o", "out.csv", "--every", 2)
        with open(self.path("out.csv")) as file:
            fields = [line.strip().split(",") for line in file][1:]
        self.assertEqual([(row[0], row[-1]) for row in fields], [("w0", "0"), ("w2", "2"), ("w4", "1")])

    def test_a_small_memory_limit_serves_any_number_of_rows(self):
        self.fit("--method", "svd")
        # 8 MB of input, and a block of it is less than that.
        self.succeeds("generate", "blobs", "--dim", 8, "--count", 250000, "-o", "many.npy")
        self.succeeds("transform", "map.safetensors", "many.npy", "-o", "out.npy", "--memory-limit", "60M")

    def test_a_map_for_queries(self):
        rows = cluster_points(30, seed=7)
        self.write("new.npy", npy(rows))
        to = ["new.npy", "-o", "out.npy", "--overwrite"]
        tsm = ["--overwrite", "--method", "tsm"]
        self.fit(*tsm)
        self.fails(USAGE, "transform", "map.safetensors", *to, "--by", "map", says=["tsm", "--map relu"])
        for solver in ["low-rank", "sphere"]:
            self.fit(*tsm, "--solver", solver)
            self.succeeds("transform", "map.safetensors", *to)
            placed = self.read("out.npy")
            self.fit(*tsm, "--solver", solver, "--map", "relu")
            self.succeeds("transform", "map.safetensors", *to)
            self.assertEqual(self.read("out.npy"), placed)
            made = self.json("transform", "map.safetensors", *to, "--by", "map")
            self.assertEqual(made["by"], "map")
            together = read_npy(self.path("out.npy"))
            self.assertNotEqual(self.read("out.npy"), placed)
            for threads in [1, 3]:
                self.write("one.npy", npy([rows[17]]))
                self.succeeds("transform", "map.safetensors", "one.npy", "-o", "alone.npy", "--overwrite", "--by", "map",
                              "--threads", threads)
                self.assertEqual(read_npy(self.path("alone.npy")), [together[17]])
        self.write("narrow.npy", npy([row[:7] for row in rows]))
        self.write("nan.npy", npy([[float("nan")] * 8]))
        by_map = ["-o", "no.npy", "--by", "map"]
        self.fails(BAD_INPUT, "transform", "map.safetensors", "narrow.npy", *by_map, says=["7", "8"])
        self.fails(BAD_INPUT, "transform", "map.safetensors", "nan.npy", *by_map, says=["nan.npy", "NaN"])
        self.fit("--overwrite", "--method", "svd")
        self.fails(USAGE, "transform", "map.safetensors", *to, "--by", "map", says=["svd", "linear map", "models of tsm;"])
        self.fit("--overwrite")
        self.fails(USAGE, "transform", "map.safetensors", *to, "--by", "map", says=["faithful", "models of tsm:"])

    def test_embed_names_the_model_in_json(self):
        self.assertEqual(self.json(*FIT, "--model", "map.safetensors")["model"], "map.safetensors")
        self.assertIsNone(self.json(*FIT, "--overwrite")["model"])

    def test_what_is_no_model_is_refused(self):
        self.fit("--checkpoint", "run.safetensors", "--checkpoint-every", 0)
        self.write("text.safetensors", "no model at all")
        to = ["-o", "new.npy"]
        self.fails(BAD_INPUT, "transform", "run.safetensors", "x.npy", *to, says=["run.safetensors", "checkpoint", "--model"])
        self.fails(BAD_INPUT, "transform", "x.npy", "x.npy", *to, says=["x.npy"])
        self.fails(BAD_INPUT, "transform", "text.safetensors", "x.npy", *to, says=["text.safetensors"])
        self.fails(BAD_INPUT, "transform", "nowhere.safetensors", "x.npy", *to, says=["nowhere.safetensors"])
        cut = self.read("map.safetensors")
        self.write("cut.safetensors", cut[: len(cut) // 2])
        self.fails(BAD_INPUT, "transform", "cut.safetensors", "x.npy", *to, says=["cut.safetensors"])

    def test_rows_that_do_not_fit_are_refused(self):
        self.fit()
        self.write("narrow.npy", npy([row[:7] for row in self.rows]))
        self.write("nan.npy", npy([[float("nan")] * 8]))
        to = ["-o", "new.npy"]
        code, _, err = self.run_program("transform", "map.safetensors", "narrow.npy", *to)
        self.assertIn(code, [USAGE, BAD_INPUT])
        self.assertIn("7", err)
        self.assertIn("8", err)
        self.fails(BAD_INPUT, "transform", "map.safetensors", "nan.npy", *to, says=["nan.npy", "NaN"])
        self.fails(USAGE, "transform", "map.safetensors", "x.npy", "-o", "y.npy", says=["y.npy", "--overwrite"])
        self.fails(USAGE, "transform", "map.safetensors", "x.npy", "-o", "new.what", says=["new.what"])

    def test_coordinates_beyond_float32_are_a_run_that_failed(self):
        self.write("x.npy", npy([[-2e38 + i * 1e36, 0.0] for i in range(9)]))
        self.json("embed", "x.npy", "-o", "y.npy", "--method", "pca", "--dim", 1, "--model", "pca.safetensors")
        self.write("far.npy", npy([[-2e38, 0.0], [3e38, 0.0]]))
        self.write("out.npy", npy([[0.0], [-3e38], [3e38]]))
        before = self.names()
        for arguments in [["far.npy"], ["out.npy", "--inverse"]]:
            code, out, err = self.run_program("transform", "pca.safetensors", *arguments, "-o", "new.npy")
            self.assertEqual((code, out), (UNUSABLE, ""), err)
            for words in ["row 1", "range of floating point", "leave out rows"]:
                self.assertIn(words, err)
        self.assertEqual(self.names(), before)

    def test_no_time_at_all_writes_nothing(self):
        self.fit("--method", "svd")
        before = self.names()
        arguments = ["transform", "map.safetensors", "x.npy", "-o", "new.npy", "--time-limit", "0.000001"]
        code, out, err = self.run_program(*arguments)
        self.assertEqual((code, out), (OVER_LIMIT, ""), err)
        self.assertEqual(self.names(), before)


class FitFlags(ProgramTest):
    def setUp(self):
        super().setUp()
        self.write("x.npy", npy(cluster_points(80)))

    def refuses(self, *flags, code=USAGE, says=()):
        self.fails(code, *FIT, *flags, says=says)

    def test_files_that_are_there_stay_as_they_are(self):
        for flag in ["--model", "--checkpoint"]:
            self.write("there.safetensors", "precious")
            self.refuses(flag, "there.safetensors", says=["there.safetensors", "--overwrite"])

    def test_names_that_tell_another_format(self):
        for flag in ["--model", "--checkpoint"]:
            self.refuses(flag, "file.npy", says=["file.npy", ".safetensors"])
            self.refuses(flag, os.path.join("no", "file.safetensors"), says=["no"])
        self.refuses("--model", "a.safetensors", "--checkpoint", "a.safetensors", says=["a.safetensors", "two outputs"])

    def test_nonsense(self):
        self.refuses("--checkpoint", "m.safetensors", "--checkpoint-every", "often", says=["--checkpoint-every", "often"])
        self.refuses("--checkpoint", "m.safetensors", "--checkpoint-every", "-1", says=["--checkpoint-every"])

    def test_a_map_that_cannot_be(self):
        model = ["--method", "tsm", "--model", "m.safetensors"]
        self.refuses("--map", "relu", says=["--map", "--model"])
        self.refuses(*model, "--map", "tanh", says=["--map", "tanh", "relu"])
        for method in ["svd", "faithful"]:
            self.refuses(*model[2:], "--map", "relu", "--method", method, says=["--map relu", method, "tsm", "leave it out"])

    def test_methods_without_checkpoints_say_so(self):
        for flag in ["--checkpoint", "--resume", "--start-from"]:
            self.refuses("--method", "svd", flag, "x.safetensors", says=["svd", "faithful"])

    def test_a_start_is_taken_and_its_shape_checked(self):
        self.succeeds("embed", "x.npy", "-o", "tsm.npy", "--method", "tsm", "--dim", 3)
        plain = self.json(*FIT)
        given = self.json(*FIT, "--overwrite", "--start-from", "tsm.npy")
        self.assertNotEqual(plain["trace"][0], given["trace"][0])
        self.write("short.npy", npy(cluster_points(79, 3)))
        self.write("wide.npy", npy(cluster_points(80, 4)))
        for name, shape in [("short.npy", "79 points of 3"), ("wide.npy", "80 points of 4")]:
            code, _, err = self.run_program(*FIT, "--overwrite", "--start-from", name)
            self.assertIn(code, [USAGE, BAD_INPUT])
            self.assertIn(shape, err)
        self.refuses("--overwrite", "--start-from", "nowhere.npy", code=BAD_INPUT, says=["nowhere.npy"])
        self.refuses("--overwrite", "--method", "tsne", "--start-from", "tsm.npy", "--start", "pca", says=["--start ", "tsm.npy", "is the start"])

    def test_a_checkpoint_of_another_run_is_refused(self):
        run = ["--checkpoint", "run.safetensors", "--checkpoint-every", 0, "--iterations", 5, "--overwrite"]
        self.succeeds(*FIT, *run)
        resume = ["--overwrite", "--resume", "run.safetensors"]
        self.refuses(*resume, "--neighbors", 5, code=BAD_INPUT, says=["run.safetensors", "neighbors", "5"])
        self.write("x.npy", npy(cluster_points(80, seed=2)))
        self.refuses(*resume, code=BAD_INPUT, says=["run.safetensors", "another input"])
        self.refuses("--overwrite", "--resume", "x.npy", code=BAD_INPUT, says=["x.npy"])
        self.refuses("--overwrite", "--resume", "nowhere.safetensors", code=BAD_INPUT, says=["nowhere.safetensors"])
        self.succeeds(*FIT, "--overwrite", "--model", "map.safetensors")
        self.refuses("--overwrite", "--resume", "map.safetensors", code=BAD_INPUT, says=["map.safetensors", "no checkpoint"])


class Resume(ProgramTest):
    """A run that was ended goes on to the bytes of one that was not."""

    def setUp(self):
        super().setUp()
        self.digits(400)

    def long_run(self, *more):
        return [*LONG, "-o", "y.npy", "--iterations", 100000, "--checkpoint", "run.safetensors", *more]

    def start_run(self):
        """Returns once the second checkpoint, or a later one, is there."""
        process = self.start(*self.long_run("--checkpoint-every", 0), "--quiet", preexec_fn=default_signals)
        self.wait_for_two_checkpoints(process)
        return process

    def goes_on_to_the_same_bytes(self):
        arrays = {array["name"]: array["shape"] for array in self.json("info", "run.safetensors")["arrays"]}
        iterations = ["--iterations", arrays["trace"][0] + 40]
        self.succeeds(*LONG, "-o", "whole.npy", *iterations)
        own = ["--resume", "run.safetensors", "--checkpoint", "run.safetensors"]
        self.succeeds(*LONG, "-o", "resumed.npy", *iterations, *own, "--threads", 1)
        self.assertEqual(self.read("resumed.npy"), self.read("whole.npy"))

    def test_after_a_kill(self):
        process = self.start_run()
        process.kill()
        process.communicate()
        self.assertNotIn("y.npy", self.names())
        self.goes_on_to_the_same_bytes()

    def test_after_the_first_signal(self):
        process = self.start_run()
        _, err = self.interrupt(process)
        self.assertEqual(len(read_npy(self.path("y.npy"))), 400)
        self.assertFalse([name for name in self.names() if name.endswith(".tmp")])
        self.goes_on_to_the_same_bytes()

    def test_after_a_time_limit(self):
        code, _, err = self.run_program(*self.long_run("--time-limit", "0.5s"))
        self.assertEqual(code, OVER_LIMIT, err)
        if "run.safetensors" in self.names():  # a busy machine may not have come to the matching
            self.goes_on_to_the_same_bytes()

    def test_distances_tell_which_rows_belong_nowhere(self):
        rows = cluster_points(60)
        self.write("x.npy", npy(rows))
        self.write("new.npy", npy([rows[3], [value + 100 for value in rows[4]]]))
        for method in ("umap", "faithful", "tsne"):
            self.succeeds("embed", "x.npy", "-o", "y.npy", "--dim", 2, "--method", method, "--model", "m.safetensors", "--overwrite")
            self.succeeds("transform", "m.safetensors", "new.npy", "-o", "z.npy", "--distances", "d.csv", "--overwrite")
            head, *lines = self.read("d.csv").decode().split()
            self.assertEqual(head, "distance,in_radii")
            known, strange = ([float(word) for word in line.split(",")] for line in lines)
            self.assertEqual(known, [0, 0])
            self.assertGreater(strange[0], 250)
            self.assertGreater(strange[1], 50)
        self.succeeds("embed", "x.npy", "-o", "y.npy", "--dim", 2, "--method", "pca", "--model", "m.safetensors", "--overwrite")
        self.fails(USAGE, "transform", "m.safetensors", "new.npy", "-o", "n.npy", "--distances", "n.csv", says=["--distances", "m.safetensors"])
        self.fails(USAGE, "transform", "m.safetensors", "new.npy", "-o", "out/", "--distances", "n.csv", says=["--distances"])

if __name__ == "__main__":
    unittest.main()
