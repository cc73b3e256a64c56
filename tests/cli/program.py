"""Runs the real program in a folder of its own, and reads and writes small files without numpy."""

import json
import math
import os
import random
import signal
import struct
import subprocess
import tempfile
import time
import unittest

PROGRAM = os.environ.get("ISOGON_PROGRAM", "build/isogon")
USAGE, BAD_INPUT, UNUSABLE, OVER_LIMIT, INTERRUPTED = 2, 3, 1, 5, 130

FORMATS = {"<f4": "f", "<f8": "d", "<i4": "i", "<i8": "q", "|u1": "B"}


def npy(rows, descr="<f4"):
    """The bytes of a .npy file of version 1.0 that holds a list of rows, or of numbers."""
    flat = [value for row in rows for value in row] if isinstance(rows[0], (list, tuple)) else list(rows)
    shape = (len(rows), len(rows[0])) if isinstance(rows[0], (list, tuple)) else (len(rows),)
    return npy_header(descr, shape) + struct.pack("<%d%s" % (len(flat), FORMATS[descr]), *flat)


def npy_header(descr, shape):
    text = "{'descr': '%s', 'fortran_order': False, 'shape': %r, }" % (descr, shape)
    text += " " * (63 - (10 + len(text)) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text.encode()


def read_npy(path):
    """Rows of a .npy file as lists (or a flat list for rank 1)."""
    with open(path, "rb") as file:
        data = file.read()
    length = struct.unpack("<H", data[8:10])[0]
    header = eval(data[10 : 10 + length])  # written by the program under test, in a folder of our own
    code = FORMATS[header["descr"]]
    values = struct.unpack_from("<%d%s" % (math.prod(header["shape"]), code), data, 10 + length)
    if len(header["shape"]) == 1:
        return list(values)
    width = header["shape"][1]
    return [list(values[i : i + width]) for i in range(0, len(values), width)]


def cluster_points(count, dimension=8, classes=4, seed=1):
    """Points about a few directions, so that there are near pairs and far ones."""
    draw = random.Random(seed)
    centres = [[draw.gauss(0, 1) for _ in range(dimension)] for _ in range(classes)]
    return [[value + draw.gauss(0, 0.3) for value in centres[i % classes]] for i in range(count)]


def default_signals():
    """A shell's background jobs start with SIGINT ignored, and the program respects that."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class ProgramTest(unittest.TestCase):
    """Each test runs in a fresh folder, which is gone afterwards."""

    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = holder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, content):
        with open(self.path(name), "wb") as file:
            file.write(content if isinstance(content, bytes) else content.encode())
        return name

    def read(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def names(self):
        return sorted(os.listdir(self.folder))

    def start(self, *arguments, **keywords):
        keywords.setdefault("stdout", subprocess.PIPE)
        keywords.setdefault("stderr", subprocess.PIPE)
        command = [os.path.abspath(PROGRAM), *map(str, arguments)]
        return subprocess.Popen(command, cwd=self.folder, text=True, **keywords)

    def run_program(self, *arguments, **keywords):
        """(exit code, stdout, stderr)"""
        process = self.start(*arguments, **keywords)
        out, err = process.communicate(timeout=300)
        return process.returncode, out, err

    def succeeds(self, *arguments):
        code, out, err = self.run_program(*arguments)
        self.assertEqual(code, 0, err)
        return out

    def parse_one_object(self, text):
        self.assertEqual(text.count("\n"), 1, text)
        self.assertTrue(text.endswith("\n"))
        value = json.loads(text, parse_constant=lambda name: self.fail("not JSON: " + name))
        self.assertIsInstance(value, dict)
        return value

    def json(self, *arguments):
        return self.parse_one_object(self.succeeds(*arguments, "--json"))

    def fails(self, expected_code, *arguments, says=()):
        """Fails with that code, an explanation that holds every word of `says`, and nothing written or lost."""
        before = {name: self.read(name) for name in self.names() if os.path.isfile(self.path(name))}
        code, out, err = self.run_program(*arguments)
        self.assertEqual(code, expected_code, err)
        self.assertEqual(out, "")
        self.assertTrue(err.splitlines()[-1].startswith("isogon: "), err)
        for word in says:
            self.assertIn(str(word), err)
        after = {name: self.read(name) for name in self.names() if os.path.isfile(self.path(name))}
        self.assertEqual(after, before)
        self.fails_in_json(expected_code, *arguments)
        return err

    def fails_in_json(self, expected_code, *arguments):
        code, out, _ = self.run_program(*arguments, "--json")
        error = self.parse_one_object(out)["error"]
        self.assertEqual((code, error["exit_code"]), (expected_code, expected_code))
        self.assertTrue(error["message"])

    def interrupt(self, process):
        """Sends SIGINT; (stdout, stderr) of the run, which must end as an interrupted one."""
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=120)
        self.assertEqual(process.returncode, INTERRUPTED, err)
        return out, err

    def wait_for_two_checkpoints(self, process, name="run.safetensors", seconds=120):
        """Returns once the second checkpoint of a run, or a later one, is there; the first may be from before it began."""
        seen = set()
        deadline = time.monotonic() + seconds
        while len(seen) < 2:
            self.assertIsNone(process.poll(), "the run ended before it could be interrupted")
            self.assertLess(time.monotonic(), deadline)
            try:
                seen.add(os.stat(self.path(name)).st_ino)
            except FileNotFoundError:
                time.sleep(0.001)

    def digits(self, count=200, name="digits.npy"):
        """The built-in data set, with labels in labels.npy."""
        self.succeeds("generate", "drawn-digits", "-o", name, "--labels", "labels.npy", "--count", count, "--overwrite")
        return name
