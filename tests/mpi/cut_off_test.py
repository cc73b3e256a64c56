"""Two ranks in network namespaces of their own, one of which is cut off in the middle: a clear end, the checkpoint kept,
and the run resumed. Needs the rights to make namespaces (root, CAP_SYS_ADMIN), and says so where it has none."""

import os
import signal
import stat
import subprocess
import sys
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cli"))
from program import PROGRAM, ProgramTest  # noqa: E402

MPIRUN = os.environ.get("MPIEXEC", "mpirun")
NAMES = ["isogon%d%s" % (os.getpid(), letter) for letter in "ab"]
ADDRESSES = ["10.177.0.1", "10.177.0.2"]
LONG = ["embed", "digits.npy", "--dim", 8, "--tolerance", 0, "--threads", 1]
# mpirun looks after connections every second, and takes one that is silent for three for lost (its default: minutes).
SETTINGS = {"btl": "tcp,self", "plm_rsh_agent": "./agent", "oob_tcp_keepalive_time": 1, "oob_tcp_keepalive_intvl": 1,
            "oob_tcp_keepalive_probes": 3, "odls_base_sigkill_timeout": 5}  # fmt: skip


def ip(*words):
    return subprocess.run(["ip", *words], capture_output=True, text=True)


def why_not():
    """A sentence, or nothing where namespaces can be made."""
    try:
        made = ip("netns", "add", NAMES[0])
    except FileNotFoundError:
        return "there is no program ip"
    ip("netns", "del", NAMES[0])
    return made.stderr.strip() if made.returncode != 0 else ""


class CutOff(ProgramTest):
    def setUp(self):
        super().setUp()
        reason = why_not()
        if reason:
            self.skipTest("no network namespaces here: " + reason)
        for name in NAMES:
            self.addCleanup(ip, "netns", "del", name)
            self.must("netns", "add", name)
        self.must("link", "add", "isogon-a", "netns", NAMES[0], "type", "veth", "peer", "name", "isogon-b", "netns", NAMES[1])
        for name, device, address in zip(NAMES, ["isogon-a", "isogon-b"], ADDRESSES):
            self.must("-n", name, "addr", "add", address + "/24", "dev", device)
            self.must("-n", name, "link", "set", device, "up")
            self.must("-n", name, "link", "set", "lo", "up")
        self.digits(400)
        # What mpirun calls in place of ssh: the other machine has a network and a name of its own.
        self.write("agent", '#!/bin/sh\nshift\nexec ip netns exec %s unshare --uts sh -c "hostname isogon-b; $*"\n' % NAMES[1])
        os.chmod(self.path("agent"), stat.S_IRWXU)

    def must(self, *words):
        made = ip(*words)
        self.assertEqual(made.returncode, 0, made.stderr)

    def start_ranks(self, *arguments):
        words = ["ip", "netns", "exec", NAMES[0], MPIRUN, "--host", ",".join(a + ":1" for a in ADDRESSES), "-n", "2"]
        for name, value in SETTINGS.items():
            words += ["--mca", name, str(value)]
        environment = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
        process = subprocess.Popen([*words, os.path.abspath(PROGRAM), *map(str, arguments)], cwd=self.folder, text=True,
                                   env=environment, start_new_session=True, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)  # fmt: skip
        self.addCleanup(self.end, process)
        return process

    def end(self, process):
        """Whatever is left of it, in both namespaces."""
        for name in NAMES:
            for pid in ip("netns", "pids", name).stdout.split():
                os.kill(int(pid), signal.SIGKILL)
        process.communicate()

    def wait_for_checkpoints(self, process):
        deadline = time.monotonic() + 120
        seen = set()
        while len(seen) < 3:
            self.assertIsNone(process.poll(), "the run ended before it could be cut off")
            self.assertLess(time.monotonic(), deadline)
            try:
                seen.add(os.stat(self.path("run.safetensors")).st_ino)
            except FileNotFoundError:
                time.sleep(0.001)

    def test_ranks_on_two_hosts_have_the_bits_of_one(self):
        iterations = ["--iterations", 15]
        process = self.start_ranks(*LONG, *iterations, "-o", "y.npy")
        _, err = process.communicate(timeout=120)
        self.assertEqual(process.returncode, 0, err)
        self.succeeds(*LONG, *iterations, "-o", "one.npy")
        self.assertEqual(self.read("y.npy"), self.read("one.npy"))

    def test_a_rank_that_is_cut_off_ends_the_run_and_the_checkpoint_goes_on(self):
        run = ["--iterations", 100000, "--checkpoint", "run.safetensors", "--checkpoint-every", 0, "--quiet"]
        process = self.start_ranks(*LONG, "-o", "y.npy", *run)
        self.wait_for_checkpoints(process)
        self.must("-n", NAMES[1], "link", "set", "isogon-b", "down")
        _, err = process.communicate(timeout=120)
        self.assertNotEqual(process.returncode, 0)
        self.assertIn("lost", err)
        arrays = {array["name"]: array["shape"] for array in self.json("info", "run.safetensors")["arrays"]}
        iterations = ["--iterations", arrays["trace"][0] + 25]
        self.succeeds(*LONG, "-o", "resumed.npy", *iterations, "--resume", "run.safetensors")
        self.succeeds(*LONG, "-o", "whole.npy", *iterations)
        self.assertEqual(self.read("resumed.npy"), self.read("whole.npy"))


if __name__ == "__main__":
    unittest.main()
