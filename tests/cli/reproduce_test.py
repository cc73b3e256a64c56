import csv
import json
import os
import re
import resource
import shutil
import subprocess
import time
import unittest

from program import BAD_INPUT, OVER_LIMIT, UNUSABLE, USAGE, ProgramTest, default_signals


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

    def figure_files(self, name="tsm-1", folder="out"):
        place = os.path.join(folder, name)
        return {file: self.read(os.path.join(place, file)) for file in os.listdir(self.path(place))}

    def test_a_full_disk_leaves_the_folder_as_it_was(self):
        """A limit on the size of files stands for it: the tables fit, the page does not."""
        limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (50000, 50000))
        code, out, err = self.run_program("reproduce", "tsm-1", "-o", "out", preexec_fn=limit)
        self.assertEqual((code, out), (UNUSABLE, ""), err)
        self.assertIn("out/tsm-1/report.html: the file grows over", err.splitlines()[-1])
        self.assertEqual(os.listdir(self.path("out")), [])
        self.succeeds("reproduce", "tsm-1", "-o", "out")  # nothing stands in the way of the same command
        before = self.figure_files()
        code, _, err = self.run_program("reproduce", "tsm-1", "-o", "out", "--overwrite", preexec_fn=limit)
        self.assertEqual(code, UNUSABLE, err)
        self.assertEqual(self.figure_files(), before)

    def test_overwriting_leaves_nothing_of_an_earlier_figure_and_all_of_others(self):
        self.succeeds("reproduce", "tsm-1", "-o", "out")
        names = set(self.figure_files())
        foreign = ["mine.txt", "chart-9.svg.bak", "chart-x.svg", "table-9.tsv", "my-chart-9.svg"]
        for name in [*foreign, "chart-9.svg", "chart-12.csv", "table-9.csv", "map-1.svg", "map-1.csv"]:
            self.write("out/tsm-1/" + name, b"old")
        self.succeeds("reproduce", "tsm-1", "-o", "out", "--overwrite")
        self.assertEqual(set(self.figure_files()), names | set(foreign))

    def read_only(self):
        os.mkdir(self.path("disk"))
        mount = ["mount", "-t", "tmpfs", "none", self.path("disk")]
        if not shutil.which("mount") or subprocess.run(mount, capture_output=True).returncode != 0:
            self.skipTest("no read-only file system can be mounted here")
        self.addCleanup(lambda: subprocess.run(["umount", self.path("disk")], check=True))
        os.makedirs(self.path("disk/tsm-2"))
        subprocess.run(["mount", "-o", "remount,ro", self.path("disk")], check=True)

    def test_a_folder_that_cannot_be_written_is_found_before_work(self):
        self.read_only()
        for arguments in [["tsm-1", "-o", "disk"], ["tsm-1", "-o", "disk/new"]]:
            err = self.fails(USAGE, "reproduce", *arguments, says=["disk", "ead-only"])
            self.assertNotIn("A sparse matrix", err)  # what the work begins with

    def test_a_file_of_ours_that_cannot_be_replaced_is_found_before_work(self):
        os.makedirs(self.path("out/tsm-1/report.html"))
        err = self.fails(USAGE, "reproduce", "tsm-1", "-o", "out", "--overwrite", says=["out/tsm-1/report.html"])
        self.assertNotIn("A sparse matrix", err)

    def test_every_missing_file_is_named_before_work(self):
        data = self.data(50)
        needs = {figure["name"]: figure["files"] for figure in self.json("reproduce", "list")["figures"]}
        self.assertEqual(needs["tsm-1"], [])
        self.assertIn("coil-20/coil20-labels-idx1-ubyte.gz", needs["lsde-object"])
        for name, files in needs.items():
            missing = [file for file in files if not file.startswith("mnist/")]
            if missing:
                err = self.fails(USAGE, "reproduce", name, *data, says=[name, "docs/data.md", *missing])
                self.assertNotIn("mnist", err)
        os.remove(self.path("data/mnist/t10k-labels-idx1-ubyte.gz"))
        self.fails(USAGE, "reproduce", "forces-2", *data, says=["data/mnist/t10k-labels-idx1-ubyte.gz"])
        page = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../docs/data.md")
        with open(page, encoding="utf-8") as file:
            said = file.read()
        for file in {file for files in needs.values() for file in files}:
            self.assertIn(file if not file.startswith("mnist") else "MNIST", said)

    def stopped(self, result, err):
        """What a figure that was written has come to stands, and the last line tells how to go on."""
        self.assertEqual([figure["name"] for figure in result["figures"]], ["tsm-1"])
        self.assertEqual(result["stopped_in"], "lll-roll")
        last = err.splitlines()[-1]
        for words in ["lll-roll", "written: tsm-1", "isogon reproduce lll-roll lsde-roll"]:
            self.assertIn(words, last)
        self.assertNotIn("nothing was written", err)
        self.document("tsm-1", "out")
        self.assertFalse(os.path.exists(self.path("out/lll-roll")))

    def test_a_later_figure_that_is_interrupted(self):
        process = self.start("reproduce", "tsm-1", "lll-roll", "lsde-roll", "-o", "out", "--json",
                             preexec_fn=default_signals)  # fmt: skip
        deadline = time.monotonic() + 60
        while not os.path.exists(self.path("out/tsm-1/report.html")):
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.01)
        out, err = self.interrupt(process)
        self.stopped(self.parse_one_object(out), err)

    def test_a_later_figure_that_fails(self):
        data = self.data(200)
        self.write("data/mnist/t10k-images-idx3-ubyte.gz", b"damaged")
        code, out, err = self.run_program("reproduce", "tsm-1", "forces-2", *data, "-o", "out")
        self.assertEqual(code, BAD_INPUT, err)
        self.assertIn("## tsm-1", out)
        for words in ["stopped in forces-2", "t10k-images", "written: tsm-1", "isogon reproduce forces-2"]:
            self.assertIn(words, err.splitlines()[-1])

    def test_a_first_figure_that_is_stopped(self):
        code, out, err = self.run_program("reproduce", "tsm-1", "--time-limit", "0.000001s", "--json")
        result = self.parse_one_object(out)
        self.assertEqual((code, result["figures"], result["stopped_in"]), (OVER_LIMIT, [], "tsm-1"), err)
        self.assertIn("written: no figure", err.splitlines()[-1])

    def test_every_picture_has_its_numbers(self):
        data = self.data()
        self.succeeds("reproduce", "forces-3", "lll-roll", *data, "--quick", "-o", "out")
        for name in ["forces-3", "lll-roll"]:
            document = self.document(name, "out")
            pictures = [file for file in self.figure_files(name) if file.endswith(".svg")]
            self.assertEqual(len(pictures), len(document["charts"]) + len(document["maps"] or []))
            for picture in pictures:
                self.assertIn(picture.replace(".svg", ".csv"), self.figure_files(name))
        rows = list(csv.reader(self.read("out/forces-3/map-1.csv").decode().splitlines()))
        self.assertEqual(rows[0], ["first coordinate", "second coordinate", "class"])
        self.assertEqual(len(rows) - 1, 50)  # 3,500 digits, every 70th
        self.assertTrue(all(float(x) == float(x) and float(y) == float(y) for x, y, _ in rows[1:]))
        rows = list(csv.reader(self.read("out/lll-roll/chart-1.csv").decode().splitlines()))
        chart = self.document("lll-roll", "out")["charts"][0]
        self.assertEqual(rows[0], ["series", chart["x"]["label"], chart["y"]["label"]])
        drawn = [(series["name"], x, y) for series in chart["series"] for x, y in series["points"]]
        self.assertEqual([(name, float(x), float(y)) for name, x, y in rows[1:]], drawn)

    def test_a_figure_explains_itself(self):
        text = self.succeeds("reproduce", "lsde-roll", "--quick")
        self.assertNotIn("20,000 points unrolled", text)
        notes = self.document("lsde-roll")["notes"]
        self.assertIn("AISTATS 2005", notes[0])
        self.assertTrue(any("Share of the trace" in note for note in notes))
        for note in notes:
            self.assertIn(note, text)

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
        times = self.document("lll-landmarks")["tables"][1]["rows"]
        self.assertEqual([row[:2] for row in times], [[m, way] for m in (100, 300) for way in errors["columns"][1:]])

    def test_mistakes_are_found_before_work_starts(self):
        self.fails(USAGE, "reproduce", "tsm-99", says=["tsm-99", "tsm-3", "list"])
        for arguments in [["tsm-3"], ["tsm-3", "--data", "nowhere"]]:
            code, _, err = self.run_program("reproduce", *arguments, "--overwrite")
            self.assertEqual(code, USAGE, err)
            self.assertIn("mnist", err)


if __name__ == "__main__":
    unittest.main()
