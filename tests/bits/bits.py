#!/usr/bin/env python3
"""Whether the program gives the same bits here as everywhere (docs/reproducible.md).

Every case runs on data that the program makes itself; what it writes is hashed and compared with hashes.txt. After a
change that changes results on purpose: tests/bits/bits.py --update, and a line in CHANGELOG.md."""
import argparse
import hashlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
TABLE = HERE / "hashes.txt"
# Of a JSON that is compared: not what a run took, nor where it ran.
NOT_RESULTS = ("seconds", "memory", "bytes", "command", "version", "threads", "output", "path", "file", "warnings")

WRITES = ("generate", "embed", "transform", "extend", "quantize", "convert", "decompose", "reconstruct", "neighbors")

DIGITS = "d.npy"
METHODS = {
    "faithful": "--dim 16",
    "faithful by cosine": "--method faithful --dim 16 --metric cosine",
    "faithful of many numbers": "--method faithful --dim 24",
    "faithful by robust stages": "--method faithful --dim 8",
    "faithful from a layout": "--method faithful --dim 4 --seed 5",
    "tsm": "--method tsm --dim 8",
    "tsm on spheres": "--method tsm --dim 16 --solver sphere",
    "svd": "--method svd --dim 8",
    "pca": "--method pca --dim 8",
    "nmf": "--method nmf --dim 4",
    "mds": "--method mds --dim 3",
    "kpca": "--method kpca --dim 3",
    "isomap": "--method isomap --dim 2",
    "lle": "--method lle --dim 2",
    "laplacian": "--method laplacian --dim 3",
    "laplacian by landmarks": "--method laplacian --dim 3 --landmarks 80",
    "tsne": "--method tsne --dim 2",
    "tsne of 900 updates": "--method tsne --dim 2 --iterations 900",
    "umap": "--method umap --dim 2",
    "umap with densities": "--method umap --dim 2 --density-weight 2",
    "pca-forces": "--method pca-forces --dim 2",
    "pca2": "--method pca2 --dim 2",
    "lle2": "--method lle2 --dim 2",
    "faithful by landmarks": "--dim 24 --landmarks 100",
}
# A checkpoint of so many updates goes on to the bits of a run that made as many without.
CONTINUED = {
    "faithful of many numbers": ("--method faithful --dim 24", "--iterations 60", "--iterations 200"),
    # Their checkpoints are of the last stage, which comes after another first one where that has fewer updates.
    "faithful by robust stages": ("--method faithful --dim 8", "--iterations 200", "--iterations 200"),
    "faithful from a layout": ("--method faithful --dim 4 --seed 5", "--iterations 200", "--iterations 200"),
    "faithful by landmarks": ("--method faithful --dim 24 --landmarks 100", "--iterations 60", "--iterations 200"),
    "tsm on spheres": ("--method tsm --dim 16 --solver sphere", "--iterations 20", "--iterations 250"),
    # Of both the first 250 are exaggerated.
    "tsne of 900 updates": ("--method tsne --dim 2", "--iterations 750", "--iterations 900"),
}
# Minutes without vectors; what they are made of is in other cases, too.
SLOW = ("embed, tsm", "embed, sde", "extend")
ROLL_METHODS = {"sde": "--method sde --dim 2", "lsde": "--method lsde --dim 2 --landmarks 25"}
GENERATED = ("swiss-roll --noise 0.1", "arcs", "blobs", "sphere")


