"""Messages in the words of the command line: the flag as it was typed, its value, the bound, and what to do."""
import os
import unittest

from program import BAD_INPUT, USAGE, ProgramTest, cluster_points, npy
from usage_test import VERBS


class Manners(ProgramTest):
    def setUp(self):
        super().setUp()
        self.write("x.npy", npy(cluster_points(60)))
        self.write("x.csv", "a,b,label\n" + "".join("%d,%d,%d\n" % (i, i * i % 7, i % 2) for i in range(12)))

    def one_line(self, *arguments, code=USAGE, says=()):
        """The only line that a refusal writes."""
        err = self.fails(code, *arguments, says=says)
        self.assertEqual(err.count("\n"), 1, err)
        return err


class Flags(Manners):
    EMBED = ["embed", "x.npy", "-o", "y.npy", "--method", "svd"]

    def test_are_named_as_they_were_typed(self):
        for run, begins in [
            (["convert", "x.csv", "y.npy", "--label-column", "99"], "--label-column 99: must be"),
            (["convert", "x.csv", "y.npy", "--word-column", "99"], "--word-column 99: must be"),
            (["neighbors", "x.npy", "-o", "n.npy", "--above", "1.5"], "--above 1.5: must be a number above 0 and below 1"),
            (["neighbors", "x.npy", "-o", "n.npy", "--above", "abc"], "--above abc: must be a number above 0 and below 1"),
            (["neighbors", "x.npy", "-o", "n.npy", "-k", "60"], "-k 60: must be"),
            (["neighbors", "x.npy", "-o", "n.npy", "-k60"], "-k 60: must be"),
            (["neighbors", "x.npy", "-o", "n.npy", "--neighbors=60"], "--neighbors 60: must be"),
            ([*self.EMBED, "-d", "0"], "-d 0: must be a whole number of at least 1"),
            ([*self.EMBED, "--dim", "9"], "--dim 9: must be at least 1 and at most 8"),
            ([*self.EMBED, "--dimension", "9"], "--dimension 9: must be at least 1 and at most 8"),
            ([*self.EMBED, "--dim", ""], "--dim '': must be a whole number"),
            (["embed", "x.npy", "-o", "y.npy", "-d2", "--method", "lle", "--landmarks", "99"], "--landmarks 99: must be"),
            (["generate", "deformed", "-o", "y.npy"], "--from IMAGES is missing"),
            (["methods", "--threads", "0"], "--threads 0: must be"),
            (["transform", "m", "x.npy", "-o", "y.npy", "--by", "wieghts"], "--by wieghts: must be one of"),
            (["sweep", "x.npy", "--grid", "neighbors=8,0"], "--grid neighbors=0: must be"),
            (["compare", "x.npy", "--methods", "tsm:solver=slow"], "--methods tsm:solver=slow: must be"),
        ]:  # fmt: skip
            with self.subTest(run=run):
                err = self.one_line(*run)
                self.assertTrue(err.startswith("isogon: " + begins), err)
                self.assertNotIn(" = ", err)

    def test_names_that_are_empty(self):
        self.one_line(*self.EMBED[:2], "-o", "", says=["-o '': is no name"])
        self.one_line("embed", "", "-o", "y.npy", says=["INPUT '': is no name"])
        self.one_line("info", "", says=["FILE '': is no name"])

    def test_files_that_do_not_fit_are_named(self):
        self.write("narrow.npy", npy(cluster_points(60, 5)))
        self.succeeds(*self.EMBED, "-d2", "--model", "m.safetensors")
        self.fails(BAD_INPUT, "transform", "m.safetensors", "narrow.npy", "-o", "z.npy", says=["narrow.npy: points of 5", "8"])
        self.one_line("neighbors", "x.npy", "-o", "n.npy", "--queries", "narrow.npy", code=BAD_INPUT, says=["narrow.npy: points of 5"])

    def test_a_default_that_cannot_be_is_told_as_one(self):
        self.write("few.npy", npy(cluster_points(8)))
        err = self.one_line("neighbors", "few.npy", "-o", "n.npy")
        self.assertRegex(err, r"^isogon: --neighbors \d+ \(the default\): must be")
        self.succeeds("embed", "few.npy", "-o", "y.npy", "--method", "lle", "--dim", 2)
        self.fails(USAGE, "embed", "few.npy", "-o", "y.npy", "--method", "lle", "--neighbors", 12, "--overwrite",
                   says=["--neighbors 12: must be at least 1 and below 8"])

    def test_bounds_are_told(self):
        most = "at least 0 and at most 9223372036854775807"
        for run in [["generate", "blobs", "-o", "y.npy"], self.EMBED[:4] + ["--method", "tsm"], ["score", "x.npy", "x.npy"]]:
            self.one_line(*run, "--seed", "18446744073709551615", says=["--seed 18446744073709551615: ", most])
        self.one_line(*self.EMBED, "--dim", 2**31, says=["at least 1 and at most 2147483647"])
        self.one_line("embed", "x.npy", "-o", "y.npy", "--checkpoint", "c.safetensors", "--checkpoint-every", "-1",
                      says=["--checkpoint-every -1", "0 or a time above zero"])
        self.fails(USAGE, "embed", "x.npy", "-o", "y.npy", "--dim", 4, "--landmarks", 4,
                   says=["--landmarks 4: must be above 4, the dimension"])


