"""What the figures of all papers share: the list of figures, data, tables and pictures, and how they are written."""

import csv
import functools
import gzip
import os
import tempfile
import zlib
from collections import namedtuple
from pathlib import Path

import matplotlib
import numpy as np
from matplotlib.figure import Figure as Picture

import isogon

matplotlib.use("agg")
matplotlib.rcParams["svg.hashsalt"] = "isogon"  # the same file each time

# Files of the folder --data, points and labels by turns; docs/data.md says where to get them.
TRAINING = ("mnist/train-images-idx3-ubyte.gz", "mnist/train-labels-idx1-ubyte.gz")
TESTING = ("mnist/t10k-images-idx3-ubyte.gz", "mnist/t10k-labels-idx1-ubyte.gz")
DIGITS = TRAINING + TESTING
WORDS = ("wordvectors/googlenews-word2vec-8000x300.vec.gz",)
QUESTIONS = ("analogies/questions-words.txt.gz",)
OBJECTS = ("coil-20/coil20-32x32-images-idx3-float.gz", "coil-20/coil20-labels-idx1-ubyte.gz")
POSTAL_DIGITS = ("usps/usps11000-images-idx3-ubyte.gz", "usps/usps11000-labels-idx1-ubyte.gz")

NEAREST_LABEL = "1-nn error: the share of digits whose nearest one has another label."


class Mistake(Exception):
    """What the user can put right: a word of the command, or a file."""


Command = namedtuple("Command", "data quick dims")  # what the user asked for
# y by x; role: "ours", "published", "baseline" (what others are measured by), "other".
Curve = namedtuple("Curve", "name values role", defaults=["ours"])
Figure = namedtuple("Figure", "name title source citation takes needs quick over_dimensions make")
FIGURES = {}


def add_figure(paper, citation, name, title, place, takes, needs=(), quick="", over_dimensions=False):
    """A decorator of what makes a figure: make(command) gives notes and parts, which are tables, curves, and functions
    that draw into matplotlib's axes. takes: on two fast cores; quick: what --quick has fewer of."""

    def add(make):
        FIGURES[name] = Figure(name, title, f"{paper}, {place}", citation, takes, needs, quick, over_dimensions, make)

    return add


class Table(namedtuple("Table", "title columns rows note", defaults=[""])):
    def markdown(self):
        lines = [f"| {' | '.join(map(shown, row))} |\n" for row in self.rows]
        head = f"\n{self.title}\n\n| {' | '.join(self.columns)} |\n|{'---|' * len(self.columns)}\n"
        return head + "".join(lines) + (f"\n{self.note}\n" if self.note else "")


def shown(cell):
    """Text, a whole number as it is, another to four digits, "-" for nothing."""
    if cell is None or isinstance(cell, str):
        return cell or "-"
    return f"{cell:.0f}" if float(cell).is_integer() and abs(cell) < 1e9 else f"{cell:.4g}"


class Curves(namedtuple("Curves", "title x y curves note log tabled", defaults=["", "", True])):
    """A panel of curves; its table, unless it has none, has a row for each x of any of them. log: "x", "y" or "xy"."""

    def table(self):
        places = sorted({x for curve in self.curves for x in curve.values})
        rows = [[x, *(curve.values.get(x) for curve in self.curves)] for x in places]
        return Table(f"{self.title} ({self.y})", [self.x, *(curve.name for curve in self.curves)], rows, self.note)

    def __call__(self, ax):
        """The first published curve is dashed, in the colour of our first one, and so on."""
        roles = [curve.role for curve in self.curves]
        for i, curve in enumerate(self.curves):
            colour = roles[:i].count(curve.role) + (roles.count("ours") if curve.role == "other" else 0)
            style = {"color": "gray" if curve.role == "baseline" else f"C{colour}"}
            style["marker"] = "" if len(curve.values) > 60 else "s" if curve.role == "baseline" else "o"
            style.update({"linestyle": "--", "markerfacecolor": "white"} if curve.role == "published" else {})
            ax.plot(*zip(*sorted(curve.values.items())) if curve.values else ([], []), label=curve.name, **style)
        ax.set(title=self.title, xlabel=self.x, ylabel=self.y, **{f"{axis}scale": "log" for axis in self.log})
        ax.grid(alpha=0.3)
        ax.legend(frameon=False, fontsize="small")


