"""isogon transform with a folder for its output: what is refused, before work starts."""
import json
import os
import re
import unittest
import zlib

from program import BAD_INPUT, USAGE, npy
from shards import RECORDS, ShardTest


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
        self.refuses(BAD_INPUT, "--format", "npy", says=["begun with --format not given, and now it is npy"])
        self.refuses(BAD_INPUT, "--output-format", "csv", says=["--output-format npy, and now it is csv"])
        # A file that another program has written is replaced if requested, also by a resumed run.
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
        self.refuses(BAD_INPUT, *map(str, weights), "6", model="tsm.safetensors", says=["--neighbors 5, and now it is 6"])
        self.refuses(BAD_INPUT, model="tsm.safetensors", says=["--by weights, and now it is placement"])

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


if __name__ == "__main__":
    unittest.main()
