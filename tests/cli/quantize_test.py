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



if __name__ == "__main__":
    unittest.main()