def cases():
    """(name, commands, what is hashed: files, or `json` of the last command)

    All commands of a case but the last are run elsewhere: by another instruction set, or on another processor. So what
    reads models, codes and checkpoints here reads those of another machine."""
    for words in GENERATED:
        name = words.split()[0]
        yield f"generate {name}", [f"generate {words} --count 200 --seed 3 -o out.npy"], ["out.npy"]
    yield "generate drawn-digits", ["generate drawn-digits --count 50 -o out.npy"], ["out.npy"]
    yield "generate deformed", ["generate deformed --from few-idx3-ubyte --count 50 -o out-idx3-ubyte"], ["out-idx3-ubyte"]
    for name, options in METHODS.items():
        yield f"embed, {name}", [f"embed {DIGITS} {options} -o out.npy"], ["out.npy"]
    for name, options in ROLL_METHODS.items():
        yield f"embed, {name}", [f"embed roll.npy {options} -o out.npy"], ["out.npy"]
    for name, (options, first, whole) in CONTINUED.items():
        begin = f"embed {DIGITS} {options} {first} -o y.npy --checkpoint c.safetensors --checkpoint-every 0"
        yield (f"continue, {name}", [begin, f"embed {DIGITS} {options} {whole} -o out.npy --resume c.safetensors"], ["out.npy"])
    for name in ("faithful", "tsm", "laplacian", "tsne", "umap", "kpca", "pca"):
        fit = f"embed {DIGITS} --method {name} --dim 2 -o y.npy --model m.safetensors"
        yield f"transform, {name}", [fit, "transform m.safetensors new.npy -o out.npy"], ["out.npy"]
    fit = f"embed {DIGITS} --dim 20 -o y.npy --model m.safetensors"
    yield "transform, faithful of many numbers", [fit, "transform m.safetensors new.npy -o out.npy"], ["out.npy"]
    fit = f"embed {DIGITS} --method tsm --dim 16 -o y.npy --model m.safetensors --map relu"
    yield "a map of queries", [fit, "transform m.safetensors new.npy -o out.npy --by map"], ["out.npy"]
    yield "extend", [f"embed {DIGITS} --method tsm --dim 8 -o y.npy --model m.safetensors",
                     "extend m.safetensors new.npy -o out.npy"], ["out.npy"]
    yield "quantize", [f"embed {DIGITS} --method svd --dim 32 -o y.npy", "quantize y.npy -o c.safetensors --bytes 8",
                       "convert c.safetensors out.npy"], ["out.npy"]
    for metric in ("cosine", "euclidean", "manhattan", "correlation"):
        yield (f"neighbors, {metric}", [f"neighbors {DIGITS} -k 7 -o out.npy --distances far.npy --metric {metric}"],
               ["out.npy", "far.npy"])
    yield "decompose", ["decompose s.npy -o m.safetensors --rank 4", "reconstruct m.safetensors -o out.npy --rows 0:20"], \
        ["out.npy"]
    yield "threshold", [f"threshold {DIGITS} --json"], "json"
    yield "score", [f"embed {DIGITS} --method svd --dim 4 -o y.npy", f"score {DIGITS} y.npy --labels l.npy --json"], "json"
    yield "sweep", [f"sweep {DIGITS} --dim 2 --grid neighbors=8,12 --method laplacian --landmarks 80 --json"], "json"


def results(value):
    """A JSON without what differs from run to run."""
    if isinstance(value, dict):
        return {key: results(one) for key, one in value.items() if not any(part in key for part in NOT_RESULTS)}
    return [results(one) for one in value] if isinstance(value, list) else value


