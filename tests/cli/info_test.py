import gzip
import json
import struct
import unittest
import zlib

from program import BAD_INPUT, USAGE, ProgramTest, npy

OPTIONS = {"center": True, "dimension": 16, "sparsity": 0.9, "threshold": None, "recipe": "streaming"}


def model(arrays, **metadata):
    """The bytes of a model file, by the description in docs/model_file.md. arrays: {name: (dtype, shape, bytes)}"""
    header = {"__metadata__": {"format": "isogon", "format_version": "1", "isogon_version": "0.1.0", "kind": "model",
                               "method": "tsm", "options": json.dumps(OPTIONS), "crc32": "00000000", **metadata}}
    data = b""
    for name, (dtype, shape, content) in arrays.items():
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [len(data), len(data) + len(content)]}
        data += content
    text = json.dumps(header).encode()
    whole = struct.pack("<Q", len(text)) + text + data
    return whole.replace(b'"00000000"', b'"%08x"' % zlib.crc32(whole), 1)


def sample_model(**metadata):
    return model({"tau": ("F64", [], struct.pack("<d", 0.625)), "seed": ("U64", [], struct.pack("<Q", 2**64 - 1)),
                  "coordinates": ("F32", [3, 2], struct.pack("<6f", *range(6)))}, **metadata)


class Info(ProgramTest):
    def test_says_what_the_file_says_of_itself(self):
        self.write("x.npy", npy([[1.0, 2.0, 3.0]] * 4, "<f8"))
        result = self.json("info", "x.npy")
        self.assertEqual((result["format"], result["shape"], result["scalar"]), ("npy", [4, 3], "float64"))
        self.assertEqual(result["bytes"], len(self.read("x.npy")))
        self.assertNotIn("statistics", result)
        self.assertIn("4 x 3 of float64", self.succeeds("info", "x.npy"))

    def test_images_keep_their_sides(self):
        self.write("a-idx3-ubyte.gz", gzip.compress(struct.pack(">HBBIII", 0, 8, 3, 2, 2, 3) + bytes(12)))
        result = self.json("info", "a-idx3-ubyte.gz")
        self.assertEqual((result["shape"], result["gzip"], result["scalar"]), ([2, 2, 3], True, "uint8"))

    def test_statistics(self):
        self.write("x.npy", npy([[3.0, 4.0], [0.0, 0.0], [float("nan"), 1.0], [0.0, 1.0]]))
        statistics = self.json("info", "x.npy", "--stats")["statistics"]
        self.assertEqual(statistics["norm_minimum"], 0.0)
        self.assertEqual(statistics["norm_maximum"], 5.0)
        self.assertEqual(statistics["norm_mean"], 2.0)
        self.assertEqual((statistics["zero_vectors"], statistics["not_finite"]), (1, 1))
        self.assertIn("1 zero vectors, 1 NaN", self.succeeds("info", "x.npy", "--stats"))

    def test_missing_file(self):
        self.fails(BAD_INPUT, "info", "nowhere.npy", says=["nowhere.npy"])


class Models(ProgramTest):
    def test_json_says_all_but_the_arrays(self):
        self.write("m.safetensors", sample_model(notes=json.dumps({"input": "digits.npy"})))
        result = self.json("info", "m.safetensors")
        self.assertEqual((result["format"], result["kind"], result["method"]), ("safetensors", "model", "tsm"))
        self.assertEqual((result["format_version"], result["isogon_version"]), (1, "0.1.0"))
        self.assertEqual(result["bits_version"], 0)
        self.assertEqual(result["options"], {**OPTIONS, "threshold": "auto"})
        self.assertEqual(result["notes"], {"input": "digits.npy"})
        self.assertEqual(result["numbers"], {"tau": 0.625, "seed": 2**64 - 1})
        self.assertEqual([(array["name"], array["scalar"], array["shape"]) for array in result["arrays"]],
                         [("tau", "float64", []), ("seed", "uint64", []), ("coordinates", "float32", [3, 2])])
        self.assertEqual(result["bytes"], len(self.read("m.safetensors")))

    def test_text_says_the_same(self):
        self.write("m.safetensors", sample_model(kind="checkpoint", notes=json.dumps({"input": "digits.npy"})))
        text = self.succeeds("info", "m.safetensors")
        for part in ["m.safetensors: checkpoint of tsm", "format version 1", "isogon 0.1.0", " bytes\n", "center = true",
                     "dimension = 16", "sparsity = 0.9", "threshold = auto", "recipe = streaming", "tau = 0.625",
                     "seed = 18446744073709551615", "input = digits.npy", "coordinates: 3 x 2 of float32",
                     "tau: a single number of float64"]:
            self.assertIn(part, text)

    def test_is_known_without_its_name(self):
        self.write("model", sample_model())
        self.assertEqual(self.json("info", "model")["format"], "safetensors")
        self.write("model.safetensors.gz", gzip.compress(sample_model()))
        self.assertTrue(self.json("info", "model.safetensors.gz")["gzip"])

    def test_damage_is_found(self):
        damaged = bytearray(sample_model())
        damaged[-1] ^= 1
        self.write("m.safetensors", bytes(damaged))
        self.fails(BAD_INPUT, "info", "m.safetensors", says=["m.safetensors", "checksum"])
        self.write("m.safetensors", sample_model()[:-1])
        self.fails(BAD_INPUT, "info", "m.safetensors", says=["m.safetensors", "truncated"])

    def test_newer_and_foreign_files_are_called_that(self):
        self.write("m.safetensors", sample_model(format_version="2"))
        self.fails(BAD_INPUT, "info", "m.safetensors", says=["format version 2", "reads up to 1; update isogon"])
        self.write("m.safetensors", sample_model(format="pt"))
        self.fails(BAD_INPUT, "info", "m.safetensors", says=["not one of isogon's"])
        self.write("m.safetensors", "no model")
        self.fails(BAD_INPUT, "info", "m.safetensors", says=["m.safetensors"])
        self.fails(BAD_INPUT, "info", "nowhere.safetensors", says=["nowhere.safetensors", "does not exist"])

    def test_statistics_are_for_points(self):
        self.write("m.safetensors", sample_model())
        self.fails(USAGE, "info", "m.safetensors", "--stats", says=["--stats", "model file"])

    def test_a_model_given_as_points_is_refused_with_a_way_out(self):
        for name in ["m.safetensors", "model"]:
            self.write(name, sample_model())
            for verb in [["embed", name, "-o", "out.npy"], ["threshold", name], ["score", name, name]]:
                with self.subTest(name=name, verb=verb[0]):
                    self.fails(BAD_INPUT, *verb, says=[name, "model file", "isogon info"])
        # convert takes the coordinates of a model that is named as one.
        self.fails(BAD_INPUT, "convert", "model", "out.npy", says=["model", "model file", "isogon info"])


if __name__ == "__main__":
    unittest.main()
