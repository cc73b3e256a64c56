import os
import signal
import time
import unittest

from program import INTERRUPTED, OVER_LIMIT, ProgramTest, default_signals, read_npy


class Interrupt(ProgramTest):
    def start_long_run(self, *more, count=1500):
        """Returns once the iterations have begun: a log line of the phase is on stderr."""
        self.digits(count)
        process = self.start("embed", "digits.npy", "-o", "y.npy", "--json", *LONG, *more, preexec_fn=default_signals)
        for line in process.stderr:
            if "matching" in line:
                return process
        self.fail("the run ended before it could be interrupted: " + process.stdout.read())

    def test_the_first_signal_writes_the_best_so_far(self):
        for number in [signal.SIGINT, signal.SIGTERM]:
            with self.subTest(signal=number):
                process = self.start_long_run("--overwrite")
                process.send_signal(number)
                out, err = process.communicate(timeout=120)
                self.assertEqual(process.returncode, INTERRUPTED, err)
                result = self.parse_one_object(out)
                self.assertEqual((result["termination"], result["output"]), ("cancelled", "y.npy"))
                self.assertEqual(len(read_npy(self.path("y.npy"))), 1500)
                self.assertIn("interrupted", err)

    def test_a_second_signal_ends_at_once_and_leaves_no_file(self):
        # One update of so many points takes far longer than the second signal.
        process = self.start_long_run(count=4000)
        before = self.names()
        process.send_signal(signal.SIGSTOP)  # so that both arrive together
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGTERM)
        process.send_signal(signal.SIGCONT)
        out, err = process.communicate(timeout=120)
        self.assertEqual((process.returncode, out), (INTERRUPTED, ""))
        self.assertIn("isogon: stopped", err)
        self.assertEqual(self.names(), before)

    def test_a_second_signal_names_what_is_written(self):
        """Here the coordinates, while their report is made."""
        self.digits(4000)
        process = self.start("embed", "digits.npy", "-o", "y.npy", "--method", "svd", "--dim", 8, "--report", "r.html",
                             "--threads", 1, preexec_fn=default_signals)
        deadline = time.monotonic() + 120
        while not os.path.exists(self.path("y.npy")):
            self.assertIsNone(process.poll())
            self.assertLess(time.monotonic(), deadline)
        process.send_signal(signal.SIGSTOP)  # so that both arrive together
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGTERM)
        process.send_signal(signal.SIGCONT)
        _, err = process.communicate(timeout=120)
        self.assertEqual(process.returncode, INTERRUPTED, err)
        self.assertRegex(err, r"isogon: stopped; already written: y\.npy(, y\.npy\.json)?\n$")
        self.assertEqual([name for name in self.names() if name.endswith((".tmp", ".html"))], [])
        self.assertEqual(len(read_npy(self.path("y.npy"))), 4000)

    def start_stream(self, *arguments):
        """Returns once the first bytes of the output are on the disk, under its temporary name."""
        process = self.start(*arguments, "--threads", 1, "--quiet", preexec_fn=default_signals)
        deadline = time.monotonic() + 60
        while not any(name.endswith(".tmp") and os.path.getsize(self.path(name)) > 0 for name in self.names()):
            self.assertIsNone(process.poll(), "the run ended before it could be interrupted")
            self.assertLess(time.monotonic(), deadline)
        return process

    def test_interrupted_generation_leaves_the_first_points(self):
        process = self.start_stream("generate", "sphere", "--dim", 100, "--count", 600000, "-o", "s.npy")
        _, err = self.interrupt(process)
        self.assertEqual(self.names(), ["s.npy"])
        made = self.json("info", "s.npy")["shape"][0]
        self.assertGreater(made, 0)
        self.assertLess(made, 600000)
        self.assertIn("%d of 600000" % made, err)
        self.succeeds("generate", "sphere", "--dim", 100, "--count", made, "-o", "few.npy")
        self.assertEqual(self.read("few.npy"), self.read("s.npy"))

    def test_an_interrupted_transform_leaves_nothing(self):
        self.digits(1200)
        self.succeeds("embed", "digits.npy", "-o", "y.npy", "--iterations", 5, "--model", "m.safetensors")
        self.succeeds("generate", "drawn-digits", "--count", 40000, "--seed", 9, "-o", "many-idx3-ubyte")
        before = self.names()
        process = self.start_stream("transform", "m.safetensors", "many-idx3-ubyte", "-o", "z.npy")
        _, err = self.interrupt(process)
        self.assertIn("nothing was written", err)
        self.assertEqual(self.names(), before)

    def test_a_time_limit_writes_the_best_so_far(self):
        self.digits(1500)
        arguments = ["embed", "digits.npy", "-o", "y.npy", *LONG, "--time-limit", "3s", "--json"]
        code, out, err = self.run_program(*arguments)
        self.assertEqual(code, OVER_LIMIT, err)
        result = self.parse_one_object(out)
        self.assertEqual(result["termination"], "time-limit")
        self.assertEqual(len(read_npy(self.path("y.npy"))), 1500)
        self.assertIn("--time-limit", err)

    def test_long_steps_end_soon(self):
        """Minutes in one decomposition or search, which the limit of a second has to end."""
        self.succeeds("generate", "blobs", "-o", "wide.npy", "--count", 200, "--dim", 2500, "--classes", 3)
        self.succeeds("generate", "blobs", "-o", "far.npy", "--count", 6000, "--dim", 8, "--classes", 40)
        before = self.names()
        for arguments in [
            ["quantize", "wide.npy", "-o", "c.safetensors", "--bytes", 4],
            ["embed", "far.npy", "-o", "y.npy", "--method", "sde", "--components", "bridge", "--neighbors", 4],
        ]:
            with self.subTest(arguments=arguments):
                process = self.start(*arguments, "--time-limit", "1s", "--threads", 1)
                _, err = process.communicate(timeout=20)
                self.assertEqual(process.returncode, OVER_LIMIT, err)
                self.assertEqual([name for name in self.names() if not name.startswith("y.npy")], before)

    def test_no_time_at_all_writes_nothing_and_says_so(self):
        self.digits(300)
        before = self.names()
        for arguments in [
            ["embed", "digits.npy", "-o", "y.npy"],
            ["generate", "drawn-digits", "-o", "y.npy", "--labels", "z.npy"],
            ["convert", "digits.npy", "y.npy"],
            ["score", "digits.npy", "digits.npy"],
            ["score", "digits.npy", "digits.npy", "--against", "digits.npy", "digits.npy"],
            ["threshold", "digits.npy"],
        ]:
            with self.subTest(verb=arguments[0]):
                code, out, err = self.run_program(*arguments, "--time-limit", "0.000001")
                self.assertEqual((code, out), (OVER_LIMIT, ""), err)
                self.assertIn("time", err)
                self.assertEqual(self.names(), before)


# More updates than any machine gets through before the signal comes.
LONG = ["--method", "tsm", "--dim", 8, "--threshold", 0.75, "--tolerance", 0, "--iterations", 10000000]


if __name__ == "__main__":
    unittest.main()
