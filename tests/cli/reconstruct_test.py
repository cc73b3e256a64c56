import unittest

from decompose_test import OUTPUT, market, product, read_model, sparse_rows
from program import BAD_INPUT, OVER_LIMIT, USAGE, ProgramTest, npy, read_npy


class Reconstruct(ProgramTest):
    def setUp(self):
        super().setUp()
        self.write("s.mtx", market(OUTPUT))
        self.succeeds("decompose", "s.mtx", "-o", "m.safetensors", "--rank", 2, "--iterations", 20)
        _, arrays = read_model(self.path("m.safetensors"))
        self.latent = product(arrays["W"], arrays["H"])
        self.output = [[max(0.0, value) for value in row] for row in self.latent]

    def rows(self, *arguments):
        self.succeeds("reconstruct", "m.safetensors", "-o", "r.npy", "--overwrite", *arguments)
        return read_npy(self.path("r.npy"))

    def assert_rows(self, found, wanted):
        self.assertEqual([len(row) for row in found], [len(row) for row in wanted])
        for row, other in zip(found, wanted):
            for a, b in zip(row, other):
                self.assertAlmostEqual(a, b, delta=1e-5)

    def test_is_what_the_factors_make(self):
        self.assert_rows(self.rows(), self.output)
        self.assert_rows(self.rows("--latent"), self.latent)
        self.assertTrue(any(value < 0 for row in self.rows("--latent") for value in row))

    def test_rows_and_columns_are_picked(self):
        self.write("picked.npy", npy([5, 0, 5], "<i8"))
        for text, picked in [("1:3", [1, 2]), (":2", [0, 1]), ("4:", [4, 5]), ("3", [3]), ("3,1,3", [3, 1, 3]),
                             ("picked.npy", [5, 0, 5])]:
            with self.subTest(text=text):
                self.assert_rows(self.rows("--rows", text), [self.output[i] for i in picked])
                self.assert_rows(self.rows("--columns", text), [[row[j] for j in picked] for row in self.output])

    def test_matrix_market_has_all_digits_and_no_zeros(self):
        self.succeeds("reconstruct", "m.safetensors", "-o", "r.mtx")
        lines = self.read("r.mtx").decode().splitlines()
        self.assertEqual(lines[1].split()[:2], ["6", "6"])
        self.assertEqual(int(lines[1].split()[2]), sum(value > 0 for row in self.output for value in row))
        for line in lines[2:]:
            i, j, value = line.split()
            self.assertAlmostEqual(float(value), self.output[int(i) - 1][int(j) - 1], places=12)

    def test_many_rows_come_in_blocks(self):
        # 12 rows of so many columns are more than one block.
        self.write("s.mtx", "%%MatrixMarket matrix coordinate real general\n12 300000 12\n" +
                   "".join("%d %d %d\n" % (i, i * 20000, i) for i in range(1, 13)))
        self.succeeds("decompose", "s.mtx", "-o", "wide.safetensors", "--rank", 1, "--algorithm", "alternating",
                      "--iterations", 1, "--precision", "float32")
        self.succeeds("reconstruct", "wide.safetensors", "-o", "all.npy", "--latent")
        self.succeeds("reconstruct", "wide.safetensors", "-o", "last.npy", "--latent", "--rows", "11")
        self.assertTrue(self.read("all.npy").endswith(self.read("last.npy")[-1200000:]))

    def test_threads_change_no_bit(self):
        self.write("s.npy", npy(sparse_rows(100, 70), "<f8"))
        self.succeeds("decompose", "s.npy", "-o", "t.safetensors", "--rank", 3, "--iterations", 3)
        for threads in [1, 3]:
            self.succeeds("reconstruct", "t.safetensors", "-o", "%d.npy" % threads, "--threads", threads)
        self.assertEqual(self.read("1.npy"), self.read("3.npy"))

    def test_json(self):
        result = self.json("reconstruct", "m.safetensors", "-o", "r.npy", "--rows", "0:4")
        self.assertEqual((result["shape"], result["rank"], result["latent"]), ({"rows": 4, "columns": 6}, 2, False))

    def test_bad_selections(self):
        start = ["reconstruct", "m.safetensors", "-o", "r.npy"]
        for flag in ["--rows", "--columns"]:
            for text in ["3:3", "4:2", "0:7", "6", "1,9", "1,,2", "99999999999"]:
                with self.subTest(flag=flag, text=text):
                    self.fails(USAGE, *start, flag, text, says=[flag, text])
        self.write("bad.csv", "1\n6\n")
        self.fails(BAD_INPUT, *start, "--rows", "bad.csv", says=["bad.csv", "6"])
        self.fails(BAD_INPUT, *start, "--rows", "gone.csv", says=["gone.csv"])

    def test_bad_files(self):
        self.fails(BAD_INPUT, "reconstruct", "s.mtx", "-o", "r.npy", says=["s.mtx"])
        self.fails(USAGE, "reconstruct", "m.safetensors", "-o", "r.what", says=["r.what"])
        self.fails(USAGE, "reconstruct", "m.safetensors", "-o", "m.safetensors", says=["m.safetensors"])
        self.succeeds("generate", "blobs", "--count", 60, "-o", "x.npy")
        self.succeeds("embed", "x.npy", "-o", "y.npy", "--method", "svd", "--dim", 2, "--model", "svd.safetensors")
        self.fails(BAD_INPUT, "reconstruct", "svd.safetensors", "-o", "r.npy", says=["svd.safetensors", "not a decomposition"])

    def test_limits(self):
        self.fails(OVER_LIMIT, "reconstruct", "m.safetensors", "-o", "r.npy", "--memory-limit", "300", says=["--memory-limit"])
        self.fails(OVER_LIMIT, "reconstruct", "m.safetensors", "-o", "r.npy", "--time-limit", "0.000001", says=["time"])


if __name__ == "__main__":
    unittest.main()
