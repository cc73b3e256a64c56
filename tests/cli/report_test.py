import base64
import gzip
import json
import re
import struct
import unittest

from program import BAD_INPUT, OVER_LIMIT, USAGE, ProgramTest, cluster_points, default_signals, npy, read_npy

BEGIN = '<script id="isogon-data" type="application/json">'
SIZES = {"uint8": "B", "uint16": "H", "uint32": "I", "float32": "f", "float64": "d"}


def stored(array):
    """The numbers of an array of the document, as they are stored."""
    data = gzip.decompress(base64.b64decode(array["gzip"]))
    code = SIZES[array["type"]]
    return list(struct.unpack("<%d%s" % (len(data) // struct.calcsize(code), code), data))


def words_of(document):
    return json.loads(gzip.decompress(base64.b64decode(document["points"]["words"]["gzip"])))


def vec(words, rows):
    lines = ["%d %d" % (len(rows), len(rows[0]))]
    lines += [" ".join([word, *("%.5f" % value for value in row)]) for word, row in zip(words, rows)]
    return "\n".join(lines) + "\n"


def idx(rows, height, width):
    values = bytes(min(255, max(0, round(value))) for row in rows for value in row)
    return b"\0\0\x08\x03" + struct.pack(">III", len(rows), height, width) + values


class ReportTest(ProgramTest):
    def setUp(self):
        super().setUp()
        self.rows = cluster_points(120)
        self.write("x.npy", npy(self.rows))
        self.write("y.npy", npy([row[:3] for row in self.rows]))

    def document(self, name):
        """What the page's own script reads from the page."""
        text = self.read(name).decode()
        self.assertEqual(text.count(BEGIN), 1)
        data = text.split(BEGIN)[1].split("</script>")[0]
        return json.loads(data, parse_constant=lambda constant: self.fail("not JSON: " + constant))


class Report(ReportTest):
    def test_a_page_of_two_files(self):
        result = self.json("report", "x.npy", "y.npy", "-o", "r.html", "--threshold", 0.6)
        document = self.document("r.html")
        self.assertEqual((document["format"], document["version"], document["kind"]), ("isogon-report", 1, "embedding"))
        self.assertEqual(document["title"], "y.npy: 120 points, 8 to 3 dimensions")
        self.assertIsNone(document["run"])
        self.assertEqual(document["threshold"], 0.6)
        made = document["made"]
        self.assertRegex(made["program"], r"^isogon \d")
        self.assertRegex(made["date"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")
        self.assertEqual(made["command"], "isogon report x.npy y.npy -o r.html --threshold 0.6 --json")
        self.assertRegex(made["machine"], r"^\d+ core")
        self.assertIn("quality", made["phases"])
        self.assertGreaterEqual(made["seconds"], sum(made["phases"].values()))
        self.assertNotIn("rows", document["points"])
        self.assertEqual((result["verb"], result["output"], result["file"]), ("report", "r.html", "r.html"))
        self.assertEqual(result["points"], 120)
        self.assertEqual(result["warnings"], document["warnings"])

    def test_the_quality_is_that_of_score(self):
        result = self.json("report", "x.npy", "y.npy", "--threshold", 0.6)
        scored = self.json("score", "x.npy", "y.npy", "--threshold", 0.6)
        rows = self.document("y.html")["quality"]["rows"]
        for key in ["mean_angular_deviation_degrees", "jaccard", "recall_at_10", "trustworthiness", "norm_deviation_max"]:
            self.assertEqual(result["quality"][key], scored[key])
            self.assertEqual(rows[0]["measures"][key], scored[key])
        self.succeeds("embed", "x.npy", "-o", "pca.npy", "--method", "pca", "--dim", 3)
        pca = self.json("score", "x.npy", "pca.npy", "--threshold", 0.6)
        self.assertAlmostEqual(result["svd"]["recall_at_10"], pca["recall_at_10"], delta=0.02)
        self.assertEqual(self.document("y.html")["quality"]["rows"][1]["name"], "PCA, same number of dimensions")

    def test_the_verdict_goes_by_the_metrics_of_each_side(self):
        result = self.json("report", "x.npy", "y.npy", "--metric", "cosine")
        self.assertEqual(result["quality"]["metrics"], {"input": "cosine", "output": "euclidean"})
        document = self.document("y.html")
        self.assertEqual((document["neighbors"]["by_input"], document["neighbors"]["by"]), ("angle", "distance"))
        self.assertEqual(document["verdict"], result["verdict"])
        self.assertIn("finding similar items", json.dumps(result["verdict"]))
        self.assertIn(" for: ", self.succeeds("report", "x.npy", "y.npy", "--overwrite"))
        self.succeeds("report", "x.npy", "y.npy", "--metric", "correlation", "--overwrite")
        self.assertEqual(self.document("y.html")["neighbors"]["by_input"], "correlation")

    def test_coordinates_of_many_numbers_are_laid_out_on_a_plane(self):
        self.succeeds("embed", "x.npy", "-o", "f.npy", "--dim", 5, "--report", "f.html")
        layout = self.document("f.html")["points"]["layout"]
        self.assertEqual(layout["coordinates"]["shape"], [120, 2])
        self.assertGreater(layout["kept"], 0.3)
        self.succeeds("report", "x.npy", "y.npy")
        self.assertIsNone(self.document("y.html")["points"]["layout"])

    def test_the_page_goes_beside_the_coordinates_unless_it_is_told_where(self):
        self.assertEqual(self.json("report", "x.npy", "y.npy")["output"], "y.html")
        self.fails(USAGE, "report", "x.npy", "y.npy", says=["y.html", "exists", "--overwrite"])
        before = self.read("y.html")
        self.succeeds("report", "x.npy", "y.npy", "--overwrite", "--title", "another")
        self.assertNotEqual(self.read("y.html"), before)
        self.assertEqual(self.names(), ["x.npy", "y.html", "y.npy"])

    def test_the_same_document_for_any_number_of_threads(self):
        documents = []
        for threads in [1, 3]:
            self.succeeds("report", "x.npy", "y.npy", "--threads", threads, "--overwrite")
            document = self.document("y.html")
            document.pop("made")
            documents.append(document)
        self.assertEqual(documents[0], documents[1])

    def test_several_files_picked_rows_labels_and_words(self):
        self.write("a.npy", npy(self.rows[:50]))
        self.write("b.npy", npy(self.rows[50:]))
        self.write("la.npy", npy([i % 4 for i in range(50)], "<i8"))
        self.write("lb.txt", "".join("%d\n" % (i % 4) for i in range(50, 120)))
        self.write("w.txt", "".join("point %d\n" % i for i in range(120)))
        self.write("y3.npy", npy([row[:3] for row in self.rows[2::3]]))
        result = self.json("report", "a.npy", "b.npy", "y3.npy", "--every", 3, "--from", 2, "--labels", "la.npy",
                           "--labels", "lb.txt", "--words", "w.txt", "--threshold", 0.6)  # fmt: skip
        self.assertIn("knn_accuracy", result["quality"])
        points = self.document("y3.html")["points"]
        self.assertEqual(stored(points["rows"]), list(range(2, 120, 3)))
        self.assertEqual(points["points_in_all"], 40)
        self.assertEqual(points["labels"]["names"], ["0", "1", "2", "3"])
        self.assertEqual(stored(points["labels"]["index"]), [i % 4 for i in range(2, 120, 3)])
        self.assertEqual(words_of(self.document("y3.html")), ["point %d" % i for i in range(2, 120, 3)])

    def test_words_come_from_word_vectors_of_either_side(self):
        words = ["word%d" % i for i in range(120)]
        self.write("x.vec", vec(words, self.rows))
        self.succeeds("report", "x.vec", "y.npy")
        self.assertEqual(words_of(self.document("y.html")), words)
        self.succeeds("report", "x.npy", "x.vec", "-o", "both.html")
        self.assertEqual(words_of(self.document("both.html")), words)

    def test_hostile_labels_and_words_stay_text(self):
        words = ["w%d" % i for i in range(120)]
        words[0] = "</script><script>alert(1)</script>"
        words[1] = "<!--<script>\"'&\\"
        words[2] = "\u05e9\u05dc\u05d5\u05dd \u202e \u2028"
        words[3] = "long" * 2500
        self.write("w.txt", ("\n".join(words) + "\n").encode())
        self.write("bad.txt", b"\n".join([b"\xff<b>"] + [b"ok"] * 119) + b"\n")
        self.succeeds("report", "x.npy", "y.npy", "--words", "w.txt", "--labels", "bad.txt", "--title", words[0])
        document = self.document("y.html")
        self.assertEqual(words_of(document), words)
        self.assertEqual(document["points"]["labels"]["names"], ["ok", "\ufffd<b>"])
        self.assertEqual(document["title"], words[0])
        empty = re.sub(re.escape(BEGIN) + ".*?</script>", "", self.read("y.html").decode(), flags=re.DOTALL)
        self.assertNotIn("alert(1)", empty)

    def test_pictures(self):
        images = [[100 * abs(value) for value in row] for row in self.rows]
        self.write("images-idx3-ubyte", idx(images, 2, 4))
        self.succeeds("report", "images-idx3-ubyte", "y.npy")
        shown = self.document("y.html")["points"]["images"]
        self.assertEqual((shown["width"], shown["height"], shown["levels"]), (4, 2, 256))
        self.assertEqual(shown["pixels"]["shape"], [120, 8])
        self.succeeds("report", "images-idx3-ubyte", "y.npy", "-o", "none.html", "--no-images")
        self.assertIsNone(self.document("none.html")["points"]["images"])
        self.succeeds("report", "x.npy", "y.npy", "-o", "said.html", "--image-shape", "2x4")
        self.assertEqual(self.document("said.html")["points"]["images"]["height"], 4)
        self.succeeds("report", "x.npy", "y.npy", "-o", "plain.html")
        self.assertIsNone(self.document("plain.html")["points"]["images"])
        self.fails(USAGE, "report", "x.npy", "y.npy", "-o", "z.html", "--image-shape", "3x3", says=["3x3", 8])
        self.fails(USAGE, "report", "x.npy", "y.npy", "-o", "z.html", "--image-shape", "8", says=["28x28"])
        self.fails(USAGE, "report", "x.npy", "y.npy", "-o", "z.html", "--image-shape", "2x4", "--no-images",
                   says=["--no-images"])  # fmt: skip

    def test_of_many_points_a_sample_is_shown(self):
        self.write("w.txt", "".join("point %d\n" % i for i in range(120)))
        result = self.json("report", "x.npy", "y.npy", "--points", 30, "--words", "w.txt", "--seed", 5)
        document = self.document("y.html")
        rows = stored(document["points"]["rows"])
        self.assertEqual((result["points"], document["points"]["count"], len(set(rows))), (30, 30, 30))
        self.assertEqual(document["points"]["points_in_all"], 120)
        self.assertEqual(words_of(document), ["point %d" % row for row in rows])
        self.assertIn("30 points of 120", " ".join(result["warnings"]))

    def test_every_flag_arrives_in_the_options(self):
        options = {"threshold": 0.5, "metric": "cosine", "output-metric": "euclidean", "neighbors": 4, "points": 100,
                   "rank-rows": 50, "seed": 3}  # fmt: skip
        flags = [word for name, value in options.items() for word in ("--" + name, value)]
        self.assertEqual(self.json("report", "x.npy", "y.npy", *flags)["options"], options)

    def test_a_result_of_embed_tells_of_the_run(self):
        printed = self.succeeds("embed", "x.npy", "-o", "z.npy", "--dim", 3, "--json", "--report", "with.html")
        self.write("run.json", printed)
        self.succeeds("report", "x.npy", "z.npy", "--result", "run.json")
        expected, document = self.document("with.html"), self.document("z.html")
        for key in ["run", "quality", "threshold", "spectrum", "title"]:
            self.assertEqual(document[key], expected[key], key)
        self.succeeds("report", "x.npy", "z.npy", "-o", "beside.html")  # by z.npy.json
        for key in ["run", "quality", "threshold", "spectrum", "title"]:
            self.assertEqual(self.document("beside.html")[key], expected[key], key)
        self.write("z.npy", npy([[2 * value for value in row] for row in read_npy(self.path("z.npy"))]))
        self.succeeds("report", "x.npy", "z.npy", "-o", "other.html")
        self.assertIsNone(self.document("other.html")["run"])
        self.write("list.json", "[1, 2]")
        self.write("other.json", json.dumps({**json.loads(printed), "termination": "bored"}))
        for name in ["list.json", "other.json", "x.npy", "none.json"]:
            self.fails(BAD_INPUT, "report", "x.npy", "z.npy", "-o", "n.html", "--result", name, says=[name])
        self.write("none.json", "{}")
        message = self.fails(BAD_INPUT, "report", "x.npy", "z.npy", "-o", "n.html", "--result", "none.json",
                             says=["none.json", "key 'method' not found"])  # fmt: skip
        self.assertNotIn("json.exception", message)

    def test_text_names_the_page_the_measures_and_the_warnings(self):
        self.write("far.npy", npy([[0.01 * row[0], row[1]] for row in self.rows]))
        text = self.succeeds("report", "x.npy", "far.npy", "--output-metric", "cosine")
        self.assertIn("far.html: a report of 120 points, to be opened in a browser", text)
        self.assertIn("(SVD: ", text)
        self.assertIn("  - Lengths are off by", text)
        self.assertIn("Not for: ", text)
        text = self.succeeds("report", "x.npy", "far.npy", "--overwrite")
        self.assertIn("(PCA: ", text)
        self.assertIn("  - How these coordinates were made is not known", text)

    def test_mistakes(self):
        self.write("short.npy", npy([row[:3] for row in self.rows[:7]]))
        self.write("few.txt", "a\nb\n")
        nan = [list(row[:3]) for row in self.rows]
        nan[5][1] = float("nan")
        self.write("nan.npy", npy(nan))
        self.fails(USAGE, "report", "x.npy", says=["only one file"])
        self.fails(BAD_INPUT, "report", "x.npy", "short.npy", says=["short.npy", 7, 120])
        self.fails(BAD_INPUT, "report", "x.npy", "nan.npy", says=["nan.npy", "row 5"])
        self.fails(BAD_INPUT, "report", "x.npy", "y.npy", "--labels", "few.txt", says=["few.txt", "2 labels", 120])
        self.fails(BAD_INPUT, "report", "x.npy", "y.npy", "--words", "few.txt", says=["few.txt", "2 words", 120])
        self.fails(BAD_INPUT, "report", "x.npy", "y.npy", "--words", "none.txt", says=["none.txt"])
        self.fails(USAGE, "report", "x.npy", "y.npy", "--threshold", 1, says=["threshold", 1])
        self.fails(USAGE, "report", "x.npy", "y.npy", "--points", 1, says=["points", 1])
        self.fails(USAGE, "report", "x.npy", "y.npy", "-o", "nowhere/r.html", says=["nowhere"])
        self.fails(USAGE, "report", "x.npy", "y.npy", "-o", "r.txt", says=["r.txt", ".html"])
        self.write("z.html", self.read("y.npy"))
        self.fails(USAGE, "report", "x.npy", "z.html", "--overwrite", says=["z.html", "is an input"])
        self.assertEqual(self.read("z.html"), self.read("y.npy"))
        self.fails(OVER_LIMIT, "report", "x.npy", "y.npy", "--memory-limit", "1k", says=["memory-limit"])

    def test_an_interrupted_report_leaves_nothing(self):
        self.succeeds("generate", "sphere", "--dim", 50, "--count", 30000, "-o", "many.npy")
        process = self.start("report", "many.npy", "many.npy", preexec_fn=default_signals)
        for line in process.stderr:
            if "angles" in line:
                break
        _, err = self.interrupt(process)
        self.assertIn("nothing was written", err)
        self.assertNotIn("many.html", self.names())


class EmbedReport(ReportTest):
    def embed(self, *more):
        return self.json("embed", "x.npy", "-o", "z.npy", "--dim", 3, "--threads", 2, *more)

    def test_the_page_tells_of_the_run(self):
        result = self.embed("--method", "tsm", "--report", "r.html")
        document = self.document("r.html")
        run = document["run"]
        self.assertEqual(run["method"], "tsm")
        self.assertEqual(run["options"], {name: value for name, value in result["options"].items()})
        self.assertEqual((run["termination"], run["message"]), (result["termination"], result["message"]))
        self.assertEqual(len(run["trace"]), len(result["trace"]))
        self.assertEqual(document["threshold"], result["options"]["threshold"])
        self.assertEqual(document["quality"]["rows"][0]["name"], "tsm")
        self.assertEqual(result["report"]["file"], "r.html")
        self.assertEqual(result["report"]["quality"]["threshold"], document["threshold"])
        self.assertEqual(len(read_npy(self.path("z.npy"))), 120)

    def test_without_the_flag_there_is_no_report_and_labels_are_refused(self):
        self.assertIsNone(self.embed().get("report"))
        self.assertEqual(self.names(), ["x.npy", "y.npy", "z.npy", "z.npy.json"])
        self.fails(USAGE, "embed", "x.npy", "-o", "v.npy", "--labels", "l.npy", says=["--labels", "--report"])

    def test_landmarks_have_a_report_of_all_rows(self):
        self.write("l.txt", "".join("%s\n" % "abcd"[i % 4] for i in range(120)))
        result = self.embed("--landmarks", 40, "--report", "r.html", "--labels", "l.txt")
        document = self.document("r.html")
        self.assertEqual((document["points"]["count"], result["report"]["points"]), (120, 120))
        self.assertEqual(document["points"]["labels"]["names"], ["a", "b", "c", "d"])
        self.assertEqual(document["run"]["options"]["landmarks"], 40)
        # What the page shows is what was written, to a sixteenth bit of each column.
        column = [row[1] for row in read_npy(self.path("z.npy"))]
        array = document["points"]["coordinates"]
        shown = [array["offset"][1] + array["scale"][1] * code for code in stored(array)[1::3]]
        for value, other in zip(shown, column):
            self.assertAlmostEqual(value, other, delta=1e-4 * (max(column) - min(column)))

    def test_mistakes_before_the_fit(self):
        self.write("few.txt", "a\nb\n")
        embed = ["embed", "x.npy", "-o", "z.npy"]
        self.fails(BAD_INPUT, *embed, "--report", "r.html", "--labels", "few.txt", says=["few.txt", "2 labels", 120])
        self.fails(USAGE, *embed, "--report", "z.npy", says=["z.npy", "two outputs"])
        self.fails(USAGE, *embed, "--report", "nowhere/r.html", says=["nowhere"])
        self.write("r.html", "mine")
        self.fails(USAGE, *embed, "--report", "r.html", says=["r.html", "exists"])
        self.assertEqual(self.read("r.html"), b"mine")


if __name__ == "__main__":
    unittest.main()