class Suggestions(Manners):
    def test_for_flags(self):
        for verb in VERBS:
            self.one_line(verb, "--quite", says=["--quite: isogon %s has no such flag; did you mean --quiet?" % verb])
        self.one_line("score", "x.npy", "x.npy", "--threshhold", "0.5", says=["did you mean --threshold?"])
        self.one_line("embed", "x.npy", "--outptu", "y.npy", says=["--outptu: ", "did you mean --output?"])
        self.one_line("embed", "x.npy", "-o", "y.npy", "-dim", "2", says=["-d im"])

    def test_for_verbs(self):
        self.one_line("embde", "x.npy", says=["embde: no such verb", "did you mean embed?"])
        self.one_line("neighbours", says=["did you mean neighbors?"])
        self.assertNotIn("did you mean", self.one_line("embroider"))

    def test_for_methods_and_values(self):
        for method, meant in [("tnse", "tsne"), ("isomaps", "isomap"), ("Umap", "umap"), ("faithfull", "faithful")]:
            self.one_line("embed", "x.npy", "-o", "y.npy", "--method", method,
                          says=["--method %s: must be one of" % method, "did you mean %s?" % meant])
            self.one_line("methods", method, says=["did you mean %s?" % meant])
        self.one_line("generate", "swis-roll", "-o", "y.npy", says=["did you mean swiss-roll?"])
        self.one_line("embed", "x.npy", "-o", "y.npy", "--method", "tsne", "--solver", "barneshut",
                      says=["--solver barneshut: must be one of", "did you mean barnes-hut?"])
        self.one_line("info", "x.npy", "--format", "nyp", says=["--format nyp", "did you mean npy?"])
        self.one_line("info", "x.csv", "--header", "abset", says=["did you mean absent?"])
        self.one_line("sweep", "x.npy", "--grid", "neighbours=3", says=["did you mean neighbors?"])
        self.one_line("compare", "x.npy", "--methods", "svd,isomapp", says=["did you mean isomap?"])


