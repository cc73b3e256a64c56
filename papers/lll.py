"""Vladymyrov and Carreira-Perpinan 2013: three experiments; the available slides show the curves without numbers."""

from functools import partial

import numpy as np

import isogon
import shared
from shared import Curve, Curves, Table, labelled, unaligned

figure = partial(
    shared.add_figure,
    "Vladymyrov 2013",
    'M. Vladymyrov, M. A. Carreira-Perpinan, "Locally linear landmarks for large-scale manifold learning", ECML 2013.',
)

LLL = """
LLL: the eigenproblem of all points, restricted to combinations of landmarks, each point a combination of its K_Z
nearest."""
EXTENSIONS = f"""{LLL} LE(Z): that of the landmarks alone, all others combined by the same weights Z. LE(Nys.): that of
the landmarks alone, all others by Nystrom's formula."""
NO_NUMBERS = "The published curves cannot be read off: the slides that are available hold no numbers."
NAMES = {"lll": "LLL", "weights": "LE(Z)", "nystrom": "LE(Nys.)"}
SHARED_STEPS = ("neighbors", "choose landmarks", "nearest landmarks", "landmark weights")


def fitted(x, extension, landmarks=300, neighbors=None, k_z=0, **options):
    """Laplacian eigenmaps, on landmarks unless extension is "exact"; None where they are refused."""
    fit = isogon.LaplacianEigenmaps(**options)
    if extension != "exact":
        k = 0 if extension == "nystrom" else k_z  # the kernel stands for them
        fit = isogon.LocallyLinearLandmarks(fit, n_landmarks=landmarks, extension=extension, extension_neighbors=k)
    try:
        # Landmarks alone have other neighbours.
        return fit.fit(x, neighbors=neighbors if extension in ("exact", "lll") else None)
    except ValueError:
        return None


def seconds_of(fit):
    return sum(seconds for step, seconds in fit.summary_.seconds.items() if step not in SHARED_STEPS)


TITLE = "Error and time of landmarks against exact eigenmaps"


@figure("lll-landmarks", TITLE, "experiment 1", "1 min", shared.TRAINING, "points")
def by_landmarks(command):
    x, _ = labelled(command, shared.TRAINING, 20 if command.quick else 1)
    options = {"neighbors": isogon.neighbors(x, 150, metric="euclidean"), "n_components": 50, "n_neighbors": 150}
    exact = fitted(x, "exact", **options)
    rows = []
    for count in (100, 300, 1000) if command.quick else (300, 1000, 3000):
        for extension, name in NAMES.items() if count < len(x) else ():
            fit = fitted(x, extension, count, k_z=51, **options)
            if fit is not None:
                error, seconds = unaligned(fit.embedding_, exact.embedding_), seconds_of(fit)
                rows.append([count, name, error, seconds, seconds_of(exact) / seconds])
    by_count, by_time = (
        [Curve(name, {row[at]: row[2] for row in rows if row[1] == name}) for name in NAMES.values()] for at in (0, 3)
    )
    note = f"""\
{len(x):,} training images of MNIST to d = 50 by Laplacian eigenmaps, k = 150, sigma the median distance to the k-th
neighbour, K_Z = 51 (the paper: 60,000, K_Z = 50; it does not give k and sigma)."""
    exact_note = f"The exact fit took {seconds_of(exact):.1f} s; published: exact 80 s, LLL 5 s, a machine of 2013."
    notes = f"""{EXTENSIONS}
Error: |exact - aligned| / |exact|, aligned by the best rotation and scale.
{NO_NUMBERS} They say that LLL has a
much lower error than Nystrom's method for as many landmarks, and is some 15 times faster than the exact embedding at a
small error."""
    columns = ["landmarks", "way", "error", "seconds", "exact / this"]
    table = Table("Seconds of a fit, without the steps that fits share", columns, rows, exact_note)
    error = Curves("Error against the exact embedding", "landmarks", "error", by_count, note, "x")
    return notes, error, Curves("The same by time", "seconds", "error", by_time, log="x", tabled=False), table


