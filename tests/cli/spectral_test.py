import math
import random
import unittest

from program import BAD_INPUT, OVER_LIMIT, USAGE, ProgramTest, cluster_points, npy, read_npy

FAMILY = ["laplacian", "lle", "isomap", "mds", "kpca"]
WITH_GRAPHS = ["laplacian", "lle", "isomap"]


class Spectral(ProgramTest):
    def setUp(self):
        super().setUp()
        self.rows = cluster_points(150)
        self.write("x.npy", npy(self.rows))

    def fit(self, method, *more):
        return ["embed", "x.npy", "-o", "y.npy", "--overwrite", "--method", method, "--dim", 2, *more]

    def graph_flags(self, method):
        """With few neighbours the clusters are separate components."""
        return ["--components", "bridge" if method == "isomap" else "separate"] if method in WITH_GRAPHS else []

    def test_every_method_tells_eigenvalues_and_residuals(self):
        for method in FAMILY:
            with self.subTest(method=method):
                result = self.json(*self.fit(method, *self.graph_flags(method)))
                self.assertEqual(result["shape"], {"points": 150, "dimension": 2})
                self.assertEqual(len(read_npy(self.path("y.npy"))), 150)
                self.assertIn("eigenvalue_1", result["measures"])
                self.assertLess(result["measures"]["residual"], 1e-6)

    def test_landmarks_in_every_way(self):
        for method in FAMILY:
            ways = ["lll", "weights"] + (["nystrom"] if method != "lle" else [])
            seen = set()
            for way in ways:
                with self.subTest(method=method, way=way):
                    flags = self.graph_flags(method) + ["--landmarks", 60, "--extension", way]
                    result = self.json(*self.fit(method, *flags))
                    self.assertEqual(result["options"]["extension"], way)
                    self.assertEqual(result["counts"]["landmarks"], 60)
                    seen.add(self.read("y.npy"))
            self.assertEqual(len(seen), len(ways))

    def test_a_model_places_fitted_rows_as_they_were(self):
        for method in FAMILY:
            with self.subTest(method=method):
                self.succeeds(*self.fit(method, *self.graph_flags(method), "--model", "map.safetensors"))
                self.succeeds("transform", "map.safetensors", "x.npy", "-o", "again.npy", "--overwrite")
                for a, b in zip(read_npy(self.path("again.npy")), read_npy(self.path("y.npy"))):
                    for x, y in zip(a, b):
                        self.assertAlmostEqual(x, y, delta=1e-5 * (1 + abs(y)))
                for arguments in [["--by", "weights"], ["--by", "placement"]]:
                    self.fails(USAGE, "transform", "map.safetensors", "x.npy", "-o", "z.npy", *arguments, says=["faithful"])

    def test_neighbours_from_a_file_are_those_that_are_used(self):
        flags = ["--components", "separate", "--neighbors", 8]
        self.succeeds(*self.fit("laplacian", *flags))
        own = self.read("y.npy")
        self.succeeds("neighbors", "x.npy", "-k", 10, "--metric", "euclidean", "-o", "graph.safetensors")
        self.succeeds(*self.fit("laplacian", *flags, "--neighbor-graph", "graph.safetensors"))
        self.assertEqual(self.read("y.npy"), own)
        self.fails(USAGE, *self.fit("mds", "--neighbor-graph", "graph.safetensors"), says=["neighbor-graph"])

    def test_graphs_in_pieces_are_refused_by_name(self):
        far = [[value + 1e4 * (i % 2) for value in row] for i, row in enumerate(self.rows)]
        self.write("x.npy", npy(far))
        for method in WITH_GRAPHS:
            self.fails(BAD_INPUT, *self.fit(method), "--components", "error", says=["components", "--neighbors"])
            unasked = self.json(*self.fit(method))
            self.assertEqual(unasked["options"]["components"], "largest" if method == "lle" else "bridge")
            self.assertEqual(len(unasked["warnings"]), 1)
            result = self.json(*self.fit(method, "--components", "largest"))
            self.assertGreaterEqual(result["counts"]["left_out"], 70)
        self.fails(USAGE, *self.fit("isomap", "--components", "separate"), says=["bridge"])

    def test_nonsense_is_refused_with_its_bound(self):
        for method in WITH_GRAPHS:
            self.fails(USAGE, *self.fit(method, "--neighbors", 150), says=["--neighbors 150", "below 150"])
            self.fails(USAGE, *self.fit(method, "--neighbors", 0), says=["neighbors"])
        self.fails(USAGE, *self.fit("laplacian", "--sigma", "1e-9", "--components", "separate"), says=["sigma"])
        self.fails(USAGE, *self.fit("laplacian", "--checkpoint", "c.safetensors"), says=["these have: faithful"])
        self.fails(USAGE, *self.fit("lle", "--landmarks", 50, "--extension", "nystrom"), says=["kernel"])
        self.fails(USAGE, *self.fit("kpca", "--landmarks", 50, "--extension", "placement"), says=["lll"])
        self.fails(USAGE, *self.fit("faithful", "--landmarks", 50, "--extension", "lll"), says=["spectral"])
        self.fails(USAGE, *self.fit("kpca", "--extension", "lll"), says=["--landmarks"])
        self.fails(OVER_LIMIT, *self.fit("kpca", "--memory-limit", "20k"), says=["limit"])

    def test_more_dimensions_than_the_spectrum_has_are_zero(self):
        self.write("x.npy", npy([[float(i % 7), float(i), 0.0, 0.0] for i in range(60)]))
        self.succeeds("embed", "x.npy", "-o", "y.npy", "--overwrite", "--method", "mds", "--dim", 4)
        for row in read_npy(self.path("y.npy")):
            self.assertLess(max(abs(value) for value in row[2:]), 1e-4)

    def test_a_table_of_distances_serves_mds_and_leaves_no_model(self):
        places = [0.0, 1.0, 4.0, 6.0, 11.0]
        self.write("d.npy", npy([[abs(a - b) for b in places] for a in places]))
        fit = ["embed", "d.npy", "-o", "y.npy", "--overwrite", "--method", "mds", "--metric", "precomputed", "--dim", 1]
        self.succeeds(*fit)
        found = [row[0] for row in read_npy(self.path("y.npy"))]
        for a in range(5):
            for b in range(5):
                self.assertAlmostEqual(abs(found[a] - found[b]), abs(places[a] - places[b]), places=4)
        self.fails(USAGE, *fit, "--model", "m.safetensors", says=["precomputed", "no transform"])
        self.write("d.npy", npy([[0.0, 1.0], [2.0, 0.0]]))
        self.fails(BAD_INPUT, *fit, says=["row 1, column 0", "symmetric"])

    def test_kernels_at_the_ends_of_floating_point_give_finite_numbers_or_are_refused(self):
        below = 10 - 2.0 ** -20  # the float32 next to 10
        self.write("two.npy", npy([[10.0 if row % 3 else below] for row in range(600)]))
        fit = ["embed", "two.npy", "-o", "y.npy", "--overwrite", "--method", "kpca", "--dim", 1]
        self.assertGreater(self.json(*fit)["measures"]["sigma"], 0)
        places = {row[0] for row in read_npy(self.path("y.npy"))}
        self.assertEqual(len({round(place, 4) for place in places}), 2)
        self.assertTrue(all(math.isfinite(place) for place in places))
        pixels = random.Random(1)
        # One row is three times as long as any other may be.
        self.write("x.npy", npy([[pixels.randrange(256) for _ in range(784)] for _ in range(99)] + [[765] * 784]))
        power = ["--kernel", "polynomial", "--degree"]
        result = self.json(*self.fit("kpca", *power, 50))
        self.assertTrue(math.isfinite(result["measures"]["eigenvalue_0"]))
        self.assertTrue(all(math.isfinite(value) for row in read_npy(self.path("y.npy")) for value in row))
        self.fails(USAGE, *self.fit("kpca", *power, 100), says=["degree", "100", "2^252"])
        for sigma in ["1e-300", "1e300"]:
            self.succeeds(*self.fit("kpca", "--sigma", sigma))
            self.assertTrue(all(math.isfinite(value) for row in read_npy(self.path("y.npy")) for value in row))

    def test_a_table_of_kernel_values_serves_kpca_and_leaves_no_model(self):
        places = [-4.0, -1.0, 0.0, 5.0]
        self.write("k.npy", npy([[a * b for b in places] for a in places]))
        fit = ["embed", "k.npy", "-o", "y.npy", "--overwrite", "--method", "kpca", "--kernel", "precomputed", "--dim", 1]
        self.succeeds(*fit)
        found = [row[0] for row in read_npy(self.path("y.npy"))]
        for a in range(4):
            self.assertAlmostEqual(abs(found[a]), abs(places[a]), places=4)
        self.fails(USAGE, *fit, "--model", "m.safetensors", says=["kernel precomputed", "no transform"])
        self.write("k.npy", npy([[1.0, 0.5], [0.0, 1.0]]))
        self.fails(BAD_INPUT, *fit, says=["row 1, column 0", "symmetric"])


if __name__ == "__main__":
    unittest.main()
