"""isogon transform with a folder for its output: shards, restarts, recipes."""
import gzip
import os
import shutil
import subprocess
import unittest

from program import BAD_INPUT, OVER_LIMIT, PROGRAM, USAGE, cluster_points, npy, read_npy
from shards import COUNTS, RECORDS, ShardTest

HERE = os.path.dirname(os.path.abspath(__file__))


class Shards(ShardTest):
    def test_each_file_gets_an_output_of_the_same_stem(self):
        text = self.succeeds(*self.transform())
        self.assertIn("out/: 6 of 6 files are finished; 37 points of 3 numbers made now, from 8", text)
        self.assertEqual(self.outputs(), ["part-%02d.npy" % i for i in range(6)])
        for i in range(6):
            self.succeeds("transform", "map.safetensors", "in/part-%02d.npy" % i, "-o", "one.npy", "--overwrite")
            self.assertEqual(self.read("out/part-%02d.npy" % i), self.read("one.npy"))

    def test_parts_are_every_nth_file_and_together_all(self):
        whole = self.expected()
        for number in [2, 4, 1, 3]:
            result = self.json(*self.transform("--shard", "%d/4" % number))
            self.assertEqual(result["shard"], {"number": number, "count": 4})
            inputs = ["in/part-%02d.npy" % i for i in range(number - 1, 6, 4)]
            self.assertEqual([file["input"] for file in result["files"]], inputs)
        self.assertEqual(self.contents(), whole)
        self.assertEqual(self.made("--shard", "9/12"), [])

    def test_the_list_is_the_same_however_it_is_named(self):
        whole = self.expected()
        names = ["in/part-%02d.npy" % i for i in [4, 0, 5, 2, 1, 3]] + ["in/../in/part-00.npy"]
        self.succeeds("transform", "map.safetensors", *names, "-o", "out/", "--shard", "1/2")
        self.succeeds(*self.transform("--shard", "2/2", pattern=self.path("in/*.npy")))
        self.assertEqual(self.contents(), whole)

    def test_the_same_bits_however_rows_are_cut_into_files(self):
        rows = sum(self.parts, [])
        self.write("all.npy", npy(rows))
        for method, dim in [("svd", 3), ("faithful", 3), ("tsne", 2)]:
            with self.subTest(method=method):
                self.fit("map.safetensors", method, dim)
                self.succeeds("transform", "map.safetensors", "all.npy", "-o", "one.npy", "--overwrite")
                self.succeeds(*self.transform("--overwrite", "--threads", 1))
                pieces = [read_npy(self.path("out/part-%02d.npy" % i)) for i in range(6)]
                self.assertEqual(sum(pieces, []), read_npy(self.path("one.npy")))

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
        self.refuses(BAD_INPUT, "--output-format", "vec", out="other/", says=["part-00.npy", "no words"])

    def test_a_pattern_may_be_stacked_too(self):
        self.write("all.npy", npy(sum(self.parts, [])))
        self.succeeds("transform", "map.safetensors", "all.npy", "-o", "one.npy")
        self.succeeds("transform", "map.safetensors", "in/*.npy", "-o", "stacked.npy")
        self.assertEqual(self.read("stacked.npy"), self.read("one.npy"))

    def test_a_small_memory_limit_serves_many_rows(self):
        # Two files of 8 MB; a block of rows is less than either.
        os.mkdir(self.path("many"))
        for i in range(2):
            self.succeeds("generate", "blobs", "--dim", 8, "--count", 250000, "--seed", i, "-o", "many/%d.npy" % i)
        self.succeeds(*self.transform("--memory-limit", "60M", pattern="many/*.npy"))

    def test_no_time_at_all(self):
        code, out, err = self.run_program(*self.transform("--time-limit", "0.000001"))
        self.assertEqual((code, out), (OVER_LIMIT, ""), err)
        self.assertNotIn("out", self.names())


