"""The input's table with the coordinates as further columns."""

import csv
import io
import random
import unittest

from program import BAD_INPUT, USAGE, ProgramTest, read_npy

NAMES = ["plain", ' with "quotes", and a comma ', "tab\there", "", "NA", "line\nend", "007", "1e3 Ω"]


class KeepColumns(ProgramTest):
    def setUp(self):
        super().setUp()
        draw = random.Random(2)
        self.header = ["id", "name", "a", "b", "c", "svd0"]
        self.rows = [[str(i), NAMES[i % 8], "%.3f" % draw.gauss(0, 1), " 1.50", "+2%d" % i, "%d" % draw.randint(0, 9)]
                     for i in range(40)]
        self.table("t.csv", self.rows)
        self.flags = ["--word-column", "name", "--skip-column", "id", "--dim", "2", "--method", "svd"]

    def table(self, name, rows, delimiter=",", header=True, end="\r\n"):
        text = io.StringIO()
        csv.writer(text, delimiter=delimiter, lineterminator=end).writerows([self.header] * header + rows)
        self.write(name, text.getvalue())

    def parsed(self, name, delimiter=","):
        return list(csv.reader(io.StringIO(self.read(name).decode(), newline=""), delimiter=delimiter))

    def coordinates(self, name, *more):
        self.succeeds("embed", *more, "-o", "y.csv", "--overwrite", *self.flags)
        return [row[1:] for row in self.parsed("y.csv")[1:]]

    def test_every_field_stays_and_coordinates_follow(self):
        for output, delimiter in (("o.csv", ","), ("o.tsv", "\t"), ("o.csv.gz", None)):
            self.succeeds("embed", "t.csv", "-o", output, "--keep-columns", *self.flags)
            if delimiter:
                made = self.parsed(output, delimiter)
                self.assertEqual(made[0], self.header + ["svd_0", "svd_1"])  # svd0 is taken
                self.assertEqual([row[:6] for row in made[1:]], self.rows)
                self.assertEqual([row[6:] for row in made[1:]], self.coordinates("y.csv", "t.csv"))

    def test_a_table_as_it_is_with_its_texts_left_out(self):
        code, _, err = self.run_program("embed", "t.csv", "-o", "o.csv", "--keep-columns", "--skip-text", "--dim", "2",
                                        "--method", "svd")
        self.assertEqual(code, 0, err)
        self.assertIn('text is left out: column 2 ("name")', err)
        made = self.parsed("o.csv")
        self.assertEqual([row[:6] for row in made[1:]], self.rows)
        self.succeeds("embed", "t.csv", "-o", "y.csv", "--word-column", "name", "--dim", "2", "--method", "svd")
        self.assertEqual([row[6:] for row in made[1:]], [row[1:] for row in self.parsed("y.csv")[1:]])
        self.digits(30)
        self.fails(USAGE, "embed", "digits.npy", "-o", "p.npy", "--skip-text", says=["--skip-text has an effect only"])

    def test_of_picked_rows_and_of_several_tables(self):
        self.table("u.csv", self.rows[:7], end="\n")
        picked = ["t.csv", "u.csv", "--every", "3", "--from", "2"]
        self.succeeds("embed", *picked, "-o", "o.csv", "--keep-columns", *self.flags)
        made = self.parsed("o.csv")
        self.assertEqual([row[:6] for row in made[1:]], (self.rows + self.rows[:7])[2::3])
        self.assertEqual([row[6:] for row in made[1:]], self.coordinates("y.csv", *picked))

    def test_between_semicolons_commas_stay_decimal(self):
        self.write("s.csv", "name;a;b\nx, y;1,5;2\nz;-3;4,25\nw;0;1\n")
        self.succeeds("embed", "s.csv", "-o", "o.csv", "--keep-columns", "--dim", "2", "--method", "svd")
        made = self.parsed("o.csv", ";")
        self.assertEqual([row[:3] for row in made], [["name", "a", "b"], ["x, y", "1,5", "2"], ["z", "-3", "4,25"], ["w", "0", "1"]])
        self.assertNotIn(".", "".join("".join(row) for row in made))
        self.write("p.csv", "a;b\n1.5;2\n-3;4.25\n0;1\n")
        self.succeeds("embed", "p.csv", "-o", "q.csv", "--keep-columns", "--dim", "2", "--method", "svd")
        self.assertNotIn(",", self.read("q.csv").decode())
        self.succeeds("convert", "o.csv", "o.npy", "--quiet")
        self.succeeds("embed", "s.csv", "-o", "y.npy", "--dim", "2", "--method", "svd")
        self.assertEqual([row[2:] for row in read_npy(self.path("o.npy"))], read_npy(self.path("y.npy")))

    def test_a_table_without_names_gets_none(self):
        self.table("bare.csv", [row[2:] for row in self.rows], header=False)
        self.succeeds("embed", "bare.csv", "-o", "o.csv", "--keep-columns", "--dim", "2", "--method", "svd")
        made = self.parsed("o.csv")
        self.assertEqual([row[:4] for row in made], [row[2:] for row in self.rows])
        self.assertEqual({len(row) for row in made}, {6})

    def test_new_rows_by_a_model(self):
        self.succeeds("embed", "t.csv", "-o", "y.csv", "--model", "m.safetensors", *self.flags)
        self.table("new.tsv", self.rows[10:20], delimiter="\t")
        flags = ["--word-column", "name", "--skip-column", "id"]
        self.succeeds("transform", "m.safetensors", "new.tsv", "-o", "o.csv", "--keep-columns", *flags)
        made = self.parsed("o.csv")
        self.assertEqual(made[0], self.header + ["svd_0", "svd_1"])
        self.assertEqual([row[:6] for row in made[1:]], self.rows[10:20])
        self.assertEqual([row[6:] for row in made[1:]], [row[1:] for row in self.parsed("y.csv")[11:21]])
        self.fails(USAGE, "transform", "m.safetensors", "new.tsv", "-o", "out/", "--keep-columns", *flags, says=["--keep-columns"])

    def test_what_is_no_table_is_refused_before_work(self):
        self.digits(50)
        keep = ["--keep-columns", "--dim", "2", "--method", "svd"]
        self.fails(USAGE, "embed", "digits.npy", "-o", "o.csv", *keep, says=["digits.npy", "csv and tsv", "leave it out"])
        self.fails(USAGE, "embed", "t.csv", "-o", "o.npy", *keep, says=["o.npy", "end the name in .csv"])
        self.fails(USAGE, "embed", "t.csv", "-o", "o.csv", "--landmarks", "20", *keep, says=["--landmarks"])
        self.header.reverse()
        self.table("v.csv", [row[::-1] for row in self.rows])
        self.fails(USAGE, "embed", "t.csv", "v.csv", "-o", "o.csv", "--keep-columns", *self.flags,
                   says=["v.csv", "same order"])
        self.write("ragged.csv", "a,b\n1,2\n3\n")
        self.fails(BAD_INPUT, "embed", "ragged.csv", "-o", "o.csv", *keep, says=["line 3"])
        self.assertNotIn("o.csv", self.names())


if __name__ == "__main__":
    unittest.main()
