import gzip
import io
import json
import random
import struct
import unittest
import zipfile

from program import BAD_INPUT, OVER_LIMIT, USAGE, ProgramTest, default_signals, npy, npy_header, read_npy

# Figure 1 of Saul 2022: L = V V^T of rank 2, S = max(0, L) of rank 6.
VECTORS = [(-3, 1), (3, -2), (3, 5), (2, -5), (8, 0), (-5, 0)]
LATENT = [[float(sum(a * b for a, b in zip(u, v))) for v in VECTORS] for u in VECTORS]
OUTPUT = [[max(0.0, value) for value in row] for row in LATENT]
HEAD = "%%MatrixMarket matrix coordinate real general\n"


def market(rows, head=HEAD):
    entries = [(i, j, value) for i, row in enumerate(rows, 1) for j, value in enumerate(row, 1) if value]
    return head + "%d %d %d\n" % (len(rows), len(rows[0]), len(entries)) + "".join("%d %d %r\n" % e for e in entries)


def csr_npz(rows):
    """As scipy.sparse.save_npz writes it."""
    indices = [j for row in rows for j, value in enumerate(row) if value]
    starts = [sum(1 for row in rows[:i] for value in row if value) for i in range(len(rows) + 1)]
    values = [value for row in rows for value in row if value]
    holder = io.BytesIO()
    with zipfile.ZipFile(holder, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in [("indices", npy(indices, "<i4")), ("indptr", npy(starts, "<i4")),
                              ("format", npy_header("|S3", ()) + b"csr"), ("shape", npy([len(rows), len(rows[0])], "<i8")),
                              ("data", npy(values, "<f8"))]:
            archive.writestr(name + ".npy", content)
    return holder.getvalue()


def read_model(path):
    """What docs/model_file.md says, by the standard library alone: metadata, and arrays as lists of rows."""
    with open(path, "rb") as file:
        data = file.read()
    length = int.from_bytes(data[:8], "little")
    header = json.loads(data[8 : 8 + length])
    about = header.pop("__metadata__")
    arrays = {}
    for name, array in header.items():
        begin, end = array["data_offsets"]
        code = {"F32": "f", "F64": "d"}[array["dtype"]]
        values = struct.unpack("<%d%s" % ((end - begin) // struct.calcsize(code), code), data[8 + length :][begin:end])
        width = array["shape"][1]
        arrays[name] = [list(values[i : i + width]) for i in range(0, len(values), width)]
    return about, arrays


def product(left, right):
    return [[sum(a * b for a, b in zip(row, column)) for column in zip(*right)] for row in left]


def sparse_rows(count, columns, share=0.15, seed=4):
    draw = random.Random(seed)
    rows = [[draw.random() if draw.random() < share else 0.0 for _ in range(columns)] for _ in range(count)]
    rows[0][0] = 1.0
    return rows


class Decompose(ProgramTest):
    def setUp(self):
        super().setUp()
        self.write("s.mtx", market(OUTPUT))

    def decompose(self, *arguments, source="s.mtx", output="m.safetensors"):
        return self.json("decompose", source, "-o", output, "--rank", 2, "--overwrite", *arguments)

    def assert_close(self, found, wanted, within=1e-4):
        self.assertEqual([len(row) for row in found], [len(row) for row in wanted])
        for row, other in zip(found, wanted):
            for a, b in zip(row, other):
                self.assertAlmostEqual(a, b, delta=within)

    def test_the_figure_is_found_again(self):
        result = self.decompose("--iterations", 2000, "--stall-tolerance", 0, "--output-tolerance", 1e-7)
        self.assertLess(result["measures"]["output_residual"], 1e-6)
        self.assertEqual(result["input"], {"file": "s.mtx", "rows": 6, "columns": 6, "entries": 16})
        about, arrays = read_model(self.path("m.safetensors"))
        self.assertEqual([len(arrays["W"]), len(arrays["W"][0]), len(arrays["H"]), len(arrays["H"][0])], [6, 2, 2, 6])
        self.assert_close([[max(0.0, value) for value in row] for row in product(arrays["W"], arrays["H"])], OUTPUT)
        self.assertEqual((about["format"], about["kind"], about["method"]), ("isogon", "decomposition", "newton"))
        self.assertEqual(json.loads(about["options"])["rank"], 2)
        self.assertLess(float(json.loads(about["notes"])["output_residual"]), 1e-6)

    def test_every_format_gives_the_same_bits(self):
        self.decompose()
        wanted = self.read("m.safetensors")
        for name, content in [("s.mtx.gz", gzip.compress(market(OUTPUT).encode())), ("s.npz", csr_npz(OUTPUT)),
                              ("s.npy", npy(OUTPUT, "<f8")), ("s.csv", "\n".join(",".join(map(str, row)) for row in OUTPUT))]:
            with self.subTest(name=name):
                self.write(name, content)
                self.decompose(source=name)
                self.assertEqual(self.read("m.safetensors"), wanted)
        self.write("named", npy(OUTPUT, "<f8"))
        self.decompose("--format", "npy", source="named")
        self.assertEqual(self.read("m.safetensors"), wanted)

    def test_threads_change_no_bit(self):
        self.write("s.npy", npy(sparse_rows(90, 60), "<f8"))
        models = []
        for threads in [1, 3]:
            self.decompose("--threads", threads, "--iterations", 15, source="s.npy")
            models.append(self.read("m.safetensors"))
        self.assertEqual(models[0], models[1])

    def test_every_algorithm_runs(self):
        for algorithm in ["newton", "alternating", "momentum", "a-nmd", "3b", "ebcd", "em", "tikhonov", "symmetric"]:
            with self.subTest(algorithm=algorithm):
                result = self.decompose("--algorithm", algorithm, "--iterations", 30)
                self.assertEqual(result["options"]["algorithm"], algorithm)
                self.assertLess(result["measures"]["output_residual"], 0.7)
                self.assertEqual(len(result["output_residuals"]), len(result["trace"]))

    def test_no_updates_leave_the_start(self):
        for start in ["auto", "shifted", "spherical", "svd", "nuclear", "random"]:
            with self.subTest(start=start):
                result = self.decompose("--start", start, "--iterations", 0)
                self.assertEqual((result["trace"], result["termination"]), ([], "iteration-limit"))
                self.assertGreater(result["measures"]["output_residual"], 0.0)

    def test_an_identity_of_rank_3(self):
        for size in [6, 12, 33]:
            with self.subTest(size=size):
                self.write("i.mtx", market([[float(i == j) for j in range(size)] for i in range(size)]))
                result = self.json("decompose", "i.mtx", "-o", "m.safetensors", "--rank", 3, "--overwrite")
                self.assertLess(result["measures"]["output_residual"], 1e-6)

    def test_precision(self):
        self.decompose()
        wide = read_model(self.path("m.safetensors"))[1]
        self.decompose("--precision", "float32")
        narrow = read_model(self.path("m.safetensors"))[1]
        for name in ["W", "H"]:
            self.assert_close(narrow[name], wide[name], 1e-6)
            self.assertNotEqual(narrow[name], wide[name])
        self.fails(USAGE, "decompose", "s.mtx", "-o", "x.safetensors", "--precision", "half", says=["--precision", "half"])
        self.write("large.mtx", market([[1e300 * value for value in row] for row in OUTPUT]))
        code, _, err = self.run_program("decompose", "large.mtx", "-o", "x.safetensors", "--rank", 2, "--precision", "float32",
                                        "--time-limit", 0.001)  # refused before a run that this would end
        self.assertEqual(code, USAGE)
        self.assertIn("float32", err)

    def test_a_start_is_gone_on_from(self):
        self.decompose("--iterations", 5, output="first.safetensors")
        first = self.json("info", "first.safetensors")
        again = self.json("decompose", "s.mtx", "-o", "m.safetensors", "--start-from", "first.safetensors", "--iterations", 5)
        self.assertEqual(again["options"]["rank"], 2)
        self.assertLessEqual(again["measures"]["output_residual"], float(first["notes"]["output_residual"]))
        self.fails(USAGE, "decompose", "s.mtx", "-o", "x.safetensors", "--start-from", "first.safetensors", "--start", "svd",
                   says=["--start"])
        self.fails(USAGE, "decompose", "s.mtx", "-o", "x.safetensors", "--start-from", "first.safetensors", "--rank", 3,
                   says=["rank", 3, 2])
        self.write("other.csv", "1,2\n0,3\n")
        self.fails(BAD_INPUT, "decompose", "other.csv", "-o", "x.safetensors", "--start-from", "first.safetensors",
                   says=["first.safetensors", "6 x 6", "2 x 2"])

    def test_what_is_not_observed_is_completed(self):
        hidden = [row[:] for row in OUTPUT]
        mask = [[1.0] * 6 for _ in range(6)]
        hidden[1][4] = 0.0  # 24 in truth
        mask[1][4] = 0.0
        self.write("hidden.mtx", market(hidden))
        self.write("mask.csv", "\n".join(",".join(map(str, row)) for row in mask))
        more = ["--iterations", 3000, "--stall-tolerance", 0, "--output-tolerance", 1e-7]
        result = self.decompose("--observed", "mask.csv", *more, source="hidden.mtx")
        self.assertEqual(result["observed"]["entries"], 35)
        self.assertLess(result["measures"]["output_residual"], 1e-3)
        self.write("small.csv", "1,1\n1,1\n")
        self.fails(BAD_INPUT, "decompose", "s.mtx", "-o", "x.safetensors", "--observed", "small.csv",
                   says=["small.csv", "2 x 2", "6 x 6"])

    def test_export_is_a_layer_of_rectified_units(self):
        self.decompose("--export", "layer.npz", "--precision", "float32")
        with zipfile.ZipFile(self.path("layer.npz")) as archive:
            self.assertIsNone(archive.testzip())
            self.assertEqual(archive.namelist(), ["weights.npy", "bias.npy", "hidden.npy"])
            archive.extractall(self.folder)
        weights, bias, hidden = (read_npy(self.path(name + ".npy")) for name in ["weights", "bias", "hidden"])
        self.assertEqual(bias, [0.0] * 6)
        _, arrays = read_model(self.path("m.safetensors"))
        self.assertEqual(weights, arrays["W"])
        self.assertEqual(hidden, [list(column) for column in zip(*arrays["H"])])

    def test_info_says_what_it_is(self):
        self.decompose()
        text = self.succeeds("info", "m.safetensors")
        for part in ["decomposition of newton", "rank = 2", "output_residual", "W: 6 x 2 of float64", "H: 2 x 6 of float64"]:
            self.assertIn(part, text)
        self.fails(BAD_INPUT, "transform", "m.safetensors", "s.mtx", "-o", "y.npy", says=["m.safetensors"])

    def test_an_interrupt_writes_the_best_so_far(self):
        self.write("s.npy", npy(sparse_rows(600, 500), "<f8"))
        process = self.start("decompose", "s.npy", "-o", "m.safetensors", "--json", "--rank", 8, "--iterations", 1000000,
                             "--algorithm", "3b", "--stall-tolerance", 0, preexec_fn=default_signals)
        for line in process.stderr:
            if "updates" in line:
                break
        out, err = self.interrupt(process)
        result = self.parse_one_object(out)
        self.assertEqual((result["termination"], result["output"]), ("cancelled", "m.safetensors"))
        self.assertEqual(len(read_model(self.path("m.safetensors"))[1]["W"]), 600)

    def test_a_time_limit_and_a_memory_limit(self):
        code, out, err = self.run_program("decompose", "s.mtx", "-o", "m.safetensors", "--rank", 2, "--time-limit", "0.000001")
        self.assertEqual((code, out), (OVER_LIMIT, ""), err)
        self.assertEqual(self.names(), ["s.mtx"])
        self.fails(OVER_LIMIT, "decompose", "s.mtx", "-o", "m.safetensors", "--rank", 2, "--memory-limit", "5K",
                   says=["--memory-limit"])


class MatrixInfo(ProgramTest):
    def test_info_describes_sparse_matrices(self):
        self.write("s.mtx", "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n1 1\n3 1\n")
        self.write("s.npz", csr_npz(OUTPUT))
        result = self.json("info", "s.mtx")
        self.assertEqual((result["format"], result["shape"], result["entries"], result["symmetric"], result["scalar"]),
                         ("mtx", [3, 3], 2, True, "pattern"))
        self.assertIn("npz, sparse matrix of 6 x 6, 16 entries of float64", self.succeeds("info", "s.npz"))
        self.fails(USAGE, "info", "s.npz", "--stats", says=["--stats"])


class BadInput(ProgramTest):
    def refused(self, name, content, says=()):
        self.write(name, content)
        with self.subTest(name=name, says=says):
            self.fails(BAD_INPUT, "decompose", name, "-o", "m.safetensors", "--rank", 1, says=[name, *says])

    def test_matrices_that_cannot_be_read(self):
        self.refused("negative.mtx", HEAD + "2 2 3\n1 1 1\n2 2 -3\n2 1 -4\n", ["row 1, column 0", "-4", "below zero"])
        self.refused("nan.mtx", HEAD + "2 2 2\n1 1 1\n2 2 nan\n", ["line 4", "NaN"])
        self.refused("twice.mtx", HEAD + "2 2 2\n1 1 1\n1 1 2\n", ["line 4", "line 3"])
        self.refused("few.mtx", HEAD + "2 2 3\n1 1 1\n1 2 2\n", ["truncated"])
        self.refused("less.mtx", HEAD + "2 2 3\n1 1 1.000000\n1 2 2.000000\n", ["promises 3", "there are 2"])
        self.refused("many.mtx", HEAD + "2 2 1\n1 1 1\n1 2 2\n", ["line 4", "more than the 1"])
        self.refused("beyond.mtx", HEAD + "2 2 1\n1 3 1\n", ["line 3", "column 3"])
        self.refused("huge.mtx", HEAD + "4000000000 4000000000 1\n1 1 1\n", ["4000000000"])
        self.refused("complex.mtx", HEAD.replace("real", "complex") + "1 1 1\n1 1 1 1\n", ["complex"])
        self.refused("skew.mtx", HEAD.replace("general", "skew-symmetric") + "2 2 1\n2 1 1\n", ["skew-symmetric"])
        self.refused("zero.mtx", HEAD + "2 2 1\n1 1 0\n", ["no entry above zero"])
        self.refused("zero.csv", "0,0\n0,0\n", ["no entry above zero"])
        self.refused("negative.csv", "0,1\n-1,0\n", ["row 1, column 0", "below zero"])
        self.refused("empty.mtx", "", ["empty"])
        self.refused("plain.npz", b"PK\x03\x04 no archive", ["no directory"])
        good = csr_npz(OUTPUT)
        self.refused("cut.npz", good[: len(good) // 2])
        damaged = bytearray(good)
        damaged[60] ^= 0xFF
        self.refused("damaged.npz", bytes(damaged), ["damaged"] if damaged[60] == 0 else [])

    def test_symmetric_and_pattern_variants(self):
        self.write("p.mtx", "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 3\n1 1\n2 2\n3 1\n")
        result = self.json("decompose", "p.mtx", "-o", "m.safetensors", "--rank", 1, "--iterations", 3)
        self.assertEqual(result["input"], {"file": "p.mtx", "rows": 3, "columns": 3, "entries": 4})

    def test_empty_rows_are_fine(self):
        self.write("e.mtx", HEAD + "5 4 2\n2 2 1\n4 1 1\n")
        self.json("decompose", "e.mtx", "-o", "m.safetensors", "--rank", 2)

    def test_options(self):
        self.write("s.mtx", market(OUTPUT))
        start = ["decompose", "s.mtx", "-o", "m.safetensors"]
        self.fails(USAGE, *start, "--rank", 7, says=["rank", 7, 6])
        self.fails(USAGE, *start, "--rank", 0, says=["rank", 0])
        self.fails(USAGE, *start, "--algorithm", "magic", says=["algorithm", "magic", "newton"])
        self.fails(USAGE, *start, "--format", "xyz", says=["xyz", "mtx", "npz"])
        self.fails(USAGE, "decompose", "s.mtx", "-o", "m.npy", "--rank", 2, says=["m.npy", ".safetensors"])
        self.fails(USAGE, *start, "--rank", 2, "--export", "layer.zip", says=["layer.zip", ".npz"])
        self.fails(USAGE, *start, "--rank", 2, "--export", "m.safetensors", says=["m.safetensors"])
        self.write("m.safetensors", "old")
        self.fails(USAGE, *start, "--rank", 2, says=["m.safetensors", "--overwrite"])

    def test_a_matrix_given_as_points_is_refused_with_a_way_out(self):
        self.write("s.mtx", market(OUTPUT))
        self.write("s.npz", csr_npz(OUTPUT))
        for name in ["s.mtx", "s.npz"]:
            self.fails(BAD_INPUT, "score", name, name, says=[name, "decompose", "isogon convert"])


if __name__ == "__main__":
    unittest.main()
