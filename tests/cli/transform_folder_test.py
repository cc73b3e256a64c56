"""isogon transform with a folder for its output: one output for each input."""
import gzip
import os
import resource
import time
import unittest

from program import BAD_INPUT, OVER_LIMIT, UNUSABLE, USAGE, ProgramTest, cluster_points, default_signals, npy, read_npy

COUNTS = [7, 1, 12, 5, 9, 3]
NAMES = ["part-%02d.npy" % i for i in range(len(COUNTS))]


class FolderTest(ProgramTest):
    """A model of svd, 8 numbers to 3, and six files to transform."""

    def setUp(self):
        super().setUp()
        self.write("x.npy", npy(cluster_points(80)))
        self.fit("map.safetensors")
        os.mkdir(self.path("in"))
        self.parts = [cluster_points(count, seed=i) for i, count in enumerate(COUNTS)]
        for name, part in zip(NAMES, self.parts):
            self.write("in/" + name, npy(part))

    def fit(self, model, method="svd", dim=3):
        self.succeeds("embed", "x.npy", "-o", "y.npy", "--dim", dim, "--method", method, "--overwrite", "--model", model)

    def transform(self, *more, model="map.safetensors", pattern="in/*.npy", out="out/"):
        return ["transform", model, pattern, "-o", out, *more]

    def outputs(self, out="out"):
        return sorted(os.listdir(self.path(out)))


class Folder(FolderTest):
    def test_each_file_gets_an_output_of_the_same_stem(self):
        result = self.json(*self.transform())
        self.assertEqual([(file["input"], file["output"], file["points"]) for file in result["files"]],
                         [("in/" + name, "out/" + name, count) for name, count in zip(NAMES, COUNTS)])
        self.assertEqual(result["shape"], {"points": 37, "dimension": 3})
        self.assertEqual(self.outputs(), NAMES)
        for name in NAMES:
            self.succeeds("transform", "map.safetensors", "in/" + name, "-o", "one.npy", "--overwrite")
            self.assertEqual(self.read("out/" + name), self.read("one.npy"))
        self.assertIn("out/: 6 files, 37 points of 3 numbers, from 8", self.succeeds(*self.transform("--overwrite")))

    def test_the_same_bits_however_rows_are_cut_into_files(self):
        self.write("all.npy", npy(sum(self.parts, [])))
        for method, dim in [("svd", 3), ("faithful", 3), ("tsne", 2)]:
            with self.subTest(method=method):
                self.fit("map.safetensors", method, dim)
                self.succeeds("transform", "map.safetensors", "all.npy", "-o", "one.npy", "--overwrite")
                self.succeeds(*self.transform("--overwrite", "--threads", 1))
                pieces = [read_npy(self.path("out/" + name)) for name in NAMES]
                self.assertEqual(sum(pieces, []), read_npy(self.path("one.npy")))
        self.succeeds("transform", "map.safetensors", "in/*.npy", "-o", "stacked.npy")  # a pattern may be stacked too
        self.assertEqual(self.read("stacked.npy"), self.read("one.npy"))

    def test_the_other_way(self):
        self.succeeds(*self.transform())
        self.succeeds(*self.transform("--inverse", pattern="out/*.npy", out="back/"))
        self.succeeds("transform", "map.safetensors", "out/part-02.npy", "-o", "back.npy", "--inverse")
        self.assertEqual(self.read("back/part-02.npy"), self.read("back.npy"))

    def test_words_and_labels_travel(self):
        os.mkdir(self.path("words"))
        for k, part in enumerate(self.parts):
            rows = ["w%d,%s,%d" % (i, ",".join(map(repr, row)), i % 3) for i, row in enumerate(part)]
            self.write("words/part-%d.csv" % k, "word,a,b,c,d,e,f,g,h,label\n" + "\n".join(rows) + "\n")
        self.succeeds(*self.transform("--output-format", "tsv.gz", pattern="words/*.csv"))
        self.assertEqual(self.outputs(), ["part-%d.tsv.gz" % i for i in range(6)])
        with gzip.open(self.path("out/part-3.tsv.gz"), "rt") as file:
            fields = [line.strip().split("\t") for line in file]
        self.assertEqual([(row[0], row[-1]) for row in fields], [("word", "label")] + [("w%d" % i, str(i % 3)) for i in range(5)])
        self.fails(USAGE, *self.transform("--output-format", "vec", out="other/"), says=["other/part-00.vec", "words"])
        # Flags of tables have an effect if one of the files is a table.
        self.succeeds("transform", "map.safetensors", "in/part-00.npy", "words/part-1.csv", "-o", "mixed/", "--header", "present")
        self.fails(USAGE, *self.transform("--header", "present", out="other/"), says=["--header"])

    def test_a_small_memory_limit_serves_many_rows(self):
        # Two files of 8 MB; a block of rows is less than either.
        os.mkdir(self.path("many"))
        for i in range(2):
            self.succeeds("generate", "blobs", "--dim", 8, "--count", 250000, "--seed", i, "-o", "many/%d.npy" % i)
        self.succeeds(*self.transform("--memory-limit", "60M", pattern="many/*.npy"))

    def test_an_input_that_holds_nan_does_not_keep_the_others(self):
        rows = [list(row) for row in self.parts[2]]
        rows[4][6] = float("nan")
        self.write("in/part-02.npy", npy(rows))
        code, out, err = self.run_program(*self.transform("--json"))
        self.assertEqual(code, BAD_INPUT)
        self.assertIn("in/part-02.npy, row 4, column 6", err.splitlines()[-1])
        self.assertIn("5 of 6 outputs are written", err.splitlines()[-1])
        self.assertEqual([file.get("trouble") is None for file in self.parse_one_object(out)["files"]],
                         [True, True, False, True, True, True])
        self.assertEqual(self.outputs(), NAMES[:2] + NAMES[3:])