def panel_of(draw, given, title, **options):
    """A panel that draw(given, ax=...) makes, a function of isogon.plot or one like these."""

    def panel(ax):
        draw(given, ax=ax, **options)
        ax.set_title(title, y=1.1 if draw is isogon.plot.angles else None)  # above its legend
        for dots in ax.collections:
            dots.set_rasterized(len(dots.get_offsets()) > 200)

    return panel


def tables_of(parts):
    tabled = [part for part in parts if isinstance(part, Table) or getattr(part, "tabled", False)]
    return [part.table() if isinstance(part, Curves) else part for part in tabled]


def write(folder, parts):
    """table.csv (table-2.csv and so on for further ones) and figure.svg with all panels: all of them, or none."""
    panels = [part for part in parts if callable(part)]
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".unfinished-") as place:
        for number, table in enumerate(tables_of(parts), 1):
            with open(
                Path(place) / f"table-{number}.csv".replace("-1.", "."), "w", newline="", encoding="utf-8"
            ) as file:
                csv.writer(file).writerows([table.columns, *table.rows])
        if panels:
            across = {4: 2, 6: 3}.get(len(panels), len(panels))
            down = len(panels) // across
            picture = Picture(figsize=(6.2 * across, 4.6 * down), layout="constrained")
            for number, panel in enumerate(panels, 1):
                panel(picture.add_subplot(down, across, number))
            picture.savefig(Path(place) / "figure.svg", metadata={"Date": None})
        folder.mkdir(exist_ok=True)
        for name in os.listdir(place):
            os.replace(Path(place) / name, folder / name)


def parsed(path, parse):
    """parse(content) of a .gz file."""
    try:
        with gzip.open(path) as file:
            return parse(file.read())
    except (OSError, EOFError, ValueError, LookupError, zlib.error) as error:
        raise Mistake(f"{path}: is damaged or of another format: {error}") from error


def idx_rows(data):
    """A row for each image or label of an IDX file."""
    shape = np.frombuffer(data, ">i4", data[3], 4)
    return np.frombuffer(data, {8: "u1", 13: ">f4"}[data[2]], offset=4 + shape.nbytes).reshape(shape[0], -1)


@functools.cache
def labelled(command, names, every=1):
    """Points and labels of files, each `every`-th of them: fold 0 of five is every fifth."""
    parts = [parsed(Path(command.data) / name, idx_rows) for name in names]
    points, labels = np.concatenate(parts[::2]), np.concatenate(parts[1::2])[:, 0]
    if len(points) != len(labels):
        raise Mistake(f"{', '.join(names)}: {len(points)} points, {len(labels)} labels; there must be one for each")
    return points[::every].astype(np.float32), labels[::every].astype(np.int64)


@functools.cache
def words_of(command):
    """Words, and their vectors (n, D)."""

    def parse(data):
        rows = [line.split() for line in data.decode().splitlines()[1:]]
        return [row[0] for row in rows], np.array([row[1:] for row in rows], np.float32)

    return parsed(Path(command.data) / WORDS[0], parse)


def unaligned(points, truth, linear=False):
    """|truth - aligned| / |truth| after the best shift, rotation and scale, or the best linear map."""
    points, truth = (np.asarray(side, np.float64) - np.mean(side, axis=0, dtype=np.float64) for side in (points, truth))
    if linear:
        best = np.linalg.lstsq(points, truth, rcond=1e-6)[0]
    else:
        u, s, vt = np.linalg.svd(points.T @ truth)
        best = u @ vt * (s.sum() / np.square(points).sum())
    return float(np.linalg.norm(points @ best - truth) / np.linalg.norm(truth))


def nearest_label_error(points, labels, queries=None, query_labels=None):
    """Per cent of queries, or of the points themselves, whose nearest point has another label."""
    nearest = isogon.neighbors(points, 1, queries=queries, metric="euclidean").indices[:, 0]
    return 100 * float(np.mean(labels[nearest] != (labels if queries is None else query_labels)))
