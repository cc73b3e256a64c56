#!/usr/bin/env python3
"""Sees that the pages' relative links lead somewhere, and that the example in README.md is one that is built."""
import re
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
LINK = re.compile(r"\]\(([^)\s#]+)(?:#[^)]*)?\)|(?:src|href)=\"([^\"#]+)\"")


def dead_links(page, text):
    targets = (first or second for first, second in LINK.findall(text))
    return [target for target in targets if "://" not in target and not (page.parent / target).exists()]


class PagesTest(unittest.TestCase):
    def test_finds_dead_links(self):
        text = '[a](gone.md#b) ![c](README.md) <img src="gone.png"> [d](https://example.org/gone) [e](#here)'
        self.assertEqual(dead_links(ROOT / "README.md", text), ["gone.md", "gone.png"])

    def test_links_lead_somewhere(self):
        self.assertGreater(len(PAGES), 5)
        for page in PAGES:
            with self.subTest(page.relative_to(ROOT)):
                self.assertEqual(dead_links(page, page.read_text(encoding="utf-8")), [])

    def test_example_of_the_readme_is_built(self):
        shown = re.findall(r"```cpp\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
        self.assertEqual(shown, [(ROOT / "examples" / "ten_lines.cpp").read_text(encoding="utf-8")])


if __name__ == "__main__":
    unittest.main()