class Restart(ShardTest):
    def test_finished_outputs_are_left_as_they_are(self):
        self.succeeds(*self.transform("--shard", "1/2"))
        before = {name: os.stat(self.path("out/" + name)) for name in self.outputs()}
        text = self.succeeds(*self.transform())
        self.assertIn("6 of 6 files are finished; %d points" % (COUNTS[1] + COUNTS[3] + COUNTS[5]), text)
        after = {name: os.stat(self.path("out/" + name)) for name in before}
        for name, stat in before.items():
            self.assertEqual((stat.st_ino, stat.st_mtime_ns), (after[name].st_ino, after[name].st_mtime_ns))
        self.assertEqual(self.made(), [])
        self.assertEqual(self.made("--overwrite"), [])

    def test_it_is_the_content_that_counts_and_not_the_time(self):
        self.succeeds(*self.transform())
        stat = os.stat(self.path("in/part-02.npy"))
        os.utime(self.path("in/part-03.npy"))
        self.write("in/part-02.npy", npy(cluster_points(COUNTS[2], seed=77)))
        os.utime(self.path("in/part-02.npy"), ns=(stat.st_atime_ns, stat.st_mtime_ns))
        self.assertEqual(self.states()["part-02.npy"], "input-changed")
        code, _, err = self.run_program(*self.transform("--shard", "3/6"))
        self.assertEqual(code, 0, err)
        self.assertIn("in/part-02.npy has changed", err)
        self.assertEqual(self.made(), [])
        self.assertEqual(self.contents(), self.expected())

    def test_what_is_half_there_is_made_anew(self):
        self.succeeds(*self.transform())
        whole = self.contents()
        self.write("out/part-04.npy", whole["part-04.npy"][:-5])
        os.remove(self.path("out/part-01.npy"))
        states = self.states()
        self.assertEqual((states["part-04.npy"], states["part-01.npy"]), ("half-written", "missing"))
        self.assertEqual(self.made(), ["part-01.npy", "part-04.npy"])
        self.assertEqual(self.contents(), whole)

    def test_what_is_not_ours_is_never_replaced_unasked(self):
        os.mkdir(self.path("out"))
        self.write("out/part-03.npy", b"precious")
        self.refuses(USAGE, says=["out/part-03.npy", "no record", "--overwrite"])
        # Another shard has nothing to do with it.
        self.succeeds(*self.transform("--shard", "1/6"))
        self.write("out/part-00.npy", self.read("out/part-00.npy") + b"more")
        err = self.refuses(USAGE, says=["out/part-00.npy: has been changed", "out/part-03.npy", "2 mistakes"])
        self.assertNotIn("part-01", err)
        self.assertEqual(self.states()["part-03.npy"], "foreign")
        whole = bytearray(self.read("out/part-00.npy")[:-4])
        whole[-1] ^= 1
        self.write("out/part-00.npy", bytes(whole))  # as long as it was
        self.assertEqual(self.states()["part-00.npy"], "altered")
        self.refuses(USAGE, "--shard", "1/6", says=["out/part-00.npy: has been changed"])
        self.succeeds(*self.transform("--overwrite"))
        self.assertEqual(self.contents(), self.expected())

    def test_a_damaged_record_proves_nothing(self):
        self.succeeds(*self.transform())
        record = os.path.join("out", RECORDS, "part-05.npy.json")
        for damaged in [b"", b"{}", self.read(record)[:100], self.read(record).replace(b'"output"', b'"input"'), b"[" * 1000]:
            self.write(record, damaged)
            self.assertEqual(self.states()["part-05.npy"], "foreign")
        self.refuses(USAGE, says=["part-05.npy"])
        self.write(os.path.join("out", RECORDS, "plan.json"), b"{")
        self.refuses(BAD_INPUT, says=["plan.json", "damaged"])

    def test_an_input_that_holds_nan_does_not_keep_the_others(self):
        rows = [list(row) for row in self.parts[2]]
        rows[4][6] = float("nan")
        self.write("in/part-02.npy", npy(rows))
        code, out, err = self.run_program(*self.transform("--json"))
        self.assertEqual(code, BAD_INPUT)
        self.assertIn("in/part-02.npy, row 4, column 6", err.splitlines()[-1])
        self.assertIn("5 of 6 files are finished", err)
        trouble = [file.get("trouble") for file in self.parse_one_object(out)["files"]]
        self.assertEqual([bool(text) for text in trouble], [False, False, True, False, False, False])
        self.write("in/part-02.npy", npy(self.parts[2]))
        self.assertEqual(self.made(), ["part-02.npy"])


class Recipes(ShardTest):
    """What docs/shards.md tells people to do."""

    def test_gnu_parallel(self):
        version = subprocess.run(["parallel", "--version"], capture_output=True, text=True) if shutil.which("parallel") else None
        if not version or "GNU parallel" not in version.stdout:
            self.skipTest("GNU parallel is not installed (Debian: parallel)")
        script = os.path.join(HERE, "..", "..", "examples", "shards", "with_gnu_parallel")
        environment = dict(os.environ, PATH=os.path.dirname(os.path.abspath(PROGRAM)) + ":" + os.environ["PATH"])
        whole = self.expected()
        for _ in range(2):
            done = subprocess.run([script, "map.safetensors", "in/*.npy", "out/", "4"], cwd=self.folder, env=environment,
                                  capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(self.contents(), whole)
        os.remove(self.path("in/part-03.npy"))
        done = subprocess.run([script, "map.safetensors", "in/*.npy", "out/", "4"], cwd=self.folder, env=environment,
                              capture_output=True, text=True)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("part-03.npy", done.stderr)


if __name__ == "__main__":
    unittest.main()
