import json
import os
import re
import signal
import time
import unittest

from program import BAD_INPUT, INTERRUPTED, OVER_LIMIT, UNUSABLE, USAGE, ProgramTest, cluster_points, npy

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
        self.succeeds("embed", "x.npy", "-o", "y.npy", "--dim", 3, "--threshold", 0.8)
        score = self.json("score", "x.npy", "y.npy", "--labels", "labels.npy", "--threshold", 0.8)
        row = result["rows"][3]
        for key, value in row["measures"].items():
            self.assertEqual(value, score[key], key)
        self.assertIn("knn_accuracy", row["measures"])
        self.assertGreater(row["seconds"], 0)
        self.assertEqual((row["refused"], row["kept"], row["options"]["threshold"]), (None, False, 0.8))

    def test_threads_change_nothing(self):
        self.assertEqual(measures(self.json(*RUN, "--threads", 1)), measures(self.json(*RUN, "--threads", 3)))

    def test_the_table_is_aligned(self):
        lines = self.succeeds(*RUN).splitlines()
        self.assertEqual(lines[1].split()[:2], ["d", "method"])
        self.assertEqual({len(line) for line in lines[1:6]}, {len(lines[1])})
        self.assertIn("4 of 4 runs judged", lines[6])

    def test_options_make_contenders(self):
        result = self.json("compare", "x.npy", "--dims", 2, "--methods",
                           "tsm,tsm:iterations=3:norms=matched,isomap:graph=tsm:components=bridge", "--threshold", 0.9)
        self.assertEqual([row["name"] for row in result["rows"]],
                         ["tsm", "tsm:iterations=3:norms=matched", "isomap:graph=tsm:components=bridge"])
        options = [row["options"] for row in result["rows"]]
        self.assertEqual((options[1]["iterations"], options[1]["norms"], options[2]["threshold"]), (3, "matched", 0.9))
        self.assertEqual(self.json("compare", "x.npy", "--dims", 2, "--methods", "isomap:components=bridge",
                                   "--threshold", 0.9)["rows"][0]["refused"], None)

    def test_a_seed_goes_to_all(self):
        rows = self.json(*RUN, "--seed", 7)["rows"]
        self.assertEqual([row["options"].get("seed", 7) for row in rows], [7] * 4)

    def test_coordinates_from_elsewhere_are_judged_beside(self):
        self.succeeds("embed", "x.npy", "-o", "theirs2.npy", "--method", "svd", "--dim", 2)
        self.succeeds("embed", "x.npy", "-o", "theirs3.npy", "--method", "svd", "--dim", 3)
        result = self.json(*QUICK, "--against-files", "theirs=theirs2.npy", "--against-files", "theirs=theirs3.npy")
        ours, theirs = result["rows"][0], result["rows"][4]
        self.assertEqual((theirs["name"], theirs["dimension"], theirs["file"]), ("theirs", 2, "theirs2.npy"))
        self.assertEqual(theirs["measures"], ours["measures"])
        self.assertIsNone(theirs["seconds"])
        self.fails(USAGE, *QUICK, "--against-files", "svd=theirs2.npy", says=["svd=theirs2.npy", "choose another name"])

    def test_refusals_are_rows_with_reasons(self):
        run = ["compare", "x.npy", "--methods", "svd,tsne,isomap", "--dims", "2,500"]
        result = self.json(*run)
        refused = {(row["name"], row["dimension"]): row["refused"] for row in result["rows"]}
        self.assertIsNone(refused["svd", 2])
        self.assertIn("dimension = 500", refused["tsne", 500])
        self.assertIn("component", refused["isomap", 2])
        self.assertEqual(result["counts"]["refused"], 4)
        self.assertIn("component", self.succeeds(*run))

    def test_nothing_but_refusals_is_a_failure(self):
        code, out, err = self.run_program("compare", "x.npy", "--methods", "svd", "--dims", 500, "--json")
        self.assertEqual(code, UNUSABLE)
        self.assertIn("dimension = 500", err)
        self.assertEqual(len(self.parse_one_object(out)["rows"]), 1)

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

    def test_the_report_is_a_page_with_the_curves(self):
        self.succeeds(*RUN, "--report", "all.html", "--labels", "labels.npy")
        page = self.read("all.html").decode()
        data = json.loads(re.search(r'<script id="isogon-data" type="application/json">(.*?)</script>', page, re.S)[1])
        self.assertEqual((data["format"], data["version"], data["kind"]), ("isogon-report", 1, "charts"))
        self.assertEqual([series["name"] for series in data["charts"][0]["series"]], ["svd", "faithful"])
        self.assertEqual([series["role"] for series in data["charts"][0]["series"]], ["baseline", "ours"])
        for series in data["charts"][0]["series"]:
            self.assertEqual([x for x, _ in series["points"]], [2, 3])
        self.assertEqual(len(data["tables"][0]["rows"]), 4)
        self.assertTrue(data["made"]["command"].startswith("isogon compare x.npy"))
        self.assertEqual(len(self.kept()), 8)  # beside the report

    def start_long_run(self, *arguments):
        """Returns once the first run is kept."""
        process = self.start(*arguments, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
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
        run = [*shared, "--methods", "svd,tsm:recipe=paper:iterations=100000:tolerance=0", *outputs]
        process = self.start_long_run(*run)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=120)
        self.assertEqual(process.returncode, INTERRUPTED, err)
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
        self.assertEqual(self.parse_one_object(out)["rows"], [])

    def test_mistakes_are_found_before_work_starts(self):
        for methods, words in [("embroider", ["embroider"]), ("svd,svd", ["twice"]), ("", ["one of"]),
                               ("svd:dim=3", ["--dims"]), ("tsm:recipe", ["recipe=paper"]), ("tsm:recipe=", ["recipe"]),
                               ("tsm:colour=red", ["colour"]), ("tsm:recipe=slow", ["recipe", "paper"]),
                               ("tsm:iterations=0", ["iterations"])]:
            self.fails(USAGE, "compare", "x.npy", "--methods", methods, says=words)
        for dims in ["0", "2,2", "two", "", "2,", "-1"]:
            self.fails(USAGE, "compare", "x.npy", "--dims=" + dims, says=["--dims"])
        self.fails(USAGE, *RUN, "-o", "rows.csv", says=["rows.csv", ".json"])
        self.fails(USAGE, *RUN, "--report", "all.txt", says=["all.txt", ".html"])
        self.fails(USAGE, *RUN, "-o", "nowhere/rows.json", says=["nowhere"])
        self.fails(USAGE, *RUN, "--against-files", "theirs.npy", says=["theirs.npy", "name"])
        self.write("short.npy", npy(cluster_points(20)))
        self.fails(BAD_INPUT, *RUN, "--against-files", "theirs=short.npy", says=["short.npy", 20, 120])
        self.fails(OVER_LIMIT, *RUN, "--memory-limit", "1k", says=["1"])


if __name__ == "__main__":
    unittest.main()
