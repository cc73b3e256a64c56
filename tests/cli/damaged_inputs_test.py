"""Files that were cut or changed somewhere: whatever the program says of them, it says the file's name."""

import gzip
import io
import random
import re
import struct
import unittest
import zipfile

from crafted_archives_test import Archive
from program import BAD_INPUT, OVER_LIMIT, UNUSABLE, USAGE, ProgramTest, cluster_points, npy

ROUNDS = 20


def changed(data, draw):
    """Cut, or with some bytes changed, moved, left out or put in."""
    data = bytearray(data)
    kind = draw.randrange(5)
    at = draw.randrange(len(data))
    if kind == 0:
        return bytes(data[:at])
    if kind == 1:
        for _ in range(draw.randrange(1, 5)):
            data[draw.randrange(len(data))] ^= 1 << draw.randrange(8)
    elif kind == 2:
        del data[at : at + draw.randrange(1, 9)]
    elif kind == 3:
        data[at:at] = draw.choice([b"\0", b"\n", b"9", b",", b"nan", b"\xff\xff\xff\xff"])
    else:
        data[at] = draw.randrange(256)
    return bytes(data)


class DamagedInputs(ProgramTest):
    def says_its_name(self, name, *arguments):
        writes = [] if arguments[0] == "info" else ["--overwrite"]
        code, _, err = self.run_program(*arguments, "--memory-limit", "200M", "--time-limit", "20s", *writes)
        if code == 0:
            return
        last = err.splitlines()[-1] if err else ""
        self.assertIn(code, (UNUSABLE, USAGE, BAD_INPUT, OVER_LIMIT), err)
        self.assertTrue(last.startswith("isogon: "), err)
        self.assertIn(name, last)

    def try_changes(self, name, content, *commands):
        draw = random.Random(name)
        for round in range(ROUNDS):
            self.write(name, changed(content, draw))
            for command in commands:
                with self.subTest(name=name, round=round, command=command[0]):
                    self.says_its_name(name, *command)

    def test_points(self):
        rows = cluster_points(30, dimension=6)
        flat = [value for row in rows for value in row]
        csv = "a,b,c,d,e,f,label\n" + "".join(",".join("%.3f" % v for v in row) + ",%d\n" % (i % 3) for i, row in enumerate(rows))
        vec = "30 6\n" + "".join("w%d %s\n" % (i, " ".join("%.3f" % v for v in row)) for i, row in enumerate(rows))
        fvecs = b"".join(struct.pack("<i6f", 6, *row) for row in rows)
        idx = struct.pack(">HBBII", 0, 13, 2, 30, 6) + struct.pack(">180f", *flat)
        files = {"x.npy": npy(rows), "x.csv": csv.encode(), "x.tsv": csv.replace(",", "\t").encode(), "x.vec": vec.encode(),
                 "x.fvecs": fvecs, "x-idx2-float": idx, "x.csv.gz": gzip.compress(csv.encode(), mtime=0)}  # fmt: skip
        for name, content in files.items():
            embed = ["embed", name, "-o", "y.npy", "--method", "laplacian", "--dim", 2, "--neighbors", 5]
            self.try_changes(name, content, embed, ["convert", name, "z.npy"])

    def test_matrices(self):
        entries = [(i, (7 * i + 3 * k) % 9, 0.5 + i + k) for i in range(9) for k in range(3)]
        market = "%%%%MatrixMarket matrix coordinate real general\n9 9 %d\n" % len(entries)
        market += "".join("%d %d %g\n" % (i + 1, j + 1, v) for i, j, v in entries)
        self.write("s.mtx", market)
        self.succeeds("convert", "s.mtx", "s.npz")
        for name, content in (("x.mtx", market.encode()), ("x.npz", self.read("s.npz"))):
            self.try_changes(name, content, ["decompose", name, "-o", "w.safetensors", "--rank", 2, "--iterations", 2])

    def test_archives(self):
        self.write("x.npy", npy(cluster_points(40, dimension=6)))
        fit = ["embed", "x.npy", "-o", "y.npy", "--dim", 2, "--overwrite"]
        self.succeeds(*fit, "--iterations", 5, "--model", "m.safetensors", "--checkpoint", "c.safetensors", "--checkpoint-every", 0)
        self.succeeds("neighbors", "x.npy", "-k", 4, "-o", "g.safetensors", "--save-index", "i.safetensors")
        self.succeeds("quantize", "x.npy", "-o", "q.safetensors", "--bytes", 2)
        self.succeeds("embed", "x.npy", "-o", "t.npy", "--dim", 2, "--method", "lle", "--model", "l.safetensors")
        name = "bad.safetensors"
        uses = {
            "m.safetensors": [["transform", name, "x.npy", "-o", "z.npy"], ["info", name]],
            "l.safetensors": [["transform", name, "x.npy", "-o", "z.npy"], ["extend", name, "x.npy", "-o", "z.npy"]],
            "c.safetensors": [[*fit[:-1], "--iterations", 5, "--resume", name]],
            "i.safetensors": [["neighbors", name, "--queries", "x.npy", "-k", 3, "-o", "n.npy"]],
            "g.safetensors": [["embed", "x.npy", "-o", "z.npy", "--dim", 2, "--method", "umap", "--iterations", 3, "--neighbors", 4,
                               "--neighbor-graph", name]],
            "q.safetensors": [["neighbors", name, "--queries", "x.npy", "-k", 3, "-o", "n.npy"], ["convert", name, "z.npy"]],
        }  # fmt: skip
        draw = random.Random(1)
        for kind, commands in uses.items():
            good = self.read(kind)
            self.try_changes(name, good, *commands)
            for round in range(ROUNDS):
                self.write(name, self.crafted(Archive(good), draw))
                for command in commands:
                    with self.subTest(kind=kind, round=round, command=command[0]):
                        self.says_its_name(name, *command)

    def crafted(self, archive, draw):
        """With a right checksum and wrong content: a number, a shape, or a text of the header."""
        about = [name for name, text in archive.about.items() if isinstance(text, str) and name != "crc32"]
        if draw.random() < 0.5 and about:
            name = draw.choice(about)
            text = archive.about[name]
            number = re.search(r"\d+", text)
            at = draw.randrange(len(text) + 1)
            archive.about[name] = draw.choice([
                text[:at] + draw.choice("x0-9.\"{},") + text[at + 1 :], text[:at], "",
                text if number is None else text[: number.start()] + str(draw.choice([0, -1, 77, 2**40])) + text[number.end() :],
            ])  # fmt: skip
            return archive.bytes()
        name = draw.choice(list(archive.arrays))
        dtype, _, numbers = archive.arrays[name]
        if numbers:
            whole = dtype.startswith("U")
            numbers[draw.randrange(len(numbers))] = draw.choice([0, 1, 7, 200] if whole else [0.0, -1.0, 1e30, 1e-30, 3.5])
        return archive.bytes()

    def test_other_tables(self):
        self.write("x.npy", npy(cluster_points(30, dimension=6)))
        fit = ["embed", "x.npy", "-o", "y.npy", "--method", "pca", "--dim", 2, "--overwrite"]
        result = self.succeeds(*fit, "--json")
        labels = "".join("class %d\n" % (i % 3) for i in range(30)).encode()
        zipped = io.BytesIO()
        with zipfile.ZipFile(zipped, "w") as archive:
            archive.writestr("data.npy", npy([1.0, 2.0]))
        self.try_changes("r.json", result.encode(), ["report", "x.npy", "y.npy", "-o", "r.html", "--result", "r.json"])
        self.try_changes("l.txt", labels, [*fit[:-1], "--report", "r.html", "--labels", "l.txt"])
        self.try_changes("z.npz", zipped.getvalue(), ["convert", "z.npz", "m.mtx"])


if __name__ == "__main__":
    unittest.main()
