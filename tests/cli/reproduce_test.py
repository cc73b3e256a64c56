import json
import os
import re
import unittest

from program import OVER_LIMIT, USAGE, ProgramTest


class Reproduce(ProgramTest):
    def data(self, train=3000):
        """Drawn digits under the names of MNIST's files: enough for the quick figures to be made of something."""
        folder = self.path("data/mnist")
        os.makedirs(folder, exist_ok=True)
        for part, count in (("train", train), ("t10k", 500)):
            self.succeeds("generate", "drawn-digits", "--count", count, "-o", "data/mnist/%s-images-idx3-ubyte.gz" % part,
                          "--labels", "data/mnist/%s-labels-idx1-ubyte.gz" % part)
        return ["--data", "data"]

    def document(self, name, folder="reproduction"):
        data = json.loads(self.read(os.path.join(folder, name, "data.json")))
        page = self.read(os.path.join(folder, name, "report.html")).decode()
        inside = re.search(r'<script id="isogon-data" type="application/json">(.*?)</script>', page, re.S)[1]
        self.assertEqual(json.loads(inside), data)
        self.assertEqual((data["format"], data["kind"]), ("isogon-report", "charts"))
        return data

    def test_the_list_tells_what_each_figure_needs(self):
        listed = self.json("reproduce", "list")["figures"]
        names = [figure["name"] for figure in listed]
        self.assertEqual(len(set(names)), len(names))
        for name in ["tsm-1", "tsm-3", "tsm-table-1", "lll-roll", "lsde-roll", "forces-2"]:
            self.assertIn(name, names)
        for figure in listed:
            for key in ["title", "source", "takes"]:
                self.assertTrue(figure[key], figure)
        text = self.succeeds("reproduce", "list")
        for name in names:
            self.assertIn(name, text)

    def test_a_figure_is_a_folder_of_files(self):
        result = self.json("reproduce", "tsm-1")
        figure = result["figures"][0]
        self.assertEqual((figure["name"], figure["quick"]), ("tsm-1", False))
        for file in figure["files"]:
            self.assertTrue(os.path.getsize(self.path(file)), file)
        data = self.document("tsm-1")
        self.assertIn("figure 1", data["title"])
        found = data["tables"][2]["rows"]
        published = data["tables"][0]["rows"]
        for i, row in enumerate(published):
            for j, value in enumerate(row):
                self.assertAlmostEqual(max(0.0, found[i][j]), value, delta=1e-4)
        self.assertEqual(self.read("reproduction/tsm-1/table-1.csv").decode().splitlines()[1], "10,0,0,0,0,15")

    def test_what_is_there_is_not_replaced_unasked(self):
        self.succeeds("reproduce", "tsm-1", "-o", "out")
        code, _, err = self.run_program("reproduce", "tsm-1", "-o", "out")
        self.assertEqual(code, USAGE)
        self.assertIn("--overwrite", err)
        self.succeeds("reproduce", "tsm-1", "-o", "out", "--overwrite")

    def test_a_failed_try_does_not_stand_in_the_way(self):
        def fails(code, *arguments):
            self.assertEqual(self.run_program("reproduce", *arguments, "-o", "out")[0], code)
            self.assertFalse(os.path.exists(self.path("out/tsm-1")))

        fails(USAGE, "tsm-1", "tsm-99")  # no such figure
        fails(USAGE, "tsm-1", "tsm-2")  # no --data
        fails(USAGE, "tsm-1", "tsm-1")
        self.assertFalse(os.path.exists(self.path("out")))
        fails(OVER_LIMIT, "tsm-1", "--time-limit", "0.000001s")
        os.mkdir(self.path("out/tsm-1"))
        self.succeeds("reproduce", "tsm-1", "-o", "out")
        self.document("tsm-1", "out")

    def test_flags_say_no_more_than_they_do(self):
        err = self.fails(USAGE, "reproduce", "tsm-1", "--dims", "2", says=["--dims", "tsm-1"])
        self.assertIn("not made over the dimension", err)
        text = self.succeeds("reproduce", "tsm-1", "--quick")  # there is nothing to take less of
        self.assertNotIn("quick", text)
        self.assertEqual(self.document("tsm-1")["warnings"], [])

    def test_ours_stand_beside_the_published_numbers(self):
        data = self.data()
        text = self.succeeds("reproduce", "tsm-9", "forces-2", *data, "--quick")
        self.assertIn("## tsm-9", text)
        self.assertIn("A quick run: fewer points", text.split("## forces-2")[0])
        self.assertIn("A quick run: fewer steps", text.split("## forces-2")[1])
        document = self.document("tsm-9")
        roles = {series["name"]: series["role"] for series in document["charts"][0]["series"]}
        self.assertEqual(roles["Isomap, published"], "published")
        self.assertEqual(roles["isogon isomap"], "ours")
        self.assertTrue(any("quick" in warning for warning in document["warnings"]))
        self.assertIn("<svg", self.read("reproduction/tsm-9/chart-1.svg").decode())
        first = document["tables"]
        runs = len(os.listdir(self.path("reproduction/isogon-runs")))
        self.succeeds("reproduce", "tsm-9", "tsm-11", *data, "--quick", "--overwrite")  # from the runs that are kept
        self.assertEqual(self.document("tsm-9")["tables"], first)
        self.assertEqual(len(os.listdir(self.path("reproduction/isogon-runs"))), runs)

    def test_every_way_of_landmarks_is_fitted(self):
        self.succeeds("reproduce", "lll-landmarks", *self.data(8000), "--quick")  # of 400 points
        errors = self.document("lll-landmarks")["tables"][0]
        self.assertEqual(errors["columns"], ["landmarks", "LLL", "LE(Z)", "LE(Nys.)"])
        self.assertEqual([row[0] for row in errors["rows"]], [100, 300])
        for _, *row in errors["rows"]:
            self.assertTrue(all(0 < error < 1 for error in row), row)
            self.assertEqual(min(row), row[0], "mixtures that know of all points come nearest to the exact fit")

    def test_mistakes_are_found_before_work_starts(self):
        self.fails(USAGE, "reproduce", "tsm-99", says=["tsm-99", "tsm-3", "list"])
        for arguments in [["tsm-3"], ["tsm-3", "--data", "nowhere"]]:
            code, _, err = self.run_program("reproduce", *arguments, "--overwrite")
            self.assertEqual(code, USAGE, err)
            self.assertIn("mnist", err)


if __name__ == "__main__":
    unittest.main()
