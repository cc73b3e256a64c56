#!/usr/bin/env python3
"""Sees that scripts/method_options writes the table of a registry, and tells a page that differs from it."""
import importlib.machinery
import importlib.util
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
SCRIPT = str(Path(__file__).resolve().parents[2] / "scripts" / "method_options")
loader = importlib.machinery.SourceFileLoader("method_options", SCRIPT)
method_options = importlib.util.module_from_spec(importlib.util.spec_from_loader("method_options", loader))
loader.exec_module(method_options)

EMPTY = {"default": 1, "automatic": False, "minimum": None, "maximum": None, "open": False, "choices": [], "needs": [],
         "help": "h"}
DIMENSION = {**EMPTY, "name": "dimension", "kind": "integer", "default": 16, "minimum": 1}
THRESHOLD = {**EMPTY, "name": "threshold", "kind": "number", "default": "auto", "automatic": True, "minimum": 0,
             "maximum": 1, "open": True}
RECIPE = {**EMPTY, "name": "recipe", "kind": "choice", "default": "fast", "choices": ["fast", "paper"], "help": "a|b"}
THETA = {**EMPTY, "name": "theta", "kind": "number", "needs": [{"option": "recipe", "values": ["fast", "paper"]},
                                                              {"option": "dimension", "values": []}]}
BRIDGES = {**EMPTY, "name": "bridges", "kind": "flag", "default": True}
PAGE = f"before\n{method_options.BEGIN}\nstale\n{method_options.END}\nafter\n"


class MethodOptionsTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.page = self.folder / "foo.md"

    def visit(self, check):
        options = [DIMENSION, THRESHOLD, RECIPE, BRIDGES]
        return list(method_options.visit(self.folder, [{"name": "foo", "options": options}], check))

    def test_rows(self):
        rows = method_options.table([DIMENSION, THRESHOLD, RECIPE, BRIDGES]).splitlines()[2:]
        self.assertEqual(rows, [
            "| `dimension` | `16` | whole, at least 1 | h |",
            "| `threshold` | `auto` | above 0, below 1, or `auto` | h |",
            "| `recipe` | `fast` | `fast` or `paper` | a\\|b |",
            "| `bridges` | `on` | `--bridges` or `--no-bridges` | h |",
        ])

    def test_what_an_option_needs(self):
        self.assertTrue(method_options.table([THETA]).splitlines()[-1].endswith(
            "; with `recipe` `fast` or `paper` and `dimension` | h |"))

    def test_writes_once_and_is_then_content(self):
        self.page.write_text(PAGE, encoding="utf-8")
        self.assertEqual(self.visit(check=False), [])
        written = self.page.read_text(encoding="utf-8")
        self.assertTrue(written.startswith("before\n") and written.endswith("\nafter\n"), written)
        self.assertNotIn("stale", written)
        self.assertEqual(self.visit(check=True), [])
        self.assertEqual(self.visit(check=False), [])
        self.assertEqual(self.page.read_text(encoding="utf-8"), written)

    def test_check_finds_a_difference_and_leaves_the_page(self):
        self.page.write_text(PAGE, encoding="utf-8")
        self.assertIn("foo.md: its table of options differs", self.visit(check=True)[0])
        self.assertEqual(self.page.read_text(encoding="utf-8"), PAGE)

    def test_page_or_marks_missing(self):
        self.assertIn("has no page", self.visit(check=True)[0])
        for text in ("no marks", f"{method_options.END}\n{method_options.BEGIN}", PAGE + PAGE):
            with self.subTest(text):
                self.page.write_text(text, encoding="utf-8")
                self.assertIn("needs one line", self.visit(check=False)[0])
                self.assertEqual(self.page.read_text(encoding="utf-8"), text)


if __name__ == "__main__":
    unittest.main()
