"""Shared by the benches that drive the program: runs build/isogon and gives back what it says and what it took."""
import array
import ast
import json
import os
import pathlib
import resource
import subprocess
import sys
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = ROOT / "build" / "isogon"


def data_directory(arguments):
    """--data DIR, else ISOGON_DATA, else ../shared/data if it lies there; exits by name without any."""
    candidates = [arguments.data, os.environ.get("ISOGON_DATA"), ROOT.parent / "shared" / "data"]
    for candidate in candidates:
        if candidate and (pathlib.Path(candidate) / "mnist").is_dir():
            return pathlib.Path(candidate)
    print("skipped: no MNIST found; give --data DIR or ISOGON_DATA, a folder that holds mnist/*.gz")
    sys.exit(0)


def mnist(data):
    """The image files and the label files, train then test, in the order in which they are stacked."""
    names = ["train", "t10k"]
    images = [str(data / "mnist" / f"{name}-images-idx3-ubyte.gz") for name in names]
    labels = [str(data / "mnist" / f"{name}-labels-idx1-ubyte.gz") for name in names]
    return images, labels


def data_sets(data):
    """{name: files, stacked in their order} of those that are there."""
    digits, _ = mnist(data)
    words = data / "wordvectors"
    sets = {
        "mnist": digits,
        "usps": [data / "usps" / "usps11000-images-idx3-ubyte.gz"],
        "words": [words / "googlenews-word2vec-8000x300.vec.gz"],
        "glove": [words / "glove-9910x300-uint8.vec.gz"],
    }
    return {name: files for name, files in sets.items() if all(pathlib.Path(file).is_file() for file in files)}


def measured(command, environment=None, limit=None):
    """Runs any program; returns (exit code, what it printed, wall seconds, peak memory in MB). One that takes more than
    `limit` seconds is ended: its exit code is then negative."""
    start = time.monotonic()
    process = subprocess.Popen(list(map(str, command)), stdout=subprocess.PIPE, env=environment)
    timer = threading.Timer(limit, process.kill) if limit else None
    if timer:
        timer.start()
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.monotonic() - start
    if timer:
        timer.cancel()
    return os.waitstatus_to_exitcode(status), output.decode(), seconds, usage.ru_maxrss / 1000.0


def attempt(*words):
    """Runs a verb with --json; returns (its JSON, wall seconds, peak memory in MB), or None for the JSON where the input
    or the options were refused (exit codes 2 and 3), which it says on stderr."""
    code, output, seconds, memory = measured([PROGRAM, *words, "--json", "--quiet"])
    if code in (2, 3):
        print(f"refused: {output.strip()}", file=sys.stderr)
        return None, seconds, memory
    if code != 0:
        raise SystemExit(f"isogon {' '.join(map(str, words))}: exit code {code}: {output}")
    return json.loads(output), seconds, memory


def run(*words):
    """The same for what must succeed."""
    made, seconds, memory = attempt(*words)
    if made is None:
        raise SystemExit(f"isogon {' '.join(map(str, words))} was refused")
    return made, seconds, memory


def table_of(path):
    """Rows, and all numbers, of a two-dimensional .npy."""
    with open(path, "rb") as file:
        file.read(8)
        header = ast.literal_eval(file.read(int.from_bytes(file.read(2), "little")).decode())
        kinds = {"<i8": "q", "<u4": "I", "<i4": "i", "<u8": "Q", "<f4": "f"}
        numbers = array.array(kinds[header["descr"]])
        numbers.frombytes(file.read())
    return header["shape"][0], numbers


def recall(inputs, outputs, metric, folder, itself=False):
    """Of queries, the share of the 10 nearest inputs by the metric whose outputs are the 10 nearest by distance. Inputs and
    outputs are each a file of points and one of queries, which with `itself` are some of these points."""
    count = 10 + itself
    kept = []
    for (points, queries), by in ((inputs, metric), (outputs, "euclidean")):
        run("neighbors", points, "--queries", queries, "-k", count, "-o", folder / "near.npy", "--overwrite", "--search",
            "exact", "--metric", by)
        kept.append(table_of(folder / "near.npy"))
    (rows, before), (_, after) = kept
    # The first of eleven is the row itself, unless another one equals it.
    hits = sum(len(set(before[i * count:(i + 1) * count]) & set(after[i * count:(i + 1) * count])) - itself
               for i in range(rows))
    return hits / (10.0 * rows)


def run_peer(python, script, *words, threads=None, limit=None):
    """Runs a script of a bench by an interpreter that has numpy, scipy and scikit-learn; returns (the JSON that it
    prints, wall seconds, peak memory in MB), or None for the JSON where it took more than `limit` seconds."""
    environment = dict(os.environ, PYTHONDONTWRITEBYTECODE="1")
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS") if threads else ():
        environment[name] = str(threads)
    code, output, seconds, memory = measured([python, script, *words], environment, limit)
    if code != 0 and limit and seconds >= limit:
        return None, seconds, memory
    if code != 0:
        raise SystemExit(f"{script} {' '.join(map(str, words))}: exit code {code}")
    return json.loads(output.splitlines()[-1]), seconds, memory


def interpreter_with(arguments, *modules):
    """--peer-python PATH, else ISOGON_PEER_PYTHON, else this interpreter: the first that has the modules, or None."""
    for candidate in (arguments.peer_python, os.environ.get("ISOGON_PEER_PYTHON"), sys.executable):
        try:
            if candidate and measured([candidate, "-c", "import " + ", ".join(modules)])[0] == 0:
                return candidate
        except OSError as error:
            print(error, file=sys.stderr)
    return None


def peer_python(arguments, *modules):
    """The same; exits by name without any."""
    found = interpreter_with(arguments, *modules)
    if found:
        return found
    print(f"skipped: give --peer-python PATH or ISOGON_PEER_PYTHON, an interpreter that has {', '.join(modules)}")
    sys.exit(0)


def machine():
    """One line on the machine, without its name."""
    model = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), "unknown")
    return f"{model}, {os.cpu_count()} cores, {resource.getpagesize() * os.sysconf('SC_PHYS_PAGES') / 1e9:.0f} GB"


class Results:
    """A heading line and tables, kept in DIR/NAME.md after every row: a run of hours that is cut short leaves what it
    knew. Rows are printed as they come."""

    def __init__(self, folder, first, name="latest"):
        self.file = pathlib.Path(folder) / f"{name}.md"
        self.file.parent.mkdir(parents=True, exist_ok=True)
        self.parts = [[first]]
        print(first, flush=True)

    def table(self, heading):
        """A function that adds rows to a table headed "| a | b |"."""
        lines = [heading, "|---" * (heading.count("|") - 1) + "|"]
        self.parts.append(lines)
        print("\n".join(["", *lines]), flush=True)

        def add(*rows):
            lines.extend(rows)
            self.file.write_text("\n\n".join("\n".join(part) for part in self.parts) + "\n")
            print("\n".join(rows), flush=True)

        return add
