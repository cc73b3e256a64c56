"""embed --start-from with coordinates of some rows, --hold, and --targets."""
import math
import random
import unittest

from program import BAD_INPUT, USAGE, ProgramTest, npy, read_npy

UMAP = ["--method", "umap", "--iterations", 60, "--neighbors", 8, "--overwrite"]


class HeldMaps(ProgramTest):
    def setUp(self):
        super().setUp()
        noise = random.Random(1)
        self.rows = [[noise.gauss(20 * (i % 3 == c), 1) for c in range(4)] for i in range(90)]
        self.write("old.npy", npy(self.rows[:60]))
        self.write("all.npy", npy(self.rows))
        self.succeeds("embed", "old.npy", "-o", "old-map.npy", *UMAP, "--model", "old.safetensors")

    def places(self, file):
        return read_npy(self.path(file))

    def test_rows_of_the_file_stay_and_others_come_to_their_neighbours(self):
        for method in (UMAP, ["--method", "tsne", "--iterations", 60, "--overwrite"]):
            result = self.json("embed", "all.npy", "-o", "map.npy", *method, "--start-from", "old-map.npy", "--hold", 1)
            self.assertEqual(result["counts"]["started"], 60)
            places = self.places("map.npy")
            for own, old in zip(places, self.places("old-map.npy")):
                self.assertLess(math.dist(own, old), 1e-4)
            for i in range(60, 90):
                nearest = min((j for j in range(90) if j != i), key=lambda j: math.dist(places[i], places[j]))
                self.assertEqual(nearest % 3, i % 3)

    def test_rows_of_a_model_are_those_with_the_same_inputs(self):
        self.write("mixed.npy", npy(self.rows[::-1]))
        self.succeeds("embed", "mixed.npy", "-o", "map.npy", *UMAP, "--start-from", "old.safetensors", "--hold", 1)
        for own, old in zip(self.places("map.npy")[::-1], self.places("old-map.npy")):
            self.assertLess(math.dist(own, old), 1e-4)
        self.write("others.npy", npy([[value + 1 for value in row] for row in self.rows]))
        self.fails(BAD_INPUT, "embed", "others.npy", "-o", "n.npy", *UMAP, "--start-from", "old.safetensors",
                   says=["old.safetensors", "none of the points"])
        self.write("narrow.npy", npy([row[:3] for row in self.rows]))
        self.fails(BAD_INPUT, "embed", "narrow.npy", "-o", "n.npy", *UMAP, "--start-from", "old.safetensors",
                   says=["old.safetensors", "rows of 4 numbers"])
        self.succeeds("embed", "old.npy", "-o", "p.npy", "--method", "pca", "--dim", 2, "--model", "pca.safetensors")
        self.fails(BAD_INPUT, "embed", "all.npy", "-o", "n.npy", *UMAP, "--start-from", "pca.safetensors",
                   says=["pca.safetensors", "no fitted inputs"])

    def test_rows_with_words_are_those_with_the_same_word(self):
        lines = "".join("w%d %s\n" % (i, " ".join(map(str, row))) for i, row in enumerate(self.rows))
        self.write("words.vec", ("90 4\n" + lines).encode())
        self.write("places.vec", b"3 2\nw70 5 6\nw3 -4 2\nelsewhere 9 9\n")
        self.succeeds("embed", "words.vec", "-o", "map.npy", *UMAP, "--start-from", "places.vec", "--hold", 1)
        places = self.places("map.npy")
        self.assertEqual([list(places[70]), list(places[3])], [[5, 6], [-4, 2]])
        self.write("twice.vec", b"2 2\nw70 5 6\nw70 -4 2\n")
        self.fails(BAD_INPUT, "embed", "words.vec", "-o", "n.npy", *UMAP, "--start-from", "twice.vec",
                   says=["twice.vec", "row 1", "row 0"])

    def test_what_has_no_effect_or_does_not_fit_is_refused(self):
        embed = ["embed", "all.npy", "-o", "n.npy"]
        self.fails(USAGE, *embed, *UMAP, "--hold", 0.5, says=["--hold", "to start from"])
        self.fails(USAGE, *embed, *UMAP, "--start-from", "old-map.npy", "--hold", 1.5, says=["--hold", "1"])
        self.fails(USAGE, *embed, "--dim", 2, "--start-from", "old-map.npy", says=["60 points", "90"])  # faithful starts all
        self.fails(USAGE, *embed, "--method", "pca", "--targets", "old.npy", says=["--targets", "umap"])
        self.write("nan.npy", npy([[math.nan, 1.0]] * 60))
        self.fails(BAD_INPUT, *embed, *UMAP, "--start-from", "nan.npy", says=["start", "row 0"])

    def test_near_targets_draw_rows_together(self):
        noise = random.Random(2)
        targets = [noise.random() for _ in self.rows]
        self.write("targets.npy", npy([[target] for target in targets]))
        self.write("flat.npy", npy([[noise.gauss(0, 1) for _ in range(4)] for _ in self.rows]))

        def apart(*flags):
            self.succeeds("embed", "flat.npy", "-o", "map.npy", *UMAP, *flags)
            self.succeeds("neighbors", "map.npy", "-k", 1, "-o", "n.csv", "--metric", "euclidean", "--overwrite")
            return sum(abs(targets[i] - targets[int(j)]) for i, j in enumerate(self.read("n.csv").split())) / len(targets)

        self.assertGreater(apart(), 0.2)
        self.assertLess(apart("--targets", "targets.npy"), 0.1)
        self.write("few.npy", npy([[1.0]] * 5))
        self.fails(USAGE, "embed", "flat.npy", "-o", "n.npy", *UMAP, "--targets", "few.npy", says=["targets", "5", "90"])


if __name__ == "__main__":
    unittest.main()
