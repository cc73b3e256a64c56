import csv
import io
import math
import os
import random
import subprocess
import unittest

from program import BAD_INPUT, OVER_LIMIT, UNUSABLE, USAGE, ProgramTest, default_signals, npy


def strip(count, seed=1):
    """Points of a curved strip, where they lie on it when it is flat, and in which half."""
    draw = random.Random(seed)
    flat = [[3.0 * draw.random(), draw.random()] for _ in range(count)]
    rows = [[math.cos(a), math.sin(a), b] for a, b in flat]
    return rows, flat, [int(a > 1.5) for a, _ in flat]


RUN = ["sweep", "x.npy", "--dim", 2]
GRID = ["--grid", "neighbors=8,12", "--grid", "sigma=auto,0.5"]


class Sweep(ProgramTest):
    def setUp(self):
        super().setUp()
        rows, flat, labels = strip(150)
        self.write("x.npy", npy(rows))
        self.write("flat.npy", npy(flat))
        self.write("labels.npy", npy(labels, "<i8"))

    def test_every_combination_is_a_row_and_the_least_error_is_the_best(self):
        result = self.json(*RUN, *GRID, "--truth", "flat.npy")
        self.assertEqual((result["verb"], result["method"], result["criterion"]), ("sweep", "laplacian", "error"))
        self.assertEqual([row["options"] for row in result["rows"]],
                         [{"neighbors": k, "sigma": sigma} for k in [8, 12] for sigma in ["auto", 0.5]])
        errors = [row["error"] for row in result["rows"]]
        for error in errors:
            self.assertGreater(error, 0)
            self.assertLess(error, 1)
        self.assertEqual(result["best"], errors.index(min(errors)))
        self.assertEqual([row["best"] for row in result["rows"]], [i == result["best"] for i in range(4)])
        self.assertEqual((result["counts"]["combinations"], result["counts"]["fitted"]), (4, 4))
        self.assertEqual(list(result["seconds_by_phase"]), ["neighbors"])
        self.assertEqual(result["options"], {"dimension": 2})
        self.assertIsNone(result["output"])

    def test_scores_do_not_depend_on_threads_or_on_the_rest_of_the_grid(self):
        def errors(*arguments):
            return {str(row["options"]): row["error"] for row in self.json(*arguments)["rows"]}

        run = [*RUN, "--truth", "flat.npy", "--grid", "sigma=auto,0.5"]
        all_rows = errors(*run, "--grid", "neighbors=8,12", "--threads", 1)
        self.assertEqual(errors(*run, "--grid", "neighbors=8,12", "--threads", 3), all_rows)
        some = errors(*run, "--grid", "neighbors=8")
        self.assertEqual(len(some), 2)
        self.assertEqual(some, {key: value for key, value in all_rows.items() if key in some})

    def test_the_table_is_aligned_and_marks_the_best(self):
        lines = self.succeeds(*RUN, *GRID, "--truth", "flat.npy").splitlines()
        self.assertIn("laplacian", lines[0])
        self.assertIn("flat.npy", lines[0])
        self.assertEqual(lines[1].split(), ["neighbors", "sigma", "error", "seconds"])
        self.assertEqual({len(line) for line in lines[1:6]}, {len(lines[1])})
        self.assertEqual(sum(line.startswith("*") for line in lines[2:6]), 1)
        self.assertIn("4 of 4 combinations fitted", lines[6])

    def test_landmarks_are_compared_with_the_exact_fit(self):
        result = self.json(*RUN, "--grid", "landmarks=0,30,120", "--grid", "neighbors=10,12")
        errors = [row["error"] for row in result["rows"]]
        self.assertEqual([row["options"]["landmarks"] for row in result["rows"]], [0, 30, 120] * 2)
        self.assertEqual([row["options"]["neighbors"] for row in result["rows"]], [10] * 3 + [12] * 3)
        for first in [0, 3]:
            self.assertLess(errors[first], 1e-6)
            self.assertGreater(errors[first + 1], errors[first + 2])
            self.assertGreater(errors[first + 2], 1e-4)
            self.assertGreater(result["rows"][first + 1]["exact_seconds"], 0)
        self.assertIn("exact-seconds", self.succeeds(*RUN, "--grid", "landmarks=30,120"))

    def test_labels_are_voted_on(self):
        result = self.json(*RUN, "--grid", "neighbors=8,12", "--criterion", "knn", "--labels", "labels.npy")
        for row in result["rows"]:
            self.assertLess(row["knn"], 0.2)
        self.assertNotIn("exact_seconds", result["rows"][0])

    def test_the_error_of_labels_is_that_of_the_score(self):
        self.succeeds("embed", "x.npy", "-o", "y.npy", "--method", "laplacian", "--dim", 2, "--neighbors", 8)
        score = self.json("score", "x.npy", "y.npy", "--labels", "labels.npy", "--neighbors", 1)
        result = self.json(*RUN, "--grid", "neighbors=8", "--criterion", "knn", "--labels", "labels.npy")
        self.assertAlmostEqual(result["rows"][0]["knn"], 1.0 - score["knn_accuracy"], places=9)

    def test_test_points_are_classified_by_the_fitted_ones(self):
        rows, _, labels = strip(40, seed=2)
        self.write("new.csv", "".join("%r,%r,%r,%d\n" % (*row, label) for row, label in zip(rows, labels)))
        self.write("new.npy", npy(rows))
        self.write("new-labels.npy", npy(labels, "<i8"))
        run = [*RUN, "--grid", "neighbors=8,12", "--grid", "landmarks=0,40", "--criterion", "knn", "--labels", "labels.npy"]
        result = self.json(*run, "--test", "new.npy", "--test-labels", "new-labels.npy")
        for row in result["rows"]:
            self.assertLess(row["knn"], 0.2)
        same = self.json(*run, "--test", "x.npy", "--test-labels", "labels.npy")
        self.assertEqual(same["rows"][0]["knn"], 0)  # fitted points are nearest to themselves

    def test_refused_combinations_are_rows_with_reasons(self):
        run = [*RUN, "--truth", "flat.npy", "--grid", "neighbors=8,500"]
        result = self.json(*run)
        self.assertIsNone(result["rows"][0]["refused"])
        self.assertIn("neighbors = 500", result["rows"][1]["refused"])
        self.assertIsNone(result["rows"][1]["error"])
        self.assertEqual((result["best"], result["counts"]["refused"]), (0, 1))
        self.assertIn("neighbors = 500", self.succeeds(*run))

    def test_nothing_but_refusals_is_a_failure(self):
        code, out, err = self.run_program(*RUN, "--truth", "flat.npy", "--grid", "neighbors=400,500", "--json")
        self.assertEqual(code, UNUSABLE)
        self.assertIn("neighbors = 400", err)
        self.assertEqual(len(self.parse_one_object(out)["rows"]), 2)

    def test_the_table_is_kept_and_replaces_nothing(self):
        run = [*RUN, "--truth", "flat.npy", "--grid", "neighbors=8,500", "-o", "t.csv"]
        result = self.json(*run)
        self.assertEqual(result["output"], "t.csv")
        rows = list(csv.DictReader(io.StringIO(self.read("t.csv").decode())))
        self.assertEqual([row["neighbors"] for row in rows], ["8", "500"])
        self.assertEqual(float(rows[0]["error"]), result["rows"][0]["error"])
        self.assertEqual((rows[1]["error"], rows[1]["note"]), ("", result["rows"][1]["refused"]))
        self.fails(USAGE, *run, says=["t.csv", "--overwrite"])
        self.succeeds(*run, "--overwrite")
        self.fails(USAGE, *run[:-1], "t.npy", says=["t.npy", ".csv"])

    def test_every_method_of_the_family_has_a_sweep(self):
        for method, grid in [("lle", "neighbors=8,12"), ("isomap", "neighbors=8,12"), ("kpca", "sigma=1,2"),
                             ("mds", "metric=euclidean,cosine")]:
            with self.subTest(method=method):
                result = self.json(*RUN, "--method", method, "--grid", grid, "--truth", "flat.npy")
                self.assertEqual(result["counts"]["fitted"], 2)
                result = self.json(*RUN, "--method", method, "--grid", grid, "--landmarks", 50,
                                   "--grid", "extension-neighbors=3,5")
                self.assertEqual(result["counts"]["fitted"], 4)

    def test_a_truth_of_other_columns_is_reached_linearly(self):
        result = self.json("sweep", "x.npy", "--grid", "dim=1,2,3", "--truth", "flat.npy", "--method", "isomap")
        errors = [row["error"] for row in result["rows"]]
        self.assertGreater(errors[0], errors[1])
        self.assertGreater(errors[1], 0)

    def test_the_users_neighbors_are_taken(self):
        self.succeeds("neighbors", "x.npy", "-k", 9, "-o", "n.npy", "--metric", "euclidean")
        run = [*RUN, "--truth", "flat.npy", "--grid", "neighbors=8,10"]
        result = self.json(*run, "--neighbor-graph", "n.npy")
        self.assertIsNotNone(result["rows"][1]["refused"])
        self.assertAlmostEqual(result["rows"][0]["error"], self.json(*run)["rows"][0]["error"], places=5)
        self.fails(USAGE, *RUN, "--method", "kpca", "--grid", "sigma=1", "--truth", "flat.npy", "--neighbor-graph",
                   "n.npy", says=["--neighbor-graph"])

    def test_bad_grids_are_named(self):
        run = [*RUN, "--truth", "flat.npy"]
        self.fails(USAGE, *run, says=["--grid"])
        self.fails(USAGE, *run, "--grid", "neighbors", says=["neighbors=10,20,40"])
        self.fails(USAGE, *run, "--grid", "neighbors=", says=["neighbors="])
        self.fails(USAGE, *run, "--grid", "neighbors=8,,9", says=["neighbors", "whole number"])
        self.fails(USAGE, *run, "--grid", "neighbors=8,0", says=["neighbors=0", "at least 1"])
        self.fails(USAGE, *run, "--grid", "sigma=1,-2", says=["sigma=-2", "above 0"])
        self.fails(USAGE, *run, "--grid", "kernel=gaussian,flat", says=["flat", "self-tuning"])
        self.fails(USAGE, *run, "--grid", "neighbours=8", says=["neighbours", "neighbors, metric"])
        self.fails(USAGE, *run, "--grid", "degree=2", says=["degree", "laplacian"])
        self.fails(USAGE, *run, "--grid", "neighbors=8", "--grid", "neighbors=9", says=["twice"])
        self.fails(USAGE, *run, "--grid", "neighbors=8", "--neighbors", 9, says=["neighbors", "fixed"])
        self.fails(USAGE, *run, "--grid", "extension-neighbors=3,4", says=["extension-neighbors", "landmarks"])
        self.fails(USAGE, *run, "--grid", "neighbors=8", "--method", "svd", says=["svd", "laplacian"])
        self.fails(USAGE, *run, "--grid", "neighbors=8", "--degree", 2, says=["--degree", "kpca"])

    def test_criteria_need_what_they_compare_with(self):
        run = [*RUN, "--grid", "neighbors=8"]
        self.fails(USAGE, *run, says=["--truth", "--landmarks"])
        self.fails(USAGE, *run, "--criterion", "knn", says=["--labels"])
        self.fails(USAGE, *run, "--criterion", "best", says=["one of error, knn"])
        self.fails(USAGE, *run, "--criterion", "knn", "--truth", "flat.npy", says=["--truth", "error"])
        self.fails(USAGE, *run, "--labels", "labels.npy", "--truth", "flat.npy", says=["--labels", "knn"])
        knn = [*run, "--criterion", "knn", "--labels", "labels.npy"]
        self.fails(USAGE, *knn, "--test-labels", "labels.npy", says=["--test"])
        self.fails(USAGE, *knn, "--test", "x.npy", says=["--test-labels"])

    def test_bad_files_are_refused(self):
        run = [*RUN, "--grid", "neighbors=8"]
        self.write("short.npy", npy(strip(20)[1]))
        self.fails(BAD_INPUT, *run, "--truth", "short.npy", says=["short.npy", 20, 150])
        self.write("same.npy", npy([[1.0, 2.0]] * 150))
        self.fails(USAGE, *run, "--truth", "same.npy", says=["truth", "equal"])
        self.write("few.npy", npy([1, 2, 3], "<i8"))
        self.fails(BAD_INPUT, *run, "--criterion", "knn", "--labels", "few.npy", says=["few.npy", 3, 150])
        knn = [*run, "--criterion", "knn", "--labels", "labels.npy", "--test-labels", "labels.npy"]
        self.fails(BAD_INPUT, *knn, "--test", "flat.npy", says=["flat.npy", "2", "3"])
        self.fails(BAD_INPUT, *run, "--truth", "gone.npy", says=["gone.npy"])
        self.fails(OVER_LIMIT, *run, "--truth", "flat.npy", "--memory-limit", "5k", says=["5"])

    def test_a_time_limit_leaves_the_rows_so_far(self):
        run = [*RUN, "--truth", "flat.npy", "--grid", "neighbors=8,12", "--time-limit", "0.000001s", "-o", "t.csv"]
        code, out, err = self.run_program(*run, "--json")
        self.assertEqual(code, OVER_LIMIT, err)
        result = self.parse_one_object(out)
        self.assertEqual((result["rows"], result["best"], result["output"]), ([], None, None))
        self.assertFalse(os.path.exists(self.path("t.csv")))

    def test_ctrl_c_tells_the_rows_so_far(self):
        values = ",".join(str(1 + i / 1000) for i in range(5000))
        process = self.start(*RUN, "--truth", "flat.npy", "--grid", "sigma=" + values, "--json",
                             preexec_fn=default_signals)
        with self.assertRaises(subprocess.TimeoutExpired):
            process.wait(timeout=3)
        out, _ = self.interrupt(process)
        result = self.parse_one_object(out)
        self.assertLess(len(result["rows"]), 5000)
        self.assertEqual(result["termination"], "cancelled")
        self.assertEqual(result["counts"]["combinations"], 5000)


if __name__ == "__main__":
    unittest.main()
