#!/usr/bin/env python3
"""Prints the table of scripts/demo: demo_table.py FOLDER METHOD..."""
import json
import sys
from pathlib import Path

# Heading, key in the JSON of `isogon score`, digits.
COLUMNS = (
    ("angles off by", "mean_angular_deviation_degrees", "{:.2f} deg"),
    ("Jaccard", "jaccard", "{:.3f}"),
    ("recall@10", "recall_at_10", "{:.3f}"),
    ("all 10 kept", "all_kept_at_10", "{:.1%}"),
    ("lengths off by", "norm_deviation_mean", "{:.1%}"),
    ("10-nn accuracy", "knn_accuracy", "{:.1%}"),
)


def row(folder, method):
    score = json.loads(Path(folder, f"{method}.score.json").read_text(encoding="utf-8"))
    fit = json.loads(Path(folder, f"{method}.embed.json").read_text(encoding="utf-8"))
    return [method, *(form.format(score[key]) for _, key, form in COLUMNS), f"{fit['seconds']:.1f} s"]


def main(folder, methods):
    table = [["method", *(heading for heading, _, _ in COLUMNS), "embedding"]]
    table += [row(folder, method) for method in methods]
    widths = [max(len(line[column]) for line in table) for column in range(len(table[0]))]
    print()
    for line in table:
        print("  ".join(cell.rjust(width) for cell, width in zip(line, widths)))
    print()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
