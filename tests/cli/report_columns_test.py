import gzip
import unittest

from program import BAD_INPUT, OVER_LIMIT, USAGE, npy
from report_test import ReportTest, stored, words_of


class ReportColumns(ReportTest):
    def table(self, name, columns, delimiter=","):
        rows = [list(columns), *zip(*columns.values())]
        self.write(name, "".join(delimiter.join(map(str, row)) + "\n" for row in rows))

    def columns(self, name="y.html"):
        columns = self.document(name)["points"]["columns"]
        return {column["name"]: column for column in columns}

    def test_columns_of_numbers_dates_and_texts(self):
        self.table("t.csv", {
            "age": ["" if i == 3 else i / 2 for i in range(120)],
            "day": ["2020-01-%02d" % (1 + i % 30) for i in range(120)],
            "kind": [["cat", "dog", "NA"][i % 3] for i in range(120)],
        })  # fmt: skip
        self.succeeds("report", "x.npy", "y.npy", "--columns", "t.csv")
        columns = self.columns()
        self.assertEqual([columns[name]["kind"] for name in ("age", "day", "kind")], ["number", "date", "text"])
        ages = stored(columns["age"]["values"])
        self.assertEqual((ages[2], ages[119]), (1.0, 59.5))
        self.assertNotEqual(ages[3], ages[3])
        self.assertEqual(stored(columns["day"]["values"])[:2], [1577836800, 1577923200])
        self.assertEqual(stored(columns["kind"]["index"])[:4], [0, 1, 2, 0])
        self.assertIsNone(self.plain()["columns"])

    def plain(self):
        self.succeeds("report", "x.npy", "y.npy", "-o", "plain.html")
        return self.document("plain.html")["points"]

    def test_tabs_quotes_gzip_picked_rows_and_samples(self):
        self.table("t.tsv", {"n": range(120), "of two": ['"a\tb"' if i % 2 else "c" for i in range(120)]}, "\t")
        self.write("t.tsv.gz", gzip.compress(self.read("t.tsv")))
        self.write("y3.npy", npy([row[:3] for row in self.rows[2::3]]))
        self.succeeds("report", "x.npy", "y3.npy", "--columns", "t.tsv.gz", "--every", 3, "--from", 2)
        columns = self.columns("y3.html")
        self.assertEqual(stored(columns["n"]["values"]), list(range(2, 120, 3)))
        self.assertEqual(stored(columns["of two"]["index"])[:2], [1, 0])
        self.succeeds("report", "x.npy", "y.npy", "--columns", "t.tsv", "--points", 30)
        rows = stored(self.document("y.html")["points"]["rows"])
        self.assertEqual(stored(self.columns()["n"]["values"]), rows)

    def test_embed_shows_them_too(self):
        self.table("t.csv", {"n": range(120)})
        for more in [[], ["--landmarks", 40]]:
            self.succeeds("embed", "x.npy", "-o", "z.npy", "--report", "z.html", "--columns", "t.csv", "--overwrite",
                          *more)  # fmt: skip
            self.assertEqual(stored(self.columns("z.html")["n"]["values"]), list(range(120)))
        self.fails(USAGE, "embed", "x.npy", "-o", "v.npy", "--columns", "t.csv", says=["--columns", "--report"])

    def test_columns_without_a_name_or_a_value(self):
        self.table("t.csv", {"": range(120), "none": ["NA"] * 120})
        result = self.json("report", "x.npy", "y.npy", "--columns", "t.csv")
        self.assertEqual(list(self.columns()), ["column 1"])
        self.assertIn('The column "none" has no value for any point; it is left out.', result["warnings"])

    def test_hostile_names_and_values_stay_text(self):
        evil = "</script><script>alert(1)</script>"
        self.table("t.csv", {evil: [evil] * 120})
        self.succeeds("report", "x.npy", "y.npy", "--columns", "t.csv")
        column = self.columns()[evil]
        self.assertEqual(words_of({"points": {"words": column["names"]}}), [evil])

    def test_mistakes(self):
        def refused(content, *says):
            self.write("t.csv", content)
            self.fails(BAD_INPUT, "report", "x.npy", "y.npy", "--columns", "t.csv", says=["t.csv", *says])
            self.assertNotIn("y.html", self.names())

        refused("a\n" + "1\n" * 7, "7 rows for 120 points")
        refused("1,1\n" * 120, "line 1, column 2", '"1" is')
        refused("1\n" * 120, "119 rows for 120 points", "first line, which seems to be data")
        refused("a,b,a\n" + "1,2,3\n" * 120, "line 1", '"a" is the name of column 1 too')
        refused("a,b\n" + "1,2\n" * 3 + "1\n" * 117, "line 5", "must have 2 fields", "has 1")
        refused("a\tb\n" + "1\t2\n" * 120, "separate columns by commas")
        refused("", "empty")
        self.fails(BAD_INPUT, "report", "x.npy", "y.npy", "--columns", "none.csv", says=["none.csv"])
        self.fails(BAD_INPUT, "report", "x.npy", "y.npy", "--columns", ".", says=["."])
        self.table("t.html", {"a": range(120)})
        self.fails(USAGE, "report", "x.npy", "y.npy", "--columns", "t.html", "-o", "t.html", "--overwrite",
                   says=["t.html", "is an input"])  # fmt: skip
        self.table("large.csv", {"a": ["x" * 1000] * 120})
        self.fails(OVER_LIMIT, "report", "x.npy", "y.npy", "--columns", "large.csv", "--memory-limit", "60k",
                   says=["memory"])  # fmt: skip


if __name__ == "__main__":
    unittest.main()
