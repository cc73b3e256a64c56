"""Runs the real program by mpirun: what the tests of ranks share."""

import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cli"))
from program import PROGRAM, ProgramTest  # noqa: E402

MPIRUN = [os.environ.get("MPIEXEC", "mpirun"), "--oversubscribe"]
# Root may run these (build containers often are root); after Ctrl-C ranks get the time that a busy machine takes.
ENVIRONMENT = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
               "OMPI_MCA_odls_base_sigkill_timeout": "10"}


class MpiTest(ProgramTest):
    def start_ranks(self, ranks, *arguments):
        return self.start_mpirun(["-n", ranks, os.path.abspath(PROGRAM), *arguments])

    def start_mpirun(self, words):
        return subprocess.Popen([*MPIRUN, *map(str, words)], cwd=self.folder, text=True, env=ENVIRONMENT,
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def by_ranks(self, ranks, *arguments):
        """(exit code, stdout, stderr)"""
        process = self.start_ranks(ranks, *arguments)
        out, err = process.communicate(timeout=240)
        return process.returncode, out, err

    def voices(self, err):
        return [line for line in err.splitlines() if line.startswith("isogon: ")]

    def refuses(self, code, *arguments, ranks=2, says=()):
        """Fails with that code, nothing written, and one explanation that holds every word of `says`."""
        before = self.names()
        self.explains(code, self.by_ranks(ranks, *arguments), says)
        self.assertEqual(self.names(), before)

    def explains(self, code, result, says):
        self.assertEqual(result[0], code, result[2])
        self.assertEqual(result[1], "")
        voices = self.voices(result[2])
        self.assertEqual(len(voices), 1, result[2])
        for word in says:
            self.assertIn(str(word), voices[0])

    def mixed(self, *ranks):
        """One rank for each list of words, which begin with mpirun's own."""
        words = []
        for mpirun, arguments in ranks:
            words += [":"] if words else []
            words += ["-n", 1, *mpirun, os.path.abspath(PROGRAM), *arguments]
        process = self.start_mpirun(words)
        out, err = process.communicate(timeout=240)
        return process.returncode, out, err
