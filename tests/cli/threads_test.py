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


if __name__ == "__main__":
    unittest.main()
