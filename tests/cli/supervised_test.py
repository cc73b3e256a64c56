import random
import unittest

from program import BAD_INPUT, USAGE, ProgramTest, npy, read_npy

UMAP = ["embed", "x.npy", "-o", "y.npy", "--method", "umap", "--iterations", 100, "--overwrite"]


class Supervised(ProgramTest):
    def setUp(self):
        super().setUp()
        noise = random.Random(1)
        self.write("x.npy", npy([[noise.gauss(0, 1) for _ in range(4)] for _ in range(200)]))
        self.labels = [noise.randrange(3) for _ in range(200)]
        self.write("labels.txt", "".join(f"class {label}\n" for label in self.labels).encode())

    def share_of_one_label(self):
        self.succeeds("neighbors", "y.npy", "-k", 1, "-o", "n.csv", "--metric", "euclidean", "--overwrite")
        nearest = [int(line) for line in self.read("n.csv").split()]
        return sum(self.labels[i] == self.labels[j] for i, j in enumerate(nearest)) / 200

    def test_labels_draw_their_points_together(self):
        self.succeeds(*UMAP)
        self.assertLess(self.share_of_one_label(), 0.55)
        result = self.json(*UMAP, "--target-weight", 0.5, "--labels", "labels.txt", "--model", "m.safetensors")
        self.assertGreater(self.share_of_one_label(), 0.8)
        self.assertEqual(result["counts"]["labelled"], 200)
        self.succeeds("transform", "m.safetensors", "x.npy", "-o", "again.npy")
        self.assertEqual(self.read("again.npy"), self.read("y.npy"))

    def test_labels_that_say_nothing_change_no_byte(self):
        self.succeeds(*UMAP)
        plain = self.read("y.npy")
        self.write("unknown.npy", npy([-1] * 200, "<i4"))
        for labels, weight in (("unknown.npy", 0.5), ("labels.txt", 0)):
            self.succeeds(*UMAP, "--labels", labels, "--target-weight", weight)
            self.assertEqual(self.read("y.npy"), plain)
        self.write("some.npy", npy([label if i % 2 else -1 for i, label in enumerate(self.labels)], "<i4"))
        result = self.json(*UMAP, "--target-weight", 0.5, "--labels", "some.npy")
        self.assertEqual(result["counts"]["labelled"], 100)
        self.assertNotEqual(self.read("y.npy"), plain)

    def test_flags_without_effect_are_refused(self):
        self.fails(USAGE, *UMAP, "--labels", "labels.txt", says=["--report", "--target-weight"])
        self.fails(USAGE, *UMAP, "--target-weight", 0.7, says=["--target-weight", "--labels"])
        self.fails(USAGE, "embed", "x.npy", "-o", "y.npy", "--target-weight", 0.5, says=["--target-weight", "umap"])
        self.write("few.txt", b"a\nb\n")
        self.fails(BAD_INPUT, *UMAP, "--target-weight", 0.5, "--labels", "few.txt", says=["2 labels", "200"])


if __name__ == "__main__":
    unittest.main()
