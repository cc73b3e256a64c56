"""Shared by the benches that drive the program: runs build/isogon and gives back what it says and what it took."""
import json
import os
import pathlib
import resource
import subprocess
import sys
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


def run(*words):
    """Runs a verb with --json; returns (its JSON, wall seconds, peak memory in MB)."""
    start = time.monotonic()
    process = subprocess.Popen([str(PROGRAM), *map(str, words), "--json", "--quiet"], stdout=subprocess.PIPE)
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.monotonic() - start
    code = os.waitstatus_to_exitcode(status)
    if code != 0:
        raise SystemExit(f"isogon {' '.join(map(str, words))}: exit code {code}: {output.decode()}")
    return json.loads(output), seconds, usage.ru_maxrss / 1000.0


def machine():
    """One line on the machine, without its name."""
    model = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), "unknown")
    return f"{model}, {os.cpu_count()} cores, {resource.getpagesize() * os.sysconf('SC_PHYS_PAGES') / 1e9:.0f} GB"
