"""mpirun -n 4 isogon embed: the bytes of one process, one voice, and a clear end whatever happens to a rank."""

import os
import signal
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cli"))
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from mpirun import MpiTest  # noqa: E402
from program import BAD_INPUT, USAGE, cluster_points, npy, read_npy  # noqa: E402

FIT = ["--dim", 4, "--iterations", 12, "--threads", 1]
LONG = ["embed", "digits.npy", "--dim", 8, "--tolerance", 0, "--threads", 1]
LONG_ON_SPHERES = ["embed", "digits.npy", "--method", "tsm", "--solver", "sphere", "--dim", 2, "--threshold", 0.75, "--tolerance", 0,
                   "--threads", 1]  # fmt: skip


class SameBytes(MpiTest):
    def test_any_number_of_ranks_writes_what_one_process_writes(self):
        self.digits(400)
        for method, numbers in [("faithful", [1, 2, 4]), ("tsm", [2, 3])]:
            run = ["embed", "digits.npy", "--method", method, *FIT]
            self.succeeds(*run, "-o", "one.npy", "--model", "one.safetensors", "--overwrite")
            for ranks in numbers:
                with self.subTest(method=method, ranks=ranks):
                    code, out, err = self.by_ranks(ranks, *run, "-o", "y.npy", "--model", "y.safetensors", "--overwrite")
                    self.assertEqual(code, 0, err)
                    self.assertEqual(out.count("y.npy"), 1, out)  # one voice
                    self.assertEqual(self.read("y.npy"), self.read("one.npy"))
                    self.assertEqual(self.read("y.safetensors"), self.read("one.safetensors"))

    def test_fits_of_neighbours_too(self):
        fits = [(400, ["--dim", 16]), (400, ["--dim", 8, "--metric", "cosine"]), (400, ["--dim", 5]), (400, ["--dim", 2]),
                (4200, ["--dim", 16])]  # of that many the search for neighbours is pruned
        for count, words in fits:
            self.digits(count)
            run = ["embed", "digits.npy", *words, "--iterations", 25, "--threads", 1, "--overwrite"]
            alone = self.json(*run, "-o", "one.npy", "--model", "one.safetensors")
            self.assertGreater(alone["counts"]["near_pairs"], 0)
            for ranks in [1, 2, 3]:
                with self.subTest(count=count, words=words, ranks=ranks):
                    code, out, err = self.by_ranks(ranks, *run, "-o", "y.npy", "--model", "y.safetensors", "--json")
                    self.assertEqual(code, 0, err)
                    self.assertEqual(self.read("y.npy"), self.read("one.npy"))
                    self.assertEqual(self.read("y.safetensors"), self.read("one.safetensors"))
                    measures = self.parse_one_object(out)["measures"]
                    self.assertEqual(measures, alone["measures"])  # of all ranks together, scans are those of one process

    def test_json_tells_what_the_messages_took(self):
        self.digits(400)
        code, out, err = self.by_ranks(2, "embed", "digits.npy", "-o", "y.npy", *FIT, "--json")
        self.assertEqual(code, 0, err)
        ranks = self.parse_one_object(out)["ranks"]
        self.assertEqual(len(ranks), 2)
        for rank in ranks:
            self.assertGreater(rank["bytes_received"], 400 * 4 * 4 * 12 / 4)
            self.assertGreater(rank["collective_calls"], 12)
            self.assertEqual(rank["meetings"], rank["collective_calls"])
            self.assertGreaterEqual(rank["seconds_moving"], 0.0)

    def test_a_report_is_made_by_the_first_rank_alone(self):
        self.digits(200)
        code, _, err = self.by_ranks(2, "embed", "digits.npy", "-o", "y.npy", *FIT, "--report", "r.html")
        self.assertEqual(code, 0, err)
        self.assertIn("r.html", self.names())

    def test_help_is_printed_once(self):
        code, out, _ = self.by_ranks(3, "--version")
        self.assertEqual((code, out.count("isogon")), (0, 1))


