#!/usr/bin/env python3
"""Builds small houses with good and bad maps, and sees that scripts/check_map.py tells them apart, fault by fault."""
import contextlib
import io
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
import check_map  # noqa: E402  (found by the line above)
import check_modules  # noqa: E402

DEPENDENCIES = "\n".join(f"| `{module}` | {', '.join(dependencies.split()) or '-'} |" for module, dependencies in check_modules.MAY_INCLUDE.items())
PAGE = f"""# The map
See `docs/MAP.md` and `src/io/`, and elsewhere `isogon/io/csv.hpp`.
| module | may include |
|---|---|
{DEPENDENCIES}
### core/
- `points`, `error`: both.
Private:
- `detail`: inside.
### io/
- `csv`: tables; not `points`.
### cli/
- `main`: all of it.
## Around
- `nothing`: no file, for this is no module's section.
"""
FILES = ("include/isogon/core/points.hpp", "src/core/points.cpp", "include/isogon/core/error.hpp", "src/core/detail.hpp",
         "src/io/csv.cpp", "cli/main.cpp")


class MapTest(unittest.TestCase):
    def faults(self, page=PAGE, added=(), removed=()):
        with tempfile.TemporaryDirectory() as folder:
            for name in {*FILES, *added} - set(removed):
                path = Path(folder, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.touch()
            Path(folder, "docs").mkdir()
            if page is not None:
                Path(folder, "docs", "MAP.md").write_text(page, encoding="utf-8")
            return check_map.faults(folder)

    def assert_only_fault(self, part, **house):
        found = self.faults(**house)
        self.assertEqual(len(found), 1, found)
        self.assertIn(part, found[0])

    def test_good_map_passes(self):
        self.assertEqual(self.faults(), [])

    def test_no_map(self):
        self.assert_only_fault("does not exist", page=None)

    def test_room_without_section(self):
        self.assert_only_fault("graph/ has no section", added=["src/graph/laplacian.cpp"])

    def test_section_without_room(self):
        self.assert_only_fault("'### graph/': there is no such module", page=PAGE + "### graph/\n")

    def test_files_that_are_not_listed(self):
        for name in ("src/io/npy.cpp", "src/io/npy.hpp", "include/isogon/io/npy.hpp"):
            with self.subTest(name):
                self.assert_only_fault("'### io/' does not list `npy`", added=[name])
        self.assert_only_fault("'### cli/' does not list `embed`", added=["cli/embed.cpp"])

    def test_listed_in_another_room_is_not_listed(self):
        self.assert_only_fault("'### io/' does not list `points`", added=["src/io/points.cpp"])

    def test_listed_file_that_does_not_exist(self):
        self.assert_only_fault("'### core/' lists `detail`", removed=["src/core/detail.hpp"])

    def test_path_that_does_not_exist(self):
        self.assert_only_fault("`src/io/tsv.cpp` does not exist", page=PAGE + "`src/io/tsv.cpp`\n")
        self.assert_only_fault("`tests/gone/` does not exist", page=PAGE + "`tests/gone/`\n")

    def test_doors(self):
        self.assert_only_fault("no row for `pairs`", page=PAGE.replace("| `pairs` | linalg |\n", ""))
        self.assert_only_fault("says io for `pairs`", page=PAGE.replace("| `pairs` | linalg |", "| `pairs` | io |"))
        self.assert_only_fault("a row for `attic`", page=PAGE.replace("| `pairs`", "| `attic` | - |\n| `pairs`"))

    def test_exit_status_and_output(self):
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()) as output:
            self.assertEqual(check_map.main([folder]), 1)
        self.assertIn("docs/MAP.md: does not exist", output.getvalue())


if __name__ == "__main__":
    unittest.main()
