import unittest

from program import BAD_INPUT, OVER_LIMIT, USAGE, ProgramTest, cluster_points, npy, read_npy


class Quantize(ProgramTest):
    def setUp(self):
        super().setUp()
        self.rows = cluster_points(400)
        self.write("x.npy", npy(self.rows))
        self.bytes = len(self.rows[0]) // 2

    def quantize(self, *words):
        return self.json("quantize", "x.npy", "-o", "c.safetensors", "--overwrite", *words)

    def test_codes_are_as_long_as_asked_and_say_what_they_keep(self):
        result = self.quantize("--bytes", self.bytes)
        self.assertEqual((result["verb"], result["output"]), ("quantize", "c.safetensors"))
        self.assertEqual(result["options"]["bytes"], self.bytes)
        self.assertTrue(0.3 < result["measures"]["recall_at_10"] <= 1.0)
        text = self.succeeds("info", "c.safetensors")
        self.assertIn(f"codes: 400 x {self.bytes} of uint8", text)

    def test_the_same_codes_on_any_number_of_threads(self):
        self.quantize("--threads", 1)
        one = self.read("c.safetensors")
        self.quantize("--threads", 3)
        self.assertEqual(self.read("c.safetensors"), one)

    def test_neighbors_of_queries_are_those_of_what_convert_decodes(self):
        self.quantize("--bytes", self.bytes)
        self.write("q.npy", npy(self.rows[:7]))
        self.succeeds("convert", "c.safetensors", "d.npy")
        self.succeeds("neighbors", "c.safetensors", "--queries", "q.npy", "-k", 5, "-o", "n.npy")
        self.succeeds("neighbors", "d.npy", "--queries", "q.npy", "-k", 5, "-o", "slow.npy")
        self.assertEqual(read_npy(self.path("n.npy")), read_npy(self.path("slow.npy")))
        self.assertEqual(len(read_npy(self.path("d.npy"))), 400)

    def test_vectors_that_came_later_get_the_codes_they_would_have_had(self):
        self.quantize()
        self.write("later.npy", npy(self.rows[100:130]))
        self.succeeds("quantize", "later.npy", "-o", "later.safetensors", "--by", "c.safetensors")
        for name in ("c", "later"):
            self.succeeds("convert", f"{name}.safetensors", f"{name}-decoded.npy")
        self.assertEqual(read_npy(self.path("later-decoded.npy")), read_npy(self.path("c-decoded.npy"))[100:130])

    def test_what_cannot_be_is_refused_by_name_and_nothing_is_written(self):
        wide = len(self.rows[0]) + 1
        for code, words, says in [
            (USAGE, ["x.npy", "-o", "n.safetensors", "--bytes", wide], ["--bytes", str(wide), f"at most {wide - 1}"]),
            (USAGE, ["x.npy", "-o", "n.npy"], ["n.npy", ".safetensors"]),
            (USAGE, ["x.npy", "-o", "n.safetensors", "--by", "c.safetensors", "--bytes", 2], ["--bytes", "--by"]),
            (BAD_INPUT, ["x.npy", "-o", "n.safetensors", "--by", "x.npy"], ["x.npy", "safetensors"]),
            (OVER_LIMIT, ["x.npy", "-o", "n.safetensors", "--memory-limit", "20k"], ["memory"]),
        ]:
            with self.subTest(words=words):
                self.fails(code, "quantize", *words, says=says)
                self.assertNotIn("n.safetensors", self.names())

    def test_a_model_keeps_codes_and_transform_gives_those_of_new_points(self):
        """By the same codewords: the codes of the coordinates that transform gives."""
        for method, metric in (("svd", "cosine"), ("pca", "euclidean")):
            with self.subTest(method=method):
                self.succeeds("embed", "x.npy", "-o", "y.npy", "--dim", 3, "--method", method, "--model", "m.safetensors",
                              "--codes", 2, "--overwrite")
                self.write("new.npy", npy(self.rows[150:170]))
                made = self.json("transform", "m.safetensors", "new.npy", "-o", "codes.safetensors", "--codes", "--overwrite")
                self.assertTrue(made["codes"])
                self.succeeds("transform", "m.safetensors", "new.npy", "-o", "places.npy", "--overwrite")
                again = self.json("quantize", "places.npy", "-o", "again.safetensors", "--by", "m.safetensors", "--overwrite")
                self.assertEqual((again["options"]["bytes"], again["options"]["metric"]), (2, metric))
                self.assertEqual(self.read("codes.safetensors"), self.read("again.safetensors"))
                # The fitted points' own are those that quantize learns from their coordinates.
                self.succeeds("quantize", "y.npy", "-o", "own.safetensors", "--bytes", 2, "--metric", metric, "--overwrite")
                self.succeeds("quantize", "places.npy", "-o", "others.safetensors", "--by", "own.safetensors", "--overwrite")
                self.assertEqual(self.read("others.safetensors"), self.read("codes.safetensors"))

    def test_a_model_with_codes_is_searched(self):
        self.succeeds("embed", "x.npy", "-o", "y.npy", "--dim", 3, "--method", "svd", "--model", "m.safetensors", "--codes", 2)
        self.succeeds("quantize", "y.npy", "-o", "own.safetensors", "--bytes", 2)
        self.write("q.npy", npy(read_npy(self.path("y.npy"))[:9]))
        for name in ("m", "own"):
            self.succeeds("neighbors", f"{name}.safetensors", "--queries", "q.npy", "-k", 5, "-o", f"near-{name}.npy")
        self.assertEqual(read_npy(self.path("near-m.npy")), read_npy(self.path("near-own.npy")))

    def test_codes_go_by_what_the_fit_keeps(self):
        """And have no more bytes than it has numbers, which is said where the method chooses them."""
        fit = ["embed", "x.npy", "-o", "y.npy", "--model", "m.safetensors", "--overwrite"]
        for method, metric in [("faithful", "euclidean"), ("tsm", "cosine")]:
            self.succeeds(*fit, "--dim", 3, "--method", method, "--codes", 3)
            made = self.json("quantize", "y.npy", "-o", "c.safetensors", "--by", "m.safetensors", "--overwrite")
            self.assertEqual((made["options"]["bytes"], made["options"]["metric"]), (3, metric))
        code, _, says = self.run_program(*fit, "--method", "umap", "--codes", 16)
        self.assertEqual(code, 0)
        self.assertIn("--codes 16: the fit has 2 numbers for each point, so its codes have 2 bytes", says)

    def test_codes_of_a_model_that_cannot_be(self):
        fit = ["embed", "x.npy", "--dim", 3, "--method", "svd"]
        self.succeeds(*fit, "-o", "y.npy", "--model", "m.safetensors")
        for code, words, says in [
            (USAGE, [*fit, "-o", "z.npy", "--codes", 2], ["--codes", "--model"]),
            (USAGE, [*fit, "-o", "z.npy", "--model", "n.safetensors", "--codes", 4], ["--codes", "4", "at most 3"]),
            (USAGE, [*fit, "-o", "z.npy", "--model", "n.safetensors", "--codes", 0], ["--codes", "0"]),
            (BAD_INPUT, ["transform", "m.safetensors", "x.npy", "-o", "n.safetensors", "--codes"], ["m.safetensors", "without codes"]),
            (USAGE, ["transform", "m.safetensors", "x.npy", "-o", "n.npy", "--codes"], ["n.npy", ".safetensors"]),
            (USAGE, ["transform", "m.safetensors", "x.npy", "-o", "out/", "--codes"], ["--codes", "folder"]),
            (USAGE, ["transform", "m.safetensors", "y.npy", "-o", "n.safetensors", "--codes", "--inverse"], ["--codes", "--inverse"]),
        ]:
            with self.subTest(words=words):
                self.fails(code, *words, says=says)
                self.assertFalse({"n.safetensors", "z.npy", "n.npy"} & set(self.names()))

    def test_codes_of_other_kinds_and_other_dimensions(self):
        self.quantize()
        self.write("narrow.npy", npy([row[:-1] for row in self.rows]))
        dimension = str(len(self.rows[0]))
        self.fails(BAD_INPUT, "quantize", "narrow.npy", "-o", "n.safetensors", "--by", "c.safetensors", says=[dimension])
        self.fails(BAD_INPUT, "neighbors", "c.safetensors", "--queries", "narrow.npy", "-o", "n.npy", says=[dimension])
        self.fails(USAGE, "neighbors", "c.safetensors", "-o", "n.npy", says=["c.safetensors", "--queries"])
        self.fails(USAGE, "convert", "c.safetensors", "d.npy", "--every", 2, says=["--every"])
        self.succeeds("embed", "x.npy", "-o", "y.npy", "--dim", 2, "--method", "svd", "--model", "m.safetensors")
        self.fails(BAD_INPUT, "quantize", "x.npy", "-o", "n.safetensors", "--by", "m.safetensors",
                   says=["m.safetensors", "codes"])
        whole = self.read("c.safetensors")
        self.write("short.safetensors", whole[:-40])
        self.fails(BAD_INPUT, "convert", "short.safetensors", "d.npy", says=["short.safetensors"])


if __name__ == "__main__":
    unittest.main()
