import gzip
import os
import struct
import unittest
import zipfile

from program import BAD_INPUT, OVER_LIMIT, USAGE, ProgramTest, cluster_points, npy, read_npy


class Convert(ProgramTest):
    def test_there_and_back_through_every_format(self):
        rows = [[float(i * 3 + j) for j in range(4)] for i in range(6)]
        self.write("x.npy", npy(rows))
        for name in ["x.csv", "x.tsv", "x.fvecs"]:
            with self.subTest(name=name):
                self.succeeds("convert", "x.npy", name)
                self.succeeds("convert", name, "back.npy", "--overwrite")
                self.assertEqual(read_npy(self.path("back.npy")), rows)

    def test_gzip_is_read(self):
        self.write("x.csv.gz", gzip.compress(b"1,2\n3,4\n"))
        self.succeeds("convert", "x.csv.gz", "x.npy")
        self.assertEqual(read_npy(self.path("x.npy")), [[1, 2], [3, 4]])

    def test_what_an_interface_or_numpy_left_is_read(self):
        lines = [f'{{"id": "w{i}", "data": [{{"embedding": [{i}, 2.5]}}], "usage": [1, {i}]}}' for i in range(4)]
        self.write("x.jsonl", "\n".join(lines))
        self.succeeds("convert", "x.jsonl", "x.npy", "--vectors", "data.0.embedding")
        self.assertEqual(read_npy(self.path("x.npy")), [[i, 2.5] for i in range(4)])
        self.succeeds("convert", "x.jsonl", "x.vec", "--vectors", "data.0.embedding")
        self.assertEqual(self.read("x.vec").split()[2], b"w0")
        self.fails(BAD_INPUT, "convert", "x.jsonl", "y.npy", says=["x.jsonl", "data.0.embedding, usage", "--vectors"])
        with zipfile.ZipFile(self.path("x.npz"), "w") as archive:
            archive.writestr("a.npy", npy([[1, 2], [3, 4]]))
            archive.writestr("b.npy", npy([[5, 6], [7, 8]]))
        self.succeeds("convert", "x.npz", "b.npy", "--vectors", "b")
        self.assertEqual(read_npy(self.path("b.npy")), [[5, 6], [7, 8]])
        self.fails(BAD_INPUT, "convert", "x.npz", "y.npy", says=["a (2, 2), b (2, 2)", "--vectors"])
        self.fails(USAGE, "convert", "b.npy", "y.npy", "--vectors", "b", says=["--vectors", "npz and jsonl"])
        for words in [("x.jsonl", "--header", "absent"), ("x.jsonl", "--skip-column", "id"), ("x.npz", "--word-column", "a")]:
            self.fails(USAGE, "convert", words[0], "y.npy", "--vectors", "b", *words[1:], says=[words[1], "effect only"])
        self.fails(USAGE, "convert", "b.npy", "y.jsonl", says=["y.jsonl", ".csv"])

    def test_stacking_and_picking(self):
        rows = cluster_points(30, dimension=3)
        self.write("a.npy", npy(rows[:11]))
        self.write("b.npy", npy(rows[11:]))
        for every, first in [(1, 0), (5, 0), (5, 4), (7, 12), (1, 29)]:
            with self.subTest(every=every, first=first):
                self.succeeds("convert", "a.npy", "b.npy", "o.npy", "--every", every, "--from", first, "--overwrite")
                self.write("expected.npy", npy(rows[first::every]))
                self.assertEqual(read_npy(self.path("o.npy")), read_npy(self.path("expected.npy")))

    def test_picking_nothing_is_refused(self):
        self.write("x.npy", npy(cluster_points(10)))
        self.fails(USAGE, "convert", "x.npy", "o.npy", "--from", 10, says=["--from", 10, "at most 9"])
        self.fails(USAGE, "convert", "x.npy", "o.npy", "--every", 0, says=["--every", 0])

    def test_labels_go_into_a_table_and_out_of_it(self):
        self.write("x.npy", npy([[1, 2], [3, 4], [5, 6]]))
        self.write("l.npy", npy([7, 8, 9], "<i8"))
        self.succeeds("convert", "x.npy", "x.csv", "--labels", "l.npy")
        header = self.read("x.csv").decode().splitlines()[0]
        column = header.split(",")[-1]
        self.succeeds("convert", "x.csv", "y.npy", "--label-column", column, "--save-labels", "m.npy")
        self.assertEqual(read_npy(self.path("m.npy")), [7, 8, 9])
        self.assertEqual(read_npy(self.path("y.npy")), [[1, 2], [3, 4], [5, 6]])

    def test_tables_of_our_own_are_read_back_without_being_told(self):
        """Otherwise labels would be taken for one more coordinate."""
        self.succeeds("generate", "blobs", "-o", "b.csv", "--count", 20, "--dim", 3, "--labels", "l.npy")
        self.assertIn("label", self.read("b.csv").decode().splitlines()[0])
        self.write("b.csv.gz", gzip.compress(self.read("b.csv")))
        for name in ["b.csv", "b.csv.gz"]:
            self.succeeds("convert", name, "b.npy", "--save-labels", "m.npy", "--overwrite")
            self.assertEqual(len(read_npy(self.path("b.npy"))[0]), 3)
            self.assertEqual(read_npy(self.path("m.npy")), read_npy(self.path("l.npy")))
        self.write("w.vec", "2 2\none 1 2\ntwo 3 4\n")
        self.succeeds("convert", "w.vec", "w.csv")
        self.succeeds("convert", "w.csv", "again.vec")
        self.assertEqual(self.read("again.vec").split(), self.read("w.vec").split())

    def test_what_the_output_cannot_hold_is_said(self):
        self.write("x.csv", "a,b,class\n1,2,0\n3,4,1\n")
        code, _, err = self.run_program("convert", "x.csv", "x.npy", "--label-column", "class")
        self.assertEqual(code, 0)
        self.assertIn("warning: npy files have no place for labels", err)

    def test_images_stay_images(self):
        data = struct.pack(">HBBIII", 0, 8, 3, 2, 2, 3) + bytes(range(12))
        self.write("a-idx3-ubyte", data)
        self.succeeds("convert", "a-idx3-ubyte", "b-idx3-ubyte")
        self.assertEqual(self.read("b-idx3-ubyte"), data)

    def test_word_vectors_need_words(self):
        self.write("x.npy", npy(cluster_points(5)))
        self.fails(USAGE, "convert", "x.npy", "o.vec", says=["o.vec", "words", "--word-column"])

    def test_a_matrix_there_and_back(self):
        self.write("a.mtx", "%%MatrixMarket matrix coordinate real general\n3 4 3\n1 2 0.1\n3 1 -1e-200\n3 4 7\n")
        for name in ["a.npz", "a.mtx.gz"]:
            with self.subTest(name=name):
                self.succeeds("convert", "a.mtx", name)
                result = self.json("convert", name, "back.mtx", "--overwrite")
                self.assertEqual((result["shape"], result["input"]["entries"]), ({"rows": 3, "columns": 4}, 3))
                lines = self.read("back.mtx").decode().splitlines()[1:]
                self.assertEqual([line.split() for line in lines], [["3", "4", "3"], ["1", "2", "0.1"],
                                                                    ["3", "1", "-1e-200"], ["3", "4", "7"]])
        self.assertEqual(self.json("info", "a.npz")["format"], "npz")

    def test_a_matrix_from_rows_and_to_them(self):
        rows = [[0.0, 1.5, 0.0], [2.0, 0.0, 0.0]]
        self.write("x.npy", npy(rows))
        self.succeeds("convert", "x.npy", "x.npz")
        for name in ["y.npy", "y.csv", "y.fvecs"]:
            with self.subTest(name=name):
                self.succeeds("convert", "x.npz", name)
                self.succeeds("convert", name, "back.npy", "--overwrite")
                self.assertEqual(read_npy(self.path("back.npy")), rows)

    def test_digits_that_float32_has_not_are_told(self):
        self.write("a.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 0.1\n2 2 1\n")
        _, _, err = self.run_program("convert", "a.mtx", "a.npy")
        self.assertIn("1 of 2 entries are rounded", err)
        _, _, err = self.run_program("convert", "a.mtx", "a.npz")
        self.assertNotIn("rounded", err)
        self.write("b.mtx", "%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 1e300\n")
        code, _, err = self.run_program("convert", "b.mtx", "b.npy")
        self.assertNotEqual(code, 0)
        self.assertIn("beyond the range of float32", err)

    def test_what_goes_with_points_does_not_with_a_matrix(self):
        self.write("a.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 1 1\n")
        for more in [["--every", 2], ["--from", 1], ["--header", "yes"], ["--label-column", "x"], ["--word-column", "x"],
                     ["--labels", "a.mtx"], ["--save-labels", "l.npy"]]:
            with self.subTest(more=more):
                self.fails(USAGE, "convert", "a.mtx", "o.npz", *more, says=[more[0], "points"])
        self.fails(USAGE, "convert", "a.mtx", "a.mtx", "o.npz", says=["a.mtx", "one file"])
        self.fails(USAGE, "convert", "a.mtx", "o.vec", says=["o.vec", "words"])
        self.fails(USAGE, "convert", "a.mtx", "o.xyz", says=["o.xyz"])
        self.write("bad.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 3 1\n")
        self.fails(BAD_INPUT, "convert", "bad.mtx", "o.npz", says=["bad.mtx", "3"])

    def faiss_parts(self, name):
        """Names and dimensions of the indexes in a file of faiss, in its order."""
        data = self.read(name)
        return [(part, struct.unpack_from("<i", data, data.index(part.encode()) + 4)[0])
                for part in ("IxMp", "IxPT", "IxF2", "IxFI", "IxPq") if part.encode() in data]

    def test_an_index_of_faiss(self):
        rows = cluster_points(40, dimension=6)
        self.write("x.npy", npy(rows))
        self.write("ids.npy", npy(list(range(100, 140)), "<i8"))
        result = self.json("convert", "x.npy", "x.faiss")
        self.assertEqual((result["format"], result["ids"], result["query_dimension"]), ("faiss", "rows", 6))
        self.assertEqual(self.faiss_parts("x.faiss"), [("IxPT", 6), ("IxFI", 6)])
        self.json("convert", "x.npy", "x.faiss", "--metric", "euclidean", "--labels", "ids.npy", "--overwrite")
        self.assertEqual(self.faiss_parts("x.faiss"), [("IxMp", 6), ("IxF2", 6)])
        self.assertTrue(self.read("x.faiss").endswith(struct.pack("<q", 139)))
        self.succeeds("embed", "x.npy", "-o", "y.npy", "--method", "pca", "--dim", 3, "--model", "m.safetensors")
        self.succeeds("quantize", "y.npy", "-o", "c.safetensors", "--bytes", 2)
        result = self.json("convert", "c.safetensors", "c.faiss", "--model", "m.safetensors", "--labels", "ids.npy")
        self.assertEqual((result["ids"], result["query_dimension"], result["shape"]["dimension"]), ("labels", 6, 3))
        self.assertEqual(self.faiss_parts("c.faiss"), [("IxMp", 6), ("IxPT", 6), ("IxPq", 4)])

    def test_rows_for_postgresql(self):
        self.write("w.vec", "2 2\na\\b 1 2\nc 3 4\n")
        self.assertEqual(self.json("convert", "w.vec", "w.copy")["ids"], "words")
        self.assertEqual(self.read("w.copy"), b"a\\\\b\t[1,2]\nc\t[3,4]\n")
        self.write("ids.npy", npy([7, 8], "<i8"))
        _, _, err = self.run_program("convert", "w.vec", "w.copy", "--labels", "ids.npy", "--overwrite")
        self.assertIn("words are left out", err)
        self.assertEqual(self.read("w.copy"), b"7\t[1,2]\n8\t[3,4]\n")

    def test_the_coordinates_that_a_model_keeps(self):
        self.write("x.npy", npy(cluster_points(40, dimension=6)))
        self.succeeds("embed", "x.npy", "-o", "y.npy", "--dim", 3, "--model", "m.safetensors")
        self.succeeds("convert", "m.safetensors", "back.npy")
        self.assertEqual(self.read("back.npy"), self.read("y.npy"))
        self.succeeds("convert", "m.safetensors", "m.copy")
        self.succeeds("convert", "y.npy", "y.copy")
        self.assertEqual(self.read("m.copy"), self.read("y.copy"))
        self.fails(BAD_INPUT, "convert", "y.npy", "y.faiss", "--model", "m.safetensors",
                   says=["m.safetensors", "faithful", "not linear"])
        self.succeeds("embed", "x.npy", "-o", "z.npy", "--method", "svd", "--dim", 3, "--model", "svd.safetensors")
        self.fails(BAD_INPUT, "convert", "svd.safetensors", "o.npy", says=["svd.safetensors", "keeps no coordinates"])

    def test_what_goes_with_an_engine_alone(self):
        self.write("x.npy", npy(cluster_points(20, dimension=4)))
        self.write("nan.npy", npy([[1.0, float("nan")], [2.0, 3.0]]))
        self.write("ids.npy", npy([7, 8], "<i8"))
        self.succeeds("quantize", "x.npy", "-o", "c.safetensors", "--bytes", 2)
        for code, words, says in [
            (USAGE, ["x.npy", "o.npy", "--metric", "cosine"], ["--metric", ".faiss"]),
            (USAGE, ["x.npy", "o.copy", "--metric", "cosine"], ["--metric", ".faiss"]),
            (USAGE, ["x.npy", "o.copy", "--model", "m.safetensors"], ["--model", ".faiss"]),
            (USAGE, ["x.npy", "o.faiss", "--metric", "l2"], ["l2", "euclidean"]),
            (USAGE, ["x.npy", "o.faiss", "--save-labels", "l.npy"], ["--save-labels"]),
            (USAGE, ["c.safetensors", "o.faiss", "--metric", "cosine"], ["--metric", "c.safetensors"]),
            (USAGE, ["c.safetensors", "o.faiss", "--every", 2], ["--every"]),
            (BAD_INPUT, ["c.safetensors", "o.faiss", "--labels", "ids.npy"], ["ids.npy", "2 labels", "20"]),
            (BAD_INPUT, ["x.npy", "o.faiss", "--labels", "ids.npy"], ["ids.npy", "2 labels", "20"]),
            (BAD_INPUT, ["nan.npy", "o.copy"], ["nan.npy", "NaN"]),
            (BAD_INPUT, ["x.npy", "o.faiss", "--model", "c.safetensors"], ["c.safetensors", "codes"]),
        ]:
            with self.subTest(words=words):
                self.fails(code, "convert", *words, says=says)
                self.assertFalse([name for name in self.names() if name.startswith("o.")])

    def test_columns_in_one_unit(self):
        rows = [[1.0, 5.0, 1e8 + 8.0 * i, -float(i)] for i in range(50)]
        self.write("t.npy", npy(rows))
        self.write("new.npy", npy([rows[3], [2.0, 6.0, 1e8, -2.0]]))
        self.write("t.csv", "a,b,c,d,name\n" + "".join(",".join(map(repr, row)) + ",x%d\n" % i for i, row in enumerate(rows)))
        for name in ["t.npy", "t.csv"]:
            self.succeeds("convert", name, "z.npy", "--standardize", "--overwrite")
            made = read_npy(self.path("z.npy"))
            for k, column in enumerate(zip(*made)):
                mean = sum(column) / 50
                self.assertAlmostEqual(mean, 0.0, places=6)
                self.assertAlmostEqual(sum((value - mean) ** 2 for value in column) / 50, 0.0 if k < 2 else 1.0, places=5)
            self.succeeds("convert", "new.npy", "y.npy", "--standardize-by", name, "--overwrite")
            placed = read_npy(self.path("y.npy"))
            self.assertEqual(placed[0], made[3])
            self.assertEqual(placed[1][:2], [1.0, 1.0])  # as far from the equal numbers as it is
        self.succeeds("convert", "t.npy", "y.npy", "--standardize", "--every", 5, "--overwrite")
        self.succeeds("convert", "t.npy", "half.npy", "--every", 5)
        self.succeeds("convert", "half.npy", "z.npy", "--standardize", "--overwrite")
        self.assertEqual(read_npy(self.path("y.npy")), read_npy(self.path("z.npy")))

    def test_what_cannot_be_standardised(self):
        self.write("t.npy", npy([[1.0, 2.0], [1.0 + 1e-6, 3.0]]))
        self.write("far.npy", npy([[3e38, 2.0]]))
        self.write("wide.npy", npy([[1.0, 2.0, 3.0]]))
        self.write("nan.npy", npy([[1.0, float("nan")]]))
        self.write("m.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 1 1\n")
        self.fails(BAD_INPUT, "convert", "far.npy", "y.npy", "--standardize-by", "t.npy", says=["row 0, column 0", "beyond"])
        self.fails(BAD_INPUT, "convert", "t.npy", "y.npy", "--standardize-by", "wide.npy", says=["wide.npy", 3, 2])
        self.fails(BAD_INPUT, "convert", "nan.npy", "y.npy", "--standardize", says=["row 0, column 1"])
        self.fails(USAGE, "convert", "m.mtx", "y.npz", "--standardize", says=["--standardize", "points"])
        self.fails(USAGE, "convert", "t.npy", "y.faiss", "--standardize", says=["--standardize", "points"])
        self.fails(USAGE, "convert", "t.npy", "y.npy", "--standardize", "--standardize-by", "t.npy", says=["excludes"])
        self.fails(USAGE, "convert", "t.npy", "t2.npy", "--standardize-by", "t2.npy", "--overwrite", says=["t2.npy"])
        self.fails(OVER_LIMIT, "convert", "t.npy", "y.npy", "--standardize", "--memory-limit", "10", says=["standardised points"])
        self.assertFalse(os.path.exists(self.path("y.npy")))

    def test_unknown_format(self):
        self.write("x.npy", npy(cluster_points(5)))
        self.fails(USAGE, "convert", "x.npy", "o.xyz", says=["o.xyz", ".npy"])
        self.fails(USAGE, "convert", "x.npy", "o.npy", "--format", "xyz", says=["xyz", "npy"])
        self.fails(USAGE, "convert", "x.npy", "o.npy", "--header", "maybe", says=["--header", "maybe", "detect"])


if __name__ == "__main__":
    unittest.main()
