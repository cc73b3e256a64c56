import gzip
import struct
import time
import unittest

from program import OVER_LIMIT, ProgramTest

MEGABYTE = 1000000
# What the program takes beside its statement: docs/memory.md.
PROGRAM = 8 * MEGABYTE

ROLL = ["swiss-roll"]
BLOBS = ["blobs", "--dim", 16, "--classes", 3]

# Where statements were furthest from the truth, and the methods that take most: input, its size, and the run.
CASES = {
    # The grid was stated as large as it can ever become, 30 times what it was.
    "tsne": (BLOBS, 4000, ["embed", "IN", "--method", "tsne", "--iterations", 10]),
    # The matrix that is factored was not stated, nor the order of its elimination, nor its factor.
    "lle --components largest": (BLOBS, 4000, ["embed", "IN", "--method", "lle", "--components", "largest", "--dim", 4]),
    # Blocks of the kernel's rows were not stated.
    "isomap --landmarks": (ROLL, 2500, ["embed", "IN", "--method", "isomap", "--dim", 2, "--landmarks", 200]),
    "kpca --landmarks": (BLOBS, 2500, ["embed", "IN", "--method", "kpca", "--dim", 4, "--landmarks", 200]),
    # Of (k + 1)^2 attractions a point most are the same.
    "lle2": (BLOBS, 3000, ["embed", "IN", "--method", "lle2", "--iterations", 3]),
    "umap": (BLOBS, 15000, ["embed", "IN", "--method", "umap", "--iterations", 5]),
    "isomap": (ROLL, 2500, ["embed", "IN", "--method", "isomap", "--dim", 2]),
    "mds": (["sphere", "--dim", 64], 20000, ["embed", "IN", "--method", "mds", "--dim", 2, "--tolerance", 0.1]),
    "tsm --solver sphere": (BLOBS, 8000, ["embed", "IN", "--method", "tsm", "--solver", "sphere", "--iterations", 5]),
    "neighbors": (BLOBS, 20000, ["neighbors", "IN", "--search", "approximate", "-k", 30]),
    "a table of text": (["sphere", "--dim", 64], 20000, ["threshold", "IN"]),
}


