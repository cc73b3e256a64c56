"""Every kind of bad input: a clear error, the right exit code, nothing written."""

import gzip
import struct
import unittest

from program import BAD_INPUT, OVER_LIMIT, USAGE, ProgramTest, cluster_points, npy, npy_header


class BadFiles(ProgramTest):
    def refused(self, name, content, says=()):
        self.write(name, content)
        for verb in [["embed", name, "-o", "out.npy"], ["convert", name, "out.npy"], ["threshold", name]]:
            with self.subTest(verb=verb[0]):
                self.fails(BAD_INPUT, *verb, says=[name, *says])

    def test_missing(self):
        self.fails(BAD_INPUT, "embed", "nowhere.npy", "-o", "out.npy", says=["nowhere.npy"])

    def test_empty(self):
        for name in ["x.npy", "x.csv", "x.fvecs", "x.vec", "x-idx3-ubyte", "x.csv.gz"]:
            with self.subTest(name=name):
                self.refused(name, b"")

    def test_truncated(self):
        self.refused("x.npy", npy(cluster_points(20))[:-5])
        self.refused("x-idx3-ubyte", struct.pack(">HBBIII", 0, 8, 3, 5, 2, 2) + bytes(19))
        self.refused("x.fvecs", struct.pack("<ifff", 3, 1, 2, 3) + struct.pack("<if", 3, 1))
        self.refused("x.csv.gz", gzip.compress(b"1,2\n" * 5000)[:-20])

    def test_corrupted_gzip(self):
        data = bytearray(gzip.compress(bytes(range(256)) * 40))
        data[len(data) // 2] ^= 0xFF
        self.refused("x-idx3-ubyte.gz", bytes(data))

    def test_wrong_magic(self):
        self.refused("x.npy", b"not numpy at all" * 20)
        self.refused("x-idx3-ubyte", b"\x01\x02\x03\x04" * 20)

    def test_shape_that_overflows(self):
        self.refused("x.npy", npy_header("<f4", (2**62, 8)) + bytes(64))
        self.refused("x-idx3-ubyte", struct.pack(">HBBIII", 0, 8, 3, 2**32 - 1, 2**32 - 1, 2**32 - 1) + bytes(64))

    def test_object_dtype(self):
        self.refused("x.npy", npy_header("|O", (4, 2)) + bytes(64))

    def test_ragged_table(self):
        self.refused("x.csv", "1,2,3\n4,5,6\n7,8\n9,10,11\n", says=["3"])

    def test_text_where_numbers_belong(self):
        self.refused("x.csv", "1,2,3\n4,five,6\n7,8,9\n", says=["five"])


class BadValues(ProgramTest):
    def test_nan_and_infinity_name_row_and_column(self):
        for value, word in [(float("nan"), "NaN"), (float("inf"), "infinite"), (float("-inf"), "infinite")]:
            rows = cluster_points(40)
            rows[17][5] = value
            self.write("x.npy", npy(rows))
            with self.subTest(word=word):
                self.fails(BAD_INPUT, "embed", "x.npy", "-o", "y.npy", says=["x.npy", "row 17", "column 5", word])
                self.fails(BAD_INPUT, "threshold", "x.npy", says=["row 17", "column 5"])
                self.fails(BAD_INPUT, "score", "x.npy", "x.npy", says=["row 17", "column 5"])

    def test_rows_that_are_not_picked_may_hold_nan(self):
        rows = cluster_points(40)
        rows[17][5] = float("nan")
        self.write("x.npy", npy(rows))
        self.succeeds("embed", "x.npy", "-o", "y.npy", "--method", "svd", "--dim", 2, "--every", 2)
        self.fails(BAD_INPUT, "embed", "x.npy", "-o", "z.npy", "--every", 2, "--from", 1, says=["row 17"])

    def test_files_of_different_dimension(self):
        self.write("a.npy", npy(cluster_points(10, dimension=3)))
        self.write("b.npy", npy(cluster_points(10, dimension=4)))
        self.fails(BAD_INPUT, "embed", "a.npy", "b.npy", "-o", "y.npy", says=["b.npy", 4, "a.npy", 3])

    def test_one_point(self):
        self.write("x.npy", npy([[1.0, 2.0, 3.0]]))
        for method in ["tsm", "svd", "pca"]:
            with self.subTest(method=method):
                code, out, err = self.run_program("embed", "x.npy", "-o", "y.npy", "--method", method, "--dim", 1)
                self.assertIn(code, [USAGE, BAD_INPUT])
                self.assertEqual((out, self.names()), ("", ["x.npy"]))
                self.assertTrue(err.startswith("isogon: "), err)

    def test_all_points_equal(self):
        self.write("x.npy", npy([[1.0, 2.0, 3.0, 4.0]] * 50))
        code, out, err = self.run_program("embed", "x.npy", "-o", "y.npy", "--dim", 2)
        self.assertIn(code, [USAGE, BAD_INPUT], err)
        self.assertEqual((out, self.names()), ("", ["x.npy"]))

    def test_zero_vectors_are_counted_and_end_at_zero(self):
        rows = cluster_points(120)
        rows[7] = [0.0] * 8
        self.write("x.npy", npy(rows))
        result = self.json("embed", "x.npy", "-o", "y.npy", "--dim", 2, "--method", "tsm", "--threshold", 0.6)
        self.assertTrue(any("zero" in name and value == 1 for name, value in result["counts"].items()), result["counts"])


class BadOptions(ProgramTest):
    def setUp(self):
        super().setUp()
        self.write("x.npy", npy(cluster_points(30)))

    def test_dimension_out_of_range(self):
        for method in ["tsm", "svd", "pca"]:
            for value in [0, 9, -3, 1000000000000, "many", ""]:
                with self.subTest(method=method, value=value):
                    arguments = ["embed", "x.npy", "-o", "y.npy", "--method", method, "--dim", value]
                    self.fails(USAGE, *arguments, says=["--dim ", value])

    def test_dimension_of_at_least_the_number_of_points(self):
        self.write("few.npy", npy(cluster_points(5)))
        self.fails(USAGE, "embed", "few.npy", "-o", "y.npy", "--dim", 5, says=["--dim 5"])

    def test_threshold_outside_its_bounds(self):
        for value in ["0", "1", "-0.5", "2", "nan", "inf"]:
            with self.subTest(value=value):
                self.fails(USAGE, "embed", "x.npy", "-o", "y.npy", "--method", "tsm", "--threshold", value, says=["threshold", value])

    def test_threshold_so_high_that_most_points_are_isolated(self):
        arguments = ["embed", "x.npy", "-o", "y.npy", "--method", "tsm", "--threshold", "0.9999"]
        self.fails(USAGE, *arguments, says=["threshold", "0.9999", "30 of 30 points", "a threshold of 0.9"])

    def test_memory_limit_names_need_and_limit_before_work(self):
        self.digits(400)
        arguments = ["embed", "digits.npy", "-o", "y.npy", "--memory-limit", "20k"]
        self.fails(OVER_LIMIT, *arguments, says=["20 kB", "needs"])

    def test_an_input_over_the_memory_limit(self):
        self.write("x.csv", "1,2,3,4\n" * 1000)
        self.fails(OVER_LIMIT, "convert", "x.csv", "y.npy", "--memory-limit", "1k", says=["1 kB", "32 kB", "--every"])

    def test_the_method_gets_what_the_input_leaves_of_the_memory_limit(self):
        self.succeeds("generate", "blobs", "-o", "b.csv", "--count", 20000)  # 1.28 MB, twice while it is read
        svd = ["embed", "b.csv", "-o", "y.npy", "--method", "svd", "--dim", 2]
        err = self.fails(OVER_LIMIT, *svd, "--memory-limit", "2.6M", says=["needs", "2.6 MB", "2.56 MB"])
        self.assertIn("of which the input takes", err)
        self.succeeds(*svd, "--memory-limit", "8M")


if __name__ == "__main__":
    unittest.main()
