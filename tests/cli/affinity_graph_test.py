import unittest

from program import BAD_INPUT, USAGE, ProgramTest, cluster_points, npy

FITS = {"tsne": ["--perplexity", 8], "umap": ["--neighbors", 12], "umap steps to tsne":
        ["--neighbors", 24, "--affinities", "perplexity", "--kernel", "cauchy"]}
SHORT = {"tsne": ["--iterations", 40], "umap": ["--epochs", 20]}


class AffinityGraph(ProgramTest):
    """What a fit found on its way, kept for the next; and the user's own weights of edges."""

    def setUp(self):
        super().setUp()
        self.write("x.npy", npy(cluster_points(60)))

    def fit(self, method, *more):
        return ["embed", "x.npy", "-o", "y.npy", "--overwrite", "--method", method, *SHORT[method], *more]

    def matrix(self, entries, size=60, name="w.mtx"):
        lines = ["%d %d %s" % (i + 1, j + 1, value) for (i, j), value in sorted(entries.items())]
        head = "%%%%MatrixMarket matrix coordinate real general\n%d %d %d\n" % (size, size, len(lines))
        self.write(name, (head + "\n".join(lines) + "\n").encode())

    def ring(self):
        return {(i, (i + step) % 60): 1.0 for i in range(60) for step in (1, 59)}

    def test_what_was_kept_takes_the_place_of_that_work_to_the_same_bits(self):
        for name, options in FITS.items():
            method = name.split()[0]
            with self.subTest(name):
                self.succeeds(*self.fit(method, *options, "--save-neighbors", "n.safetensors", "--save-affinities", "w.mtx"))
                searched = self.read("y.npy")
                self.succeeds(*self.fit(method, *options, "--neighbor-graph", "n.safetensors"))
                self.assertEqual(self.read("y.npy"), searched)
                kernel = options[-2:] if "--kernel" in options else []
                result = self.json(*self.fit(method, *kernel, "--affinity-graph", "w.mtx"))
                self.assertEqual(self.read("y.npy"), searched)
                self.assertNotIn("neighbors", result["seconds_by_phase"])

    def test_other_settings_start_from_what_was_kept(self):
        self.succeeds(*self.fit("umap", "--save-affinities", "w.mtx"))
        kept = self.read("y.npy")
        self.succeeds(*self.fit("umap", "--min-dist", 0.5, "--affinity-graph", "w.mtx"))
        self.assertNotEqual(self.read("y.npy"), kept)
        self.succeeds(*self.fit("tsne", "--affinity-graph", "w.mtx"))  # weights are weights

    def test_own_weights(self):
        self.matrix(self.ring())
        for method in SHORT:
            self.succeeds(*self.fit(method, "--affinity-graph", "w.mtx"))
            without = self.read("y.npy")
            self.matrix({**self.ring(), **{(i, i): 1.0 for i in range(50)}}, name="self.mtx")
            self.succeeds(*self.fit(method, "--affinity-graph", "self.mtx"))
            self.assertEqual(self.read("y.npy"), without)

    def test_bad_weights_are_refused_by_entry(self):
        cases = {"unlike": ({(3, 4): 2.0}, ["row 3, column 4", "row 4, column 3", "symmetric"]),
                 "alone": ({(3, 9): 2.0}, ["row 3, column 9", "not there"]),
                 "negative": ({(3, 4): -1.0, (4, 3): -1.0}, ["row 3, column 4", "-1"]),
                 "nan": ({(3, 4): "nan"}, ["w.mtx"])}
        for name, (change, says) in cases.items():
            with self.subTest(name):
                self.matrix({**self.ring(), **change})
                self.fails(BAD_INPUT, *self.fit("tsne", "--affinity-graph", "w.mtx"), says=["w.mtx", *says])
        lonely = {place: value for place, value in self.ring().items() if 7 not in place}
        self.matrix(lonely)
        self.fails(BAD_INPUT, *self.fit("umap", "--affinity-graph", "w.mtx"), says=["w.mtx", "row 7", "1 such"])
        self.matrix(self.ring(), size=61)
        self.fails(BAD_INPUT, *self.fit("umap", "--affinity-graph", "w.mtx"), says=["61 x 61", "60 points"])

    def test_flags_that_would_change_nothing_are_refused(self):
        self.matrix(self.ring())
        given = ["--affinity-graph", "w.mtx"]
        self.fails(USAGE, *self.fit("tsne", *given, "--perplexity", 5), says=["perplexity", "no effect"])
        for more in (["--neighbors", 5], ["--metric", "cosine"], ["--affinities", "perplexity"]):
            self.fails(USAGE, *self.fit("umap", *given, *more), says=[more[0][2:], "no effect"])
        self.fails(USAGE, *self.fit("umap", *given, "--model", "m.safetensors"), says=["--model"])
        self.fails(USAGE, *self.fit("umap", *given, "--save-neighbors", "n.safetensors"), says=["--save-neighbors"])
        self.fails(USAGE, *self.fit("umap", *given, "--neighbor-graph", "n.safetensors"), says=["--neighbor-graph"])
        self.fails(USAGE, *self.fit("umap", "--landmarks", 20, *given), says=["landmarks"])
        self.fails(USAGE, *self.fit("umap", "--save-affinities", "w.csv"), says=[".mtx"])
        self.fails(USAGE, "embed", "x.npy", "-o", "y.npy", "--method", "svd", *given, says=["svd", "tsne, umap"])


if __name__ == "__main__":
    unittest.main()
