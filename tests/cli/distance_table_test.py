import math
import unittest

from program import BAD_INPUT, USAGE, ProgramTest, cluster_points, npy, read_npy

FITS = {
    "isomap": ["--neighbors", 60],
    "laplacian": ["--neighbors", 60],
    "tsne": ["--start", "random", "--perplexity", 9, "--iterations", 60],
    "umap": ["--iterations", 60],
}


class DistanceTable(ProgramTest):
    def setUp(self):
        super().setUp()
        self.rows = cluster_points(80)
        self.table = [[math.dist(a, b) for b in self.rows] for a in self.rows]
        self.write("d.npy", npy(self.table))

    def fit(self, method, *more):
        return ["embed", "d.npy", "-o", "y.npy", "--dim", 2, "--method", method, "--metric", "precomputed", *FITS[method],
                "--overwrite", *more]

    def test_every_method_on_neighbours_takes_one(self):
        for method in FITS:
            with self.subTest(method=method):
                result = self.json(*self.fit(method))
                self.assertEqual(result["options"]["metric"], "precomputed")
                rows = read_npy(self.path("y.npy"))
                self.assertEqual((len(rows), {len(row) for row in rows}), (80, {2}))

    def test_parts_are_joined_by_the_table(self):
        for method in ("isomap", "laplacian"):
            result = self.json("embed", "d.npy", "-o", "y.npy", "--dim", 2, "--method", method, "--metric", "precomputed",
                               "--neighbors", 3, "--overwrite")
            self.assertGreaterEqual(result["counts"]["bridges"], 1)
            self.assertEqual(result["options"]["components"], "bridge")

    def test_rounding_is_taken_and_blocks_too(self):
        self.table[3][5] = -4e-16
        self.table[5][3] = 0.0
        self.table[7][7] = 1e-8
        self.write("d.npy", npy(self.table))
        for method in FITS:
            self.succeeds(*self.fit(method))
        self.write("d.npy", npy([[float(abs(i // 20 - j // 20)) for j in range(80)] for i in range(80)]))
        for method in FITS:
            self.succeeds(*self.fit(method))

    def test_what_is_none_is_named(self):
        self.table[3][5] += 1.0
        self.write("d.npy", npy(self.table))
        for method in FITS:
            self.fails(BAD_INPUT, *self.fit(method), says=["row 5, column 3", "symmetric"])
        self.table[3][5] = self.table[5][3] = -0.01
        self.write("d.npy", npy(self.table))
        self.fails(BAD_INPUT, *self.fit("umap"), says=["row 5, column 3", "-0.01 is below 0"])
        self.write("d.npy", npy(self.rows))
        self.fails(BAD_INPUT, *self.fit("umap"), says=["80 x 8", "as many columns as rows"])

    def test_what_needs_points_is_refused(self):
        self.fails(USAGE, *self.fit("umap"), "--model", "m.safetensors", says=["precomputed", "no transform"])
        self.fails(USAGE, "embed", "d.npy", "-o", "y.npy", "--method", "isomap", "--metric", "precomputed", "--neighbors", 3, "--components", "largest", says=["--components largest", "needs the points"])
        self.fails(USAGE, "embed", "d.npy", "-o", "y.npy", "--method", "tsne", "--metric", "precomputed", "--start", "pca", says=["--start pca", "needs the points"])
        self.assertEqual(self.json("embed", "d.npy", "-o", "y.npy", "--method", "tsne", "--metric", "precomputed", "--iterations", 20,
                                   "--overwrite")["options"]["start"], "random")


if __name__ == "__main__":
    unittest.main()
