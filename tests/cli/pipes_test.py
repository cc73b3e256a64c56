"""- is standard input where a file is read, and standard output where one is written."""

import gzip
import os
import subprocess
import unittest

from program import BAD_INPUT, PROGRAM, UNUSABLE, USAGE, ProgramTest, cluster_points, npy

PCA = ["--method", "pca", "--dim", "2"]


class Pipes(ProgramTest):
    def setUp(self):
        super().setUp()
        self.points = cluster_points(60)
        self.text = "".join(",".join(map(str, row)) + "\n" for row in self.points)
        self.write("x.npy", npy(self.points))
        os.mkdir(self.path("temporary"))

    def piped(self, content, *arguments, code=0, **keywords):
        """(stdout, stderr) of a run with that on standard input."""
        keywords = {"stdout": subprocess.PIPE, **keywords}
        done = subprocess.run([os.path.abspath(PROGRAM), *arguments], cwd=self.folder, input=content, stderr=subprocess.PIPE,
                              env={**os.environ, "TMPDIR": self.path("temporary")}, **keywords)
        self.assertEqual(done.returncode, code, done.stderr)
        self.assertEqual(os.listdir(self.path("temporary")), [])
        return done.stdout, done.stderr.decode()

    def test_any_format_is_read_from_a_pipe(self):
        for content, flags in ((npy(self.points), []), (self.text.encode(), []), (gzip.compress(self.text.encode()), []),
                               (self.text.replace(",", "\t").encode(), ["--format", "tsv"])):  # fmt: skip
            self.piped(content, "convert", "-", "o.npy", "--overwrite", *flags)
            self.assertEqual(self.read("o.npy"), self.read("x.npy"))
        self.write("labels.txt", "1\n" * 60)
        self.piped(npy(self.points), "embed", "-", "x.npy", "-o", "y.npy", *PCA, "--every", "2")
        self.succeeds("embed", "x.npy", "x.npy", "-o", "z.npy", *PCA, "--every", "2")
        self.assertEqual(self.read("y.npy"), self.read("z.npy"))

    def test_coordinates_go_into_a_pipe_and_all_else_to_stderr(self):
        self.succeeds("embed", "x.npy", "-o", "y.csv", *PCA, "--model", "m.safetensors")
        names = self.names()
        for verb in (["embed", "-", "-o", "-", *PCA], ["transform", "m.safetensors", "-", "-o", "-"]):
            out, err = self.piped(npy(self.points), *verb)
            self.assertEqual(out.count(b"\n"), self.read("y.csv").count(b"\n"))
            self.assertIn("60 points", err)
        out, _ = self.piped(npy(self.points), "embed", "-", "-o", "-", *PCA)
        self.assertEqual(out, self.read("y.csv"))
        out, _ = self.piped(b"a;b\n1,5;2\n", "convert", "-", "-")
        self.assertEqual(out.split(), [b"a,b", b"1.5,2"])
        self.assertEqual(self.names(), names)

    def test_what_is_wrong_is_said_and_nothing_goes_out(self):
        for content, arguments, code, says in (
            (b"", ["embed", "-", "-o", "-", *PCA], BAD_INPUT, "-: is empty"),
            (b"1,2\n3\n", ["embed", "-", "-o", "-", *PCA], BAD_INPUT, "-, line 2"),
            (npy([[1.0, float("nan")]] * 9), ["embed", "-", "-o", "-", *PCA], BAD_INPUT, "row 0"),
            (npy(self.points), ["neighbors", "-", "-o", "-"], USAGE, "-"),
        ):
            out, err = self.piped(content, *arguments, code=code)
            self.assertEqual(out, b"")
            self.assertIn(says, err)
        _, err = self.piped(npy(self.points), "embed", "-", "-o", "-", *PCA, "--json", code=USAGE)
        self.assertIn("leave it out", err)
        with open("/dev/full", "wb") as full:
            _, err = self.piped(npy(self.points), "embed", "-", "-o", "-", *PCA, code=UNUSABLE, stdout=full)
        self.assertIn("-: the disk is full", err)


if __name__ == "__main__":
    unittest.main()
