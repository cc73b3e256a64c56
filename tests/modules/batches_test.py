#!/usr/bin/env python3
"""Which small files scripts/batches.py lets stand together."""
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
import batches  # noqa: E402  (found by the line above)


def own(*lines):
    """A file that defines some lines for itself alone."""
    return "namespace isogon {\nnamespace {\n\n" + "\n".join(lines) + "\n\n}  // namespace\n}  // namespace isogon\n"


class BatchesTest(unittest.TestCase):
    def batches_of(self, *texts, most=12, keys=None):
        """The numbers of the files in each batch."""
        with tempfile.TemporaryDirectory() as folder:
            paths = [Path(folder, f"{number:02}.cpp") for number in range(len(texts))]
            for path, text in zip(paths, texts):
                path.write_text(text, encoding="utf-8")
            made = batches.batches(list(zip(map(str, paths), keys or [""] * len(texts))), most)
            return [[int(Path(file).stem) for file in batch.files] for batch in made]

    def test_files_without_names_of_their_own_stand_together(self):
        self.assertEqual(self.batches_of("int a();\n", own("int b() {", "}"), own("int c() {", "}")), [[0, 1, 2]])

    def test_no_name_is_defined_twice(self):
        for line in ("constexpr double width = 2.0;", "struct Ring {", "enum class Ring {", "class Ring : public Base {",
                     "using Ring = std::vector<int>;", "std::array<int, 3> ring{};", "int sum(int a, int b) {"):
            with self.subTest(line):
                self.assertEqual(self.batches_of(own(line), own(line)), [[0], [1]])

    def test_functions_may_differ_by_their_parameters(self):
        self.assertEqual(self.batches_of(own("int sum(int a) {", "}"), own("int sum(const Points& a,", "        int b) {", "}")), [[0, 1]])
        self.assertEqual(self.batches_of(own("int sum(int a,", "        int b) {", "}"), own("int sum(int x, int y) {", "}")), [[0], [1]])

    def test_a_name_that_another_file_uses_for_something_else(self):
        self.assertEqual(self.batches_of(own("constexpr int width = 2;"), "int f(int width);\n"), [[0], [1]])
        self.assertEqual(self.batches_of("int f(int width);\n", own("constexpr int width = 2;")), [[0], [1]])
        self.assertEqual(self.batches_of(own("constexpr int width = 2;"), '// width\nauto f = "width";\n'), [[0, 1]])

    def test_a_function_that_would_hide_another_of_the_namespace_around(self):
        hiding, caller = own("Json to_json(const Mark& mark) {", "}"), own("Json made() {", "    return to_json(options);", "}")
        self.assertEqual(self.batches_of(hiding, caller), [[0], [1]])
        self.assertEqual(self.batches_of(caller, hiding), [[0], [1]])
        member = own("Json made() {", "    return points.to_json(options);", "}")
        self.assertEqual(self.batches_of(hiding, member), [[0, 1]])

    def test_files_that_include_themselves_stand_alone(self):
        self.assertEqual(self.batches_of("int a();\n", "#define HWY_TARGET_INCLUDE\n", "int b();\n"), [[0, 2], [1]])

    def test_no_more_than_asked_and_of_one_key(self):
        self.assertEqual(self.batches_of(*["int a();\n"] * 5, most=2), [[0, 1], [2, 3], [4]])
        self.assertEqual(self.batches_of(*["int a();\n"] * 4, keys=["x", "y", "x", "y"]), [[0, 2], [1, 3]])


if __name__ == "__main__":
    unittest.main()
