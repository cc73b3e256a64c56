"""isogon transform with a folder for its output: failures of a worker."""
import os
import resource
import shutil
import signal
import subprocess
import time
import unittest

from program import INTERRUPTED, UNUSABLE, default_signals
from shards import ShardTest


class Troubles(ShardTest):
    """Failures of a worker. Finished files stay, no partial file is left, and a restart continues."""

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


if __name__ == "__main__":
    unittest.main()
