import unittest

from program import USAGE, ProgramTest, cluster_points, npy, read_npy

KEYS = {
    "method", "options", "input", "output", "shape", "termination", "message", "seconds", "seconds_by_phase",
    "counts", "measures", "trace", "warnings", "seed", "threads", "version", "peak_memory_bytes",
}  # fmt: skip


class Embed(ProgramTest):
    def test_every_method_gives_one_row_of_coordinates_a_point(self):
        self.digits(200)
        for method in self.json("methods")["methods"]:
            with self.subTest(method=method["name"]):
                name = method["name"] + ".npy"
                result = self.json("embed", "digits.npy", "-o", name, "--method", method["name"], "--dim", 5)
                rows = read_npy(self.path(name))
                self.assertEqual((len(rows), {len(row) for row in rows}), (200, {5}))
                self.assertTrue(all(value == value for row in rows for value in row))
                self.assertLessEqual(KEYS, set(result))
                self.assertEqual(result["method"], method["name"])
                self.assertEqual(set(result["options"]), {option["name"] for option in method["options"]})
                self.assertEqual(result["options"]["dimension"], 5)
                self.assertEqual(result["shape"], {"points": 200, "dimension": 5})
                self.assertEqual(result["output"], name)
                self.assertGreater(result["peak_memory_bytes"], 1000000)

    def test_the_default_method_is_faithful(self):
        self.digits(200)
        self.assertEqual(self.json("embed", "digits.npy", "-o", "y.npy")["method"], "faithful")

    def test_text_names_output_shape_and_end(self):
        self.digits(200)
        text = self.succeeds("embed", "digits.npy", "-o", "y.npy", "--method", "svd", "--dim", 4)
        self.assertIn("y.npy: 200 points of 4 numbers", text)

    def test_quiet_says_nothing_on_stderr(self):
        self.digits(200)
        code, _, err = self.run_program("embed", "digits.npy", "-o", "y.npy", "--quiet")
        self.assertEqual((code, err), (0, ""))

    def test_the_same_bits_for_any_number_of_threads(self):
        self.digits(300)
        for threads in [1, 2, 3]:
            name = "y%d.npy" % threads
            self.succeeds("embed", "digits.npy", "-o", name, "--dim", 6, "--threads", threads)
        self.assertEqual(self.read("y1.npy"), self.read("y2.npy"))
        self.assertEqual(self.read("y1.npy"), self.read("y3.npy"))

    def test_every_flag_arrives_in_the_options(self):
        """Each option takes a value that is not its default, and the run says that it was used."""
        self.digits(100)
        self.succeeds("embed", "digits.npy", "-o", "start.npy", "--method", "pca", "--dim", 2)
        for method in self.json("methods")["methods"]:
            for option in method["options"]:
                flags, value = another_value(option)
                if (method["name"], option["name"]) in IN_RANGE:
                    value = IN_RANGE[method["name"], option["name"]]
                    flags = ["--" + option["name"], value]
                flags += BESIDE.get((method["name"], option["name"]), [])
                for need in option["needs"]:  # where it counts; auto would not do for all of them
                    other = next(spec for spec in method["options"] if spec["name"] == need["option"])
                    # Without values any but the default will do.
                    flags += (["--" + need["option"], next((value for value in need["values"] if value != "auto"), "auto")]
                              if need["values"] else another_value(other)[0])
                for flag, usual in QUICK.get(method["name"], {}).items():
                    flags += [] if flag in flags else [flag, usual]
                with self.subTest(method=method["name"], option=option["name"]):
                    result = self.json("embed", "digits.npy", "-o", "y.npy", "--overwrite", "--method", method["name"], *flags)
                    self.assertEqual(result["options"][option["name"]], value)

    def test_points_that_keep_fewest_neighbours_are_named(self):
        self.digits(300)
        worst = self.json("embed", "digits.npy", "-o", "y.npy", "--dim", 6)["worst_points"]
        self.assertEqual(len(worst), 10)
        self.assertEqual(worst, sorted(worst, key=lambda one: (one["kept"], one["point"])))
        self.assertEqual(worst, self.json("score", "digits.npy", "y.npy", "--neighbors", 12)["worst_points"])
        self.assertNotIn("worst_points", self.json("embed", "digits.npy", "-o", "s.npy", "--method", "svd", "--dim", 6))

    def test_points_that_keep_fewest_neighbours_have_their_numbers_in_the_files(self):
        self.digits(400)
        self.succeeds("convert", "digits.npy", "picked.npy", "--every", 4, "--from", 3)
        picked = self.json("embed", "picked.npy", "-o", "p.npy", "--dim", 6)["worst_points"]
        worst = self.json("embed", "digits.npy", "-o", "y.npy", "--dim", 6, "--every", 4, "--from", 3)["worst_points"]
        self.assertEqual([one["point"] for one in worst], [3 + 4 * one["point"] for one in picked])

    def test_text_says_what_was_kept(self):
        """The measures of neighbours come first: of many only the first are shown."""
        self.digits(400)
        for flags in [["--dim", 12], ["--dim", "auto"], ["--dim", 12, "--metric", "euclidean"]]:
            with self.subTest(flags):
                text = self.succeeds("embed", "digits.npy", "-o", "y.npy", "--overwrite", *flags)
                for name in ["kept_neighbors ", "all_kept ", "kept_in_order "] + ["kept_neighbors_in_8 "] * ("auto" in flags):
                    self.assertIn("  " + name, text)
                self.assertIn("fewest kept: point ", text)
        self.assertNotIn("fewest kept", self.succeeds("embed", "digits.npy", "-o", "s.npy", "--method", "svd", "--dim", 6))

    def test_the_fewest_dimensions_are_found(self):
        self.digits(300)
        found = self.json("embed", "digits.npy", "-o", "y.npy", "--dim", "auto", "--recall", 0.8, "--model", "m.safetensors")
        d = found["options"]["dimension"]
        self.assertEqual(found["shape"], {"points": 300, "dimension": d})
        self.assertGreaterEqual(found["measures"]["kept_neighbors"], 0.8)
        self.assertLess(found["measures"].get("kept_neighbors_in_%d" % (d - 1), 1.0 if d > 1 else 0.0), 0.8)
        self.assertIn("%d dimensions keep" % d, found["message"])
        self.succeeds("transform", "m.safetensors", "digits.npy", "-o", "t.npy")
        self.assertEqual(self.read("t.npy"), self.read("y.npy"))
        self.fails(USAGE, "embed", "digits.npy", "-o", "n.npy", "--recall", 0.8, says=["--recall", "--dim"])
        for flags in [["--checkpoint", "c.safetensors"], ["--landmarks", 100]]:
            with self.subTest(flags):
                self.fails(USAGE, "embed", "digits.npy", "-o", "n.npy", "--dim", "auto", *flags, says=["--dim", "auto"])
        self.fails(USAGE, "embed", "digits.npy", "-o", "n.npy", "--method", "svd", "--dim", "auto", says=["--dim", "auto"])

    def test_an_option_of_another_method_is_refused_and_its_owner_named(self):
        methods = self.json("methods")["methods"]
        names = {method["name"]: {option["name"] for option in method["options"]} for method in methods}
        foreign = sorted(names["tsm"] - names["svd"])[0]
        self.write("x.npy", npy(cluster_points(20)))
        spec = next(option for option in methods if option["name"] == "tsm")["options"]
        flags, _ = another_value(next(option for option in spec if option["name"] == foreign))
        self.fails(USAGE, "embed", "x.npy", "-o", "y.npy", "--method", "svd", *flags, says=["--" + foreign, "svd", "tsm"])

    def test_options_that_faithful_had_say_what_to_type_instead(self):
        self.write("x.npy", npy(cluster_points(30)))
        for flag, value, instead in [
            ("--threshold", 0.5, "--method tsm --threshold"), ("--favor", "angles", "--method tsm --solver sphere"),
            ("--weights", "norms", "--method tsm"), ("--balance", 2, "leave it out"), ("--start", "svd", "--start-from FILE"),
            ("--output-for", "inner-product", "--metric cosine"),
        ]:  # fmt: skip
            with self.subTest(flag):
                for word in [[flag, value], ["%s=%s" % (flag, value)]]:
                    self.fails(USAGE, "embed", "x.npy", "-o", "y.npy", *word, says=[flag, instead])
                self.fails(USAGE, "compare", "x.npy", "--dims", 2, "--methods", "faithful:%s=%s" % (flag[2:], value), says=[instead])
        for flag, value in [("--neighbors", 0), ("--metric", "inner-product")]:
            self.fails(USAGE, "embed", "x.npy", "-o", "y.npy", flag, value, says=[flag, "must be"])

    def test_flags_that_early_builds_had_say_what_stands_for_them(self):
        self.write("x.npy", npy(cluster_points(30)))
        for flag, instead in [
            ("--recipe=paper", "leave it out"), ("--no-virtual-inputs", "leave it out"), ("--affinity=gaussian", "--kernel"),
            ("--repulsion=fft", "--solver"), ("--epochs=9", "--iterations"), ("--supervised", "--target-weight 0.5"),
            ("--rule=slack", "--solver exact"), ("--weight-neighbors=9", "--neighbors"), ("--rank=9", "--method pca"),
            ("--title=t", "isogon report"), ("--codes=8", "isogon quantize"), ("--queries-like=q.npy", "query_map"),
            ("--save-neighbors=n.safetensors", "isogon neighbors"), ("--affinity-graph=w.mtx", "affinities=A"),
            ("--search=exact", "--neighbor-graph"),
        ]:  # fmt: skip
            with self.subTest(flag):
                self.fails(USAGE, "embed", "x.npy", "-o", "y.npy", flag, says=[flag.split("=")[0], "any more", instead])

    def test_unknown_method(self):
        self.write("x.npy", npy(cluster_points(20)))
        self.fails(USAGE, "embed", "x.npy", "-o", "y.npy", "--method", "nothing", says=["nothing", "svd"])

    def test_several_files_are_stacked_and_picked(self):
        rows = cluster_points(50)
        self.write("all.npy", npy(rows[1::3]))
        self.write("a.npy", npy(rows[:20]))
        self.write("b.npy", npy(rows[20:]))
        svd = ["--method", "svd", "--dim", 3]
        self.succeeds("embed", "all.npy", "-o", "y1.npy", *svd)
        result = self.json("embed", "a.npy", "b.npy", "-o", "y2.npy", *svd, "--every", 3, "--from", 1)
        self.assertEqual(self.read("y1.npy"), self.read("y2.npy"))
        self.assertEqual(result["input"], {"files": ["a.npy", "b.npy"], "every": 3, "from": 1, "points": 17, "dimension": 8})

    def test_words_travel_to_word_vectors(self):
        lines = ["%s %s" % ("word%d" % i, " ".join("%.5f" % v for v in row)) for i, row in enumerate(cluster_points(20))]
        self.write("x.vec", "20 8\n" + "\n".join(lines) + "\n")
        self.succeeds("embed", "x.vec", "-o", "y.vec", "--method", "svd", "--dim", 2)
        written = self.read("y.vec").decode().splitlines()
        self.assertEqual(written[0], "20 2")
        self.assertEqual([line.split()[0] for line in written[1:]], ["word%d" % i for i in range(20)])


