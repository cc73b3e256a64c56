"""isogon transform with a folder for its output: shards, restarts, and what is refused."""
import gzip
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import time
import unittest
import zlib

from program import BAD_INPUT, INTERRUPTED, OVER_LIMIT, PROGRAM, UNUSABLE, USAGE, ProgramTest, cluster_points, npy, read_npy

HERE = os.path.dirname(os.path.abspath(__file__))
COUNTS = [7, 1, 12, 5, 9, 3]
RECORDS = "isogon-shards"


def default_signals():
    """A shell's background jobs start with SIGINT ignored, and the program respects that."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class ShardTest(ProgramTest):
    """A model of svd, 8 numbers to 3, and six files to transform."""

    def setUp(self):
        super().setUp()
        self.write("x.npy", npy(cluster_points(80)))
        self.fit("map.safetensors")
        os.mkdir(self.path("in"))
        self.parts = [cluster_points(count, seed=i) for i, count in enumerate(COUNTS)]
        for i, part in enumerate(self.parts):
            self.write("in/part-%02d.npy" % i, npy(part))

    def fit(self, model, method="svd", dim=3):
        self.succeeds("embed", "x.npy", "-o", "y.npy", "--dim", dim, "--method", method, "--overwrite", "--model", model)

    def transform(self, *more, model="map.safetensors", pattern="in/*.npy", out="out/"):
        return ["transform", model, pattern, "-o", out, *more]

    def outputs(self, out="out"):
        return sorted(name for name in os.listdir(self.path(out)) if name != RECORDS)

    def contents(self, out="out"):
        return {name: self.read(os.path.join(out, name)) for name in self.outputs(out)}

    def expected(self):
        """The outputs of a run that nothing has befallen."""
        self.succeeds(*self.transform(out="whole/"))
        return self.contents("whole")

    def states(self, *more):
        code, out, _ = self.run_program(*self.transform("--check", "--json", *more))
        result = self.parse_one_object(out)
        self.assertEqual(code, 0 if all(file["state"] == "finished" for file in result["files"]) else UNUSABLE)
        return {os.path.basename(file["output"]): file["state"] for file in result["files"]}

    def made(self, *more, **keywords):
        """The outputs that a run makes."""
        result = self.json(*self.transform(*more, **keywords))
        return [os.path.basename(file["output"]) for file in result["files"] if file["made"]]

    def refuses(self, code, *more, says=(), **keywords):
        """Fails before work starts: all of `says` is said, and nothing is written anywhere."""
        before = self.everything()
        got, out, err = self.run_program(*self.transform(*more, **keywords))
        self.assertEqual((got, out), (code, ""), err)
        self.assertTrue(all(line.startswith("isogon: ") for line in err.splitlines()), err)
        for word in says:
            self.assertIn(word, err)
        self.assertEqual(self.everything(), before)
        self.fails_in_json(code, *self.transform(*more, **keywords))
        return err

    def everything(self):
        return {os.path.join(folder, name): self.read(os.path.join(folder, name))
                for folder, _, names in os.walk(self.folder) for name in names}


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


class Mistakes(ShardTest):
    def test_all_are_named_before_work_starts(self):
        self.write("in/part-01.npy", npy([row[:7] for row in self.parts[1]]))
        self.write("in/part-02.npy", npy(self.parts[2], "<f8"))
        self.write("in/part-03.npy", "no points")
        self.write("in/part-05.npy", npy(self.parts[5])[:-8])
        self.write("in/part-04.npy", b"")
        err = self.refuses(BAD_INPUT, says=[
            "in/part-01.npy: holds points of 7 numbers", "map.safetensors was fitted to points of 8",
            "in/part-02.npy: holds float64 (npy), and in/part-00.npy holds float32 (npy)", "in/part-03.npy", "in/part-04.npy",
            "in/part-05.npy", "5 mistakes; nothing was begun"])
        self.assertEqual(len(err.splitlines()), 6)
        # A worker speaks of its own files.
        self.succeeds(*self.transform("--shard", "1/6"))
        err = self.refuses(BAD_INPUT, "--shard", "3/6", says=["in/part-02.npy", "1 mistake;"])
        self.assertNotIn("part-01", err)

    def test_missing_files_are_named(self):
        os.remove(self.path("in/part-03.npy"))
        self.refuses(BAD_INPUT, says=["part-03.npy: missing among the inputs", "--allow-gaps"])
        self.succeeds(*self.transform("--allow-gaps"))
        self.refuses(BAD_INPUT, pattern="in/nothing-*.npy", says=["in/nothing-*.npy", "no file matches"])
        self.refuses(BAD_INPUT, pattern="in/nothing.npy", says=["in/nothing.npy", "does not exist"])

    def test_files_gone_since_the_start_are_named_and_new_ones_said(self):
        self.succeeds(*self.transform("--shard", "1/3"))
        os.remove(self.path("in/part-05.npy"))
        self.refuses(BAD_INPUT, says=["part-05.npy: is in the list with which out/ was begun"])
        self.succeeds(*self.transform("--shard", "1/3", "--allow-gaps"))
        for i in [5, 6]:
            self.write("in/part-%02d.npy" % i, npy(self.parts[i - 5]))
        code, _, err = self.run_program(*self.transform())
        self.assertEqual(code, 0, err)
        self.assertIn("2 files have come", err)

    def test_workers_with_another_model_options_or_version(self):
        self.succeeds(*self.transform("--shard", "1/3"))
        self.fit("other.safetensors", dim=2)
        self.refuses(BAD_INPUT, "--shard", "2/3", model="other.safetensors", says=["another model", "SHA-256", "--overwrite"])
        self.refuses(BAD_INPUT, "--header", "absent", says=["begun with header = detect, and now it is absent"])
        self.refuses(BAD_INPUT, "--output-format", "csv", says=["output-format = npy, and now it is csv"])
        # What somebody else has written is made anew if asked for, also by a run that comes back to it.
        self.succeeds(*self.transform("--overwrite", "--shard", "2/3", model="other.safetensors"))
        self.assertEqual(self.states("--overwrite")["part-01.npy"], "other-run")
        self.succeeds(*self.transform("--overwrite"))
        self.assertEqual(self.contents(), self.expected())
        plan = os.path.join("out", RECORDS, "plan.json")
        kept = json.loads(self.read(plan))
        self.write(plan, json.dumps({**kept, "isogon_version": "0.0.1"}))
        self.refuses(BAD_INPUT, says=["begun by isogon 0.0.1"])
        self.write(plan, json.dumps({**kept, "format_version": 2}))
        self.refuses(BAD_INPUT, says=["plan.json", "newer isogon"])

    def test_ways_are_told_apart(self):
        self.fit("tsm.safetensors", "tsm")
        weights = ["--by", "weights", "--neighbors"]
        self.succeeds(*self.transform("--shard", "1/3", *weights, 5, model="tsm.safetensors"))
        self.succeeds(*self.transform("--shard", "2/3", *weights, 5, model="tsm.safetensors"))
        self.refuses(BAD_INPUT, *map(str, weights), "6", model="tsm.safetensors", says=["neighbors = 5, and now it is 6"])
        self.refuses(BAD_INPUT, model="tsm.safetensors", says=["by = weights, and now it is placement"])

    def test_a_model_newer_than_the_program(self):
        data = self.read("map.safetensors")
        data = data.replace(b'"format_version":"1"', b'"format_version":"9"')
        blank = re.sub(rb'"crc32":"[0-9a-f]{8}"', b'"crc32":"00000000"', data)
        self.write("newer.safetensors", blank.replace(b'"00000000"', b'"%08x"' % zlib.crc32(blank)))
        self.refuses(BAD_INPUT, model="newer.safetensors", says=["newer.safetensors", "9", "newer"])

    def test_names_that_meet(self):
        self.write("in/part-00.csv", "1,2,3,4,5,6,7,8\n")
        self.refuses(BAD_INPUT, pattern="in/*", says=["out/part-00.npy", "rename one of them"])
        os.remove(self.path("in/part-00.csv"))
        self.refuses(BAD_INPUT, "--overwrite", out="in/", says=["in/part-00.npy: would be replaced by its own output"])

    def test_nonsense(self):
        for shard in ["0/4", "5/4", "3", "a/b", "1/0", "-1/4", "1/2/3", "/", "1.5/4"]:
            self.refuses(USAGE, "--shard", shard, says=["--shard"])
        for ending in ["what", "", "a/npy", "../npy", "npy.zip"]:
            self.refuses(USAGE, "--output-format", ending, says=["--output-format"])
        self.refuses(USAGE, "--shard", "1/2", out="file.npy", says=["--shard", "end it in /"])
        self.refuses(USAGE, "--check", out="file.npy", says=["--check"])
        self.refuses(USAGE, "--every", "2", says=["--every"])
        self.refuses(USAGE, out="no/where/", says=["no/where", "does not exist"])
        self.write("file", b"precious")
        self.refuses(USAGE, out="file/", says=["file"])


class Troubles(ShardTest):
    """What may befall a worker on its way. What is finished stays, nothing is half there, and a restart goes on."""

    ROWS = 15000

    def setUp(self):
        super().setUp()
        os.mkdir(self.path("many"))
        for i in range(4):
            self.succeeds("generate", "sphere", "--dim", 8, "--count", self.ROWS, "--seed", i, "-o", "many/part-%d.npy" % i)
        self.many = {"pattern": "many/*.npy"}
        self.fit("slow.safetensors", "faithful")

    def slow(self, *more):
        return self.transform(*more, model="slow.safetensors", **self.many)

    def start_in_the_second_file(self):
        process = self.start(*self.slow("--threads", 1, "--quiet"), preexec_fn=default_signals)
        deadline = time.monotonic() + 120
        while not (os.path.exists(self.path("out/part-0.npy")) and self.temporaries()):
            self.assertIsNone(process.poll(), "the run ended before it could be interrupted")
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.001)
        return process

    def temporaries(self):
        return [name for name in self.outputs() if name.endswith(".tmp")]

    def goes_on(self, command):
        """The rest comes, and all is as if nothing had been."""
        finished = self.outputs()
        self.assertLess(len([name for name in finished if name.endswith(".npy")]), 4)
        result = self.json(*command)
        self.assertLess(len([file for file in result["files"] if file["made"]]), 4)
        self.assertEqual(result["finished"], 4)
        whole = [word if word != "out/" else "whole/" for word in command]
        self.succeeds(*whole)
        self.assertEqual(self.contents(), self.contents("whole"))

    def test_a_signal(self):
        process = self.start_in_the_second_file()
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=120)
        self.assertEqual((process.returncode, out), (INTERRUPTED, ""), err)
        self.assertIn("the same command goes on", err.splitlines()[-1])
        self.assertFalse(self.temporaries())
        self.goes_on(self.slow())

    def test_a_kill(self):
        process = self.start_in_the_second_file()
        process.kill()
        process.communicate()
        (left,) = self.temporaries()
        self.write("out/" + left, b"what it had written")  # it may not have come to that
        self.goes_on(self.slow())
        self.assertFalse(self.temporaries())

    def test_a_disk_that_fills_up(self):
        """A limit on the size of files stands for the full disk."""
        self.succeeds("generate", "sphere", "--dim", 8, "--count", 3 * self.ROWS, "-o", "many/part-2.npy", "--overwrite")
        size = 12 * self.ROWS + 100000
        limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
        command = self.transform(**self.many)
        code, out, err = self.run_program(*command, preexec_fn=limit)
        self.assertEqual((code, out), (UNUSABLE, ""), err)
        self.assertIn("out/part-2.npy", err.splitlines()[-1])
        self.assertIn("2 of 4 files are finished and kept", err.splitlines()[-1])
        self.assertEqual(self.outputs(), ["part-0.npy", "part-1.npy"])
        self.goes_on(command)

    def test_a_disk_that_is_really_full(self):
        os.mkdir(self.path("disk"))
        mount = ["mount", "-t", "tmpfs", "-o", "size=460k", "none", self.path("disk")]
        if not shutil.which("mount") or subprocess.run(mount, capture_output=True).returncode != 0:
            self.skipTest("no small file system can be mounted here")
        self.addCleanup(lambda: subprocess.run(["umount", self.path("disk")], check=True))
        code, out, err = self.run_program(*self.transform(out="disk/out/", **self.many))
        self.assertEqual((code, out), (UNUSABLE, ""), err)
        self.assertIn("2 of 4 files are finished and kept", err.splitlines()[-1])
        self.assertEqual(self.outputs("disk/out"), ["part-0.npy", "part-1.npy"])
        subprocess.run(["mount", "-o", "remount,size=20m", self.path("disk")], check=True)
        self.assertEqual(self.made(out="disk/out/", **self.many), ["part-2.npy", "part-3.npy"])
        self.assertEqual(self.json(*self.transform(out="disk/out/", **self.many))["finished"], 4)

    def test_two_workers_with_the_same_files(self):
        workers = [self.start(*self.slow("--threads", 1, "--quiet")) for _ in range(2)]
        for worker in workers:
            _, err = worker.communicate(timeout=300)
            self.assertEqual(worker.returncode, 0, err)
        self.assertEqual(self.json(*self.slow())["finished"], 4)
        self.assertEqual(len(self.outputs()), 4)


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
