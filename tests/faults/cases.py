"""Small runs of every verb, and the files they start from."""

import os
import shutil
import struct
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "cli"))
from program import cluster_points, npy  # noqa: E402

POINTS = 12


class Case:
    """A command that is to be run in a folder with copies of `inputs`."""

    def __init__(self, name, *arguments, inputs=("x.npy",), leaks=True):
        self.name = name
        self.arguments = [str(argument) for argument in arguments]
        self.inputs = inputs
        self.leaks = leaks  # whether LeakSanitizer looks on


def embed(method, *more, name=None, inputs=("x.npy",), threads=1):
    return Case(name or "embed-" + method, "embed", "x.npy", "-o", "y.npy", "--method", method, "--threads", threads,
                "--dim", 2, *more, inputs=inputs)


GRAPH = ("--neighbors", 4)
MATRIX = """%%MatrixMarket matrix coordinate real general
6 6 8
1 1 1.5
2 2 1
3 3 2
4 4 1
5 5 0.5
6 6 1
1 2 0.5
4 3 0.25
"""

CASES = [
    Case("version", "--version", inputs=()),
    Case("help", "--help", inputs=()),
    Case("usage", "embed", "--bogus", "--json", inputs=()),
    Case("methods", "methods", inputs=()),
    Case("methods-json", "methods", "--json", inputs=()),
    Case("info", "info", "x.npy"),
    Case("info-model", "info", "faithful.safetensors", "--json", inputs=("faithful.safetensors",)),
    Case("missing", "info", "none.npy", "--json", inputs=()),
    Case("generate", "generate", "swiss-roll", "--count", 9, "-o", "y.npy", "--truth", "t.csv", "--threads", 1,
         inputs=()),
    Case("generate-digits", "generate", "drawn-digits", "--count", 2, "-o", "y-idx3-ubyte.gz", "--labels", "l.csv",
         "--sheet", "s.png", "--threads", 1, inputs=()),
    Case("convert", "convert", "x.csv.gz", "y.npy", "--save-labels", "l.npy", "--threads", 1, inputs=("x.csv.gz",)),
    Case("convert-words", "convert", "x.vec", "y.csv", "--threads", 1, inputs=("x.vec",)),
    Case("convert-matrix", "convert", "s.mtx", "y.npz", "--threads", 1, inputs=("s.mtx",)),
    Case("convert-npz", "convert", "s.npz", "y.mtx.gz", "--threads", 1, inputs=("s.npz",)),
    Case("threshold", "threshold", "x.npy", "--threads", 1),
    Case("neighbors", "neighbors", "x.npy", "-k", 3, "-o", "n.npy", "--distances", "d.npy", "--save-index",
         "i.safetensors", "--threads", 1),
    Case("neighbors-index", "neighbors", "i.safetensors", "--queries", "x.npy", "-k", 2, "-o", "n.safetensors",
         "--threads", 1, inputs=("x.npy", "i.safetensors")),
    Case("neighbors-above", "neighbors", "x.npy", "--above", 0.5, "-o", "n.npy", "--threads", 1),
    embed("faithful", "--model", "m.safetensors", "--checkpoint", "c.safetensors", "--checkpoint-every", 0,
          "--iterations", 6, "--report", "r.html"),
    embed("faithful", "--resume", "c.safetensors", "--checkpoint", "c.safetensors", "--checkpoint-every", 0,
          "--iterations", 6, "--overwrite", name="embed-resume", inputs=("x.npy", "c.safetensors")),
    embed("tsm", "--iterations", 3, "--model", "m.safetensors", "--json"),
    embed("svd", "--model", "m.safetensors"),
    embed("pca"),
    Case("embed-nmf", "embed", "positive.npy", "-o", "y.npy", "--method", "nmf", "--dim", 2, "--iterations", 3,
         "--threads", 1, inputs=("positive.npy",)),
    embed("mds"),
    embed("kpca"),
    embed("laplacian", *GRAPH),
    embed("lle", *GRAPH),
    embed("lle2", *GRAPH),
    embed("isomap", *GRAPH),
    embed("pca2", *GRAPH, "--iterations", 3),
    embed("pca-forces"),
    embed("sde", *GRAPH),
    embed("lsde", *GRAPH, "--landmarks", 6),
    embed("tsne", "--perplexity", 3, "--iterations", 5),
    embed("umap", *GRAPH, "--iterations", 5),
    embed("laplacian", *GRAPH, "--landmarks", 8, name="embed-landmarks"),
    Case("embed-threads", "embed", "many.npy", "-o", "y.npy", "--method", "tsne", "--perplexity", 3, "--iterations", 3,
         "--threads", 2, inputs=("many.npy",),
         leaks=False),  # what TBB's workers hold at the end it takes for lost
    Case("transform", "transform", "faithful.safetensors", "x.npy", "-o", "y.csv", "--threads", 1,
         inputs=("x.npy", "faithful.safetensors")),
    Case("transform-folder", "transform", "faithful.safetensors", "x.npy", "y0.npy", "-o", "out/", "--threads", 1,
         "--overwrite",  # a second run meets what the first has written
         inputs=("x.npy", "y0.npy", "faithful.safetensors")),
    Case("extend", "extend", "tsm.safetensors", "x.npy", "-o", "y.npy", "--threads", 1, "--neighbors", 3,
         inputs=("x.npy", "tsm.safetensors")),
    Case("score", "score", "x.npy", "flat.npy", "-k", 3, "--threads", 1, inputs=("x.npy", "flat.npy")),
    Case("report", "report", "x.npy", "flat.npy", "-o", "r.html", "-k", 3, "--threads", 1,
         inputs=("x.npy", "flat.npy")),
    Case("report-result", "report", "x.npy", "flat.npy", "-o", "r.html", "-k", 3, "--result", "result.json",
         "--threads", 1, inputs=("x.npy", "flat.npy", "result.json")),
    Case("sweep", "sweep", "x.npy", "--method", "laplacian", "--grid", "neighbors=4,5", "--truth", "flat.npy", "-o",
         "s.csv", "--dim", 2, "--threads", 1, inputs=("x.npy", "flat.npy")),
    Case("decompose", "decompose", "s.mtx", "-o", "m.safetensors", "--rank", 2, "--iterations", 3, "--export", "l.npz",
         "--threads", 1, inputs=("s.mtx",)),
    Case("reconstruct", "reconstruct", "w.safetensors", "-o", "r.npy", "--threads", 1, inputs=("w.safetensors",)),
    Case("quantize", "quantize", "x.npy", "-o", "c.safetensors", "--bytes", 2, "--rounds", 2, "--threads", 1),
    Case("search-codes", "neighbors", "codes.safetensors", "--queries", "x.npy", "-k", 3, "-o", "n.npy", "--threads", 1,
         inputs=("x.npy", "codes.safetensors")),
    Case("decode", "convert", "codes.safetensors", "d.npy", inputs=("codes.safetensors",)),
    Case("compare", "compare", "x.npy", "--methods", "svd", "--dims", "2,3", "-k", 3, "-o", "c.json", "--report",
         "c.html", "--cache", "runs", "--threads", 1),
]


