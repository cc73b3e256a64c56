import random
import unittest

from program import BAD_INPUT, OVER_LIMIT, USAGE, ProgramTest, npy, read_npy


def rows(count, columns, seed=1):
    """Counts in few columns: three groups with words of their own, and some in common."""
    draw = random.Random(seed)
    table = []
    for i in range(count):
        row = [0.0] * columns
        for _ in range(12):
            column = draw.randrange(columns // 3) * 3 + i % 3 if draw.random() < 0.8 else draw.randrange(columns)
            row[column] += 1.0
        table.append(row)
    return table


def matrix_market(table):
    entries = [f"{i + 1} {j + 1} {value}" for i, row in enumerate(table) for j, value in enumerate(row) if value]
    head = f"%%MatrixMarket matrix coordinate real general\n{len(table)} {len(table[0])} {len(entries)}\n"
    return (head + "\n".join(entries) + "\n").encode()


class Sparse(ProgramTest):
    """Sparse matrices as points, which stay sparse."""

    def setUp(self):
        super().setUp()
        self.table = rows(150, 60)
        self.write("x.mtx", matrix_market(self.table))
        self.write("x.npy", npy(self.table))
        self.succeeds("convert", "x.mtx", "x.npz")

    def test_neighbors_are_those_of_dense_rows(self):
        self.write("q.mtx", matrix_market(rows(9, 60, 2)))
        self.write("q.npy", npy(rows(9, 60, 2)))
        for metric in ["cosine", "euclidean", "manhattan"]:
            for sparse, dense in [(["x.mtx"], ["x.npy"]), (["x.npz", "--queries", "q.mtx"], ["x.npy", "--queries", "q.npy"])]:
                for name, inputs in [("sparse", sparse), ("dense", dense)]:
                    self.succeeds("neighbors", *inputs, "-k", 7, "--metric", metric, "--search", "exact", "-o",
                                  f"{name}.npy", "--distances", f"{name}_far.npy", "--overwrite")
                for far, known in zip(read_npy(self.path("sparse_far.npy")), read_npy(self.path("dense_far.npy"))):
                    for a, b in zip(far, known):
                        self.assertAlmostEqual(a, b, places=5)

    def test_every_method_that_takes_them(self):
        for method, more in [("pca", []), ("svd", []), ("faithful", []), ("umap", ["--iterations", 50]),
                             ("tsne", ["--iterations", 50]), ("isomap", ["-k", 30]), ("laplacian", ["-k", 30])]:
            found = self.json("embed", "x.npz", "-o", "y.npy", "--method", method, "--dim", 2, *more, "--overwrite")
            self.assertEqual(found["input"]["dimension"], 60, method)
            self.assertEqual(found["input"]["points"], 150, method)
            self.assertEqual(len(read_npy(self.path("y.npy"))), 150)

    def test_components_and_their_model_are_those_of_dense_rows(self):
        self.succeeds("embed", "x.npy", "-o", "dense.npy", "--method", "pca", "--dim", 4)
        self.succeeds("embed", "x.mtx", "-o", "sparse.npy", "--method", "pca", "--dim", 4, "--model", "m.safetensors")
        self.succeeds("transform", "m.safetensors", "x.npz", "-o", "placed.npy")
        self.succeeds("transform", "m.safetensors", "x.npy", "-o", "placed_dense.npy")
        for name in ["sparse", "placed", "placed_dense"]:
            for row, known in zip(read_npy(self.path(f"{name}.npy")), read_npy(self.path("dense.npy"))):
                for a, b in zip(row, known):
                    self.assertAlmostEqual(a, b, places=3)

    def test_rows_are_picked(self):
        self.write("some.mtx", matrix_market(self.table[1::4]))
        self.succeeds("embed", "x.mtx", "-o", "picked.npy", "--method", "svd", "--dim", 3, "--every", 4, "--from", 1)
        self.succeeds("embed", "some.mtx", "-o", "some.npy", "--method", "svd", "--dim", 3)
        self.assertEqual(self.read("picked.npy"), self.read("some.npy"))

    def test_what_needs_dense_rows_says_so(self):
        for words, says in [
            (["embed", "x.npz", "-o", "y.npy", "--method", "lle"], ["lle", "takes no sparse matrix", "faithful"]),
            (["embed", "x.npz", "-o", "y.npy", "--report", "r.html"], ["--report", "isogon convert"]),
            (["embed", "x.npz", "-o", "y.npy", "--method", "umap", "--model", "m.safetensors"], ["--model", "pca"]),
            (["embed", "x.npz", "x.mtx", "-o", "y.npy"], ["one file", "vstack"]),
            (["embed", "x.npz", "-o", "y.npy", "--dim", "auto"], ["--dim", "number"]),
            (["embed", "x.npz", "-o", "y.npy", "--landmarks", "50"], ["sparse"]),
            (["neighbors", "x.npz", "-o", "n.npy", "--above", "0.9"], ["--above", "isogon convert"]),
            (["neighbors", "x.npz", "-o", "n.npy", "--search", "approximate"], ["approximate", "exact"]),
            (["embed", "x.npz", "-o", "y.npy", "--vectors", "a"], ["--vectors a", "no effect"]),
            (["score", "x.npz", "x.npy"], ["sparse matrix", "isogon convert"]),
        ]:
            code, _, errors = self.run_program(*words)
            self.assertIn(code, [USAGE, BAD_INPUT], errors)
            for word in says:
                self.assertIn(word, errors)
            self.assertNotIn("y.npy", self.names())

    def test_memory_is_stated_first(self):
        self.fails(OVER_LIMIT, "embed", "x.npz", "-o", "y.npy", "--method", "umap", "--memory-limit", "60k", says=["rows of each column"])


if __name__ == "__main__":
    unittest.main()