class Words(Manners):
    """Mistakes that CLI11 finds, in the words of our messages."""

    def test_a_flag_before_the_verb(self):
        self.one_line("--bogus", says=["--bogus: isogon has no such flag", "embed, transform"])
        self.one_line("--dim", "3", "embed", says=["--dim: a flag of a verb comes after it", "isogon embed"])
        self.one_line("--versoin", says=["did you mean --version?"])

    def test_what_is_missing(self):
        self.one_line("embed", "x.npy", says=["--output FILE is missing: Where the coordinates go"])
        self.one_line("embed", "-o", "y.npy", says=["INPUT is missing: Files of points"])
        self.one_line("embed", "x.npy", "-o", says=["-o: FILE is missing after it"])
        self.one_line("embed", "x.npy", "--output", says=["--output: FILE is missing after it"])
        self.one_line("score", "x.npy", "x.npy", "--against", "x.npy", says=["--against: F G is missing after it"])
        self.one_line("embed", "x.npy", "-o", "y.npy", "--map", "relu", says=["--map", "--model FILE"])

    def test_what_is_too_much(self):
        self.one_line("info", "x.npy", "x.csv", says=["'x.csv': one word too many; isogon info takes FILE"])
        self.one_line("embed", "x.npy", "-o", "y.npy", "--dim", 2, "--dim", 3, says=["--dim is there 2 times; give it once"])
        self.one_line("methods", "--quiet=maybe", says=["--quiet=maybe: --quiet takes no value"])


class WithoutEffect(Manners):
    """An option that would change nothing is refused."""

    def refused(self, flag, *run, says=()):
        err = self.one_line(*run, says=says)
        self.assertTrue(err.startswith("isogon: " + flag), err)
        self.assertRegex(err, "has (an|no) effect")

    def check_needs(self, options, run):
        """Each option that needs another, at its default, beside every value of the other that it does not serve."""
        tried = 0
        for option in options:
            for need in option["needs"]:
                other = next(spec for spec in options if spec["name"] == need["option"])
                for choice in set(other["choices"]) - set(need["values"]):
                    value = 0.5 if option["default"] == "auto" and not option["choices"] else option["default"]
                    value = str(value).lower() if option["kind"] == "flag" else value
                    self.refused("--" + option["name"], *run, "--%s=%s" % (option["name"], value),
                                 "--%s=%s" % (other["name"], choice), *self.served(options, other),
                                 says=["--" + other["name"], choice])
                    tried += 1
        return tried

    def served(self, options, option):
        """Flags with which an option has an effect itself."""
        for need in option["needs"]:
            other = next(spec for spec in options if spec["name"] == need["option"])
            yield "--%s=%s" % (other["name"], need["values"][0] if need["values"] else other["default"] + 1)

    def test_every_option_of_a_method_that_needs_another(self):
        self.write("m.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 1 1.0\n")
        described = self.json("methods")
        tried = sum(self.check_needs(method["options"], ["embed", "x.npy", "-o", "y.npy", "--method", method["name"]])
                    for method in described["methods"])
        self.assertGreater(tried, 20)
        self.assertGreater(self.check_needs(described["verbs"][0]["options"], ["decompose", "m.mtx", "-o", "w.safetensors"]), 10)

    def test_every_option_of_a_generator_that_needs_another(self):
        tried = sum(self.check_needs(generator["options"], ["generate", generator["name"], "-o", "y.npy"])
                    for generator in self.json("generate", "--list")["generators"])
        self.assertEqual(tried, 2)

    def test_the_help_tells_what_an_option_needs(self):
        text = " ".join(self.succeeds("embed", "--method", "tsne", "--help-all").split())
        self.assertIn("with solver barnes-hut or auto", text)
        self.assertIn("with landmarks", text)

    def test_of_neighbors(self):
        run = ["neighbors", "x.npy", "-o", "n.npy"]
        for flag in ["--recall", "--seed"]:
            self.refused(flag, *run, "--search", "exact", flag, "0.9" if flag == "--recall" else "0")
        self.refused("--metric", *run, "--above", "0.5", "--metric", "cosine")
        self.refused("-k 3", *run, "--above", "0.5", "-k", "3")
        self.succeeds(*run, "--save-index", "i.safetensors")
        self.refused("--every", "neighbors", "i.safetensors", "-o", "m.npy", "--every", "2")

    def test_of_tables_alone(self):
        for verb, rest in [("embed", ["-o", "y.npy", "--method", "svd", "--dim", "2"]), ("convert", ["y.csv"]), ("info", []),
                           ("threshold", []), ("score", ["x.csv"]), ("neighbors", ["-o", "n.npy"])]:  # fmt: skip
            for flag, value in [("--label-column", "0"), ("--word-column", "0"), ("--header", "absent")]:
                self.refused("%s %s" % (flag, value), verb, "x.npy", *rest, flag, value, says=["csv, tsv and jsonl", "x.npy"])
        self.succeeds("info", "x.csv", "--label-column", "0")
        self.write("table", "a,b\n1,2\n3,4\n")
        self.succeeds("info", "table", "--format", "csv", "--header", "present")

    def test_of_landmarks(self):
        for flag, value in [("--extension", "weights"), ("--landmark-selection", "farthest")]:
            self.refused(flag, "embed", "x.npy", "-o", "y.npy", "--dim", 2, flag, value, says=["--landmarks"])
        self.refused("--extension-neighbors", "embed", "x.npy", "-o", "y.npy", "--dim", 2, "--landmarks", 20, "--extension",
                     "placement", "--extension-neighbors", 5)

    def test_of_others(self):
        self.refused("--sparsity", "threshold", "x.npy", "--threshold", "0.5", "--sparsity", "0.9")
        self.refused("--isolated", "threshold", "x.npy", "--threshold", "0.5", "--isolated", "0.9")
        self.refused("--every", "info", "x.npy", "--every", "2", says=["--stats"])
        self.refused("--labels", "convert", "x.npy", "y.npy", "--labels", "l.npy", says=["--save-labels"])
        self.refused("--fresh", "compare", "x.npy", "--fresh", says=["--cache"])
        self.one_line("generate", "blobs", "-o", "y.npy", "--from", "x.npy", says=["--from", "effect", "blobs"])
        self.refused("--from-labels", "generate", "deformed", "-o", "y.npy", "--from", "x.npy", "--from-labels", "l.npy")
        self.one_line("generate", "--list", "--count", 5, says=["--list"])
        self.one_line("generate", "--count", 5, says=["NAME is missing"])
        self.succeeds("embed", "x.npy", "-o", "y.npy", "--method", "svd", "--dim", 2, "--model", "m.safetensors")
        self.refused("--header", "info", "m.safetensors", "--header", "absent")
        self.one_line("transform", "m.safetensors", "x.npy", "-o", "z.npy", "--output-format", "csv", says=["--output-format"])


