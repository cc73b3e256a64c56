"""Labels that say that they are not known: of whatever file and spelling, they are one thing to all verbs."""

import json
import random
import struct
import unittest

from program import USAGE, ProgramTest, npy, npy_header

UNKNOWN = ["-1", "NaN", "None", '""', "NA", "<NA>", ""]


class UnknownLabels(ProgramTest):
    def setUp(self):
        super().setUp()
        draw = random.Random(2)
        self.classes = [i % 3 for i in range(90)]
        self.rows = [[draw.gauss(3 * (c == k), 1) for k in range(3)] for c in self.classes]
        self.write("x.npy", npy(self.rows))
        self.write("y.npy", npy([row[:2] for row in self.rows]))
        self.known = [i % 4 != 3 for i in range(90)]
        numbers = [c if known else -1 for c, known in zip(self.classes, self.known)]
        self.write("unknown.npy", npy(numbers, "<i4"))
        self.score = self.json("score", "x.npy", "y.npy", "--labels", "unknown.npy")

    def labels(self, spelling, names):
        lines = [names[c] if known else spelling for c, known in zip(self.classes, self.known)]
        self.write("labels.txt", "".join(line + "\n" for line in lines))
        table = zip(self.rows, lines)
        self.write("x.csv", "a,b,c,label\n" + "".join("%s,%s\n" % (",".join(map(repr, row)), line) for row, line in table))

    def test_all_spellings_score_alike(self):
        for spelling in UNKNOWN:
            for names in ("012", ["ape", "bee", "cat"]):
                self.labels(spelling, names)
                for arguments in (["x.npy", "y.npy", "--labels", "labels.txt"], ["x.csv", "y.npy"]):
                    score = self.json("score", *arguments)
                    for measure in ("knn_accuracy", "knn_accuracy_inputs"):
                        self.assertEqual(score[measure], self.score[measure], (spelling, names, arguments))

    def test_arrays_of_floats_with_nan_are_labels(self):
        values = [float(c) if known else float("nan") for c, known in zip(self.classes, self.known)]
        self.write("f.npy", npy_header("<f8", (90,)) + struct.pack("<90d", *values))
        self.assertEqual(self.json("score", "x.npy", "y.npy", "--labels", "f.npy")["knn_accuracy"], self.score["knn_accuracy"])

    def test_votes_are_those_of_the_known(self):
        """By the definition: of the points whose label is known the share that the known of their 10 nearest tell; labels
        that are as frequent share a vote."""
        def nearest(rows, i):
            return sorted((sum((a - b) ** 2 for a, b in zip(rows[i], row)), j) for j, row in enumerate(rows) if j != i)[:10]

        for rows, measure in ((self.rows, "knn_accuracy_inputs"), ([row[:2] for row in self.rows], "knn_accuracy")):
            rows = [[struct.unpack("<f", struct.pack("<f", value))[0] for value in row] for row in rows]
            right = judged = 0
            for i in (i for i in range(90) if self.known[i]):
                votes = [self.classes[j] for _, j in nearest(rows, i) if self.known[j]]
                if votes:
                    judged += 1
                    first = [label for label in set(votes) if votes.count(label) == max(map(votes.count, votes))]
                    right += (self.classes[i] in first) / len(first)
            self.assertAlmostEqual(self.score[measure], right / judged, 12)

    def test_without_a_known_label_there_is_no_accuracy(self):
        self.write("none.npy", npy([-1] * 90, "<i4"))
        self.assertNotIn("knn_accuracy", self.json("score", "x.npy", "y.npy", "--labels", "none.npy"))

    def test_supervised_fits_and_pages_agree(self):
        fit = ["embed", "x.npy", "-o", "m.npy", "--method", "umap", "--iterations", 20, "--target-weight", 0.5, "--overwrite"]
        maps = []
        for spelling in UNKNOWN:
            self.labels(spelling, ["ape", "bee", "cat"])
            result = self.json(*fit, "--labels", "labels.txt")
            self.assertEqual(result["counts"]["labelled"], sum(self.known))
            maps.append(self.read("m.npy"))
            self.succeeds("report", "x.npy", "y.npy", "-o", "r.html", "--labels", "labels.txt", "--overwrite")
            self.assertIn(json.dumps(["ape", "bee", "cat", "unknown"]).replace(" ", ""), self.read("r.html").decode().replace(" ", ""))
        self.succeeds(*fit, "--labels", "unknown.npy")
        self.assertEqual(maps, [self.read("m.npy")] * len(UNKNOWN))

    def test_they_come_back_from_tables(self):
        self.labels("NA", ["ape", "bee", "cat"])
        self.succeeds("convert", "x.csv", "o.csv", "--save-labels", "l.txt")
        self.assertEqual(self.json("score", "o.csv", "y.npy")["knn_accuracy"], self.score["knn_accuracy"])
        self.assertEqual(self.json("score", "x.npy", "y.npy", "--labels", "l.txt")["knn_accuracy"], self.score["knn_accuracy"])

    def test_a_fit_by_no_labels_is_refused(self):
        self.fails(USAGE, "embed", "x.npy", "-o", "m.npy", "--method", "umap", "--target-weight", 0.5,
                   says=["--labels"])


if __name__ == "__main__":
    unittest.main()
