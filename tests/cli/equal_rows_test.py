import math
import random
import unittest

from program import ProgramTest, cluster_points, npy, read_npy

ON_GRAPHS = ["tsne", "umap", "laplacian", "lle", "isomap", "pca2", "lle2"]
BY_METRIC = ["tsne", "umap", "laplacian", "lle", "isomap"]
WHATEVER_THE_PARTS = {
    "laplacian": ["--components", "separate"],
    "lle": ["--components", "separate"],
    "isomap": ["--components", "bridge"],
    "sde": ["--components", "bridge"],
    "lsde": ["--components", "bridge"],
}
QUICK = {
    "tsne": ["--iterations", 300],
    "umap": ["--iterations", 60],
    "pca2": ["--iterations", 60],
    "lle2": ["--iterations", 60],
    "pca-forces": ["--iterations", 60],
}


def mean_of(rows):
    return [sum(column) / len(rows) for column in zip(*rows)]


class EqualRows(ProgramTest):
    def fit(self, rows, method, *more):
        """Coordinates and the result of a fit."""
        self.write("x.npy", npy(rows))
        result = self.json(
            *["embed", "x.npy", "-o", "y.npy", "--overwrite", "--method", method, "--dim", 2],
            *[*WHATEVER_THE_PARTS.get(method, []), *QUICK.get(method, []), *more],
        )
        return read_npy(self.path("y.npy")), result

    def test_rows_of_one_place_in_float32_stay_in_one_place(self):
        draw = random.Random(0)
        base = [10 * draw.random() for _ in range(16)]
        rows = [[value + 1e-9 * draw.random() for value in base] for _ in range(400)]
        self.write("x.npy", npy(rows))
        held = [tuple(row) for row in read_npy(self.path("x.npy"))]
        for method in ["tsne", "umap"]:
            with self.subTest(method=method):
                y, result = self.fit(rows, method)
                self.assertEqual(result["counts"]["duplicates"], 400 - len(set(held)))
                self.assertIn("in float32", " ".join(result["warnings"]))
                places = {}
                for row, place in zip(held, y):
                    self.assertEqual(places.setdefault(row, place), place)
                self.assertEqual(len({tuple(place) for place in places.values()}), len(places))

    def test_one_row_many_times_is_one_place_whatever_the_order(self):
        others = cluster_points(60)
        rows = [others[0]] * 240 + others
        mixed = rows[:]
        random.Random(3).shuffle(mixed)
        for method in ON_GRAPHS:
            with self.subTest(method=method):
                y, result = self.fit(rows, method, *(["--perplexity", 10] if method == "tsne" else []))
                self.assertEqual(len({tuple(place) for place in y[:241]}), 1)
                self.assertEqual(result["counts"]["duplicates"], 240)
                self.assertIn("60 distinct points", " ".join(result["warnings"]))

    def test_few_copies_say_nothing_and_count(self):
        rows = cluster_points(60) + cluster_points(60)[:3]
        for method in ["pca", "svd", "mds", "kpca", "faithful", "tsm", *ON_GRAPHS]:
            with self.subTest(method=method):
                _, result = self.fit(rows, method, *(["--threshold", 0.5] if method == "tsm" else []))
                self.assertEqual(result["counts"]["duplicates"], 3)
                self.assertNotIn("float32", " ".join(result.get("warnings", [])))

    def test_rows_without_a_direction_lie_in_the_middle(self):
        rows = [[0.0] * 8] * 12 + cluster_points(80)
        rows_of_equal_numbers = [[float(i)] * 8 for i in range(12)] + rows[12:]
        for metric, given in [("cosine", rows), ("correlation", rows_of_equal_numbers)]:
            for method in BY_METRIC:
                with self.subTest(method=method, metric=metric):
                    y, result = self.fit(given, method, "--metric", metric, "--model", "m.safetensors")
                    self.assertEqual(result["counts"]["zero_vectors"], 12)
                    self.assertIn("no direction", " ".join(result["warnings"]))
                    middle = mean_of(y[12:])
                    size = max(math.dist(place, middle) for place in y[12:])
                    for place in y[:12]:
                        self.assertLess(math.dist(place, middle), 1e-5 * (1 + size))
                    self.write("z.npy", npy([given[3], [5.0 if metric == "correlation" else 0.0] * 8]))
                    self.succeeds("transform", "m.safetensors", "z.npy", "-o", "p.npy", "--overwrite")
                    self.assertEqual(read_npy(self.path("p.npy")), [y[3], y[3]])

    def test_few_points_lie_apart(self):
        for count in [2, 3, 4, 5]:
            for rows in [[[float(i == j) for j in range(5)] for i in range(count)], cluster_points(count)]:
                with self.subTest(count=count):
                    self.write("x.npy", npy(rows))
                    self.succeeds(
                        *["embed", "x.npy", "-o", "y.npy", "--overwrite", "--method", "tsne"],
                        *["--dim", min(2, count - 1)],
                    )
                    y = read_npy(self.path("y.npy"))
                    distances = [math.dist(y[i], y[j]) for i in range(count) for j in range(i)]
                    self.assertGreater(min(distances), 1e-2 * max(distances))
                    self.assertGreater(max(distances), 0.5)

    def test_every_method_names_a_column_that_carries_all(self):
        draw = random.Random(5)
        # Counts, of which a third are zero.
        rows = [[float(int(20 * draw.random())) if draw.random() < 0.7 else 0.0 for _ in range(6)] for _ in range(150)]
        long = [[value * (1000.0 if k == 2 else 1.0) for k, value in enumerate(row)] for row in rows]
        methods = ["pca", "svd", "mds", "kpca", "faithful", "tsm", "pca-forces", "lsde", *ON_GRAPHS]
        for method in methods:
            with self.subTest(method=method):
                more = ["--threshold", 0.5] if method == "tsm" else []
                warnings = self.fit(long, method, *more)[1]["warnings"]
                self.assertIn("coordinate 2, of 0 to 5, carries", " ".join(warnings))
                self.assertNotIn("carries", " ".join(self.fit(rows, method, *more)[1].get("warnings", [])))

    def test_unfolding_of_what_a_hand_can_unfold(self):
        cases = [
            ([[0, 0], [1, 0], [2.5, 0]], [1, 1.5]),
            ([[0, 0], [1, 0], [1, 1.5]], [1, 1.5]),
            ([[0, 0], [1, 0], [4, 0], [5, 0]], [1, 3, 1]),
            ([[0, 0], [1, 0], [2, 0], [3, 0], [4, 0]], [1, 1, 1, 1]),
            ([[0, 0], [0.2, 0], [3, 0]], [0.2, 2.8]),
        ]
        for rows, steps in cases:
            with self.subTest(rows=rows):
                self.write("x.npy", npy([[float(value) for value in row] for row in rows]))
                self.json(
                    *["embed", "x.npy", "-o", "y.npy", "--overwrite", "--method", "sde", "--dim", 1],
                    *["--neighbors", 1, "--components", "bridge"],
                )
                y = [place[0] for place in read_npy(self.path("y.npy"))]
                for i, step in enumerate(steps):
                    self.assertAlmostEqual(abs(y[i + 1] - y[i]), step, delta=0.01 * step)
                self.assertAlmostEqual(abs(y[-1] - y[0]), sum(steps), delta=0.01 * sum(steps))


if __name__ == "__main__":
    unittest.main()
