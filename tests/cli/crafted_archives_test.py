"""Archives whose checksum is right and whose arrays are inconsistent: each is refused with the reason."""

import json
import struct
import unittest
import zlib

from program import BAD_INPUT, ProgramTest, cluster_points, npy, read_npy

CODES = {"F32": "f", "F64": "d", "U32": "I", "U64": "Q", "U8": "B"}
LARGEST = {"F32": 3.4e38, "F64": 1.797e308}


class Archive:
    """What docs/model_file.md says: arrays as [type, shape, numbers] by name, and texts."""

    def __init__(self, data):
        length = struct.unpack("<Q", data[:8])[0]
        header = json.loads(data[8 : 8 + length])
        self.about = header.pop("__metadata__")
        self.arrays = {}
        for name, tensor in header.items():
            begin, end = (8 + length + offset for offset in tensor["data_offsets"])
            code = CODES[tensor["dtype"]]
            numbers = list(struct.unpack("<%d%s" % ((end - begin) // struct.calcsize(code), code), data[begin:end]))
            self.arrays[name] = [tensor["dtype"], tensor["shape"], numbers]

    def bytes(self):
        self.about["crc32"] = "0" * 8
        header, body = {"__metadata__": self.about}, b""
        for name, (dtype, shape, numbers) in self.arrays.items():
            packed = struct.pack("<%d%s" % (len(numbers), CODES[dtype]), *numbers)
            header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [len(body), len(body) + len(packed)]}
            body += packed
        text = json.dumps(header).encode()
        data = struct.pack("<Q", len(text)) + text + body
        return data.replace(b'"crc32": "00000000"', b'"crc32": "%08x"' % zlib.crc32(data), 1)


class CraftedArchives(ProgramTest):
    def setUp(self):
        super().setUp()
        self.rows = cluster_points(60, dimension=64)
        self.write("x.npy", npy(self.rows))
        self.write("q.npy", npy(self.rows[:3]))

    def crafted(self, name, change):
        archive = Archive(self.read(name))
        change(archive)
        self.write("crafted.safetensors", archive.bytes())

    def expect_refused(self, name, change, *command, says):
        self.crafted(name, change)
        self.fails(BAD_INPUT, *command, says=["crafted.safetensors", *says])

    def test_what_is_written_by_this_test_is_read(self):
        self.succeeds("neighbors", "x.npy", "-k", 3, "-o", "n.npy", "--save-index", "i.safetensors")
        self.crafted("i.safetensors", lambda archive: None)
        self.succeeds("neighbors", "crafted.safetensors", "-k", 3, "-o", "again.npy")
        self.assertEqual(read_npy(self.path("again.npy")), read_npy(self.path("n.npy")))

    def search(self):
        return ["neighbors", "crafted.safetensors", "--queries", "q.npy", "-k", 3, "-o", "found.npy",
                "--memory-limit", "100M"]

    def index(self):
        self.succeeds("neighbors", "x.npy", "-k", 3, "-o", "n.npy", "--save-index", "i.safetensors", "--seed", 0)
        return Archive(self.read("i.safetensors"))

    def test_an_index_needs_the_directions_that_its_rank_says(self):
        index = self.index()
        has_directions = "directions" in index.arrays
        rank = index.arrays["rank"][2][0]

        def without(value):
            def change(archive):
                archive.arrays.pop("directions", None)
                archive.arrays["rank"][2] = [value]
            return change

        for value in [0, 1, 3, 40, 63, 300000, 2**32 - 1, 2**32, 2**63]:
            with self.subTest(rank=value):
                self.expect_refused("i.safetensors", without(value), *self.search(), says=["array rank", value, 64])
        if has_directions:
            for rows in [0, 1]:
                with self.subTest(rows=rows):
                    self.expect_refused(
                        "i.safetensors",
                        lambda archive: archive.arrays.update(directions=["F64", [rows, rank], [0.0] * (rows * rank)]),
                        *self.search(), says=["array directions", "(%d, %d)" % (rows, rank)])

    def test_an_index_needs_the_points_that_it_was_made_of(self):
        self.index()

        def reshaped(rows, columns):
            def change(archive):
                archive.arrays["points"] = ["F32", [rows, columns], [0.5] * (rows * columns)]
            return change

        self.expect_refused("i.safetensors", reshaped(60, 192), *self.search(), says=["192"])
        self.expect_refused("i.safetensors", reshaped(0, 64), *self.search(), says=["array points", "(0, 64)"])
        self.expect_refused("i.safetensors", reshaped(3, 64), *self.search(), says=["L = ", "from 1 to 3"])

    def test_a_large_rank_is_refused_before_memory_is_taken(self):
        self.index()

        def change(archive):
            archive.arrays.pop("directions", None)
            archive.arrays["rank"][2] = [300000]
            archive.arrays["centroids"] = ["F32", [1, 300001], [0.0] * 300001]
            archive.arrays["cluster_of"][2] = [0] * 60
            archive.arrays["effort"][2][0] = 1

        self.expect_refused("i.safetensors", change, *self.search(), says=["array rank", "300000"])

    def test_no_number_of_a_model_leads_beyond_all_numbers(self):
        self.succeeds("embed", "x.npy", "-o", "y.npy", "--method", "pca", "-d", 2, "--model", "m.safetensors")
        for array in ["center", "directions", "unit"]:
            def change(archive):
                archive.arrays[array][2][0] = LARGEST["F64"]
            self.expect_refused("m.safetensors", change, "transform", "crafted.safetensors", "q.npy", "-o", "t.npy",
                                says=["array " + array, "1.797e+308"])

    def test_no_number_of_a_checkpoint_leads_beyond_all_numbers(self):
        fit = ["embed", "x.npy", "-o", "y.npy", "-d", 2]
        for method, array in [("tsne", "outputs"), ("tsne", "steps"), ("tsne", "gains"), ("tsne", "trace"),
                              ("faithful", "position"), ("faithful", "squares_residual"), ("faithful", "trace"), ("tsm", "position")]:
            with self.subTest(method=method, array=array):
                run = [*fit, "--method", method, "--iterations", 500, *(["--solver", "sphere"] if method == "tsm" else [])]
                self.run_program(*run, "--checkpoint", "c.safetensors", "--checkpoint-every", 0, "--overwrite")

                def change(archive):
                    dtype, _, numbers = archive.arrays[array]
                    numbers[0] = LARGEST[dtype]
                self.crafted("c.safetensors", change)
                code, _, err = self.run_program(*run, "--resume", "crafted.safetensors", "--overwrite")
                self.assertEqual(code, BAD_INPUT, err)
                self.assertIn("crafted.safetensors, array " + array, err)

    def test_factors_lead_to_no_entry_beyond_all_numbers(self):
        self.write("s.npy", npy([[max(0.0, value) for value in row[:20]] for row in self.rows[:20]]))
        self.succeeds("decompose", "s.npy", "-o", "f.safetensors", "--rank", 2)

        def change(archive):
            for name in "WH":
                numbers = archive.arrays[name][2]
                archive.arrays[name] = ["F64", archive.arrays[name][1], [1e200] * len(numbers)]
        self.crafted("f.safetensors", change)
        self.fails(BAD_INPUT, "reconstruct", "crafted.safetensors", "-o", "r.mtx", says=["row 0", "float64"])


if __name__ == "__main__":
    unittest.main()