def errors_over(roll, option, values, **fixed):
    """Errors of the exact fit, and of each extension from 300 landmarks, over one option."""
    curves = []
    for extension, name in (("exact", "exact"), *NAMES.items()):
        fits = {value: fitted(roll.points, extension, n_components=2, **{option: value}, **fixed) for value in values}
        # Linear, as eigenmaps do not keep the lengths of both axes.
        errors = {v: unaligned(f.embedding_, roll.truth, linear=True) for v, f in fits.items() if f is not None}
        curves.append(Curve(name, errors, "baseline" if extension == "exact" else "ours"))
    return curves


@figure("lll-roll", "Choosing sigma and k on landmarks, a Swiss roll", "experiment 2", "8 s", quick="points")
def on_a_roll(command):
    count, k, ks = (1000, 40, (12, 20, 40)) if command.quick else (4000, 150, (15, 40, 150, 300))
    roll = isogon.generate("swiss-roll", count, noise=0.0, height=60.0)
    note = f"""\
A Swiss roll of {count:,} points, 60 high, layers 2 pi apart, to d = 2; 300 random landmarks, K_Z = 3. A fit that is
refused (weights that vanish among landmarks alone) has no point."""
    over = {
        f"sigma, k = {k}": errors_over(roll, "sigma", (1.0, 1.3, 1.6, 2.0, 2.5, 4.0, 6.3), n_neighbors=k),
        "k, sigma = 1.6": errors_over(roll, "n_neighbors", ks, sigma=1.6),
    }
    panels, best = [], []
    for over_what, curves in over.items():
        option = over_what.split(",")[0]
        title = f"Error against the truth over {over_what}"
        panels.append(Curves(title, option, "error after the best linear map", curves, note, "x"))
        best += [[option, c.name, *min(c.values.items(), key=lambda one: one[1])] for c in curves if c.values]
    said = "The paper: the minima of LLL and the exact embedding align well, at sigma = 1.6 where it then varies k."
    notes = f"""{EXTENSIONS}
Error: |truth - aligned| / |truth|, aligned by the best linear map; the truth is the sheet before it was rolled up.
sigma: the width of the kernel; k: neighbours.
{NO_NUMBERS} How the paper's roll was made
it does not say; on one 21 high, as is usual, eigenmaps do not find the height in two coordinates."""
    return notes, *panels, Table("Where each is best", ["over", "way", "at", "error"], best, said)


@figure(
    "lll-classes", "Choosing sigma and k by 1-nn errors of digits", "experiment 3", "2 min", shared.DIGITS, "points"
)
def by_classes(command):
    every, dimension = (10, 100) if command.quick else (1, 500)
    (x, labels), (new, new_labels) = labelled(command, shared.TRAINING, every), labelled(command, shared.TESTING, every)
    near = isogon.neighbors(x, 50, metric="euclidean")
    curves = []
    for k in (5, 10, 20, 50):
        neighbors = tuple(np.ascontiguousarray(part[:, :k]) for part in (near.indices, near.distances))
        options = {"n_components": dimension, "n_neighbors": k, "components": "bridge"}
        fits = {sigma: fitted(x, "lll", 1000, neighbors, 50, sigma=sigma, **options) for sigma in (1e3, 2e3, 4e3)}
        errors = {
            sigma: shared.nearest_label_error(fit.embedding_, labels, fit.transform(new), new_labels)
            for sigma, fit in fits.items()
            if fit is not None
        }
        curves.append(Curve(f"k = {k}", errors))
    note = f"""\
{len(x):,} training digits to d = {dimension}, 1,000 landmarks, K_Z = 50; {len(new):,} test digits placed afterwards,
each by itself. sigma in units of pixels from 0 to 255. The paper trains on 50,000."""
    notes = f"""{LLL} sigma: the width of the kernel; k: neighbours.
{shared.NEAREST_LABEL}
{NO_NUMBERS} They say that LLL is
15 to 40 times faster than exact fits, and that both are best for the same k and sigma. One exact fit is set beside
them by bench/lll-classification."""
    return notes, Curves("1-nn error of test digits by LLL over sigma and k", "sigma", "per cent", curves, note, "x")
