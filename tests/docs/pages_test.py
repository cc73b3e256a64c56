#!/usr/bin/env python3
"""Sees that the pages' relative links lead somewhere, to headings too, that the files of modules which they name exist,
that docs/MAP.md names functions which are where it says, that the example in README.md is one that is built, and that
CITATION.cff has the project's version."""
import re
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
LINK = re.compile(r"\]\(([^)\s#]+)(?:#[^)]*)?\)|(?:src|href)=\"([^\"#]+)\"")


def dead_links(page, text):
    targets = (first or second for first, second in LINK.findall(text))
    return [target for target in targets if "://" not in target and not (page.parent / target).exists()]


PLACE = re.compile(r"\]\(([^)\s#]*)#([^)\s]+)\)")


def places(text):
    """What links may call the headings of a page: code forges make these names."""
    titles = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.strip().lower()).replace(" ", "-") for title in titles}


def dead_places(page, text):
    """Links to headings that are not there."""
    dead = []
    for target, place in PLACE.findall(text):
        there = page.parent / target if target else page
        if "://" not in target and there.suffix == ".md" and there.exists():
            known = places(there.read_text(encoding="utf-8") if target else text)
            dead += [f"{target}#{place}"] if place not in known else []
    return dead


# `graph/laplacian`, `src/graph/laplacian.cpp`, `cli/embed`: what begins with a module or where code is
BEGINNINGS = {path.name for path in ROOT.glob("src/*") if path.is_dir()} | {"src", "include", "internal", "cli", "mpi", "petsc"}
NAMED = re.compile(r"`((?:%s)/[\w./-]+)`" % "|".join(sorted(BEGINNINGS)))


def lost_files(text):
    places = ("", "src/", "include/isogon/")
    return [name for name in NAMED.findall(text)
            if not any((ROOT / (place + name + ending)).exists() for place in places for ending in ("", ".hpp", ".cpp"))]


# `name()` or `Class::name()`
FUNCTION = re.compile(r"`([A-Za-z_][A-Za-z0-9_:]*)\(\)`")
# Paragraphs, and the items of lists.
BLOCK = re.compile(r"\n\s*\n|\n(?=- )")


def lost_functions(page, text):
    """The functions named in a paragraph that none of the files to which the paragraph links has."""
    lost = []
    for block in BLOCK.split(text):
        files = [page.parent / first for first, _ in LINK.findall(block) if first.endswith((".cpp", ".hpp"))]
        code = "\n".join(file.read_text(encoding="utf-8") for file in files if file.exists())
        lost += [name for name in FUNCTION.findall(block) if not re.search(rf"\b{name}\(", code)]
    return lost


class PagesTest(unittest.TestCase):
    def test_finds_dead_links(self):
        text = '[a](gone.md#b) ![c](README.md) <img src="gone.png"> [d](https://example.org/gone) [e](#here)'
        self.assertEqual(dead_links(ROOT / "README.md", text), ["gone.md", "gone.png"])

    def test_links_lead_somewhere(self):
        self.assertGreater(len(PAGES), 5)
        for page in PAGES:
            with self.subTest(page.relative_to(ROOT)):
                self.assertEqual(dead_links(page, page.read_text(encoding="utf-8")), [])

    def test_finds_dead_places(self):
        text = "# A `b`: c_d, e\n[x](#a-b-c_d-e) [y](#gone) [z](README.md#gone) [u](README.md#isogon) [v](https://example.org/a.md#gone)"
        self.assertEqual(dead_places(ROOT / "README.md", text), ["#gone", "README.md#gone"])

    def test_links_to_headings_lead_to_them(self):
        for page in PAGES:
            with self.subTest(page.relative_to(ROOT)):
                self.assertEqual(dead_places(page, page.read_text(encoding="utf-8")), [])

    def test_finds_lost_files(self):
        text = "`core/points` `cli/embed/` `src/graph/laplacian.cpp` `a/b` core/gone `core/gone` `graph/laplacian.hpp.gone`"
        self.assertEqual(lost_files(text), ["core/gone", "graph/laplacian.hpp.gone"])

    def test_files_that_pages_name_exist(self):
        for page in PAGES:
            with self.subTest(page.relative_to(ROOT)):
                self.assertEqual(lost_files(page.read_text(encoding="utf-8")), [])

    def test_finds_lost_functions(self):
        page = ROOT / "docs" / "MAP.md"
        text = "\n\n".join((
            "`gone()` and `find_method()` in [registry](../src/registry/registry.cpp)",
            "`find_method()` without a link\nover two lines\n- an item: [x](../src/registry/registry.cpp)",
            "`Method::find_method()` [elsewhere](../src/registry/registry.cpp)",
            "`find_meth()` [the beginning of a name](../src/registry/registry.cpp)",
            "`no_call` [x](../src/registry/registry.cpp)"))
        self.assertEqual(lost_functions(page, text), ["gone", "find_method", "Method::find_method", "find_meth"])

    def test_functions_of_the_map_are_where_it_says(self):
        page = ROOT / "docs" / "MAP.md"
        text = page.read_text(encoding="utf-8")
        self.assertGreater(len(FUNCTION.findall(text)), 20)
        self.assertEqual(lost_functions(page, text), [])

    def test_example_of_the_readme_is_built(self):
        shown = re.findall(r"```cpp\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
        self.assertEqual(shown, [(ROOT / "examples" / "ten_lines.cpp").read_text(encoding="utf-8")])

    def test_the_citation_has_the_version_of_the_project(self):
        citation, project = ((ROOT / name).read_text(encoding="utf-8") for name in ("CITATION.cff", "CMakeLists.txt"))
        version = re.findall(r"^project\(isogon VERSION ([0-9.]+)", project, re.MULTILINE)
        self.assertEqual(len(version), 1)
        self.assertEqual(re.findall(r"^version: (\S+)$", citation, re.MULTILINE), version)


if __name__ == "__main__":
    unittest.main()
