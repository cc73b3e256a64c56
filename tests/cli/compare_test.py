import json
import os
import re
import resource
import shutil
import subprocess
import time
import unittest

from program import BAD_INPUT, OVER_LIMIT, UNUSABLE, USAGE, ProgramTest, cluster_points, default_signals, npy

RUN = ["compare", "x.npy", "--methods", "svd,faithful", "--dims", "2,3"]
QUICK = ["compare", "x.npy", "--methods", "svd,pca", "--dims", "2,3"]  # where it does not matter what is fitted


def measures(result):
    return [(row["name"], row["dimension"], row["measures"]) for row in result["rows"]]


class Compare(ProgramTest):
    def setUp(self):
        super().setUp()
        self.write("x.npy", npy(cluster_points(120)))
        self.write("labels.npy", npy([i % 4 for i in range(120)], "<i8"))

    def kept(self, folder="isogon-runs"):
        return sorted(os.listdir(self.path(folder))) if os.path.isdir(self.path(folder)) else []

    def test_every_method_at_every_dimension_is_judged_as_score_does(self):
        result = self.json(*RUN, "--labels", "labels.npy", "--threshold", 0.8)
        self.assertEqual([(row["name"], row["dimension"]) for row in result["rows"]],
                         [("svd", 2), ("faithful", 2), ("svd", 3), ("faithful", 3)])
        self.assertEqual((result["verb"], result["threshold"], result["termination"]), ("compare", 0.8, "converged"))
        self.succeeds("embed", "x.npy", "-o", "y.npy", "--dim", 3)
        score = self.json("score", "x.npy", "y.npy", "--labels", "labels.npy", "--threshold", 0.8)
        row = result["rows"][3]
        for key, value in row["measures"].items():
            self.assertEqual(value, score[key], key)
        self.assertIn("knn_accuracy", row["measures"])
        self.assertGreater(row["seconds"], 0)
        self.assertEqual((row["refused"], row["kept"], row["metrics"]), (None, False, {"input": "euclidean", "output": "euclidean"}))

    def test_distances_need_no_threshold(self):
        self.write("far.npy", npy([[1000 + value for value in row] for row in cluster_points(120)]))
        result = self.json("compare", "far.npy", "--methods", "pca,svd", "--dims", 2, "--metric", "euclidean",
                           "--output-metric", "euclidean")  # fmt: skip
        self.assertEqual([row["refused"] for row in result["rows"]], [None, None])
        self.assertGreater(result["rows"][0]["measures"]["recall_at_10"], 0.2)
        self.fails(BAD_INPUT, "compare", "far.npy", "--methods", "pca,svd", "--dims", 2, "--metric", "cosine",
                   says=["same direction"])  # fmt: skip

    def test_every_method_runs_on_a_small_table_as_it_comes(self):
        self.write("small.npy", npy([[abs(value) for value in row[:4]] for row in cluster_points(40)]))
        names = [method["name"] for method in self.json("methods")["methods"]]
        result = self.json("compare", "small.npy", "--methods", ",".join(names))
        self.assertEqual([(row["name"], row["dimension"], row["refused"]) for row in result["rows"]],
                         [(name, 4, None) for name in names])
        self.write("tiny.npy", npy([row[:3] for row in cluster_points(8)]))
        rows = self.json("compare", "tiny.npy", "--methods", "svd,pca,isomap")["rows"]
        self.assertEqual([(row["dimension"], row["refused"]) for row in rows], [(3, None)] * 3)
        asked = self.json("compare", "small.npy", "--methods", "svd,laplacian", "--dims", "4,8")["rows"]
        self.assertEqual([row["refused"] is None for row in asked], [True, True, False, True])

    def test_threads_change_nothing(self):
        self.assertEqual(measures(self.json(*RUN, "--threads", 1)), measures(self.json(*RUN, "--threads", 3)))

    def test_the_table_is_aligned(self):
        lines = self.succeeds(*RUN).splitlines()
        self.assertEqual(lines[1].split()[:2], ["d", "method"])
        self.assertEqual({len(line) for line in lines[1:6]}, {len(lines[1])})
        self.assertIn("4 of 4 runs scored", lines[6])

    def test_options_make_contenders(self):
        result = self.json("compare", "x.npy", "--dims", 2, "--methods",
                           "tsm,tsm:iterations=3:seed=1,isomap:graph=tsm:components=bridge", "--threshold", 0.9)
        self.assertEqual([row["name"] for row in result["rows"]],
                         ["tsm", "tsm:iterations=3:seed=1", "isomap:graph=tsm:components=bridge"])
        options = [row["options"] for row in result["rows"]]
        self.assertEqual((options[1]["iterations"], options[1]["seed"], options[2]["threshold"]), (3, 1, 0.9))
        self.assertEqual(self.json("compare", "x.npy", "--dims", 2, "--methods", "isomap:components=bridge",
                                   "--threshold", 0.9)["rows"][0]["refused"], None)

    def test_a_seed_goes_to_all(self):
        rows = self.json(*RUN, "--seed", 7)["rows"]
        self.assertEqual([row["options"].get("seed", 7) for row in rows], [7] * 4)

    def test_coordinates_from_elsewhere_are_judged_beside(self):
        self.succeeds("embed", "x.npy", "-o", "theirs2.npy", "--method", "svd", "--dim", 2)
        self.succeeds("embed", "x.npy", "-o", "theirs3.npy", "--method", "svd", "--dim", 3)
        # Without it maps of unknown origin are judged by distances, and svd by the angles that it keeps.
        result = self.json(*QUICK, "--against-files", "theirs=theirs2.npy", "--against-files", "theirs=theirs3.npy",
                           "--output-metric", "cosine")  # fmt: skip
        ours, theirs = result["rows"][0], result["rows"][4]
        self.assertEqual((theirs["name"], theirs["dimension"], theirs["file"]), ("theirs", 2, "theirs2.npy"))
        self.assertEqual(theirs["measures"], ours["measures"])
        self.assertIsNone(theirs["seconds"])
        self.fails(USAGE, *QUICK, "--against-files", "svd=theirs2.npy", says=["svd=theirs2.npy", "choose another name"])

    def test_refusals_are_rows_with_reasons(self):
        run = ["compare", "x.npy", "--methods", "svd,tsne,isomap:components=error", "--dims", "2,500"]
        result = self.json(*run)
        refused = {(row["name"], row["dimension"]): row["refused"] for row in result["rows"]}
        self.assertIsNone(refused["svd", 2])
        self.assertIn("dimension = 500", refused["tsne", 500])
        self.assertIn("component", refused["isomap:components=error", 2])
        self.assertEqual(result["counts"]["refused"], 4)
        self.assertIn("component", self.succeeds(*run))

    def test_nothing_but_refusals_is_a_failure(self):
        code, out, err = self.run_program("compare", "x.npy", "--methods", "svd", "--dims", 500, "--json")
        self.assertEqual(code, UNUSABLE)
        self.assertIn("dimension = 500", err)
        self.assertEqual(len(self.parse_one_object(out)["rows"]), 1)

    def test_nothing_but_refusals_leaves_no_outputs(self):
        run = ["compare", "x.npy", "--methods", "svd", "-o", "rows.json", "--report", "all.html"]
        code, out, err = self.run_program(*run, "--dims", 500, "--json")
        self.assertEqual(code, UNUSABLE, err)
        self.assertIn("rows.json was not written", err)
        result = self.parse_one_object(out)
        self.assertEqual((result["output"], result["report"]), (None, None))
        self.succeeds(*run, "--dims", 2)  # nothing stands in the way of the corrected command

    def test_a_score_over_the_memory_limit_is_a_row(self):
        """Coordinates that were made elsewhere need no fit: with little memory their score is what is refused."""
        self.succeeds("embed", "x.npy", "--method", "svd", "--dim", 2, "-o", "theirs.npy")
        run = ["compare", "x.npy", "--methods", "svd", "--dims", 2, "--threshold", 0.3]
        run += ["--against-files", "theirs=theirs.npy"]
        for limit, refused in (("1k", True), ("100M", False)):
            code, out, err = self.run_program(*run, "--json", "--memory-limit", limit)
            rows = self.parse_one_object(out)["rows"]
            self.assertEqual((len(rows), code), (2, UNUSABLE if refused else 0), err)
            for row in rows:
                self.assertEqual((row["measures"] is None, row["refused"] is not None), (refused, refused))
            unscored = [(row["refused"] or "").startswith("cannot be scored: ") for row in rows]
            self.assertEqual(sum(unscored), 1 if refused else 0)

    def test_warnings_of_scores_are_told_once(self):
        run = [*QUICK, "--report", "all.html", "--threshold", 0.999]
        for _ in range(2):  # of scores made now, and of those that are kept
            code, out, err = self.run_program(*run, "--json", "--overwrite")
            self.assertEqual(code, 0, err)
            warnings = [text for text in self.parse_one_object(out)["warnings"] if "no other point" in text]
            self.assertEqual(len(warnings), 1, warnings)
            self.assertEqual(err.count("no other point above the threshold"), 1)
            self.assertEqual(self.page("all.html")["warnings"].count(warnings[0]), 1)
        self.assertEqual(self.json(*run[:-1], 0.5, "--overwrite")["warnings"], [])

    def test_two_spellings_of_one_run(self):
        run = ["compare", "x.npy", "--methods", "tsm,tsm:solver=low-rank", "--dims", 2, "--threshold", 0.8, "-o", "r.json"]
        text = self.succeeds(*run)
        self.assertIn("same run as tsm above", text)
        self.assertIn("0 kept from before", text)
        rows = self.json(*run, "--overwrite")["rows"]
        self.assertEqual([(row["kept"], row["same_run_as"]) for row in rows], [(True, None), (True, "tsm")])

    def test_a_full_disk_leaves_no_output_and_tells_the_rows(self):
        """A limit on the size of files stands for it: the rows would fit, the page does not."""
        limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (50000, 50000))
        run = [*QUICK, "-o", "rows.json", "--report", "all.html", "--cache", "runs"]
        before = set(self.names())
        code, out, err = self.run_program(*run, preexec_fn=limit)
        self.assertEqual(code, UNUSABLE, err)
        self.assertIn("all.html", err.splitlines()[-1])
        self.assertIn("4 of 4 runs scored", out)
        self.assertEqual(set(self.names()) - before, {"runs"})
        code, out, err = self.run_program(*run, "--json", preexec_fn=limit)
        result = self.parse_one_object(out)
        self.assertEqual((code, result["output"], result["report"], len(result["rows"])), (UNUSABLE, None, None, 4))
        self.assertEqual(set(self.names()) - before, {"runs"})
        self.assertIn("rows.json\nall.html\n", self.succeeds(*run))

    def test_a_cache_that_cannot_be_made_says_why(self):
        os.mkdir(self.path("disk"))
        mount = ["mount", "-t", "tmpfs", "-o", "ro", "none", self.path("disk")]
        if not shutil.which("mount") or subprocess.run(mount, capture_output=True).returncode != 0:
            self.skipTest("no read-only file system can be mounted here")
        self.addCleanup(lambda: subprocess.run(["umount", self.path("disk")], check=True))
        code, _, err = self.run_program(*QUICK, "--cache", "disk/runs")
        self.assertEqual(code, 0, err)
        self.assertIn("disk/runs: cannot be made: Read-only file system", err)

    def test_words_are_labels_too(self):
        self.write("words.txt", "".join("%s\n" % "abcd"[i % 4] for i in range(120)))
        run = ["compare", "x.npy", "--methods", "svd", "--dims", 2]
        self.assertEqual(measures(self.json(*run, "--labels", "words.txt")),
                         measures(self.json(*run, "--labels", "labels.npy")))
        self.write("few.txt", "cat\ndog\n")
        self.fails(BAD_INPUT, *run, "--labels", "few.txt", says=["few.txt", 2, 120])

    def test_finished_runs_are_kept_and_taken(self):
        run = [*QUICK, "-o", "rows.json", "--overwrite"]
        first = self.json(*run)
        files = self.kept()
        self.assertEqual(len(files), 8)  # fits and scores
        self.assertEqual([row["kept"] for row in first["rows"]], [False] * 4)
        second = self.json(*run)
        self.assertEqual([row["kept"] for row in second["rows"]], [True] * 4)
        self.assertEqual(measures(second), measures(first))
        self.assertEqual([row["options"] for row in second["rows"]], [row["options"] for row in first["rows"]])
        self.assertEqual([row["seconds"] for row in second["rows"]], [row["seconds"] for row in first["rows"]])
        self.assertEqual(self.kept(), files)
        self.assertEqual(json.loads(self.read("rows.json"))["rows"], second["rows"])
        more = self.json(*run[:3], "svd,pca", "--dims", "2,3,4", "--cache", "isogon-runs")
        self.assertEqual([row["kept"] for row in more["rows"]], [True] * 4 + [False] * 2)

    def test_a_run_is_known_by_all_that_it_depends_on(self):
        run = ["compare", "x.npy", "--methods", "tsm", "--dims", 2, "--cache", "runs"]
        self.json(*run)
        self.assertTrue(self.json(*run, "--threads", 1)["rows"][0]["kept"])
        for change in [["--seed", 1], ["--threshold", 0.7], ["--every", 2]]:
            self.assertFalse(self.json(*run, *change)["rows"][0]["kept"], change)
        other = ["compare", "x.npy", "--methods", "tsm:iterations=9", "--dims", 2, "--cache", "runs"]
        self.assertFalse(self.json(*other)["rows"][0]["kept"])
        rows = cluster_points(120)
        rows[119][7] += 1e-3
        self.write("x.npy", npy(rows))
        self.assertFalse(self.json(*run)["rows"][0]["kept"])

    def test_labels_are_part_of_a_score(self):
        run = ["compare", "x.npy", "--methods", "svd", "--dims", 2, "--cache", "runs"]
        self.assertNotIn("knn_accuracy", self.json(*run)["rows"][0]["measures"])
        first = self.json(*run, "--labels", "labels.npy")["rows"][0]
        self.assertTrue(first["kept"])
        self.write("labels.npy", npy([i % 3 for i in range(120)], "<i8"))
        second = self.json(*run, "--labels", "labels.npy")["rows"][0]
        self.assertNotEqual(first["measures"]["knn_accuracy"], second["measures"]["knn_accuracy"])

    def test_a_broken_entry_is_done_again(self):
        run = [*QUICK, "--cache", "runs"]
        first = self.json(*run)
        files = self.kept("runs")
        whole = {name: self.read(os.path.join("runs", name)) for name in files}
        for damage in [lambda data: data[: len(data) // 2], lambda data: b"", lambda data: data[:-9] + b"\xff" + data[-8:]]:
            for name in files:
                self.write(os.path.join("runs", name), damage(whole[name]))
            code, out, err = self.run_program(*run, "--json")
            self.assertEqual(code, 0, err)
            self.assertIn("done again", err)
            again = self.parse_one_object(out)
            self.assertEqual([row["kept"] for row in again["rows"]], [False] * 4)
            self.assertEqual(measures(again), measures(first))
            self.assertTrue(all(row["kept"] for row in self.json(*run)["rows"]))
        # A whole file under another's name is not that run.
        self.write(os.path.join("runs", files[0]), whole[files[1]])
        self.assertEqual(measures(self.json(*run)), measures(first))

    def test_fresh_replaces_what_is_kept(self):
        run = [*QUICK, "--cache", "runs"]
        self.json(*run)
        self.assertFalse(any(row["kept"] for row in self.json(*run, "--fresh")["rows"]))
        self.assertTrue(all(row["kept"] for row in self.json(*run)["rows"]))

    def test_without_an_output_nothing_is_kept(self):
        before = self.names()
        self.json(*QUICK)
        self.assertEqual(self.names(), before)

    def test_a_folder_that_cannot_be_written_is_told_once(self):
        self.write("runs", b"a file")
        code, _, err = self.run_program(*QUICK, "--cache", "runs")
        self.assertEqual(code, 0)
        self.assertEqual(err.count("runs are not kept"), 1)

    def page(self, name):
        text = self.read(name).decode()
        return json.loads(re.search(r'<script id="isogon-data" type="application/json">(.*?)</script>', text, re.S)[1])

    def test_axes_are_short_and_notes_say_what_is_measured(self):
        self.succeeds(*RUN, "--report", "all.html", "--labels", "labels.npy")
        charts = self.page("all.html")["charts"]
        self.assertEqual(len(charts), 8)
        for chart in charts:
            self.assertLessEqual(len(chart["y"]["label"]), 40)
        notes = self.page("all.html")["notes"]
        self.assertIn("pair with itself does not count", notes[0])
        self.assertFalse(any("Saul" in (chart["note"] or "") for chart in charts))

    def test_notes_say_what_recall_is_of_also_of_kept_runs(self):
        for name in ["made.html", "kept.html"]:
            self.succeeds(*RUN, "--report", name, "--metric", "euclidean", "--output-metric", "euclidean")
            self.assertIn("too: nearest by distance.", self.page(name)["charts"][3]["note"])
        self.succeeds("compare", "x.npy", "--methods", "svd,tsm", "--dims", "2,3", "--report", "angles.html")
        self.assertIn("too: nearest by cosine.", self.page("angles.html")["charts"][3]["note"])

    def test_each_method_is_scored_by_its_own_metrics(self):
        run = ["compare", "x.npy", "--methods", "svd,pca,umap:metric=cosine", "--dims", 2, "--report", "own.html"]
        rows = {row["name"]: row["metrics"] for row in self.json(*run)["rows"]}
        self.assertEqual(rows, {"svd": {"input": "cosine", "output": "cosine"},
                                "pca": {"input": "euclidean", "output": "euclidean"},
                                "umap:metric=cosine": {"input": "cosine", "output": "euclidean"}})  # fmt: skip
        self.assertEqual(self.page("own.html")["charts"], [])
        note = self.page("own.html")["tables"][0]["note"]
        self.assertIn("nearest by cosine (svd), nearest by distance (pca)", note)
        self.assertIn("nearest by cosine in X, by distance in Y (umap:metric=cosine)", note)

    def test_rows_of_two_dimensions_are_shown_as_maps(self):
        self.succeeds(*RUN, "--report", "all.html", "--labels", "labels.npy")
        maps = self.page("all.html")["maps"]
        self.assertEqual(len(maps), 2)  # of four runs, two of which have three dimensions
        self.assertRegex(maps[0]["title"], r"^svd: \d+% of the 10 nearest kept$")
        self.assertEqual(maps[0]["coordinates"]["shape"][1], 2)
        self.assertTrue(maps[0]["labels"]["names"])

    def test_the_report_is_a_page_with_the_curves(self):
        self.succeeds(*RUN, "--report", "all.html", "--labels", "labels.npy")
        data = self.page("all.html")
        self.assertEqual((data["format"], data["version"], data["kind"]), ("isogon-report", 1, "charts"))
        self.assertEqual([series["name"] for series in data["charts"][0]["series"]], ["svd", "faithful"])
        self.assertEqual([series["role"] for series in data["charts"][0]["series"]], ["baseline", "ours"])
        for series in data["charts"][0]["series"]:
            self.assertEqual([x for x, _ in series["points"]], [2, 3])
        self.assertEqual([table["title"] for table in data["tables"]], ["2 dimensions", "3 dimensions"])
        for table in data["tables"]:
            self.assertEqual([row[0] for row in table["rows"]], ["svd", "faithful"])
            self.assertNotIn("why it ended", table["columns"])
            best = dict(zip(table["columns"], table["best"]))
            self.assertEqual([best[key] for key in ("method", "degrees off", "recall_at_10", "seconds")],
                             [None, "low", "high", "low"])  # fmt: skip
            chance = dict(zip(table["columns"], table["chance"]))
            self.assertAlmostEqual(chance["recall_at_10"], 10 / 119, places=3)
            self.assertAlmostEqual(chance["trust"], 0.5, places=1)
            self.assertEqual(len({len(table["columns"]), len(table["best"]), len(table["chance"])}), 1)
        # Charts are compared at a glance.
        self.assertEqual({tuple(chart["x"]["range"]) for chart in data["charts"]}, {(2, 3)})
        self.assertEqual(data["charts"][3]["y"]["range"], [0, 1])
        self.assertEqual(len(self.kept()), 8)  # beside the report
        self.succeeds("compare", "x.npy", "--methods", "svd,nmf", "--dims", 2, "--report", "one.html")
        data = self.page("one.html")
        self.assertEqual(data["charts"], [])
        self.assertIn("nmf was refused: ", data["tables"][0]["note"])
        self.assertTrue(data["made"]["command"].startswith("isogon compare x.npy"))

    def start_long_run(self, *arguments):
        """Returns once the first run is kept."""
        process = self.start(*arguments, preexec_fn=default_signals)
        deadline = time.monotonic() + 60
        while not any(name.endswith(".safetensors") for name in self.kept("runs")):
            self.assertIsNone(process.poll(), "the run ended before it could be interrupted")
            self.assertLess(time.monotonic(), deadline)
        return process

    def test_ctrl_c_tells_the_rows_so_far_and_the_next_goes_on(self):
        self.digits(600)
        outputs = ["-o", "rows.json", "--report", "all.html", "--json"]
        shared = ["compare", "digits.npy", "--cache", "runs", "--dims", "2,3,4", "--threshold", 0.75]
        # More updates than any machine gets through before the signal comes.
        run = [*shared, "--methods", "svd,tsm:tolerance=0:iterations=10000000", *outputs]
        process = self.start_long_run(*run)
        out, err = self.interrupt(process)
        self.assertIn("rows.json was not written", err)
        self.assertIn("all.html was not written", err)
        first = self.parse_one_object(out)
        self.assertLessEqual(len(first["rows"]), 1)
        self.assertEqual((first["termination"], first["output"], first["report"]), ("cancelled", None, None))

        code, out, err = self.run_program(*run, "--time-limit", "3s")  # nothing stands in the way of the same command
        self.assertEqual(code, OVER_LIMIT, err)
        self.assertIn("rows.json was not written", err)
        again = self.parse_one_object(out)["rows"]
        self.assertTrue(again[0]["kept"])
        self.assertEqual(measures({"rows": again[: len(first["rows"])]}), measures(first))

        last = self.parse_one_object(self.succeeds(*shared, "--methods", "svd", *outputs))
        self.assertEqual([row["kept"] for row in last["rows"]], [True, False, False])
        self.assertEqual(json.loads(self.read("rows.json"))["rows"], last["rows"])
        self.assertIn("all.html", self.names())

    def test_a_time_limit_leaves_the_rows_so_far(self):
        code, out, err = self.run_program(*RUN, "--time-limit", "0.000001s", "--json")
        self.assertEqual(code, OVER_LIMIT, err)
        result = self.parse_one_object(out)
        self.assertEqual((result["rows"], result["threshold"]), ([], None))
        _, out, _ = self.run_program(*RUN, "--time-limit", "0.000001s")
        self.assertNotIn("threshold", out)

    def test_mistakes_are_found_before_work_starts(self):
        for methods, words in [("embroider", ["embroider"]), ("svd,svd", ["twice"]), ("", ["one of"]),
                               ("svd:dim=3", ["--dims"]), ("tsm:solver", ["solver=sphere"]), ("tsm:solver=", ["solver"]),
                               ("tsm:colour=red", ["colour"]), ("tsm:solver=slow", ["solver", "sphere"]),
                               ("tsm:iterations=0", ["iterations"]), ("foo", ["--methods", "foo"]),
                               ("tsm,", ["--methods", "tsm,", "missing"])]:
            self.fails(USAGE, "compare", "x.npy", "--methods", methods, says=words)
        for dims in ["0", "2,2", "two", "", "2,", "-1"]:
            self.fails(USAGE, "compare", "x.npy", "--dims=" + dims, says=["--dims"])
        self.fails(USAGE, *RUN, "-o", "rows.csv", says=["rows.csv", ".json"])
        self.fails(USAGE, *RUN, "--report", "all.txt", says=["all.txt", ".html"])
        self.fails(USAGE, *RUN, "-o", "nowhere/rows.json", says=["nowhere"])
        self.fails(USAGE, *RUN, "--against-files", "theirs.npy", says=["theirs.npy", "name"])
        self.write("short.npy", npy(cluster_points(20)))
        self.fails(BAD_INPUT, *RUN, "--against-files", "theirs=short.npy", says=["short.npy", 20, 120])
        self.fails(USAGE, *RUN, "--against-files", "a=short.npy", "--against-files", "a=./short.npy",
                   says=["./short.npy", "twice"])  # fmt: skip
        self.fails(OVER_LIMIT, *RUN, "--memory-limit", "1k", says=["1"])
        err = self.fails(USAGE, *RUN, "--neighbors", 120, "-o", "rows.json", says=["--neighbors", 120])
        self.assertNotIn("runs 0", err)


if __name__ == "__main__":
    unittest.main()
