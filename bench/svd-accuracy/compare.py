"""Runs by an interpreter that has numpy: makes the data, runs the programs on it, compares with an SVD in float64."""
import json
import os
import pathlib
import resource
import subprocess
import sys

import numpy as np

folder, cases, threads, machine, results = sys.argv[1:6]
programs = sys.argv[6:]
folder = pathlib.Path(folder)
rng = np.random.default_rng(0)
lines = []


def tell(line=""):
    lines.append(line)
    print(line, flush=True)


def row(*cells):
    tell("| " + " | ".join(map(str, cells)) + " |")


def with_lengths(n, dim, lengths):
    """U diag(lengths) V^T."""
    u = np.linalg.qr(rng.normal(size=(n, len(lengths))))[0]
    v = np.linalg.qr(rng.normal(size=(dim, len(lengths))))[0]
    return ((u * np.array(lengths)) @ v.T).astype(np.float32)


def structure(n, dim):
    """100 + structure of rank 30."""
    return (100 + 0.01 * rng.normal(size=(n, 30)) @ (rng.normal(size=(30, dim)) * 0.9 ** np.arange(30)[:, None])).astype(
        np.float32)


def fit(program, points, method, dim):
    """(Coordinates, the JSON, user seconds, wall seconds by phase)."""
    output = folder / "y.npy"
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    made = subprocess.run([program, "embed", str(points), "-o", str(output), "--overwrite", "--method", method, "--dim",
                           str(dim), "--threads", threads, "--json", "--quiet"], capture_output=True, text=True)
    user = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    if made.returncode != 0:
        raise SystemExit(f"{program}: exit code {made.returncode}: {made.stderr or made.stdout}")
    return np.load(output).astype(np.float64), json.loads(made.stdout), user


def user_seconds(work):
    before = resource.getrusage(resource.RUSAGE_SELF).ru_utime
    result = work()
    return result, resource.getrusage(resource.RUSAGE_SELF).ru_utime - before


def name(program):
    return os.path.basename(program) if len(programs) > 1 else "isogon"


def worst_errors(x, method, y):
    """Of the lengths of the columns, and of the columns themselves, each as a share of its own length."""
    exact = x.astype(np.float64)
    exact = exact - exact.mean(0) if method == "pca" else exact
    u, s, _ = np.linalg.svd(exact, full_matrices=False)
    d = y.shape[1]
    lengths = np.linalg.norm(y, axis=0)
    truth = u[:, :d] * s[:d]
    signs = np.sign((truth * y).sum(0))
    errors = np.linalg.norm(y * signs - truth, axis=0) / s[:d]
    return s[0] / s[d - 1], np.abs(lengths / s[:d] - 1).max(), errors.max()


def accuracy():
    graded = list(10.0 ** np.linspace(7, 1, 20))
    data = [("brightness beside structure", "svd", 5,
             [(400, 300)], lambda n, dim: with_lengths(n, dim, [7.7e6, 1213, 816, 544, 436, 100, 50])),
            ("100 + rank 30", "svd", 8, [(500, 600), (500, 1500), (500, 2000), (500, 5000)], structure),
            ("100 + rank 30", "pca", 8, [(500, 600), (500, 5000)], structure),
            ("lengths 1e7 to 10", "svd", 20, [(2000, 700), (700, 2000), (1800, 1600)],
             lambda n, dim: with_lengths(n, dim, graded))]
    tell("Accuracy: the worst of the d columns, as a share of its own length.")
    tell()
    row("data", "n x D", "method", "d", "s0 / sd", "program", "lengths", "columns", "residual told")
    tell("|---" * 9 + "|")
    for label, method, dim, shapes, make in data:
        for n, width in shapes:
            x = make(n, width)
            np.save(folder / "x.npy", x)
            for program in programs:
                y, made, _ = fit(program, folder / "x.npy", method, dim)
                ratio, lengths, columns = worst_errors(x, method, y)
                told = made["measures"].get("residual")
                row(label, f"{n:,} x {width:,}", method, dim, f"{ratio:.1e}", name(program), f"{lengths:.1e}",
                    f"{columns:.1e}", "-" if told is None else f"{told:.0e}")


def speed():
    tell("Speed: user CPU seconds of the whole process, d = 32, normal points times a falling scale; LAPACK's are of")
    tell("numpy's float64 `svd` alone.")
    tell()
    row("n x D", "method", "program", "user s", "svd s", "peak MB")
    tell("|---" * 6 + "|")
    for n, width in ((300, 1536), (20000, 784), (2000, 5000)):
        x = (rng.normal(size=(n, width)) * 0.99 ** np.arange(width)).astype(np.float32)
        np.save(folder / "x.npy", x)
        for method in ("svd", "pca"):
            for program in programs:
                _, made, user = fit(program, folder / "x.npy", method, 32)
                row(f"{n:,} x {width:,}", method, name(program), f"{user:.2f}",
                    f"{made['seconds_by_phase']['svd']:.2f}", f"{made['peak_memory_bytes'] / 1e6:.0f}")
        if n * width < 2e7:
            wide = x.astype(np.float64)
            _, user = user_seconds(lambda: np.linalg.svd(wide, full_matrices=False))
            row(f"{n:,} x {width:,}", "svd", f"LAPACK, numpy {np.__version__}", f"{user:.2f}", "", "")


tell(f"{machine}")
tell()
for case in cases.split(","):
    {"accuracy": accuracy, "speed": speed}[case]()
    tell()
pathlib.Path(results).write_text("\n".join(lines).rstrip() + "\n", encoding="utf-8")
