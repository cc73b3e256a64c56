#!/usr/bin/env python3
"""How far do old points move when a map grows by a ninth, and what does it cost in quality? See README.md beside this file.
Run by an interpreter that has numpy and scikit-learn."""
import argparse
import pathlib
import sys
import tempfile

import numpy

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]
import few_points  # noqa: E402
import run_isogon  # noqa: E402

FITS = {"free": None, "--start-from": 0, "--hold 0.5": 0.5, "--hold 0.9": 0.9, "--hold 1": 1}


def moved(before, after):
    """Mean distance between old and new places, in percent of the old map's width."""
    return 100 * numpy.linalg.norm(after[:len(before)] - before, axis=1).mean() / numpy.ptp(before, axis=0).max()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", help="folder that holds mnist/, usps/, coil-20/ and wordvectors/")
    parser.add_argument("--sets", default="digits,usps,mnist,words", help="which: %(default)s")
    parser.add_argument("--seeds", default=3, type=int)
    parser.add_argument("--results", default=HERE / "results", type=pathlib.Path)
    arguments = parser.parse_args()
    results = run_isogon.Results(arguments.results, f"Means of {arguments.seeds} seeds; {run_isogon.machine()}", "growing")
    add = results.table("| set | rows | method | fit of all | old points moved, % | votes | trustworthiness | recall |")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        sets = few_points.all_sets(run_isogon.data_directory(arguments), folder)
        for name in arguments.sets.split(","):
            points, labels = sets[name]
            order = numpy.random.default_rng(1).permutation(len(points))
            points, labels = points[order], None if labels is None else labels[order]
            old, start = len(points) * 9 // 10, folder / "old.npy"
            for method in few_points.METHODS:
                found = {title: [] for title in FITS}
                for seed in range(arguments.seeds):
                    before = few_points.ours(method, points[:old], seed, folder)
                    numpy.save(start, before)
                    for title, hold in FITS.items():
                        options = [] if hold is None else ["--start-from", start, "--hold", hold]
                        after = few_points.ours(method, points, seed + 100, folder, *options)
                        _, votes, trustworthiness, recall, _ = few_points.quality(points, labels, after)
                        found[title].append((moved(before, after), votes, trustworthiness, recall))
                for title, rows in found.items():
                    means = numpy.mean(rows, axis=0)
                    add(f"| {name} | {len(points)} | {method} | {title} | {means[0]:.2f} | "
                        + " | ".join(f"{mean:.3f}" for mean in means[1:]) + " |")


if __name__ == "__main__":
    main()