class Outputs(Manners):
    def test_an_input_is_no_output(self):
        os.symlink("x.npy", self.path("symbolic.npy"))
        os.link(self.path("x.npy"), self.path("hard.npy"))
        os.mkdir(self.path("f"))
        self.succeeds("embed", "x.npy", "-o", "y.npy", "--method", "tsm", "--dim", 2, "--model", "m.safetensors")
        self.write("w.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1.0\n2 2 1.0\n")
        self.succeeds("decompose", "w.mtx", "-o", "wh.safetensors", "--rank", 1)
        embed = ["embed", "x.npy", "--method", "faithful", "--dim", 2]
        for run in [
            [*embed, "-o", "x.npy"],
            [*embed, "-o", "symbolic.npy"],
            [*embed, "-o", "hard.npy"],
            [*embed, "-o", "f/../x.npy"],
            [*embed, "-o", self.path("x.npy")],
            ["embed", "hard.npy", "symbolic.npy", "--dim", 2, "-o", "x.npy"],
            [*embed, "-o", "z.npy", "--start-from", "y.npy", "--model", "y.npy"],
            [*embed, "-o", "y.npy", "--start-from", "y.npy"],
            ["transform", "m.safetensors", "x.npy", "-o", "x.npy"],
            ["transform", "m.safetensors", "*.npy", "-o", "hard.npy"],
            ["extend", "m.safetensors", "x.npy", "-o", "symbolic.npy"],
            ["convert", "x.npy", "hard.npy"],
            ["convert", "x.csv", "z.npy", "--save-labels", "x.csv"],
            ["convert", "w.mtx", "w.mtx"],
            ["neighbors", "x.npy", "-o", "x.npy"],
            ["neighbors", "x.npy", "--queries", "y.npy", "-o", "n.npy", "--distances", "y.npy"],
            ["report", "x.npy", "y.npy", "-o", "x.npy"],
            ["decompose", "w.mtx", "-o", "w.mtx"],
            ["decompose", "w.mtx", "-o", "wh.safetensors", "--start-from", "wh.safetensors"],
            ["reconstruct", "wh.safetensors", "-o", "wh.safetensors"],
            ["sweep", "x.csv", "--grid", "neighbors=3", "--truth", "y.npy", "-o", "x.csv"],
            ["compare", "x.npy", "--methods", "svd", "--dims", 2, "--labels", "x.csv", "--report", "x.csv"],
            ["generate", "deformed", "--from", "x.npy", "-o", "x.npy"],
        ]:  # fmt: skip
            with self.subTest(run=run):
                err = self.fails(USAGE, *run, "--overwrite")
                if "x.csv: the" not in err and "an output" not in err:
                    self.assertRegex(err, "an input of this run|ends in .html|is a page|.html")
        self.succeeds("embed", "x.npy", "--method", "svd", "--dim", 2, "-o", "y.npy", "--overwrite")

    def test_two_outputs_in_one_file_by_links(self):
        self.write("a.npy", npy(cluster_points(5)))
        os.symlink("a.npy", self.path("b.npy"))
        self.one_line("neighbors", "x.npy", "-o", "a.npy", "--distances", "b.npy", "--overwrite", says=["two outputs"])

    def test_two_outputs_in_one_file_that_is_not_there_yet(self):
        os.mkdir(self.path("f"))
        os.symlink("f", self.path("g"))
        os.symlink("f/new.npy", self.path("a.npy"))
        os.symlink("a.npy", self.path("b.npy"))
        for one, other in [("a.npy", "b.npy"), ("a.npy", "f/new.npy"), ("f/new.npy", "a.npy"), ("g/new.npy", "b.npy"),
                           ("f/new.npy", "g/new.npy"), (self.path("f/new.npy"), "a.npy")]:  # fmt: skip
            for more in [[], ["--overwrite"]]:
                with self.subTest(one=one, other=other):
                    self.one_line("neighbors", "x.npy", "-o", one, "--distances", other, *more, says=[other, "two outputs"])
        self.assertEqual(os.listdir(self.path("f")), [])

    def test_a_result_that_is_no_file_is_refused_by_its_name(self):
        self.succeeds("embed", "x.npy", "-o", "y.npy", "--method", "svd", "--dim", 2)
        os.mkdir(self.path("folder"))
        os.mkfifo(self.path("pipe"))
        for name in ["folder", "pipe", "/dev/zero", "/dev/null", "missing.json"]:
            with self.subTest(name=name):
                self.one_line("report", "x.npy", "y.npy", "--result", name, code=BAD_INPUT, says=[name + ": "])
                self.one_line("score", "x.npy", "y.npy", "--result", name, code=BAD_INPUT, says=[name + ": "])

    def test_a_link_to_what_is_not_there_is_followed(self):
        os.mkdir(self.path("elsewhere"))
        os.symlink("elsewhere/y.npy", self.path("link.npy"))
        self.succeeds("embed", "x.npy", "-o", "link.npy", "--method", "svd", "--dim", 2)
        self.assertTrue(os.path.islink(self.path("link.npy")))
        self.assertTrue(os.path.isfile(self.path("elsewhere/y.npy")))
        os.symlink("nowhere/y.npy", self.path("lost.npy"))
        self.one_line("embed", "x.npy", "-o", "lost.npy", "--method", "svd", "--dim", 2, says=["nowhere", "does not exist"])
        os.symlink("circle.npy", self.path("circle.npy"))
        self.one_line("embed", "x.npy", "-o", "circle.npy", "--method", "svd", "--dim", 2, says=["circle.npy"])

    def test_names_that_tell_no_format(self):
        self.one_line("neighbors", "x.npy", "-o", "n.html", says=["n.html"])
        self.one_line("generate", "drawn-digits", "-o", "y.npy", "--count", 5, "--sheet", "g.jpg", says=["--sheet g.jpg", ".png"])
        self.one_line("generate", "blobs", "-o", "y.npy", "--labels", "l.html", says=["l.html: labels are written as"])
        self.one_line("convert", "x.csv", "y.npy", "--save-labels", "l.html", says=["l.html: labels are written as"])
        self.one_line("sweep", "x.npy", "--dim", 2, "--grid", "neighbors=5", "--truth", "x.npy", "-o", "t.html", says=[".csv"])