class Memory(ProgramTest):
    def test_what_is_taken_is_at_most_what_is_stated_and_at_least_half_of_it(self):
        alone = self.json("generate", "sphere", "-o", "two.npy", "--count", 2, "--threads", 1)["peak_memory_bytes"]
        for name, (points, count, words) in CASES.items():
            with self.subTest(case=name):
                run = self.prepared(name, points, count, words)
                result = self.json(*run)
                stated, taken = result["stated_memory_bytes"], result["peak_memory_bytes"] - alone
                self.assertLessEqual(taken, stated + PROGRAM)
                self.assertGreaterEqual(taken + PROGRAM, stated / 2)
                self.the_statement_is_the_limit(run, stated)

    def prepared(self, name, points, count, words):
        """Of a format that is held, for pages of mapped files count as the process's."""
        file = "x.csv" if "text" in name else "x.fvecs"
        self.succeeds("generate", *points, "-o", file, "--count", count, "--overwrite")
        output = [] if words[0] == "threshold" else ["-o", "y.npy", "--overwrite"]
        return [file if word == "IN" else word for word in words] + output + ["--threads", 2]

    def the_statement_is_the_limit(self, run, stated):
        self.assertEqual(self.json(*run, "--memory-limit", stated)["stated_memory_bytes"], stated)
        code, out, err = self.run_program(*run, "--json", "--memory-limit", stated - 1)
        if code == 0:  # another way was taken, one that takes less
            self.assertLess(self.parse_one_object(out)["stated_memory_bytes"], stated)
        else:
            self.assertEqual(code, OVER_LIMIT, err)
            self.assertIn("needs", err)

    def test_the_peak_is_the_process_s_own_and_not_its_parent_s(self):
        """What getrusage tells, a program inherits from the one that starts it."""
        fat = bytearray(300 * MEGABYTE)
        fat[::4096] = b"x" * len(fat[::4096])
        result = self.json("generate", "sphere", "-o", "x.npy", "--count", 10)
        self.assertEqual(len(fat), 300 * MEGABYTE)
        self.assertLess(result["peak_memory_bytes"], 200 * MEGABYTE)

    def peak(self, *arguments):
        """Of a run that is looked at again and again: (exit code, bytes, stderr)."""
        process = self.start(*arguments)
        peak = 0
        while process.poll() is None:
            with open("/proc/%d/status" % process.pid) as status:
                peak = max([peak] + [int(line.split()[1]) * 1024 for line in status if line.startswith("VmHWM:")])
            time.sleep(0.001)
        _, err = process.communicate()
        return process.returncode, peak, err

    def test_packed_text_is_refused_while_it_is_unpacked(self):
        """Rows of a text are counted by reading it to the end: numbers are not kept then, words up to the limit."""
        def packed(name, head, line, lines):
            with gzip.open(self.path(name), "wb", compresslevel=1) as file:
                file.write(head)
                for _ in range(lines // 1000):
                    file.write(line * 1000)
            return name

        alone = self.json("generate", "sphere", "-o", "two.npy", "--count", 2, "--threads", 1)["peak_memory_bytes"]
        limit = 8 * MEGABYTE
        for name, head, line, lines in [
            ("many.csv.gz", b"a,b,c,d\n", b"1,2,3,4\n", 2000000),
            ("words.csv.gz", b"a,b,word\n", b"1,2,some-word-or-other-that-is-long\n", 500000),
            ("wide.tsv.gz", b"", b"1\t2\t3\t4\t", 2000000),
            ("words.vec.gz", b"", b"word 1 2 3 4\n", 2000000),
        ]:
            packed(name, head, line, lines)
            for verb in (["embed", name, "-o", "y.npy", "--method", "pca"], ["convert", name, "y.npy"]):
                with self.subTest(name=name, verb=verb[0]):
                    code, peak, err = self.peak(*verb, "--threads", 1, "--memory-limit", limit)
                    self.assertEqual(code, OVER_LIMIT, err)
                    self.assertIn("needs", err)
                    self.assertLess(peak - alone, limit + PROGRAM)

    def test_wide_rows_are_stated(self):
        """Of a few rows of very many numbers each takes as much as all that was stated."""
        alone = self.json("generate", "sphere", "-o", "two.npy", "--count", 2, "--threads", 1)["peak_memory_bytes"]
        wide = 6000000
        row = struct.pack("<i", wide) + struct.pack("<4f", 1, 2, 3, 4) * (wide // 4)
        self.write("one.fvecs", row)
        with gzip.open(self.path("one.fvecs.gz"), "wb", compresslevel=1) as file:
            file.write(row)
        for name in ("one.fvecs", "one.fvecs.gz"):
            for more in ([], ["--every", 2]):
                result = self.json("convert", name, "y.npy", "--threads", 1, "--overwrite", *more)
                taken, stated = result["peak_memory_bytes"] - alone, max(result["stated_memory_bytes"], 4 * wide)
                self.assertLessEqual(taken, 2 * stated + PROGRAM, (name, more))

    def test_the_statement_has_the_input_unless_it_is_mapped(self):
        stated = {}
        for name in ["x.npy", "x.fvecs", "x.csv"]:
            self.succeeds("generate", "sphere", "-o", name, "--count", 2000, "--dim", 50)
            stated[name] = self.json("threshold", name)["stated_memory_bytes"]
        size = 2000 * 50 * 4
        self.assertEqual(stated["x.fvecs"], stated["x.npy"] + size)
        self.assertEqual(stated["x.csv"], stated["x.npy"] + 2 * size)

    def test_lle_over_its_limit_takes_no_factor_that_it_has_no_room_for(self):
        """Accepted under 15 MB it took 53 to 121."""
        alone = self.json("generate", "sphere", "-o", "two.npy", "--count", 2, "--threads", 1)["peak_memory_bytes"]
        run = self.prepared("lle", BLOBS, 6000, CASES["lle --components largest"][2])
        code, out, err = self.run_program(*run, "--iterations", 30, "--json", "--memory-limit", "15M")
        if code == OVER_LIMIT and "needs" in err:
            return
        self.assertLessEqual(self.parse_one_object(out)["peak_memory_bytes"] - alone, 15 * MEGABYTE + PROGRAM)


if __name__ == "__main__":
    unittest.main()
