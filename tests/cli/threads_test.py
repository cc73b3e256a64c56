import os
import resource
import subprocess
import time
import unittest

from program import ProgramTest, cluster_points, npy


def address_space(megabytes):
    return lambda: resource.setrlimit(resource.RLIMIT_AS, (megabytes * 1_000_000, megabytes * 1_000_000))


class Threads(ProgramTest):
    """Libraries start no threads of their own: neither when they are loaded nor beyond --threads."""

    def test_little_address_space_is_enough_or_said(self):
        self.write("x.npy", npy(cluster_points(60, classes=1)))
        fit = ("embed", "x.npy", "-o", "y.npy", "-d", 2, "--method", "sde", "--overwrite")
        for megabytes in (60, 110, 200):
            for arguments in (("--version",), ("embed", "--help"), fit):
                with self.subTest(megabytes=megabytes, arguments=arguments[:1]):
                    process = self.start(*arguments, preexec_fn=address_space(megabytes))
                    try:
                        _, err = process.communicate(timeout=120)
                    except subprocess.TimeoutExpired:
                        process.kill()
                        process.communicate()
                        self.fail("does not end")
                    self.assertEqual(process.returncode, 0, err)

    def most_threads(self, *arguments):
        """Of a run that was seen alive: on a busy machine a short one may end before its first look."""
        most = 0
        while most == 0:
            process = self.start(*arguments)
            while process.poll() is None:
                with open("/proc/%d/status" % process.pid) as status:
                    most = max([most] + [int(line.split()[1]) for line in status if line.startswith("Threads:")])
                time.sleep(0.002)
            _, err = process.communicate(timeout=120)
            self.assertEqual(process.returncode, 0, err)
        return most

    def test_a_run_has_its_threads_and_the_one_that_waits_for_signals(self):
        self.write("x.npy", npy(cluster_points(70, classes=1)))
        for method in ("pca", "sde", "lsde"):
            more = ("--landmarks", 30) if method == "lsde" else ()
            for threads in (1, 2):
                with self.subTest(method=method, threads=threads):
                    fit = ("embed", "x.npy", "-o", "y.npy", "-d", 2, "--method", method, "--overwrite")
                    most = self.most_threads(*fit, "--threads", threads, *more)
                    self.assertLessEqual(most, threads + 1)

    def test_the_default_is_what_the_process_may_use(self):
        """As taskset says it; the quotas of control groups are tested in the library."""
        self.write("x.npy", npy(cluster_points(70, classes=1)))
        one = min(os.sched_getaffinity(0))
        fit = ("embed", "x.npy", "-o", "y.npy", "-d", 2, "--method", "pca", "--overwrite", "--json")
        for more, threads in (((), 1), (("--threads", 3), 3)):
            with self.subTest(more=more):
                code, out, err = self.run_program(*fit, *more, preexec_fn=lambda: os.sched_setaffinity(0, {one}))
                self.assertEqual(code, 0, err)
                self.assertEqual(self.parse_one_object(out)["threads"], threads)


class Stack(ProgramTest):
    """ulimit -s sets the size of the stacks of all threads."""

    def test_a_small_one_is_enough(self):
        self.write("x.npy", npy(cluster_points(70, classes=1)))
        words = ["--neighbors", 5, "--threads", 2]
        for kilobytes in (64, 256):
            limit = lambda: resource.setrlimit(resource.RLIMIT_STACK, (kilobytes << 10, kilobytes << 10))  # noqa: B023
            runs = [["embed", "--help"], ["methods", "--json"], ["generate", "blobs", "-o", "g.npy", "--count", 50]]
            runs += [["embed", "x.npy", "-o", "y.npy", "-d", 2, "--method", method, *words] for method in ("sde", "lle", "umap")]
            for run in runs:
                with self.subTest(kilobytes=kilobytes, run=run):
                    code, _, err = self.run_program(*run, *(["--overwrite"] if "-o" in run else []), preexec_fn=limit)
                    self.assertEqual(code, 0, err)


if __name__ == "__main__":
    unittest.main()
