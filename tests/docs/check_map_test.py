#!/usr/bin/env python3
"""Builds small projects with good and bad maps, and sees that scripts/check_map.py tells them apart, fault by fault."""
import contextlib
import io
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
import check_map  # noqa: E402  (found by the line above)
import check_modules  # noqa: E402

ROWS = "\n".join(f"| `{module}` | Does it. | {', '.join(dependencies.split()) or '-'} |"
                 for module, dependencies in check_modules.MAY_INCLUDE.items())
PAIRS = f"| `pairs` | Does it. | {', '.join(check_modules.MAY_INCLUDE['pairs'].split())} |"
PAGE = f"""# The map
See `docs/MAP.md` and `src/core/`, and elsewhere `isogon/core/points.hpp`, but not `nothing` or `a / b`.

| module | what it does | may include |
|---|---|---|
{ROWS}

- `docs/`: this page.
- `include/`: headers.
- `src/`: sources.
"""
FILES = ("include/isogon/core/points.hpp", *(f"src/{module}/one.cpp" for module in check_modules.MAY_INCLUDE))


class MapTest(unittest.TestCase):
    def faults(self, page=PAGE, added=(), removed=(), prepare=None):
        with tempfile.TemporaryDirectory() as folder:
            for name in {*FILES, *added} - set(removed):
                path = Path(folder, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.touch()
            Path(folder, "docs").mkdir(exist_ok=True)
            if page is not None:
                Path(folder, "docs", "MAP.md").write_text(page, encoding="utf-8")
            if prepare is not None:
                prepare(Path(folder))
            return check_map.faults(folder)

    def assert_only_fault(self, part, **project):
        found = self.faults(**project)
        self.assertEqual(len(found), 1, found)
        self.assertIn(part, found[0])

    def test_good_map_passes(self):
        self.assertEqual(self.faults(), [])

    def test_no_map(self):
        self.assert_only_fault("does not exist", page=None)

    def test_module_without_row(self):
        self.assert_only_fault("no row for `attic`", added=["src/attic/box.cpp"])
        self.assert_only_fault("no row for `attic`", added=["include/isogon/attic/box.hpp"])
        self.assert_only_fault("no row for `pairs`", page=PAGE.replace(PAIRS + "\n", ""))

    def test_row_without_module(self):
        row = "| `attic` | Does it. | - |\n| `pairs`"
        self.assert_only_fault("a row for `attic`, which has no folder", page=PAGE.replace("| `pairs`", row))
        self.assert_only_fault("a row for `pairs`, which has no folder", removed=["src/pairs/one.cpp"])

    def test_a_folder_without_sources_is_no_module(self):
        self.assertEqual(self.faults(added=["src/attic/README.md"]), [])

    def test_row_without_purpose(self):
        self.assert_only_fault("`pairs` does not say", page=PAGE.replace("| `pairs` | Does it.", "| `pairs` |"))

    def test_dependencies(self):
        self.assert_only_fault("row of `pairs` says io", page=PAGE.replace(PAIRS, "| `pairs` | Does it. | io |"))

    def test_folder_without_line(self):
        self.assert_only_fault("what bench/ is", added=["bench/run"])
        self.assert_only_fault("what docs/ is", page=PAGE.replace("- `docs/`: this page.\n", ""))
        self.assert_only_fault("what docs/ is", page=PAGE.replace("- `docs/`: this page.\n", "- `docs/`: \n"))

    def test_ignored_folder_needs_no_line(self):
        added = ["build/isogon", "build-x/isogon"]
        ignore = lambda folder: Path(folder, ".gitignore").write_text("/build/\n/build-*/\n", encoding="utf-8")
        self.assertEqual(self.faults(added=added, prepare=ignore), [])
        self.assertEqual(len(self.faults(added=added)), 2)

    def test_with_git_only_what_it_tracks_needs_a_line(self):
        def track(folder):
            subprocess.run(["git", "init", "-q", folder], check=True)
            subprocess.run(["git", "-C", folder, "add", "--", "src", "include", "docs", ".ci"], check=True)

        self.assert_only_fault("what .ci/ is", added=["mine/notes", ".ci/run"], prepare=track)

    def test_path_that_does_not_exist(self):
        self.assert_only_fault("`src/io/tsv.cpp` does not exist", page=PAGE + "`src/io/tsv.cpp`\n")
        self.assert_only_fault("`tests/gone/` does not exist", page=PAGE + "`tests/gone/`\n")
        self.assert_only_fault("`isogon/core/gone.hpp` does not exist", page=PAGE + "`isogon/core/gone.hpp`\n")
        self.assert_only_fault("`gone/` does not exist", page=PAGE + "- `gone/`: was here.\n")

    def test_size(self):
        self.assert_only_fault("201 lines", page=PAGE + "\n" * (201 - PAGE.count("\n")))
        self.assertEqual(self.faults(page=PAGE + "\n" * (200 - PAGE.count("\n"))), [])
        self.assert_only_fault("131 characters", page=PAGE + "x" * 131)
        self.assertEqual(self.faults(page=PAGE + "x" * 130 + "\n|" + "x" * 200 + "|"), [])

    def test_exit_status_and_output(self):
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()) as output:
            self.assertEqual(check_map.main([folder]), 1)
        self.assertIn("docs/MAP.md: does not exist", output.getvalue())


if __name__ == "__main__":
    unittest.main()
