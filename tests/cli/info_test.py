import gzip
import struct
import unittest

from program import BAD_INPUT, ProgramTest, npy


class Info(ProgramTest):
    def test_says_what_the_file_says_of_itself(self):
        self.write("x.npy", npy([[1.0, 2.0, 3.0]] * 4, "<f8"))
        result = self.json("info", "x.npy")
        self.assertEqual((result["format"], result["shape"], result["scalar"]), ("npy", [4, 3], "float64"))
        self.assertEqual(result["bytes"], len(self.read("x.npy")))
        self.assertNotIn("statistics", result)
        self.assertIn("4 x 3 of float64", self.succeeds("info", "x.npy"))

    def test_images_keep_their_sides(self):
        self.write("a-idx3-ubyte.gz", gzip.compress(struct.pack(">HBBIII", 0, 8, 3, 2, 2, 3) + bytes(12)))
        result = self.json("info", "a-idx3-ubyte.gz")
        self.assertEqual((result["shape"], result["gzip"], result["scalar"]), ([2, 2, 3], True, "uint8"))

    def test_statistics(self):
        self.write("x.npy", npy([[3.0, 4.0], [0.0, 0.0], [float("nan"), 1.0], [0.0, 1.0]]))
        statistics = self.json("info", "x.npy", "--stats")["statistics"]
        self.assertEqual(statistics["norm_minimum"], 0.0)
        self.assertEqual(statistics["norm_maximum"], 5.0)
        self.assertEqual(statistics["norm_mean"], 2.0)
        self.assertEqual((statistics["zero_vectors"], statistics["not_finite"]), (1, 1))
        self.assertIn("1 zero vectors, 1 NaN", self.succeeds("info", "x.npy", "--stats"))

    def test_missing_file(self):
        self.fails(BAD_INPUT, "info", "nowhere.npy", says=["nowhere.npy"])


if __name__ == "__main__":
    unittest.main()
