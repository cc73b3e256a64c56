#!/usr/bin/env python3
"""Checks that docs/MAP.md is the map of this project.

    check_map.py [ROOT]

Prints one line for each fault and exits with 1 if there is any:
 - a module (a folder under src/ or include/isogon/) without its row in the table of modules, or a row without its folder;
 - a row whose dependencies differ from those of scripts/check_modules.py, or that does not say what the module does;
 - a top-level folder of the repository without its line "- `folder/`: ...";
 - a path in backquotes (`src/methods/tsm/tsm.cpp`, `docs/methods/`) that does not exist;
 - a page of more than 200 lines, or a line longer than 130 characters (rows of tables may be longer).
"""
import fnmatch
import re
import subprocess
import sys
from pathlib import Path

import check_modules

MOST_LINES = 200
LONGEST_LINE = 130
# | `module` | what it does | its dependencies |
ROW = re.compile(r"^\| `([a-z_]+)` \|([^|]*)\|([^|]*)\|$")
FOLDER = re.compile(r"^- `([A-Za-z0-9_.-]+)/`: \S")
# Whatever has a slash and no space. A header may be written as it is included: `isogon/io/csv.hpp`.
PATH = re.compile(r"`([A-Za-z0-9_.-]+/[A-Za-z0-9_./-]*)`")


def rows(page):
    """{module: (what it does, its dependencies)}"""
    found = filter(None, map(ROW.match, page.splitlines()))
    return {row.group(1): (row.group(2).strip(), row.group(3).strip()) for row in found}


def module_folders(root):
    folders = (path for area in ("src", "include/isogon") for path in (root / area).glob("*"))
    return {path.name for path in folders if path.is_dir() and any(path.rglob("*.[ch]pp"))}


def top_folders(root):
    """Those that git tracks; without git those that are there, less what .gitignore names."""
    if (root / ".git").exists():
        listing = subprocess.run(["git", "-C", str(root), "ls-files", "-z"], capture_output=True, text=True, check=False)
        # A file that was removed stays in the index until that is committed.
        tracked = {name.split("/")[0] for name in listing.stdout.split("\0") if "/" in name}
        if tracked:
            return {name for name in tracked if (root / name).is_dir()}
    ignore = root / ".gitignore"
    lines = ignore.read_text(encoding="utf-8").splitlines() if ignore.is_file() else []
    ignored = [".git", *(line.strip("/") for line in lines)]
    return {path.name for path in root.iterdir()
            if path.is_dir() and not any(fnmatch.fnmatch(path.name, pattern) for pattern in ignored)}


def check_rows(page, root):
    table, folders = rows(page), module_folders(root)
    for module in sorted((folders | check_modules.MAY_INCLUDE.keys()) - table.keys()):
        yield f"the table of modules has no row for `{module}`"
    for module, (purpose, dependencies) in sorted(table.items()):
        if module not in folders:
            yield f"the table has a row for `{module}`, which has no folder under src/ or include/isogon/"
        if not purpose:
            yield f"the row of `{module}` does not say what it does"
        wanted = ", ".join(check_modules.MAY_INCLUDE.get(module, "").split()) or "-"
        if dependencies != wanted:
            yield f"the row of `{module}` says {dependencies}; scripts/check_modules.py says {wanted}"


def check_folders(page, root):
    lines = {match.group(1) for match in map(FOLDER.match, page.splitlines()) if match}
    for folder in sorted(top_folders(root) - lines):
        yield f"no line \"- `{folder}/`: ...\" says what {folder}/ is"


def check_paths(page, root):
    for path in sorted(set(PATH.findall(page))):
        if not any((root / area / path).exists() for area in ("", "include", "src")):
            yield f"`{path}` does not exist"


def check_size(page, _):
    lines = page.splitlines()
    if len(lines) > MOST_LINES:
        yield f"{len(lines)} lines; a map has at most {MOST_LINES}"
    for number, line in enumerate(lines, 1):
        if len(line) > LONGEST_LINE and not line.startswith("|"):
            yield f"line {number} has {len(line)} characters; at most {LONGEST_LINE}"


CHECKS = (check_rows, check_folders, check_paths, check_size)


def faults(root):
    root = Path(root).resolve()
    path = root / "docs" / "MAP.md"
    if not path.is_file():
        return ["docs/MAP.md: does not exist"]
    page = path.read_text(encoding="utf-8")
    return [f"docs/MAP.md: {fault}" for check in CHECKS for fault in check(page, root)]


def main(arguments):
    found = faults(arguments[0] if arguments else Path(__file__).parent.parent)
    for fault in found:
        print(fault)
    print(f"{len(found)} faults" if found else "the map shows the project as it is")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
