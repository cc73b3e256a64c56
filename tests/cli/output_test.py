import fcntl
import os
import pty
import re
import resource
import struct
import subprocess
import termios
import unittest

from program import UNUSABLE, USAGE, ProgramTest, cluster_points, npy, read_npy


class Output(ProgramTest):
    def setUp(self):
        super().setUp()
        self.write("x.npy", npy(cluster_points(40)))

    def writers(self, output):
        yield ["embed", "x.npy", "-o", output, "--method", "svd", "--dim", 2]
        yield ["convert", "x.npy", output]
        yield ["generate", "blobs", "-o", output, "--count", 10]

    def test_an_existing_output_is_refused_and_kept(self):
        self.write("y.npy", b"precious")
        for arguments in self.writers("y.npy"):
            with self.subTest(verb=arguments[0]):
                self.fails(USAGE, *arguments, says=["y.npy", "exists", "--overwrite"])

    def test_overwrite_replaces_it(self):
        for arguments in self.writers("y.npy"):
            self.write("y.npy", b"worthless")
            self.succeeds(*arguments, "--overwrite")
            self.assertGreater(len(read_npy(self.path("y.npy"))), 5)

    def test_an_existing_output_is_refused_before_the_input_is_looked_at(self):
        self.write("y.npy", b"precious")
        self.fails(USAGE, "embed", "nowhere.npy", "-o", "y.npy", says=["y.npy", "exists"])

    def test_unwritable_places(self):
        os.mkdir(self.path("folder.npy"))
        self.write("file", b"")
        for output in ["folder.npy", "nowhere/y.npy", "file/y.npy"]:
            for arguments in self.writers(output):
                with self.subTest(output=output, verb=arguments[0]):
                    self.fails(USAGE, *arguments, says=[output])

    def test_a_folder_without_permission(self):
        if os.geteuid() == 0:
            self.skipTest("root may write anywhere")
        os.mkdir(self.path("closed"), mode=0o500)
        for arguments in self.writers("closed/y.npy"):
            self.fails(USAGE, *arguments, says=["closed/y.npy"])

    def test_a_disk_that_fills_up_leaves_nothing_behind(self):
        """A limit on the size of files stands for the full disk: the write fails half way through."""
        self.write("big.npy", npy([[float(i)] * 64 for i in range(4000)]))
        self.write("old.npy", b"precious")
        limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100000, 100000))
        for output in ["y.npy", "old.npy"]:
            before = self.names()
            code, out, err = self.run_program("convert", "big.npy", output, "--overwrite", preexec_fn=limit)
            self.assertEqual((code, out), (UNUSABLE, ""), err)
            self.assertIn(output, err)
            self.assertEqual(self.names(), before)
        self.assertEqual(self.read("old.npy"), b"precious")

    def test_a_second_output_that_cannot_be_written_leaves_the_first_and_says_so(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))  # the coordinates fit, the model does not

        self.write("x.npy", npy(cluster_points(40, 200)))
        run = ["embed", "x.npy", "-o", "y.npy", "--method", "pca", "--dim", 2, "--model", "m.safetensors"]
        code, out, err = self.run_program(*run, "--json", preexec_fn=limit)
        self.assertEqual(code, UNUSABLE, err)
        self.assertEqual(self.names(), ["x.npy", "y.npy", "y.npy.json"])
        last = err.splitlines()[-1]
        self.assertIn("m.safetensors", last)
        self.assertTrue(last.endswith("; already written: y.npy, y.npy.json"), last)
        self.assertTrue(self.parse_one_object(out)["error"]["message"].endswith("; already written: y.npy, y.npy.json"))
        # An old file that was not replaced is not counted.
        code, _, err = self.run_program(*run, "--overwrite", preexec_fn=lambda: resource.setrlimit(
            resource.RLIMIT_FSIZE, (100, 100)))
        self.assertEqual(code, UNUSABLE, err)
        self.assertNotIn("already written", err)

    def test_what_a_killed_run_has_left_goes_and_what_a_live_one_writes_stays(self):
        self.write(".isogon-4711-0.tmp", b"half of a checkpoint")
        with open(self.path(self.write(".isogon-4712-0.tmp", b"being written")), "rb") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            _, _, err = self.run_program("embed", "x.npy", "-o", "y.npy", "--iterations", 3, "--dim", 2, "--checkpoint",
                                         "run.safetensors", "--checkpoint-every", 0)
            self.assertIn("killed", err)
            self.assertEqual(self.names(), [".isogon-4712-0.tmp", "run.safetensors", "x.npy", "y.npy", "y.npy.json"])
        self.succeeds("convert", "x.npy", "z.npy")
        self.assertNotIn(".isogon-4712-0.tmp", self.names())

    def test_a_full_device_on_stderr_takes_nothing_from_the_result(self):
        with open("/dev/full", "w") as full:
            code, out, _ = self.run_program("embed", "x.npy", "-o", "y.npy", "--iterations", 3, "--dim", 2, "--json",
                                            stderr=full)
        self.assertEqual((code, self.parse_one_object(out)["output"]), (0, "y.npy"))

    def test_a_full_device_on_stdout_is_an_error(self):
        with open("/dev/full", "w") as full:
            code, _, err = self.run_program("methods", stdout=full)
        self.assertEqual(code, UNUSABLE)
        self.assertIn("standard output", err)

    def test_a_reader_that_goes_away_is_no_crash(self):
        reading, writing = os.pipe()
        os.close(reading)
        code, _, err = self.run_program("methods", stdout=writing)
        os.close(writing)
        self.assertEqual((code, err), (0, ""))

    def test_a_closed_stdout_does_not_end_up_in_the_output(self):
        code, _, _ = self.run_program("convert", "x.npy", "y.npy", stdout=None, preexec_fn=lambda: os.close(1))
        self.assertEqual(code, 0)
        self.assertEqual(self.read("y.npy"), self.read("y.npy")[: 128 + 40 * 8 * 4])
        self.assertEqual(read_npy(self.path("y.npy")), read_npy(self.path("x.npy")))

    def test_progress_is_no_bar_when_stderr_is_no_terminal(self):
        self.digits(200)
        code, _, err = self.run_program("embed", "digits.npy", "-o", "y.npy", stdin=subprocess.DEVNULL)
        self.assertEqual(code, 0)
        self.assertNotIn("\r", err)
        self.assertNotIn("\033", err)

    def test_progress_in_a_log_ends_at_its_end(self):
        self.digits(200)
        for arguments, phase in [
            (["embed", "digits.npy", "--method", "tsm", "--threshold", 0.75, "--dim", 4, "--tolerance", 0, "--iterations", 30],
             "matching"),
            (["embed", "digits.npy", "--method", "umap", "--iterations", 20], "layout"),
            (["embed", "digits.npy", "--method", "kpca", "--dim", 2], "kernel"),
            (["generate", "sphere", "--count", 500], "points"),
        ]:  # fmt: skip
            with self.subTest(phase=phase):
                code, _, err = self.run_program(*arguments, "-o", "y.npy", "--overwrite")
                self.assertEqual(code, 0, err)
                steps = re.findall(r"^isogon: %s (\d+) of (\d+)" % phase, err, re.MULTILINE)
                self.assertTrue(steps, err)
                self.assertEqual(*steps[-1], err)
                self.assertEqual(len(steps), len(set(steps)), err)

    def test_progress_fits_the_terminal(self):
        self.digits(1000)
        arguments = ["embed", "digits.npy", "-o", "y.npy", "--method", "tsm", "--tolerance", 0, "--threshold", 0.75]
        for columns in (200, 80, 60, 30, 10):
            with self.subTest(columns=columns):
                shown, _ = self.on_a_terminal(*arguments, "--iterations", 800, "--overwrite", columns=columns)
                lines = [line for line in re.findall(r"\r([^\r\033]*)", shown) if "matching" in line]
                self.assertTrue(lines or columns < 20, shown)
                for line in lines:
                    self.assertLess(len(line), columns)
                    if columns >= 30:  # a word is whole or not there
                        self.assertRegex(line, r"^isogon: matching( \[#*\.*\] +\d+%)? \d+ of 800"
                                               r"(, [\d.e+]+/s(, [\d.]+ \w+ left)?)?(, objective [\d.e+-]+)?$")

    def on_a_terminal(self, *arguments, columns):
        """(what the run has written on a terminal of that width, stdout); width 0: one that tells none."""
        terminal, stderr = pty.openpty()
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        process = self.start(*arguments, stderr=stderr)
        os.close(stderr)
        shown = b""
        while True:
            try:
                shown += os.read(terminal, 4096)
            except OSError:  # the last writer has gone
                break
        os.close(terminal)
        out = process.stdout.read()
        process.stdout.close()
        self.assertEqual(process.wait(), 0)
        return shown.decode(), out

    def test_progress_is_a_bar_on_a_terminal_and_gone_at_the_end(self):
        self.digits(1000)
        arguments = ["embed", "digits.npy", "-o", "y.npy", "--method", "tsm", "--tolerance", 0, "--threshold", 0.75]
        # A second or two: the bar is drawn every so often only.
        text, out = self.on_a_terminal(*arguments, "--iterations", 2000, columns=0)
        self.assertRegex(text, r"\risogon: matching \[#*\.*\] +\d+% \d+ of 2000")
        self.assertIn("left", text)
        self.assertTrue(text.rpartition(" of 2000,")[2].split("\r", 1)[1].startswith("\033[K"), text)
        self.assertNotIn("\r", out)


if __name__ == "__main__":
    unittest.main()
