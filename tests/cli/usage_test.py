import os
import re
import unittest

from program import USAGE, ProgramTest

VERBS = ["embed", "transform", "extend", "score", "report", "sweep", "decompose", "reconstruct", "compare", "neighbors",
         "quantize", "threshold", "generate", "convert", "info", "methods"]  # fmt: skip


class Usage(ProgramTest):
    def test_help_lists_the_verbs_that_exist_and_no_others(self):
        text = self.succeeds("--help")
        listed = [line.split()[0] for line in text.split("Verbs:")[1].splitlines() if line.startswith("  ") and line[2] != " "]
        self.assertEqual(listed, VERBS)

    def test_every_verb_has_help_with_examples(self):
        for verb in VERBS:
            with self.subTest(verb=verb):
                text = self.succeeds(verb, "--help")
                self.assertIn("isogon " + verb, text.split("Examples:")[1])
                for flag in ["--json", "--quiet", "--threads", "--memory-limit", "--time-limit"]:
                    self.assertIn(flag, text)

    def test_help_fits_a_terminal_of_100_columns(self):
        for verb in VERBS:
            for line in self.succeeds(verb, "--help").splitlines():
                # An example that is to be copied stays on one line.
                self.assertTrue(len(line) <= 100 or line.startswith("  isogon") or "[OPTIONS]" in line, line)

    def test_version(self):
        self.assertRegex(self.succeeds("--version"), r"^isogon \d+\.\d+\.\d+(, with MPI( and PETSc)?)?\n$")

    def test_an_instruction_set_that_is_not_there_is_named(self):
        process = self.start("methods", env={**os.environ, "ISOGON_INSTRUCTION_SET": "MMX"})
        out, err = process.communicate(timeout=60)
        self.assertEqual((process.returncode, out), (USAGE, ""))
        self.assertRegex(err, "ISOGON_INSTRUCTION_SET: .*MMX: must be one that this processor has: [A-Z]")

    def test_copies_by_mpirun_of_a_program_without_mpi_are_refused(self):
        if "MPI" in self.succeeds("--version"):
            self.skipTest("this program was built with MPI")
        self.digits(50)
        process = self.start("embed", "digits.npy", "-o", "y.npy", env={**os.environ, "OMPI_COMM_WORLD_SIZE": "4"})
        out, err = process.communicate(timeout=60)
        self.assertEqual((process.returncode, out), (USAGE, ""))
        for word in ["4 copies", "without MPI", "ISOGON_MPI"]:
            self.assertIn(word, err)
        self.assertNotIn("y.npy", self.names())

    def test_no_verb(self):
        self.fails(USAGE, says=["--help"])

    def test_a_former_verb_is_refused_with_what_stands_for_it(self):
        for arguments in [["reproduce"], ["reproduce", "tsm-3", "--data", "data", "--quick"]]:
            self.fails(USAGE, *arguments, says=["reproduce: no verb any more", "papers/reproduce", "docs/reproduction.md"])

    def test_bad_common_values_name_value_and_remedy(self):
        for flag, value, remedy in [
            ("--threads", "0", "at least 1"),
            ("--threads", "two", "whole number"),
            ("--threads", "-1", "at least 1"),
            ("--threads", "99999999999999999999", "whole number"),
            ("--memory-limit", "lots", "8G"),
            ("--memory-limit", "0", "8G"),
            ("--memory-limit", "-5G", "8G"),
            ("--memory-limit", "8X", "8G"),
            ("--memory-limit", "nan", "8G"),
            ("--memory-limit", "1e30G", "8G"),
            ("--time-limit", "soon", "90s"),
            ("--time-limit", "0", "90s"),
            ("--time-limit", "-3s", "90s"),
            ("--time-limit", "1e300h", "90s"),
            ("--time-limit", "", "90s"),
        ]:
            with self.subTest(flag=flag, value=value):
                self.fails(USAGE, "methods", flag, value, says=[flag, value, remedy])


class Methods(ProgramTest):
    def test_list_and_json_agree(self):
        names = [method["name"] for method in self.json("methods")["methods"]]
        self.assertLessEqual({"svd", "pca", "tsm"}, set(names))
        listed = [line.split()[0] for line in self.succeeds("methods").splitlines()[:-1]]
        self.assertEqual(listed, names)

    def test_one_method_shows_every_option_with_its_default_help_and_source(self):
        method = self.json("methods", "tsm")
        text = self.succeeds("methods", "tsm")
        self.assertIn(method["source"], text)
        self.assertGreater(len(method["options"]), 3)
        for option in method["options"]:
            self.assertTrue(option["help"])
            self.assertIn("--" + option["name"], text)
            self.assertIn(option["help"], text)

    def test_help_after_a_method_has_its_options_and_no_others(self):
        methods = self.json("methods")["methods"]
        names = {option["name"] for method in methods for option in method["options"]}
        for method in methods:
            short = self.succeeds("embed", "--method", method["name"], "--help")
            flags = " ".join(line[:34] for line in short.splitlines() if line.startswith("  -"))
            self.assertEqual(set(re.findall("--([a-z-]+)", flags)) & names, {option["name"] for option in method["options"]})
            whole = " ".join(self.succeeds("embed", "--help-all", "--method=" + method["name"]).split())
            for option in method["options"]:
                self.assertIn(option["help"], whole)
        self.assertEqual(self.succeeds("embed", "--help"), self.succeeds("embed", "-h", "--method", "faithful"))

    def test_help_is_short_and_help_all_is_not(self):
        for verb in VERBS:
            short, whole = (len(self.succeeds(verb, flag).splitlines()) for flag in ("--help", "--help-all"))
            self.assertLessEqual(short, 90, verb)
            self.assertLessEqual(short, whole, verb)


if __name__ == "__main__":
    unittest.main()