class Runner:
    def __init__(self, words, folder, instruction_set=""):
        self.words = words
        self.folder = folder
        self.environment = os.environ | {"ISOGON_INSTRUCTION_SET": instruction_set}

    def run(self, command):
        words = [*self.words, *command.split()]
        if words[len(self.words)] in WRITES:
            words.append("--overwrite")
        done = subprocess.run([*words, "--quiet"], cwd=self.folder, env=self.environment, capture_output=True, text=True)
        if done.returncode not in (0, 1):  # 1: did not converge
            sys.exit(f"{command}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
        return done.stdout

    def hash(self, commands, what, elsewhere):
        for command in commands[:-1]:
            elsewhere.run(command)
        printed = self.run(commands[-1])
        digest = hashlib.sha256()
        if what == "json":
            digest.update(json.dumps(results(json.loads(printed))).encode())
        else:
            for name in what:
                digest.update((self.folder / name).read_bytes())
        return digest.hexdigest()[:16]

    def make_data(self):
        self.run("generate drawn-digits --count 250 --seed 1 -o d.npy --labels l.npy")
        self.run("generate drawn-digits --count 40 --seed 2 -o new.npy")
        self.run("generate drawn-digits --count 20 -o few-idx3-ubyte")
        self.run("generate swiss-roll --count 120 -o roll.npy")
        self.run("generate drawn-digits --count 60 -o s.npy")


def read_table():
    lines = (line.split(maxsplit=1) for line in TABLE.read_text().splitlines() if line and not line.startswith("#"))
    return {name: digest for digest, name in lines}


def program_of(arguments):
    return [*arguments.emulator.split(), str(pathlib.Path(arguments.program).resolve())]


def instruction_sets(arguments):
    """The names of those that the program can use here, from its own refusal of another."""
    with tempfile.TemporaryDirectory() as folder:
        runner = Runner(program_of(arguments), folder, "none")
        said = subprocess.run([*runner.words, "methods"], env=runner.environment, capture_output=True, text=True).stderr
    return said.strip().rpartition(": ")[2].split(", ")


def hashes(arguments, instruction_set, other_set, left_out=()):
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        runner = Runner(program_of(arguments), pathlib.Path(folder), instruction_set)
        runner.make_data()
        other = [str(pathlib.Path(arguments.elsewhere).resolve())] if arguments.elsewhere else runner.words
        elsewhere = Runner(other, pathlib.Path(folder), "" if arguments.elsewhere else other_set)
        for name, commands, what in cases():
            if arguments.only in name and name not in left_out and not (arguments.without and arguments.without in name):
                began = time.monotonic()
                found[name] = runner.hash(commands, what, elsewhere)
                if arguments.times:
                    print(f"{time.monotonic() - began:7.2f} s  {found[name]}  {name}", flush=True)
    return found


def compare(found, expected, instruction_set):
    # A run that goes on gives what one without a pause gives: it has no row of its own.
    wanted = {name: expected.get(name.replace("continue, ", "embed, "), "nothing") for name in found}
    different = [name for name, digest in found.items() if digest != wanted[name]]
    for name in different:
        print(f"{name}: {found[name]}, but {wanted[name]} in {TABLE.name}")
    by = f", by {instruction_set}" if instruction_set else ""
    print(f"{len(found) - len(different)} of {len(found)} results have the bits of {TABLE.name}{by}", flush=True)
    return 1 if different else 0


def update(table):
    heading = TABLE.read_text().split("\n\n")[0] if TABLE.is_file() else "# See bits.py."
    TABLE.write_text(heading + "\n\n" + "".join(f"{table[name]}  {name}\n" for name, *_ in cases()
                                                   if name in table and not name.startswith("continue")))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default=os.environ.get("ISOGON_PROGRAM", HERE.parent.parent / "build" / "isogon"))
    parser.add_argument("--emulator", default="", help="words before the program, as qemu-aarch64 -L FOLDER")
    parser.add_argument("--elsewhere", help="a program that makes the models and checkpoints, of another processor")
    parser.add_argument("--only", default="", help="cases whose name holds this")
    parser.add_argument("--without", default="", help="cases whose name holds this are left out")
    parser.add_argument("--each-instruction-set", action="store_true", help="all that this processor has, not the best alone")
    parser.add_argument("--quick", action="store_true", help="leave out the slowest cases but for the best instruction set")
    parser.add_argument("--update", action="store_true", help="write the hashes into the table")
    parser.add_argument("--times", action="store_true", help="say what each case takes")
    arguments = parser.parse_args()
    expected = read_table() if TABLE.is_file() else {}
    if arguments.update:
        update(expected | hashes(arguments, "", ""))
        return 0
    sets = instruction_sets(arguments) if arguments.each_instruction_set else [""]
    faults = []
    for place, name in enumerate(sets):
        left_out = SLOW if arguments.quick and place > 0 else ()
        faults.append(compare(hashes(arguments, name, sets[place - 1], left_out), expected, name))
    return max(faults)


if __name__ == "__main__":
    sys.exit(main())