# Options that are refused where they would change nothing, and the others that give them something to do.
# And those whose value depends on the data: these digits are some thousand apart.
IN_RANGE = {("laplacian", "sigma"): 5000.0,
            **{(method, "components"): "largest" for method in ("isomap", "laplacian", "lle")},
            **{(method, "components"): "bridge" for method in ("sde", "lsde")}}
QUICK = {"sde": {"--neighbors": 2, "--components": "bridge"}}  # not a few seconds for each of its options
BESIDE = {("umap", "target-weight"): ["--labels", "labels.npy"],
          **{(method, "hold"): ["--start-from", "start.npy"] for method in ("tsne", "umap")},
          ("isomap", "graph"): ["--components", "bridge"], ("isomap", "threshold"): ["--components", "bridge"]}


def another_value(option):
    """Flags that set the option, and the value that JSON should then show."""
    flag, default = "--" + option["name"], option["default"]
    if option["kind"] == "flag":
        return (["--no-" + option["name"]], False) if default else ([flag], True)
    if option["kind"] == "choice":
        value = next(choice for choice in option["choices"] if choice != default)
        return [flag, value], value
    low, high = option["minimum"], option["maximum"]
    if option["kind"] == "integer":
        default = low + 1 if default == "auto" else default
        value = default + 1 if high is None or default + 1 <= high else default - 1
        return [flag, value], value
    candidates = [0.5, 0.25, 0.125, 0.0078125, low, high, 2.5]
    inside = lambda v: (low is None or v > low) and (high is None or v < high)
    value = next(v for v in candidates if v is not None and v != default and inside(v))
    return [flag, value], value


if __name__ == "__main__":
    unittest.main()
