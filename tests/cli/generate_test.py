import struct
import unittest

from program import BAD_INPUT, OVER_LIMIT, UNUSABLE, USAGE, ProgramTest, read_npy


class Generate(ProgramTest):
    def test_without_a_name_and_with_list_the_generators_are_listed(self):
        names = [generator["name"] for generator in self.json("generate")["generators"]]
        self.assertIn("drawn-digits", names)
        self.assertEqual(self.succeeds("generate"), self.succeeds("generate", "--list"))
        for name in names:
            self.assertIn(name, self.succeeds("generate"))

    def test_every_generator_writes_what_it_says(self):
        for generator in self.json("generate")["generators"]:
            name = generator["name"]
            with self.subTest(name=name):
                images = ["--from", "drawn-digits.npy"] if name == "deformed" else []
                result = self.json("generate", name, "-o", name + ".npy", "--count", 7, *images)
                rows = read_npy(self.path(name + ".npy"))
                self.assertEqual(result["shape"], {"points": 7, "dimension": len(rows[0])})
                self.assertEqual(len(rows), 7)
                self.assertEqual(set(result["options"]), {option["name"] for option in generator["options"]})

    def test_count_defaults_to_5000(self):
        self.assertEqual(self.json("generate", "blobs", "-o", "blobs.npy")["shape"]["points"], 5000)

    def test_seed_decides_the_points_and_count_only_how_many(self):
        for name, count, seed in [("a", 20, 1), ("b", 20, 1), ("c", 10, 1), ("d", 20, 2)]:
            self.succeeds("generate", "drawn-digits", "-o", name + ".npy", "--count", count, "--seed", seed)
        a, b, c, d = (read_npy(self.path(name + ".npy")) for name in "abcd")
        self.assertEqual(a, b)
        self.assertEqual(a[:10], c)
        self.assertNotEqual(a, d)

    def test_labels_truth_and_sheet(self):
        self.succeeds("generate", "drawn-digits", "-o", "d.npy", "--count", 30, "--labels", "l.npy", "--sheet", "s.png")
        self.assertEqual(len(read_npy(self.path("l.npy"))), 30)
        self.assertTrue(self.read("s.png").startswith(b"\x89PNG\r\n\x1a\n"))
        self.succeeds("generate", "swiss-roll", "-o", "r.npy", "--count", 30, "--truth", "t.npy")
        self.assertEqual(len(read_npy(self.path("t.npy"))), 30)

    def test_parts_that_a_generator_does_not_make_are_refused_before_work(self):
        self.fails(USAGE, "generate", "blobs", "-o", "b.npy", "--sheet", "s.png", says=["--sheet", "blobs", "images"])
        self.fails(USAGE, "generate", "blobs", "-o", "b.npy", "--truth", "t.npy", says=["--truth", "blobs"])

    def test_images_as_idx(self):
        self.succeeds("generate", "drawn-digits", "-o", "d-idx3-ubyte", "--count", 3)
        self.assertEqual(self.read("d-idx3-ubyte")[:16], struct.pack(">HBBIII", 0, 8, 3, 3, 28, 28))

    def test_bad_requests(self):
        self.fails(USAGE, "generate", "unicorns", "-o", "x.npy", says=["unicorns", "drawn-digits"])
        self.fails(USAGE, "generate", "blobs", says=["-o"])
        self.fails(USAGE, "generate", "blobs", "-o", "x.npy", "--count", 0, says=["--count", "0", "at least 1"])
        self.fails(USAGE, "generate", "blobs", "-o", "x.npy", "--seed", -1, says=["--seed", "at least 0"])
        self.fails(USAGE, "generate", "blobs", "-o", "x.npy", "--brightness", 1, says=["--brightness", "drawn-digits"])
        self.fails(USAGE, "generate", "blobs", "-o", "x.xyz", says=["x.xyz", ".npy"])
        self.fails(USAGE, "generate", "blobs", "-o", "x.npy", "--labels", "x.npy", says=["x.npy", "two outputs"])

    def test_memory_limit(self):
        arguments = ["generate", "sphere", "--dim", 100000, "--rank", 2000, "-o", "x.npy", "--memory-limit", "1G"]
        self.fails(OVER_LIMIT, *arguments, says=["1 GB", "generator"])

    def test_memory_does_not_grow_with_the_count(self):
        for count in [2000, 20000]:  # 63 MB as floats
            self.succeeds("generate", "drawn-digits", "-o", "x-idx3-ubyte", "--count", count, "--memory-limit", "30M",
                          "--overwrite")

    def test_a_disk_without_room_is_refused_before_work(self):
        arguments = ["generate", "blobs", "--dim", 100000, "-o", "x.npy", "--count", 4000000000]
        self.fails(UNUSABLE, *arguments, says=["x.npy", "1.6 PB", "free"])
        self.assertEqual(self.names(), [])

    def test_deformed_images_follow_their_source(self):
        self.succeeds("generate", "drawn-digits", "-o", "d-idx3-ubyte", "--labels", "l.npy", "--count", 30)
        made = ["generate", "deformed", "--from", "d-idx3-ubyte", "--from-labels", "l.npy", "--count", 70]
        self.succeeds(*made, "-o", "x.npy", "--labels", "xl.npy", "--sheet", "x.png")
        self.succeeds(*made, "-o", "y.npy", "--labels", "yl.npy", "--threads", 1)
        rows = read_npy(self.path("x.npy"))
        self.assertEqual(rows, read_npy(self.path("y.npy")))
        labels = read_npy(self.path("l.npy"))
        self.assertEqual(read_npy(self.path("xl.npy")), (labels * 3)[:70])
        still = ["--amplitude", 0, "--rotation", 0, "--scaling", 0, "--shear", 0, "--thickness", 0]
        self.succeeds(*made, "-o", "z.npy", "--labels", "zl.npy", *still)
        self.succeeds("convert", "d-idx3-ubyte", "d.npy")
        self.assertEqual(read_npy(self.path("z.npy"))[:30], read_npy(self.path("d.npy")))
        self.assertNotEqual(rows[:30], read_npy(self.path("d.npy")))

    def test_images_that_cannot_serve(self):
        self.succeeds("generate", "blobs", "-o", "b.npy", "--dim", 5, "--count", 3)
        self.succeeds("generate", "drawn-digits", "-o", "d.npy", "--count", 3)
        self.fails(USAGE, "generate", "deformed", "-o", "x.npy", says=["from", "images"])
        self.fails(USAGE, "generate", "blobs", "--from", "d.npy", "-o", "x.npy", says=["from", "blobs"])
        self.fails(USAGE, "generate", "deformed", "--from-labels", "d.npy", "-o", "x.npy", says=["--from"])
        self.fails(BAD_INPUT, "generate", "deformed", "--from", "b.npy", "-o", "x.npy", says=["5 numbers", "square"])
        self.fails(BAD_INPUT, "generate", "deformed", "--from", "none.npy", "-o", "x.npy", says=["none.npy"])
        arguments = ["generate", "deformed", "--from", "d.npy", "-o", "x.npy"]
        self.fails(USAGE, *arguments, "--labels", "l.npy", says=["--labels", "--from-labels"])
        self.assertEqual(sorted(self.names()), ["b.npy", "d.npy"])


if __name__ == "__main__":
    unittest.main()