def make_inputs(program, folder):
    """Files that the cases start from, in a folder of their own."""
    points = cluster_points(POINTS, 4)

    def put(name, content):
        with open(os.path.join(folder, name), "wb") as file:
            file.write(content if isinstance(content, bytes) else content.encode())

    def run(*arguments):
        done = subprocess.run([program, *arguments], cwd=folder, capture_output=True, text=True)
        if done.returncode != 0:
            raise SystemExit("%s: %s" % (" ".join(arguments), done.stderr))
        return done.stdout

    put("x.npy", npy(points))
    put("many.npy", npy(cluster_points(600, 4)))
    put("y0.npy", npy(points[:5]))
    put("positive.npy", npy([[abs(value) for value in row] for row in points]))
    put("s.mtx", MATRIX)
    put("x.vec", "%d 4\n" % POINTS + "".join("w%d %s\n" % (i, " ".join("%.3f" % v for v in row))
                                               for i, row in enumerate(points)))
    put("x.csv", "a,b,label\n" + "".join("%.3f,%.3f,%d\n" % (row[0], row[1], i % 3) for i, row in enumerate(points)))
    import gzip

    put("x.csv.gz", gzip.compress(open(os.path.join(folder, "x.csv"), "rb").read(), mtime=0))
    small = ("--dim", "2", "--threads", "1", "--iterations", "6")
    run("embed", "x.npy", "-o", "flat.npy", "--method", "faithful", *small, "--model", "faithful.safetensors",
        "--checkpoint", "c.safetensors", "--checkpoint-every", "0")
    put("result.json", run("embed", "x.npy", "-o", "tsm.npy", "--method", "tsm", *small, "--model", "tsm.safetensors",
                           "--json"))
    run("neighbors", "x.npy", "-k", "3", "-o", "n.npy", "--save-index", "i.safetensors")
    run("quantize", "x.npy", "-o", "codes.safetensors", "--bytes", "2", "--rounds", "1")
    run("convert", "s.mtx", "s.npz")
    run("decompose", "s.mtx", "-o", "w.safetensors", "--rank", "2", "--iterations", "3")


def copy_inputs(case, source, folder):
    for name in case.inputs:
        shutil.copyfile(os.path.join(source, name), os.path.join(folder, name))
