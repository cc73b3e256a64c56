#!/usr/bin/env python3
"""Builds small trees, good and bad, and sees that scripts/check_modules.py tells them apart, rule by rule."""
import contextlib
import io
import sys
import tempfile
import unittest
import unittest.mock
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
import check_modules  # noqa: E402  (found by the line above)

GOOD = {
    "include/isogon/core/points.hpp": "#pragma once\n#include <vector>\n",
    "src/core/points.cpp": '#include "isogon/core/points.hpp"\n',
    "tests/core/points_test.cpp": '#include "isogon/core/points.hpp"\nnamespace isogon::points_test {\n',
    "include/isogon/pairs/tiles.hpp": '#pragma once\n#include "isogon/core/points.hpp"\n',
    "src/pairs/tiles.cpp": '#include "isogon/pairs/tiles.hpp"\n#include <hwy/highway.h>\n#include "pairs/kernel.hpp"\n',
    "src/pairs/kernel.hpp": "#pragma once\n",
    "tests/pairs/tiles_test.cpp": '#include "pairs/kernel.hpp"\nnamespace isogon::tiles_test {\n',
    "include/isogon/quality/score.hpp": "#pragma once\n#include <isogon/pairs/tiles.hpp>\n",
    "tests/quality/score_test.cpp": '#include "isogon/quality/score.hpp"\nnamespace isogon::score_test {\n',
    "cli/main.cpp": '#include "isogon/quality/score.hpp"\n#include <CLI/CLI.hpp>\n#include "verbs.hpp"\n',
    "cli/verbs.hpp": "#pragma once\n",
}


