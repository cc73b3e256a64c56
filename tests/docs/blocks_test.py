#!/usr/bin/env python3
"""Sees that every block of code in README.md, CONTRIBUTING.md and docs/ is one that tests run, or has a reason in
code_blocks.py."""
import unittest

import code_blocks
from code_blocks import ROOT, runner

README, MAP = ROOT / "README.md", ROOT / "docs" / "MAP.md"


class BlocksTest(unittest.TestCase):
    def test_finds_fenced_and_indented_blocks(self):
        text = "a\n\n    b\n\n    c\nd\n```cpp\ne\n```\n- f\n  g\n  ```\n  h\n  ```\n```\nnever ended"
        self.assertEqual(list(code_blocks.blocks(text)),
                         [(3, "indented", "b\n\nc"), (7, "cpp", "e"), (12, "", "  h"), (15, "", "never ended")])

    def test_commands_stand_without_remarks(self):
        code = "isogon info a.npy   # remark\n  isogon embed b.npy -o 'c d.npy'     (and more)\nmake isogon "
        self.assertEqual(code_blocks.commands(code), ["isogon info a.npy", "isogon embed b.npy -o 'c d.npy'"])

    def test_knows_who_runs_a_block(self):
        self.assertEqual(runner(MAP, "indented", "isogon info a.npy"), "program")
        self.assertEqual(runner(MAP, "indented", "y = isogon.PCA(2).fit_transform(x)"), "python")
        self.assertEqual(runner(README, "python", "print(1)"), "readme")
        self.assertEqual(runner(README, "cpp", "int main() {}"), "c++")

    def test_a_new_block_that_nobody_runs_has_no_reason(self):
        for page, kind, code in ((README, "", "make all"), (MAP, "cpp", "int main() {}"), (MAP, "indented", "dask worker"),
                                 (ROOT / "docs" / "many_machines.md", "indented", "helm upgrade"), (README, "text", "")):
            with self.subTest(code):
                self.assertIsNone(runner(page, kind, code))
                self.assertIsNone(code_blocks.reason(page, code))

    def test_every_block_is_run_or_has_a_reason(self):
        for page in code_blocks.PAGES:
            for line, kind, code in code_blocks.blocks(page.read_text(encoding="utf-8")):
                with self.subTest(code_blocks.name_of(page), line=line):
                    self.assertTrue(runner(page, kind, code) or code_blocks.reason(page, code),
                                    f"nobody runs this block, and tests/docs/code_blocks.py has no reason why:\n{code}")

    def test_blocks_of_commands_hold_nothing_else(self):
        for page, line, code in code_blocks.blocks_run_by("program"):
            with self.subTest(code_blocks.name_of(page), line=line):
                others = [text for text in code.split("\n") if text.strip() and not text.startswith("isogon ")]
                self.assertEqual(others, [], "these lines would not be run")

    def test_every_reason_is_of_a_block(self):
        for name, listed in code_blocks.NOT_RUN.items():
            found = [code.strip() for _, _, code in code_blocks.blocks((ROOT / name).read_text(encoding="utf-8"))]
            for beginning in listed:
                with self.subTest(name, beginning=beginning):
                    self.assertTrue(any(code.startswith(beginning) for code in found))


if __name__ == "__main__":
    unittest.main()
