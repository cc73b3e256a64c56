"""Columns have names: tables, models, codes and indexes keep them; another order is put right, other names are refused."""

import random
import unittest

from program import BAD_INPUT, ProgramTest, npy, read_npy

NAMES = ["length", "width", "height", "weight"]
ORDER = [2, 0, 3, 1]


class Columns(ProgramTest):
    def setUp(self):
        super().setUp()
        draw = random.Random(5)
        self.rows = [[round(draw.gauss(i % 3, 0.5) * (j + 1), 3) for j in range(4)] for i in range(40)]
        self.table("x.csv", NAMES, self.rows)
        self.table("moved.csv", [NAMES[j] for j in ORDER], [[row[j] for j in ORDER] for row in self.rows])
        self.table("other.csv", ["length", "width", "depth", "weight"], self.rows)
        self.table("counted.csv", ["x0", "x1", "x2", "x3"], self.rows)
        self.write("x.npy", npy(self.rows))

    def table(self, name, names, rows):
        self.write(name, ",".join(names) + "\n" + "".join(",".join(map(str, row)) + "\n" for row in rows))

    def same_as_in_order(self, output, *arguments):
        """The run with moved columns writes what that with the columns in order does, and tells of it."""
        results = []
        for table in ("x.csv", "moved.csv", "x.npy", "counted.csv"):
            code, _, err = self.run_program(*[table if a == "?" else a for a in arguments], "-o", output, "--overwrite")
            self.assertEqual(code, 0, err)
            self.assertEqual("taken by their names" in err, table == "moved.csv", err)
            results.append(self.read(output))
        self.assertEqual(results, results[:1] * 4)
        return results[0]

    def refuses(self, of, *arguments):
        self.fails(BAD_INPUT, *arguments, says=["other.csv", of, 'missing "height"', 'unexpected "depth"', "--skip-column"])

    def test_new_points_of_a_model(self):
        for method in ("pca", "faithful", "umap"):
            self.succeeds("embed", "x.csv", "-o", "y.npy", "--model", method + ".safetensors", "--method", method, "--dim", 2, "--overwrite")
            self.same_as_in_order("new.npy", "transform", method + ".safetensors", "?")
            self.refuses(method + ".safetensors", "transform", method + ".safetensors", "other.csv", "-o", "none.npy")
        self.same_as_in_order("new.npy", "extend", "faithful.safetensors", "?", "--neighbors", 5)
        self.refuses("faithful.safetensors", "extend", "faithful.safetensors", "other.csv", "-o", "none.npy")
        self.succeeds("transform", "faithful.safetensors", "x.csv", "moved.csv", "-o", "out/")
        self.assertEqual(self.read("out/x.npy"), self.read("out/moved.npy"))

    def test_inputs_from_coordinates_have_the_names_again(self):
        self.succeeds("embed", "x.csv", "-o", "y.csv", "--model", "m.safetensors", "--method", "pca", "--dim", 4)
        self.succeeds("transform", "m.safetensors", "y.csv", "-o", "back.csv", "--inverse")
        self.assertEqual(self.read("back.csv").decode().splitlines()[0], ",".join(NAMES))

    def test_a_fit_on_landmarks_keeps_the_names(self):
        for options in (["--method", "faithful"], ["--method", "isomap", "--components", "bridge"]):
            self.succeeds("embed", "x.csv", "-o", "y.npy", "--model", "m.safetensors", "--dim", 2, "--landmarks", 30, "--overwrite", *options)
            self.same_as_in_order("new.npy", "transform", "m.safetensors", "?")

    def test_stacked_files(self):
        self.succeeds("convert", "x.csv", "moved.csv", "both.npy")
        self.assertEqual(read_npy(self.path("both.npy")), 2 * read_npy(self.path("x.npy")))
        self.succeeds("convert", "x.npy", "counted.csv", "x.csv", "moved.csv", "all.csv")
        lines = self.read("all.csv").decode().splitlines()
        self.assertEqual(lines[0], ",".join(NAMES))
        self.assertEqual(lines[1:41], lines[121:161])
        self.refuses("x.csv", "convert", "x.csv", "other.csv", "none.npy")

    def test_queries(self):
        self.same_as_in_order("n.npy", "neighbors", "x.csv", "--queries", "?", "-k", 3)
        self.refuses("x.csv", "neighbors", "x.csv", "--queries", "other.csv", "-k", 3, "-o", "none.npy")
        self.succeeds("neighbors", "x.csv", "-k", 3, "-o", "o.npy", "--save-index", "index.safetensors")
        self.same_as_in_order("n.npy", "neighbors", "index.safetensors", "--queries", "?", "-k", 3)
        self.refuses("index.safetensors", "neighbors", "index.safetensors", "--queries", "other.csv", "-k", 3, "-o", "none.npy")

    def test_codes(self):
        self.succeeds("quantize", "x.csv", "-o", "codes.safetensors", "--bytes", 2)
        self.same_as_in_order("n.npy", "neighbors", "codes.safetensors", "--queries", "?", "-k", 3)
        for table, output in (("x.csv", "a.safetensors"), ("moved.csv", "b.safetensors")):
            self.succeeds("quantize", table, "--by", "codes.safetensors", "-o", output)
        self.assertEqual(self.read("a.safetensors"), self.read("b.safetensors"))
        self.refuses("codes.safetensors", "quantize", "other.csv", "--by", "codes.safetensors", "-o", "c.safetensors")

    def test_standardizing_by_another_table(self):
        for by, output in (("x.csv", "a.npy"), ("moved.csv", "b.npy")):
            self.succeeds("convert", "x.csv", output, "--standardize-by", by)
        self.assertEqual(self.read("a.npy"), self.read("b.npy"))
        self.refuses("x.csv", "convert", "x.csv", "none.npy", "--standardize-by", "other.csv")

    def test_scores_against_what_was_fitted(self):
        self.write("y.npy", npy([row[:2] for row in self.rows]))
        scores = [self.json("score", "x.csv", "y.npy", "--against", fitted, "y.npy") for fitted in ("x.csv", "moved.csv")]
        self.assertEqual(scores[0]["jaccard"], scores[1]["jaccard"])
        self.assertEqual(scores[0]["recall_at_10"], scores[1]["recall_at_10"])
        self.refuses("x.csv", "score", "x.csv", "y.npy", "--against", "other.csv", "y.npy")

    def test_a_table_keeps_its_names(self):
        for options in ([], ["--standardize"], ["--every", 2]):
            self.succeeds("convert", "x.csv", "o.csv", "--overwrite", *options)
            self.assertEqual(self.read("o.csv").decode().splitlines()[0], ",".join(NAMES))
        self.succeeds("convert", "x.csv", "o.tsv")
        self.succeeds("convert", "o.tsv", "again.csv")
        self.assertEqual(self.read("again.csv"), self.read("x.csv"))
        self.table("roles.csv", ["id", "b"], [[0.5, 1], [1, 2]])  # a coordinate, as it begins with a fraction
        self.succeeds("convert", "roles.csv", "r.csv", "--from", 1)
        self.assertEqual(self.read("r.csv").decode(), "x0,x1\n1,2\n")

    def test_names_that_stand_for_several_columns(self):
        self.table("twice.csv", ["a", "a", "b", "c"], self.rows)
        self.table("twice_moved.csv", ["a", "b", "a", "c"], self.rows)
        self.succeeds("convert", "twice.csv", "twice.csv", "o.npy")
        self.fails(BAD_INPUT, "convert", "twice.csv", "twice_moved.csv", "none.npy", says=["twice_moved.csv", "several"])


if __name__ == "__main__":
    unittest.main()