class Refusals(MpiTest):
    def setUp(self):
        super().setUp()
        self.digits(200)

    def test_verbs_and_methods_that_ranks_cannot_share(self):
        self.refuses(USAGE, "score", "digits.npy", "digits.npy", says=["score", "mpirun"])
        self.refuses(USAGE, "embed", "digits.npy", "-o", "y.npy", "--method", "svd", ranks=3, says=["svd", "faithful, tsm"])
        if "PETSc" not in self.succeeds("--version"):
            self.refuses(USAGE, "embed", "digits.npy", "-o", "y.npy", "--method", "laplacian", says=["ISOGON_PETSC", "without mpirun"])
        self.refuses(USAGE, "embed", "digits.npy", "-o", "y.npy", "--landmarks", 50, says=["--landmarks", "mpirun"])

    def test_mistakes_are_told_by_one_rank(self):
        self.refuses(USAGE, "embed", "digits.npy", "-o", "y.npy", "--dim", 0, ranks=4, says=["--dim 0"])
        self.refuses(BAD_INPUT, "embed", "nowhere.npy", "-o", "y.npy", says=["nowhere.npy"])
        self.refuses(USAGE, "embed", "digits.npy", "-o", "digits.npy", says=["digits.npy", "an input of this run"])
        self.refuses(USAGE, "embed", "digits.npy", "-o", "y.npy", "--dime", 3, says=["--dime"])

    def test_a_failure_in_json_is_one_object(self):
        code, out, _ = self.by_ranks(2, "embed", "digits.npy", "-o", "digits.npy", "--json")
        self.assertEqual(self.parse_one_object(out)["error"]["exit_code"], code)

    def test_ranks_that_were_started_otherwise(self):
        same = ["embed", "digits.npy", "-o", "y.npy", *FIT]
        result = self.mixed(([], same), ([], same), ([], [*same, "--seed", 5]))
        self.explains(USAGE, result, ["rank 2", "--seed 5", "same command"])
        self.assertNotIn("y.npy", self.names())

    def test_ranks_that_read_other_data(self):
        run = ["embed", "x.npy", "-o", "y.npy", *FIT]
        folders = [self.path(name) for name in "abc"]
        for folder, seed in zip(folders, [1, 1, 2]):
            os.mkdir(folder)
            self.write(os.path.join(folder, "x.npy"), npy(cluster_points(150, seed=seed)))
        result = self.mixed(*[(["--wdir", folder], run) for folder in folders])
        self.explains(BAD_INPUT, result, ["x.npy", "rank 2", "other data", "same file"])
        os.remove(os.path.join(folders[2], "x.npy"))
        result = self.mixed(*[(["--wdir", folder], run) for folder in folders])
        self.explains(BAD_INPUT, result, ["x.npy", "rank 2", "cannot be opened"])

    def test_ranks_that_read_other_numbers_at_the_end(self):
        self.digits(400)  # more than the head that is compared before they are read
        data = self.read("digits.npy")
        for name, last in [("a", data[-1:]), ("b", bytes([data[-1] ^ 1]))]:
            os.mkdir(self.path(name))
            self.write(os.path.join(name, "x.npy"), data[:-1] + last)
        result = self.mixed(*[(["--wdir", self.path(name)], ["embed", "x.npy", "-o", "y.npy", *FIT]) for name in "ab"])
        self.explains(BAD_INPUT, result, ["x.npy", "rank 1", "other data", "digest", "same file"])

    def test_a_rank_that_fails_alone_is_named_and_holds_nobody_up(self):
        # What comes after the head is compared when it has been read; and a file may end while it is read.
        run = ["embed", "x.csv", "-o", "y.npy", *FIT]
        rows = ["1,2,3,%d" % (i % 7) for i in range(200000)]
        for name, last in [("a", "1,2,3,4"), ("b", "1,2,3,x")]:
            os.mkdir(self.path(name))
            self.write(os.path.join(name, "x.csv"), "\n".join([*rows, last]) + "\n")
        result = self.mixed(*[(["--wdir", self.path(name)], run) for name in "ab"])
        self.assertEqual(result[0], BAD_INPUT, result[2])
        voices = self.voices(result[2])
        self.assertTrue([line for line in voices if "rank 1 of 2" in line and "x.csv" in line], result[2])
        self.assertTrue([line for line in voices if "rank 1 failed, and with it the run" in line], result[2])


class Ends(MpiTest):
    """A run that was ended goes on to the bytes of one that was not, by any number of ranks."""

    run_of_many_updates = LONG

    def setUp(self):
        super().setUp()
        self.digits(400)

    def start_run(self):
        """Returns once the second checkpoint, or a later one, is there."""
        process = self.start_ranks(2, *self.run_of_many_updates, "-o", "y.npy", "--iterations", 100000, "--checkpoint", "run.safetensors",
                                   "--checkpoint-every", 0, "--quiet")
        self.wait_for_two_checkpoints(process)
        return process

    def goes_on_to_the_same_bytes(self):
        arrays = {array["name"]: array["shape"] for array in self.json("info", "run.safetensors")["arrays"]}
        iterations = ["--iterations", arrays["trace"][0] + 25]
        self.succeeds(*self.run_of_many_updates, "-o", "whole.npy", *iterations)
        resume = [*self.run_of_many_updates, "-o", "resumed.npy", *iterations, "--resume", "run.safetensors", "--overwrite"]
        self.succeeds(*resume)
        self.assertEqual(self.read("resumed.npy"), self.read("whole.npy"))
        code, _, err = self.by_ranks(4, *resume)
        self.assertEqual(code, 0, err)
        self.assertEqual(self.read("resumed.npy"), self.read("whole.npy"))

    def test_after_a_signal_to_mpirun(self):
        for number in [signal.SIGINT, signal.SIGTERM]:
            with self.subTest(signal=number):
                process = self.start_run()
                process.send_signal(number)
                _, err = process.communicate(timeout=240)
                self.assertNotEqual(process.returncode, 0, err)
                self.assertEqual(len(read_npy(self.path("y.npy"))), 400)
                self.goes_on_to_the_same_bytes()
                for name in ["y.npy", "run.safetensors", "whole.npy", "resumed.npy"]:
                    os.remove(self.path(name))

    def test_after_a_rank_has_died(self):
        process = self.start_run()
        children = subprocess.run(["ps", "-o", "pid=", "--ppid", str(process.pid)], capture_output=True, text=True)
        ranks = [int(word) for word in children.stdout.split()]
        self.assertEqual(len(ranks), 2)
        os.kill(ranks[1], signal.SIGKILL)
        _, err = process.communicate(timeout=240)
        self.assertNotEqual(process.returncode, 0)
        self.assertIn("rank 1", err)
        self.assertNotIn("y.npy", self.names())
        self.goes_on_to_the_same_bytes()

    def test_a_time_limit_ends_all_ranks_together(self):
        code, _, err = self.by_ranks(2, *self.run_of_many_updates, "-o", "y.npy", "--iterations", 100000, "--time-limit", "8s")
        self.assertEqual(code, 5, err)
        self.assertEqual(len([line for line in self.voices(err) if "--time-limit" in line]), 1, err)
        self.assertEqual(len(read_npy(self.path("y.npy"))), 400)


class EndsOnSpheres(Ends):
    run_of_many_updates = LONG_ON_SPHERES


if __name__ == "__main__":
    unittest.main()
