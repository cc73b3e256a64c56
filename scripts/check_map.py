#!/usr/bin/env python3
"""Checks that docs/MAP.md is the map of this house.

    check_map.py [ROOT]

Prints one line for each fault and exits with 1 if there is any:
 - a module under src/ or include/isogon/ without its section (a heading "### module/"), or a section without its folder;
 - a C++ file of a module, or of cli/, that its section does not list, and a listed one that does not exist.
   A section lists files by name without extension: lines "- `points`: ..." or "- `csv`, `tsv`: ...";
 - a path in backquotes (`src/methods/tsm.cpp`, `docs/methods/`) that does not exist;
 - a row of the table of dependencies that differs from scripts/check_modules.py, and a module without a row.
"""
import re
import sys
from pathlib import Path

import check_modules

SECTION = re.compile(r"^### ([a-z_]+)/$")
ENTRY = re.compile(r"^- ((?:`[a-z0-9_]+`(?:, )?)+): ")
DOOR = re.compile(r"^\| `([a-z_]+)`[^|]* \| ([^|]*) \|$")
# What begins with one of the house's folders and is not made by a build.
PATH = re.compile(r"`((?:\.ci|bench|cli|cmake|docs|examples|fuzz|include|scripts|src|tests)/[A-Za-z0-9_./-]*)`")


def listed(page):
    """{section: names of files}, in the order of the page."""
    sections, current = {}, None
    for line in page.splitlines():
        if line.startswith("#"):
            heading = SECTION.match(line)
            current = sections.setdefault(heading.group(1), set()) if heading else None
        entry = ENTRY.match(line)
        if entry and current is not None:
            current.update(re.findall(r"`([a-z0-9_]+)`", entry.group(1)))
    return sections


def existing(root):
    """{module: names of its C++ files}, with cli/ as one of them."""
    modules = {}
    patterns = ("include/isogon/*/*.hpp", "src/*/*.[ch]pp", "cli/*.[ch]pp")
    for path in (path for pattern in patterns for path in root.glob(pattern)):
        modules.setdefault(path.parent.name, set()).add(path.stem)
    return modules


def check_files(page, root):
    map_, house = listed(page), existing(root)
    for module in sorted(house.keys() - map_.keys()):
        yield f"{module}/ has no section '### {module}/'"
    for module in sorted(map_.keys() - house.keys()):
        yield f"section '### {module}/': there is no such module"
    for module in sorted(house.keys() & map_.keys()):
        for name in sorted(house[module] - map_[module]):
            yield f"section '### {module}/' does not list `{name}`"
        for name in sorted(map_[module] - house[module]):
            yield f"section '### {module}/' lists `{name}`, which does not exist"


def check_paths(page, root):
    for path in sorted(set(PATH.findall(page))):
        if not (root / path).exists():
            yield f"`{path}` does not exist"


def check_dependencies(page):
    rows = {}
    for match in filter(None, map(DOOR.match, page.splitlines())):
        rows[match.group(1)] = match.group(2).strip()
    for module, dependencies in check_modules.MAY_INCLUDE.items():
        wanted = ", ".join(dependencies.split()) or "-"
        if module not in rows:
            yield f"the table of dependencies has no row for `{module}`"
        elif rows[module] != wanted:
            yield f"the table of dependencies says {rows[module]} for `{module}`; scripts/check_modules.py says {wanted}"
    for module in sorted(rows.keys() - check_modules.MAY_INCLUDE.keys()):
        yield f"the table of dependencies has a row for `{module}`, a module that scripts/check_modules.py does not know"


def faults(root):
    root = Path(root).resolve()
    path = root / "docs" / "MAP.md"
    if not path.is_file():
        return ["docs/MAP.md: does not exist"]
    page = path.read_text(encoding="utf-8")
    return [f"docs/MAP.md: {fault}"
            for fault in (*check_files(page, root), *check_paths(page, root), *check_dependencies(page))]


def main(arguments):
    found = faults(arguments[0] if arguments else Path(__file__).parent.parent)
    for fault in found:
        print(fault)
    print(f"{len(found)} faults" if found else "the map shows the house as it is")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