class Refused(FolderTest):
    """Before work starts: nothing is written."""

    def refuses(self, code, *more, says=(), **keywords):
        self.fails(code, *self.transform(*more, **keywords), says=says)
        self.assertNotIn("out", self.names())

    def test_inputs_that_cannot_be_transformed(self):
        for bad, says in [(npy([row[:7] for row in self.parts[5]]), "points of 7"), ("no points", ""), (b"", ""),
                          (npy(self.parts[5])[:-8], "")]:
            self.write("in/part-05.npy", bad)
            self.refuses(BAD_INPUT, says=["in/part-05.npy", says])
        self.refuses(BAD_INPUT, pattern="in/nothing-*.npy", says=["in/nothing-*.npy", "no file matches"])
        self.refuses(BAD_INPUT, pattern="in/nothing.npy", says=["in/nothing.npy", "does not exist"])

    def test_outputs_that_are_there(self):
        os.mkdir(self.path("here"))
        self.write("here/part-03.npy", b"precious")
        for out in ["here/", "here"]:
            self.refuses(USAGE, out=out, says=["here/part-03.npy: exists", "--overwrite"])
        self.assertEqual((self.outputs("here"), self.read("here/part-03.npy")), (["part-03.npy"], b"precious"))
        self.succeeds(*self.transform("--overwrite", out="here/"))
        self.assertEqual(self.outputs("here"), NAMES)

    def test_names_that_meet(self):
        self.write("in/part-00.csv", "1,2,3,4,5,6,7,8\n")
        self.refuses(USAGE, pattern="in/*", says=["in/part-00.npy: has the output of in/part-00.csv, out/part-00.npy"])
        os.remove(self.path("in/part-00.csv"))
        self.refuses(USAGE, "--overwrite", out="in/", says=["in/part-00.npy: is in/part-00.npy, an input"])
        os.mkdir(self.path("links"))
        os.symlink("../in/part-01.npy", self.path("links/part-00.npy"))
        self.refuses(USAGE, "--overwrite", out="links/", says=["links/part-00.npy: is in/part-01.npy, an input"])

    def test_flags(self):
        for ending in ["what", "", "a/npy", "../npy", "npy.zip"]:
            self.refuses(USAGE, "--output-format", ending, says=["--output-format"])
        self.refuses(USAGE, "--output-format", "csv", out="file.npy", says=["--output-format", "file.npy in /"])
        self.refuses(USAGE, "--every", "2", says=["--every"])
        for flag, says in [("--shard=1/2", "Dask, Spark or Ray"), ("--check", "whole or missing"), ("--allow-gaps", "pattern")]:
            self.refuses(USAGE, flag, says=[flag[:7], "any more; leave it out", says])
        self.refuses(USAGE, out="no/where/", says=["no/where", "does not exist"])
        self.write("file", b"precious")
        self.refuses(USAGE, out="file/", says=["file"])

    def test_no_time_at_all(self):
        code, out, err = self.run_program(*self.transform("--time-limit", "0.000001"))
        self.assertEqual((code, out), (OVER_LIMIT, ""), err)
        self.assertNotIn("out", self.names())


class Ended(FolderTest):
    """A run that is ended leaves whole files only."""

    ROWS = 15000

    def setUp(self):
        super().setUp()
        os.mkdir(self.path("many"))
        for i in range(3):
            self.succeeds("generate", "sphere", "--dim", 8, "--count", self.ROWS, "--seed", i, "-o", "many/part-%d.npy" % i)

    def test_by_a_signal(self):
        self.fit("slow.safetensors", "faithful")
        run = self.transform("--threads", 1, "--quiet", model="slow.safetensors", pattern="many/*.npy")
        process = self.start(*run, preexec_fn=default_signals)
        deadline = time.monotonic() + 120
        while not os.path.exists(self.path("out/part-0.npy")):
            self.assertIsNone(process.poll(), "the run ended before it could be interrupted")
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.001)
        _, err = self.interrupt(process)
        self.assertRegex(err.splitlines()[-1], "interrupted; [12] of 3 outputs are written")
        made = self.outputs()
        self.assertLess(len(made), 3)
        self.assertFalse([name for name in made if not name.startswith("part-")])
        for name in made:
            self.assertEqual(len(read_npy(self.path("out/" + name))), self.ROWS)

    def test_by_a_full_disk(self):
        """A limit on the size of files stands for it."""
        self.succeeds("generate", "sphere", "--dim", 8, "--count", 3 * self.ROWS, "-o", "many/part-1.npy", "--overwrite")
        size = 12 * self.ROWS + 100000
        limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
        code, out, err = self.run_program(*self.transform(pattern="many/*.npy"), preexec_fn=limit)
        self.assertEqual((code, out), (UNUSABLE, ""), err)
        self.assertIn("out/part-1.npy", err.splitlines()[-1])
        self.assertEqual(self.outputs(), ["part-0.npy"])


if __name__ == "__main__":
    unittest.main()