class ModulesTest(unittest.TestCase):
    def faults(self, changes):
        """The faults of the good tree with some files changed, added, or (None) taken away."""
        with tempfile.TemporaryDirectory() as folder:
            for name, text in {**GOOD, **changes}.items():
                if text is not None:
                    path = Path(folder, name)
                    path.parent.mkdir(parents=True, exist_ok=True)
                    path.write_text(text, encoding="utf-8")
            return check_modules.faults(folder)

    def assert_only_fault(self, changes, *parts):
        found = self.faults(changes)
        self.assertEqual(len(found), 1, found)
        for part in parts:
            self.assertIn(part, found[0])

    def test_good_tree_passes(self):
        self.assertEqual(self.faults({}), [])

    def test_forbidden_include(self):
        self.assert_only_fault(
            {"src/pairs/tiles.cpp": '#include "isogon/quality/score.hpp"\n', "include/isogon/quality/score.hpp": ""},
            "src/pairs/tiles.cpp", "pairs may not include quality")

    def test_header_that_is_not_installed_in_a_public_one(self):
        internal = {"src/core/sums.hpp": "#pragma once\n"}
        self.assertEqual(self.faults({**internal, "src/pairs/kernel.hpp": '#include "core/sums.hpp"\n',
                                      "cli/verbs.hpp": '#include "core/sums.hpp"\n'}), [])
        for outside in ("include/isogon/pairs/tiles.hpp", "examples/first.cpp"):
            self.assert_only_fault({**internal, outside: '#include "core/sums.hpp"\n'}, outside, "not installed")

    def test_forbidden_include_in_angle_brackets_and_with_spaces(self):
        self.assert_only_fault(
            {"src/pairs/tiles.cpp": "  #  include <isogon/quality/score.hpp>\n", "include/isogon/quality/score.hpp": ""},
            "pairs may not include quality")

    def test_core_includes_no_other_module(self):
        self.assert_only_fault(
            {"src/core/points.cpp": '#include "isogon/pairs/tiles.hpp"\n', "include/isogon/pairs/tiles.hpp": ""},
            "core may not include pairs")

    def test_unknown_module(self):
        self.assert_only_fault(
            {"include/isogon/attic/box.hpp": "", "tests/attic/box_test.cpp": "\nnamespace isogon::box_test {\n"},
            "include/isogon/attic/box.hpp", "not in a module")

    def test_source_outside_any_module(self):
        self.assert_only_fault({"src/stray.hpp": ""}, "src/stray.hpp", "not in a module")

    def test_cycle_of_headers(self):
        self.assert_only_fault(
            {"src/pairs/kernel.hpp": '#include "pairs/lane.hpp"\n', "src/pairs/lane.hpp": '#include "kernel.hpp"\n'},
            "cycle of headers", "src/pairs/kernel.hpp", "src/pairs/lane.hpp")

    def test_header_that_includes_itself(self):
        self.assert_only_fault({"src/pairs/kernel.hpp": '#include "kernel.hpp"\n'}, "cycle of headers")

    def test_cycle_of_modules(self):
        found = self.faults({"src/core/points.cpp": '#include "isogon/pairs/tiles.hpp"\n'})
        self.assertTrue(any("cycle of modules: core -> pairs -> core" in fault for fault in found), found)

    def test_header_past_the_door_of_a_module(self):
        with unittest.mock.patch.dict(check_modules.DOORS, {"pairs": ("pairs/door.hpp",)}):
            door = {"src/pairs/door.hpp": "#pragma once\n"}
            self.assertEqual(self.faults({**door, "src/quality/score.cpp": '#include "pairs/door.hpp"\n'}), [])
            for include in ("pairs/kernel.hpp", "../../src/pairs/kernel.hpp"):
                self.assert_only_fault({**door, "src/quality/score.cpp": f'#include "{include}"\n'},
                                       "src/quality/score.cpp", "a private header of pairs")
        self.assertEqual(self.faults({"src/quality/score.cpp": '#include "pairs/kernel.hpp"\n'}), [])

    def test_private_header_in_a_public_one(self):
        self.assert_only_fault(
            {"include/isogon/pairs/tiles.hpp": '#include "pairs/kernel.hpp"\n'}, "which is not installed")

    def test_third_party_include_in_a_public_header(self):
        for include in ("<Eigen/Dense>", '"fmt/format.h"', '"isogon/pairs/gone.hpp"'):
            with self.subTest(include):
                self.assert_only_fault(
                    {"include/isogon/pairs/tiles.hpp": f"#include {include}\n"},
                    "include/isogon/pairs/tiles.hpp", "neither isogon's nor the standard library's")

    def test_module_without_tests(self):
        self.assert_only_fault({"tests/pairs/tiles_test.cpp": None}, "src/pairs", "tests/pairs/")

    def test_test_in_a_namespace_that_others_share(self):
        self.assert_only_fault({"tests/pairs/tiles_test.cpp": "namespace isogon {\nnamespace {\n"},
                               "tests/pairs/tiles_test.cpp", "isogon::tiles_test")

    def test_comment_that_names_a_file(self):
        good = "// As pairs/tiles.hpp, tiles.cpp, pairs/kernel and verbs.hpp say, on and/or off, 1/n, as does core/points.\n"
        self.assertEqual(self.faults({"src/pairs/kernel.hpp": good}), [])
        for gone in ("pairs/gone", "gone.hpp", "core/tiles.hpp"):
            self.assert_only_fault({"src/pairs/kernel.hpp": f"int x = 1;  ///< of {gone}.\n"}, "kernel.hpp", gone)

    def test_functions_whose_bits_depend_on_the_machine(self):
        self.assertEqual(self.faults({"src/pairs/kernel.hpp": "// std::exp(x)\nx = elementary::exp(y) + std::exp_decay(y);\n"}), [])
        for call in ("std::exp(x)", "std::log1p(x)", "std::pow(x, y)", "std::atan2(x, y)", "std::transform_reduce(x)",
                     "hn::MulAdd(a, b, c)", "hn::SumOfLanes(tag, v)"):
            self.assert_only_fault({"src/pairs/kernel.hpp": f"double x = {call};\n"}, "kernel.hpp: line 1", call.partition("(")[0])
        self.assert_only_fault({"src/pairs/kernel.hpp": "long double x;\n"}, "kernel.hpp: line 1", "long double")

    def test_the_table_itself_has_no_cycle(self):
        table = {module: others.split() for module, others in check_modules.MAY_INCLUDE.items()}
        self.assertIsNone(check_modules.find_cycle(table))

    def test_exit_status_and_output(self):
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()) as output:
            self.assertEqual(check_modules.main([folder]), 0)
            Path(folder, "src").mkdir()
            Path(folder, "src", "stray.cpp").write_text("", encoding="utf-8")
            self.assertEqual(check_modules.main([folder]), 1)
        self.assertIn("src/stray.cpp", output.getvalue())


if __name__ == "__main__":
    unittest.main()
