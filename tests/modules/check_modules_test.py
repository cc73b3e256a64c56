#!/usr/bin/env python3
"""Builds small trees, good and bad, and sees that scripts/check_modules.py tells them apart, rule by rule."""
import contextlib
import io
import sys
import tempfile
import unittest
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
    "tests/unit/pairs/tiles_test.cpp": '#include "pairs/kernel.hpp"\nnamespace isogon::tiles_test {\n',
    "include/isogon/quality/score.hpp": "#pragma once\n#include <isogon/pairs/tiles.hpp>\n",
    "tests/property/quality/score_test.cpp": '#include "isogon/quality/score.hpp"\nnamespace isogon::score_test {\n',
    "cli/main.cpp": '#include "isogon/quality/score.hpp"\n#include <CLI/CLI.hpp>\n#include "verbs.hpp"\n',
    "cli/verbs.hpp": "#pragma once\n",
}


class ModulesTest(unittest.TestCase):
    def setUp(self):
        self.exempted = dict(check_modules.NEED_NO_TEST)
        check_modules.NEED_NO_TEST.clear()
        self.addCleanup(check_modules.NEED_NO_TEST.update, self.exempted)

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
        internal = {"internal/isogon/core/sums.hpp": "#pragma once\n",
                    "tests/unit/core/sums_test.cpp": "\nnamespace isogon::sums_test {\n"}
        self.assertEqual(self.faults({**internal, "src/pairs/kernel.hpp": '#include "isogon/core/sums.hpp"\n',
                                      "cli/verbs.hpp": '#include "isogon/core/sums.hpp"\n'}), [])
        for outside in ("include/isogon/pairs/tiles.hpp", "examples/first.cpp", "python/bindings/module.cpp"):
            self.assert_only_fault({**internal, outside: '#include "isogon/core/sums.hpp"\n'}, outside,
                                   "not installed")

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
            {"include/isogon/attic/box.hpp": "", "tests/unit/attic/box_test.cpp": "\nnamespace isogon::box_test {\n"},
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

    def test_private_header_from_another_module(self):
        self.assert_only_fault(
            {"src/quality/score.cpp": '#include "pairs/kernel.hpp"\n'},
            "src/quality/score.cpp", "a private header of pairs")

    def test_private_header_by_a_way_around(self):
        self.assert_only_fault(
            {"src/quality/score.cpp": '#include "../../src/pairs/kernel.hpp"\n'}, "a private header of pairs")

    def test_private_header_from_the_command_line(self):
        self.assert_only_fault({"cli/verbs.hpp": '#include "pairs/kernel.hpp"\n'}, "cli/verbs.hpp", "private header")

    def test_private_header_in_a_public_one(self):
        self.assert_only_fault(
            {"include/isogon/pairs/tiles.hpp": '#include "pairs/kernel.hpp"\n'}, "which is not installed")

    def test_third_party_include_in_a_public_header(self):
        for include in ("<Eigen/Dense>", '"fmt/format.h"', '"isogon/pairs/gone.hpp"'):
            with self.subTest(include):
                self.assert_only_fault(
                    {"include/isogon/pairs/tiles.hpp": f"#include {include}\n"},
                    "include/isogon/pairs/tiles.hpp", "neither isogon's nor the standard library's")

    def test_source_without_test(self):
        self.assert_only_fault(
            {"tests/unit/pairs/tiles_test.cpp": None}, "src/pairs/tiles.cpp", "tests/unit/pairs/tiles_test.cpp")

    def test_header_without_source_needs_a_test(self):
        self.assert_only_fault({"tests/property/quality/score_test.cpp": None}, "include/isogon/quality/score.hpp")

    def test_a_source_in_a_folder_of_its_module_has_its_test_in_the_same(self):
        source, header = "src/pairs/fast/lane.cpp", "include/isogon/pairs/lane.hpp"
        test = {"tests/unit/pairs/fast/lane_test.cpp": "\nnamespace isogon::lane_test {\n"}
        self.assertEqual(self.faults({source: "", header: "", **test}), [])
        self.assert_only_fault({source: "", header: ""}, source, "tests/unit/pairs/fast/lane_test.cpp")

    def test_test_in_a_namespace_that_others_share(self):
        self.assert_only_fault({"tests/unit/pairs/tiles_test.cpp": "namespace isogon {\nnamespace {\n"},
                               "tests/unit/pairs/tiles_test.cpp", "isogon::tiles_test")

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

    def test_exemption_serves_and_a_stale_one_is_a_fault(self):
        check_modules.NEED_NO_TEST["pairs/tiles.cpp"] = "for this test"
        self.assertEqual(self.faults({"tests/unit/pairs/tiles_test.cpp": None}), [])
        self.assert_only_fault(
            {"src/pairs/tiles.cpp": None, "tests/unit/pairs/tiles_test.cpp": "\nnamespace isogon::tiles_test {\n", "include/isogon/pairs/tiles.hpp": "",
             }, "exempts pairs/tiles.cpp")

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
