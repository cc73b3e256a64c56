"""Weinberger, Packer and Saul 2005: three experiments; most numbers are missing in the available text."""

import time
from functools import partial

import numpy as np

import isogon
import shared
from shared import Curve, Curves, Table, labelled, panel_of, unaligned

figure = partial(
    shared.add_figure,
    "Weinberger 2005",
    'K. Q. Weinberger, B. D. Packer and L. K. Saul, "Nonlinear dimensionality reduction by semidefinite programming '
    'and kernel matrix factorization", AISTATS 2005.',
)

LSDE = """
lsde: landmark semidefinite embedding, which pulls points apart as far as distances between neighbours allow, all being
mixtures of some landmarks. Share of the trace: an eigenvalue of the outputs' Gram matrix over the sum of all.
"""


def spectrum(fit, few=10):
    return {k + 1: fit.summary_.measures[f"spectrum_{k}"] for k in range(few)}


@figure("lsde-roll", "A Swiss roll unrolled", "the Swiss roll", "8 s", quick="points")
def roll(command):
    count = 2000 if command.quick else 20000
    made = isogon.generate("swiss-roll", count, noise=0.0, height=21.0)
    rows, spectra = [], []
    for landmarks in (20, 40):
        begun = time.perf_counter()
        fit = isogon.LandmarkSDE(2, n_landmarks=landmarks, landmark_selection="farthest", components="bridge")
        error, seconds = unaligned(fit.fit_transform(made.points), made.truth), time.perf_counter() - begun
        counts = [fit.summary_.counts[name] for name in ("constraints", "told", "rounds")]
        rows.append([landmarks, *counts, error, sum(spectrum(fit, 2).values()), seconds])
        spectra.append(Curve(f"{landmarks} landmarks", spectrum(fit)))
    columns = ["landmarks", "constraints", "told to the solver", "rounds", "error", "share of the first two", "seconds"]
    note = f"""\
{count:,} points, 21 high, without noise; k = 6 distances kept, r = 12. Error: |truth - aligned Y| / |truth| after the
best rotation and scale, the truth being the sheet before it was rolled up. Published: 20,000 points, "minutes"."""
    notes = (
        LSDE + "Numbers of the paper's tables are lost in the available text, so there is little to set beside ours."
    )
    panel = Curves("The spectrum shows the dimension", "dimension", "share of the trace", spectra)
    return notes, Table("A Swiss roll, to two dimensions", columns, rows, note), panel


def ring_of(y):
    """Least and largest radius over their mean, turns, and steps that go the other way, of views in their order."""
    radius = np.hypot(*y.T)
    steps = (np.diff(np.arctan2(y[:, 1], y[:, 0])) + np.pi) % (2 * np.pi) - np.pi
    backward = min(np.count_nonzero(steps > 0), np.count_nonzero(steps <= 0))
    return [radius.min() / radius.mean(), radius.max() / radius.mean(), abs(steps.sum()) / (2 * np.pi), backward]


@figure("lsde-object", "Views of a rotating object: a ring", "the rotating object", "1 s", shared.OBJECTS)
def rotating_object(command):
    points, labels = labelled(command, shared.OBJECTS)
    views = points[labels == 0]
    parts = np.array([f"from {i * 6 // len(views) * 60} degrees" for i in range(len(views))])
    rows, panels = [], []
    for landmarks in (24, len(views)):
        fit = isogon.LandmarkSDE(2, n_neighbors=4, components="bridge", n_landmarks=landmarks)
        y = fit.fit_transform(views)
        rows.append([landmarks, *ring_of(y.astype(float)), sum(spectrum(fit, 2).values())])
        title = f"{len(views)} views of an object by lsde, {landmarks} landmarks"
        panels.append(panel_of(isogon.plot.map, y, title, labels=parts))
    columns = ["landmarks", "least radius", "largest", "turns", "steps the other way", "share of the first two"]
    note = """\
Object 0 of coil-20 stands for the 400 views of a teapot of the paper, which could not be had. The paper: a perfect
circle, nearly all variance in two dimensions; lsde differs a little from sde."""
    notes = f"""{LSDE}\
72 views, turned by 5 degrees each. Radius: the distance from the centre, over its mean. Turns: how often the views go
round, from the first to the last. The colours of the maps are six parts of the turn."""
    return notes, Table("The ring", columns, rows, note), *panels


TITLE = "1-nn error of digits by dimension, and the spectrum"


@figure("lsde-digits", TITLE, "the digits of USPS", "31 s", shared.POSTAL_DIGITS, "points")
def digits(command):
    x, labels = labelled(command, shared.POSTAL_DIGITS, 10 if command.quick else 1)
    begun = time.perf_counter()
    fits = {"lsde": isogon.LandmarkSDE(20, components="bridge").fit_transform(x)}
    seconds = time.perf_counter() - begun
    fits["pca"] = isogon.PCA(20).fit_transform(x)
    errors, shares = [], []
    for name, y in fits.items():
        role = "ours" if name == "lsde" else "baseline"
        by_dimension = {d: shared.nearest_label_error(y[:, :d], labels) for d in (1, 2, 3, 4, 5, 6, 8, 10, 15, 20)}
        variances = np.square(y, dtype=np.float64).sum(axis=0)  # for lsde shares of the trace
        errors.append(Curve(f"isogon {name}", by_dimension, role))
        shares.append(Curve(f"isogon {name}", dict(enumerate((variances / variances.sum()).tolist(), 1)), role))
    note = f"""\
{len(x):,} digits of USPS, 16 x 16 pixels; each is classified by the nearest other one. The paper has a split into
training and test of its own. lsde: 40 landmarks, k = 6, r = 12, {seconds:.0f} s."""
    notes = f"""{LSDE}{shared.NEAREST_LABEL}
The paper says: lsde's error falls rapidly and is nearly that of the images in a few dimensions, pca needs many more to
overtake it, and lsde concentrates the variance in fewer dimensions. Its numbers are lost in the available text."""
    panel = Curves("Shares of the first 20 dimensions", "dimension", "share of their variance", shares)
    return notes, Curves("1-nn error by dimension", "dimensions", "per cent", errors, note), panel
