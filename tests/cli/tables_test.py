"""Tables as people have them: text beside numbers, row numbers, quoted fields, gaps."""

import json
import random
import unittest

from program import BAD_INPUT, USAGE, ProgramTest, read_npy

CLASSES = ["setosa", "versicolor", 'virginica, "big"']


def quoted(text):
    return '"%s"' % text.replace('"', '""')


class Tables(ProgramTest):
    def setUp(self):
        super().setUp()
        draw = random.Random(3)
        self.rows = [[round(draw.gauss(i % 3, 0.1), 3) for _ in range(4)] for i in range(60)]
        self.classes = [CLASSES[i % 3] for i in range(60)]
        self.write("iris.csv", "".join("%s,%s\n" % (",".join(map(str, row)), quoted(name))
                                       for row, name in zip(self.rows, self.classes)))

    def table(self, name, columns, header):
        self.write(name, header + "\n" + "".join(",".join(map(str, row)) + "\n" for row in zip(*columns)))

    def test_text_at_the_end_of_a_line_is_labels_all_the_way(self):
        self.assertEqual(self.json("info", "iris.csv")["labels"], True)
        self.assertIn("60 x 4 of text, with labels", self.succeeds("info", "iris.csv"))
        self.succeeds("embed", "iris.csv", "-o", "y.csv", "--dim", 2, "--method", "svd", "--report", "r.html")
        lines = self.read("y.csv").decode().splitlines()
        self.assertEqual(lines[0], "x0,x1,label")
        self.assertTrue(lines[1].endswith(",setosa") and lines[3].endswith("," + quoted(CLASSES[2])), lines[:4])
        page = self.read("r.html").decode()
        for name in CLASSES:
            self.assertIn(json.dumps(name), page)
        self.succeeds("convert", "y.csv", "y.npy", "--save-labels", "names.txt")
        self.assertEqual(self.read("names.txt").decode().splitlines()[:2], ["setosa", "versicolor"])
        _, _, err = self.run_program("convert", "y.csv", "z.npy", "--save-labels", "l.npy")
        self.assertIn("l.npy holds labels as numbers", err)
        self.assertEqual(read_npy(self.path("l.npy")), [i % 3 for i in range(60)])
        by_names = self.json("score", "iris.csv", "y.npy", "--labels", "names.txt")
        self.assertEqual(by_names["knn_accuracy"], self.json("score", "iris.csv", "y.npy")["knn_accuracy"])
        self.assertEqual(by_names["knn_accuracy"], self.json("score", "iris.csv", "y.npy", "--labels", "l.npy")["knn_accuracy"])

    def test_a_column_called_label_may_be_text_or_be_words(self):
        self.table("w.csv", [[1.5, 2.5, 3.5], [2, 1, 7], ["class_0", "class_2", "class_1"]], "a,b,label")
        self.succeeds("convert", "w.csv", "o.csv")
        self.assertTrue(self.read("o.csv").decode().splitlines()[2].endswith(",class_2"))
        self.succeeds("convert", "w.csv", "v.vec", "--word-column", "label")
        self.assertIn("class_2 2.5 1", self.read("v.vec").decode())

    def test_files_agree_on_the_numbers_of_names(self):
        self.table("a.csv", [[1, 2], ["x", "y"]], "a,label")
        self.table("b.csv", [[3, 4], ["y", "z"]], "a,label")
        self.succeeds("convert", "a.csv", "b.csv", "c.npy", "--save-labels", "l.npy")
        self.assertEqual(read_npy(self.path("l.npy")), [0, 1, 1, 2])
        self.succeeds("convert", "a.csv", "b.csv", "c.csv", "--every", 2, "--from", 1)
        self.assertEqual(self.read("c.csv").decode().splitlines()[1:], ["2,y", "4,z"])

    def test_a_sweep_compares_names_and_not_their_numbers(self):
        self.table("train.csv", [*zip(*self.rows), ["abc"[i % 3] for i in range(60)]], "a,b,c,d,label")
        self.table("test.csv", [*zip(*self.rows[1:]), ["abc"[i % 3] for i in range(1, 60)]], "a,b,c,d,label")
        result = self.json("sweep", "train.csv", "--dim", 2, "--grid", "neighbors=8", "--components", "bridge", "--criterion", "knn",
                           "--test", "test.csv")
        self.assertEqual(result["rows"][0]["knn"], 0)  # fitted points are nearest to themselves

    def test_row_numbers_are_no_coordinate_and_that_is_said(self):
        self.table("p.csv", [range(3), [1.5, 2.5, 3.5], [2, 1, 7]], ",a,b")
        code, _, err = self.run_program("convert", "p.csv", "o.csv")
        self.assertEqual((code, self.read("o.csv").decode().splitlines()[:2]), (0, ["word,a,b", "0,1.5,2"]))
        self.assertIn('warning: column 1 ("") holds whole numbers', err)
        self.table("q.csv", [range(3), [1.5, 2.5, 3.5], [2, 1, 7]], "id,a,target")
        code, _, err = self.run_program("info", "q.csv", "--stats")
        self.assertIn("--label-column target", err)

    def test_a_header_that_counts_is_a_header(self):
        for columns in (2, 3, 50):
            rows = [[round(0.01 + (7 * i + 3 * j) % 11 / 13, 4) for j in range(columns)] for i in range(50)]
            for start in (0, 1):
                names = [str(j + start) for j in range(columns)]
                self.table("x.csv", [*zip(*rows)], ",".join(names))  # pandas.DataFrame(X).to_csv("x.csv", index=False)
                code, _, err = self.run_program("convert", "x.csv", "o.npy", "--overwrite")
                self.assertEqual(code, 0, err)
                self.assertIn("warning: line 1", err)
                self.assertIn("--header absent", err)
                self.assertEqual((len(read_npy(self.path("o.npy"))), self.json("info", "x.csv")["shape"]), (50, [50, columns]))
            self.table("x.csv", [range(50), *zip(*rows)], "," + ",".join(map(str, range(columns))))  # with its index
            self.assertEqual(self.json("info", "x.csv")["shape"], [50, columns])
            self.succeeds("info", "x.csv", "--header", "present")

    def test_rows_that_count_are_data(self):
        for rows in ([[0, 1], [1, 0], [1, 1]], [[5 * i + j for j in range(5)] for i in range(10)], [[i + j for j in range(4)] for i in range(9)]):
            self.write("x.csv", "".join(",".join(map(str, row)) + "\n" for row in rows))
            self.assertEqual(self.json("info", "x.csv")["shape"], [len(rows), len(rows[0])])

    def test_years_and_wavelengths_are_asked_about(self):
        self.table("x.csv", [[0.5, 0.25]] * 9, ",".join(str(400 + 2 * j) for j in range(9)))
        self.fails(BAD_INPUT, "convert", "x.csv", "o.npy", says=["x.csv, line 1", '"400"', "--header present", "--header absent"])
        for header, points in (("present", 2), ("absent", 3)):
            self.assertEqual(self.json("info", "x.csv", "--header", header)["shape"], [points, 9])

    def test_numbers_in_other_notation_are_not_lost(self):
        for cell in ("0.1%", '"1,234.5"', '"0,5"', "1'000", "$5"):
            self.write("x.csv", "a,share\n" + "1.5,%s\n" % cell * 4)
            self.fails(BAD_INPUT, "embed", "x.csv", "-o", "y.npy", "--method", "svd", "--dim", 1,
                       says=["x.csv, line 2, column 2", '"share"', cell.strip('"'), "write", "--skip-column share"])  # fmt: skip
            self.succeeds("convert", "x.csv", "o.csv", "--overwrite", "--word-column", "share")

    def test_a_header_of_many_columns_takes_no_time(self):
        columns = 300_000  # where each column looks at all, half a minute
        self.write("x.csv", "%s\n%s\n" % (",".join("c%d" % j for j in range(columns)), ",".join(["1"] * columns)))
        self.assertEqual(self.json("info", "x.csv")["shape"], [1, columns])

    def test_words_keep_their_blanks(self):
        words = [" before", "after ", "  both\t", "with in", '"quoted" ', "plain"]
        self.write("w.csv", "word,a\n" + "".join("%s,%d\n" % (quoted(word), i) for i, word in enumerate(words)))
        self.write("bare.csv", "word,a\n before,0\nafter ,1\n  both\t,2\nwith in,3\n\"\"\"quoted\"\" \",4\nplain,5\n")
        for name in ("w.csv", "bare.csv"):
            self.succeeds("convert", name, "a.tsv", "--overwrite")
            self.succeeds("convert", "a.tsv", "b.csv", "--overwrite")
            self.succeeds("convert", "b.csv", "c.csv", "--overwrite")
            self.assertEqual(self.read("b.csv"), self.read("c.csv"))
            lines = self.read("b.csv").decode().splitlines()[1:]
            self.assertEqual(lines, ["%s,%d" % (quoted(w) if w != "with in" and w != "plain" else w, i) for i, w in enumerate(words)])
            for vectors in ("w.vec", "w.bin"):
                self.fails(USAGE, "convert", name, vectors, says=[vectors[1:], '" before"', "'_'"])
        self.write("style.csv", "word, a, b\ncat, 1, 2\ndog, 3, 4\n")
        self.succeeds("convert", "style.csv", "s.csv", "--skip-column", "a")
        self.assertEqual(self.read("s.csv").decode(), "word,b\ncat,2\ndog,4\n")

    def test_columns_are_left_out(self):
        self.table("m.csv", [["p", "q"], ["r", "s"], [1, 2], ["t", "u"]], "n,m,a,k")
        self.fails(BAD_INPUT, "convert", "m.csv", "o.npy", says=["line 2, column 4", "--skip-column k"])
        self.succeeds("convert", "m.csv", "o.csv", "--word-column", "n", "--skip-column", "m", "--skip-column", "3")
        self.assertEqual(self.read("o.csv").decode().splitlines(), ["word,a", "p,1", "q,2"])
        self.fails(USAGE, "convert", "m.csv", "p.npy", "--skip-column", "z", says=["--skip-column z", "0 to 3"])
        self.succeeds("convert", "o.csv", "o.npy")
        self.fails(USAGE, "convert", "o.npy", "p.npy", "--skip-column", "0", says=["--skip-column 0", "csv, tsv and jsonl"])

    def test_gaps_name_line_and_column_and_what_to_do(self):
        for gap in ["", "NA", "null"]:
            self.write("g.csv", "a,b\n1,2\n3,%s\n" % gap)
            self.fails(BAD_INPUT, "embed", "g.csv", "-o", "y.npy", "--method", "svd", "--dim", 1,
                       says=["g.csv, line 3, column 2", "fill it in", "--skip-column b"])  # fmt: skip
        self.write("g.csv", "a,b\n1,2\n3,nan\n")
        self.fails(BAD_INPUT, "embed", "g.csv", "-o", "y.npy", "--dim", 1, says=["row 1", "column 1", "NaN", "fill"])

    def test_ids_of_an_index_are_whole_numbers(self):
        self.table("t.csv", [[1.5, 2.5], ["x", "y"]], "a,label")
        self.fails(BAD_INPUT, "convert", "t.csv", "t.faiss", says=["text", '"x"', "--skip-column"])


if __name__ == "__main__":
    unittest.main()
