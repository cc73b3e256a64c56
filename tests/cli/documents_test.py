"""Runs every command of the program in README.md and docs/, page by page, on small files of the names that they give."""

import gzip
import math
import os
import re
import shlex
import sys
import unittest

from program import ProgramTest, cluster_points, npy

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "docs"))
import code_blocks  # noqa: E402  (found by the line above)

POINTS, FEW, DIMENSION = 400, 60, 64
# Where these words stand, a command gets few points: it solves a semidefinite program, or reads a table of pairs.
SLOW = {"sde", "lsde", "precomputed"}
# Flags whose numbers belong to larger data, and the most that they are here.
MOST = {"--landmarks": POINTS // 5, "--bytes": 4, "--iterations": 300, "--rank": 12}
# What follows these is written.
OUTPUTS = ("-o", "--model", "--report")
FILE = re.compile(r"[\w/*-]+\.(npy|mtx\.gz|txt)")


def points(count, seed):
    """Of one cluster, so that graphs of neighbours hang together."""
    return [[abs(value) for value in row] for row in cluster_points(count, DIMENSION, classes=1, seed=seed)]


def matrix():
    """100 x 90, sparse, as Matrix Market."""
    entries = ["%d %d %d" % (1 + i, 1 + (7 * i + k) % 90, 1 + k) for i in range(100) for k in range(6)]
    text = "%%%%MatrixMarket matrix coordinate real general\n100 90 %d\n%s\n" % (len(entries), "\n".join(entries))
    return gzip.compress(text.encode())


def distances(count):
    rows = cluster_points(count, 4, classes=1)
    return [[math.dist(one, other) for other in rows] for one in rows]


def kernel_values(count):
    rows = cluster_points(count, 4, classes=1)
    return [[(1 + sum(a * b for a, b in zip(one, other))) ** 3 for other in rows] for one in rows]


class Documents(ProgramTest):
    def provide(self, name, count):
        """A file of the name that a page reads and no command before it has written."""
        stem = os.path.basename(name).split(".")[0]
        if "/" in name:
            os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        if name.endswith(".mtx.gz"):
            self.write(name, matrix())
        elif name.endswith(".txt"):
            self.write(name, "".join("abc"[i % 3] + "\n" for i in range(count)))
        elif stem == "ids":
            self.write(name, npy(range(count), "<i8"))
        elif stem == "distances":
            self.write(name, npy(distances(count)))
        elif stem == "kernel":
            self.write(name, npy(kernel_values(count)))
        else:
            self.write(name, npy(points(count, seed=1 if stem == "vectors" else 2)))

    def run_command(self, command):
        words = shlex.split(command)[1:]
        count = FEW if SLOW & set(words) else POINTS
        for at, word in enumerate(words[:-1]):
            if word in MOST:
                most = FEW // 4 if word == "--landmarks" and count == FEW else MOST[word]
                words[at + 1] = str(min(int(words[at + 1]), most))
        written = {words[at + 1] for at, word in enumerate(words[:-1]) if word in OUTPUTS}
        if words[0] == "convert":
            written.add(words[2])
        for word in words[1:]:
            if FILE.fullmatch(word) and word not in written and not os.path.exists(self.path(word)):
                self.provide(word.replace("*", "part-1"), count)
        if (written or words[0] == "report") and "--overwrite" not in words:
            words.append("--overwrite")
        self.succeeds(*words)


def test_of(codes):
    def test(self):
        for code in codes:
            for command in code_blocks.commands(code):
                with self.subTest(command):
                    self.run_command(command)

    return test


PAGES = {}
for page, _, code in code_blocks.blocks_run_by("program"):
    PAGES.setdefault(code_blocks.name_of(page), []).append(code)
for name, codes in PAGES.items():
    setattr(Documents, "test_" + re.sub(r"\W", "_", name.lower().removesuffix(".md")), test_of(codes))


class TheTestItself(unittest.TestCase):
    def test_there_are_pages(self):
        self.assertGreater(len(PAGES), 15)
        self.assertIn("README.md", PAGES)


if __name__ == "__main__":
    unittest.main()