class Inputs(Manners):
    def test_a_separator_that_is_none_is_named(self):
        rows = [["1", "2.5", "-3"], ["4", "5", "6e1"], ["7", "8", "9"]]
        for name, separator, said in [("t.csv", "\t", "--format tsv"), ("b.csv", "  ", "blanks"),
                                      ("c.tsv", ",", "--format csv"), ("p.csv", "|", "bars")]:  # fmt: skip
            text = "\n".join(separator.join(row) for row in rows) + "\n"
            self.write(name, text)
            self.one_line("convert", name, "y.npy", code=BAD_INPUT, says=[name + ", line 1", "seem to be separated by", said])
            self.write(name, "a%sb%sc\n" % (separator, separator) + text)
            self.one_line("convert", name, "y.npy", code=BAD_INPUT, says=["line 2", "seem to be separated by", said])
        self.write("good.csv", "the value\n1\n2\n")  # a header of two words is none of this
        self.succeeds("convert", "good.csv", "y.npy")

    def test_few_points_are_scored_by_fewer_neighbours(self):
        for count in [2, 3, 10, 11, 12]:
            self.write("few.npy", npy(cluster_points(count)))
            result = self.json("score", "few.npy", "few.npy", "--threshold", 0.5)
            self.assertEqual(result["options"]["neighbors"], min(10, count - 1))
        self.write("few.npy", npy(cluster_points(6)))
        self.assertIn("--neighbors 5", self.succeeds("score", "few.npy", "few.npy", "--threshold", 0.5))
        self.assertIn("--neighbors 6", self.succeeds("score", "x.npy", "x.npy", "--against", "few.npy", "few.npy", "--threshold", 0.5))
        self.one_line("score", "few.npy", "few.npy", "--threshold", 0.5, "--neighbors", 10, says=["--neighbors 10: must be at most 5"])

    def test_rows_that_are_no_file(self):
        self.write("w.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1.0\n2 2 1.0\n")
        self.succeeds("decompose", "w.mtx", "-o", "wh.safetensors", "--rank", 1)
        for value in ["-1", "0-1", "1.5", "0:1:2"]:
            self.one_line("reconstruct", "wh.safetensors", "-o", "y.npy", "--rows=" + value,
                          says=["--rows %s: must be numbers from 0 to 1" % value, "first:end"])
        self.one_line("reconstruct", "wh.safetensors", "-o", "y.npy", "--rows", "-1", says=["--rows"])

    def test_control_characters_are_shown_escaped(self):
        evil = "\x1b[31mred\x1b]0;title\x07\r\n"
        header = "{'descr': '<f4%s', 'fortran_order': False, 'shape': (2, 2), }" % evil.replace("\n", "")
        header += " " * (63 - (10 + len(header)) % 64) + "\n"
        self.write("evil.npy", b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode() + bytes(16))
        self.write("evil.csv", "1,2\n3,4\x1b[31m\n")
        name = "e\x1b[31mvil.npy"
        self.write(name, npy(cluster_points(5)))
        for run in [["info", "evil.npy"], ["convert", "evil.npy", "y.npy"], ["info", "evil.csv"], ["info", name],
                    ["info", "missing" + evil], ["embed", "x.npy", "-o", "y.npy", "--method", evil], [evil], ["info", "--" + evil],
                    ["info", "x.csv", "--label-column", evil], ["convert", name, "y" + evil], ["info", "x.npy", evil],
                    ["reconstruct", evil, "-o", "y.npy"], ["embed", "x.npy", "-o", "y.npy", "--dim", evil],
                    ["transform", evil, evil, "-o", "out/"]]:  # fmt: skip
            with self.subTest(run=run):
                for more in [[], ["--json"]]:
                    _, out, err = self.run_program(*run, *more)
                    for character in (out + err).replace("\n", ""):
                        self.assertTrue(character.isprintable(), repr(out + err))
        self.assertIn("\\x1b[31m", self.run_program("info", name)[1])

    def test_names_of_any_bytes_are_one_line_on_the_terminal(self):
        """A name of several lines could show what the program never said; DEL, C1 and marks of direction are obeyed, too."""
        for mark in ["a\nisogon: all is well\nb", "\x7f", "\u009b31m", "\u202e", "\u2028", "\r", "\x1b[2J"]:
            name, output = "in%s.npy" % mark, "out%s.npy" % mark
            self.write(name, npy(cluster_points(30)))
            for run in [["info", name], ["embed", name, "-o", output, "--method", "pca", "--dim", 2],
                        ["embed", name, "--output=" + output, "--method", "pca", "--dim", 2, "--overwrite"],
                        ["convert", name, output], ["convert", name, "x.npy"],
                        ["neighbors", name, "-o", output, "-k", 3, "--overwrite", "--quiet"]]:  # fmt: skip
                for more in [[], ["--json"]]:
                    with self.subTest(run=run, more=more):
                        _, out, err = self.run_program(*run, *more)
                        self.assertNotIn("\nisogon: all is well\n", "\n" + out + err)
                        for line in (out + err).split("\n"):
                            self.assertTrue(line.isprintable() or line == "", repr(line))
                        if more and out:
                            self.assertTrue(self.parse_one_object(out))
            os.remove(self.path(name))

    def test_names_that_begin_like_flags(self):
        points = npy(cluster_points(30))
        for name in ["--x.npy", "-x.npy", "--dim", "--help"]:
            self.write(name, points)
            for run in [["info", "./" + name], ["info", "--", name], ["info", self.path(name)]]:
                with self.subTest(run=run):
                    self.assertIn("30", self.succeeds(*run, *[]))
            fit = ["embed", "--method", "pca", "--dim", "2", "-o", "y.npy", "--overwrite"]
            self.succeeds(*fit, "--", name)
            self.succeeds("convert", "--overwrite", "--", name, "z.npy")
            self.assertEqual(self.read("z.npy"), points)
        self.succeeds("convert", "x.npy", "--", "--z.npy")
        self.succeeds("embed", "x.npy", "--method", "pca", "--dim", 2, "--output=--y.npy")
        self.succeeds("embed", "x.npy", "--method", "pca", "--dim", 2, "-o./--w.npy")
        self.assertTrue({"--z.npy", "--y.npy", "--w.npy"} <= set(self.names()))

    def test_names_as_long_as_the_file_system_takes(self):
        """255 bytes. Temporary names do not grow with them."""
        for letter in ["n", "é"]:
            name = letter * ((255 - 4) // len(letter.encode())) + ".npy"
            self.write(name, npy(cluster_points(30)))
            model = letter * ((255 - 12) // len(letter.encode())) + ".safetensors"
            self.assertIn("30", self.succeeds("info", name))
            self.succeeds("embed", name, "-o", "y.npy", "--method", "pca", "--dim", 2, "--model", model, "--overwrite")
            self.succeeds("convert", "y.npy", name, "--overwrite")
            self.succeeds("transform", model, "x.npy", "-o", name, "--overwrite")
        for name in ["n" * 252 + ".npy", "n/" * 2100 + "x.npy"]:
            self.one_line("info", name, code=BAD_INPUT, says=[name[:200]])
            self.one_line("convert", "x.npy", name, says=[name[:200]])

    def test_text_of_other_scripts_stays(self):
        self.assertIn("пример.npy", self.run_program("info", "пример.npy")[2])


if __name__ == "__main__":
    unittest.main()
