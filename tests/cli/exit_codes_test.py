"""The table of docs/exit_codes.md, the program's help, cli/program/failure.hpp and the README tell the same codes, and runs end with them."""
import json
import re
import resource
import time
import unittest
from pathlib import Path

from program import ProgramTest, cluster_points, npy
from usage_test import VERBS

ROOT = Path(__file__).resolve().parents[2]


def table():
    """{code: (meaning, words of the column "in JSON")} as docs/exit_codes.md has it."""
    rows = re.findall(r"^\| (\d+) \| ([^|]+) \| ([^|]+) \|", (ROOT / "docs/exit_codes.md").read_text(), re.M)
    return {int(code): (meaning, re.findall("`([a-z]+)`", kinds)) for code, meaning, kinds in rows}


def documented(text):
    """{code: meaning} of "Exit codes: 0 done, 1 no usable ..."."""
    sentence = re.search(r"Exit codes: (.*?130 interrupted)", text, re.S).group(1)
    return {int(code): " ".join(meaning.split()) for code, meaning in re.findall(r"(\d+) ([^,]+)", sentence)}


class ExitCodes(ProgramTest):
    def setUp(self):
        super().setUp()
        self.write("x.npy", npy(cluster_points(60)))

    def test_the_table_the_help_and_the_source_are_one(self):
        meanings = {code: meaning for code, (meaning, _) in table().items()}
        source = (ROOT / "cli/program/failure.hpp").read_text()
        enumerators = {name: int(code) for name, code in re.findall(r"^    ([A-Z]\w+) = (\d+)", source, re.M)}
        self.assertEqual(sorted(enumerators.values()), sorted(meanings))
        self.assertEqual({enumerators[name]: meaning
                          for name, meaning in re.findall(r'ExitCodeMeaning\{ExitCode::(\w+), "([^"]+)"\}', source)}, meanings)
        self.assertEqual(documented((ROOT / "README.md").read_text()), meanings)
        self.assertEqual(documented(self.succeeds("--help")), meanings)
        for verb in VERBS:
            self.assertEqual(documented(self.succeeds(verb, "--help")), meanings, verb)

    def ends(self, expected, *arguments, **keywords):
        """The run ends so, with the kind of error that the table has for it, if it tells one."""
        code, out, err = self.run_program(*arguments, "--json", **keywords)
        self.assertEqual(code, expected, err)
        error = json.loads(out).get("error")
        if error is not None:
            self.assertEqual(error["exit_code"], code)
            self.assertIn(error["kind"], table()[code][1])
        return error

    def test_0(self):
        self.assertIsNone(self.ends(0, "embed", "x.npy", "-o", "y.npy", "--method", "svd", "--dim", 2))
        self.assertIsNone(self.ends(0, "info", "x.npy"))
        self.assertIsNone(self.ends(0, "methods"))

    def test_1(self):
        self.ends(1, "neighbors", "x.npy", "-o", "n.npy", "--above", 0.9999999)
        self.write("wide.npy", npy(cluster_points(500)))
        full = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1024, 1024))
        self.assertIsNotNone(self.ends(1, "convert", "wide.npy", "big.csv", preexec_fn=full))
        self.assertNotIn("big.csv", self.names())

    def test_2(self):
        for run in [["embroider"], ["--bogus"], [], ["embed", "x.npy"], ["embed", "x.npy", "-o", "y.npy", "--dim", 0],
                    ["embed", "x.npy", "-o", "y.npy", "--method", "nothing"], ["embed", "x.npy", "-o", "none/y.npy"],
                    ["convert", "x.npy", "x.npy", "--overwrite"], ["neighbors", "x.npy", "-o", "n.html"]]:  # fmt: skip
            with self.subTest(run=run):
                self.assertIsNotNone(self.ends(2, *run))

    def test_3(self):
        self.write("empty.npy", "")
        self.write("text.csv", "1,2\n3,four\n")
        for file in ["missing.npy", "empty.npy", "text.csv", "."]:
            with self.subTest(file=file):
                self.assertIsNotNone(self.ends(3, "convert", file, "y.npy"))

    def test_5(self):
        self.assertIsNotNone(self.ends(5, "embed", "x.npy", "-o", "y.npy", "--dim", 2, "--memory-limit", "1k"))

    def test_130(self):
        self.write("many.npy", npy(cluster_points(3000)))
        process = self.start("embed", "many.npy", "-o", "y.npy", "--method", "tsne", "--iterations", 1000000, "--checkpoint",
                             "c.safetensors", "--checkpoint-every", 0, "--json")
        while "c.safetensors" not in self.names():
            self.assertIsNone(process.poll(), "the run ended before it could be interrupted")
            time.sleep(0.01)
        self.interrupt(process)


if __name__ == "__main__":
    unittest.main()
