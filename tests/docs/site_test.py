#!/usr/bin/env python3
"""Tests what lays out the documentation's site: docstrings and headers as Markdown, and the check of its links."""
import importlib.machinery
import importlib.util
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"
sys.path.insert(0, str(SCRIPTS))
import docs_text  # noqa: E402  (found by the line above)


def script(name):
    loader = importlib.machinery.SourceFileLoader(name, str(SCRIPTS / name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader))
    loader.exec_module(module)
    return module


DOCSTRING = """First line, of W_ij < 1 and `a_b`.

Example: f(x_1)

Parameters
----------
n_jobs : int, default 1
    threads
    of it
y : array

fit takes start=.
Attributes
----------
embedding_ : rows
"""
HEADER = """/// What it is.
struct Pair {
    int a{};

    int b{};  // of it
};

/// One.
[[nodiscard]] int one(int x);
/// Two: |x|.
template <class T>
T two(T x);  // NOLINT(some-check): a reason

constexpr int most = 3;
"""


class SiteTest(unittest.TestCase):
    def test_plain_text_stays_as_it_is(self):
        self.assertEqual(docs_text.escaped("a*b `c*d` <e> |f|"), r"a\*b `c*d` \<e\> \|f\|")

    def test_docstrings_become_lists(self):
        self.assertEqual(
            docs_text.of_docstring(DOCSTRING, without=["embedding_ : rows"]),
            "First line, of W\\_ij \\< 1 and `a_b`.\n\nExample: `f(x_1)`\n\n**Parameters**\n\n- **n\\_jobs**: int, default 1  \n"
            "  threads\n  of it\n- **y**: array  \n\nfit takes start=.")

    def test_headers_become_declarations(self):
        cpp = script("docs_cpp_api")
        found = cpp.declarations(HEADER)
        self.assertEqual([len(lines) for lines in found], [6, 2, 3, 1])
        code = [[line for line in lines if not line.startswith("//")] for lines in found]
        self.assertEqual([cpp.name_of(lines) for lines in code], ["Pair", "one", "two", "most"])
        self.assertEqual(code[2][-1], "T two(T x);")

    def test_nothing_of_the_headers_is_lost(self):
        cpp = script("docs_cpp_api")
        for header in (cpp.ROOT / "include").rglob("*.hpp"):
            kept = [line for line in header.read_text(encoding="utf-8").split("\n") if not cpp.LEFT_OUT.match(line)]
            found = [line for lines in cpp.declarations("\n".join(kept)) for line in lines if line.strip()]
            with self.subTest(header.name):
                self.assertEqual(len(found), len([line for line in kept if line.strip()]))

    def test_dead_links_are_found(self):
        links = script("docs_links")
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "a.html").write_text(
                '<p id="x"><a href="b.html#y">1</a><a href="b.html#gone">2</a><a href="#x">3</a><a href="gone.html">4</a>'
                '<a href="https://example.org/gone">5</a><img src="gone%20too.svg">', encoding="utf-8")
            Path(folder, "b.html").write_text('<p id="y">', encoding="utf-8")
            dead, count = links.dead_links(folder)
        self.assertEqual(count, 5)
        self.assertEqual([link for _, link in dead], ["b.html#gone", "gone%20too.svg", "gone.html"])


if __name__ == "__main__":
    unittest.main()
