"""Draganov and Dohn 2023: figures 2 and 3, which are pictures without numbers."""

import time
from functools import partial

import isogon
from shared import DIGITS, Curve, Curves, Table, add_figure, labelled, panel_of, unaligned

figure = partial(
    add_figure,
    "Draganov 2023",
    'A. Draganov and S. Dohn, "Unexplainable Explanations: Towards Interpreting tSNE and UMAP Embeddings", 2023.',
)


@figure("forces-2", "PCA by gradient descent", "figure 2", "5 s", DIGITS, "steps")
def gradient_descent(command):
    steps = (1, 5, 20, 50, 100) if command.quick else (1, 2, 5, 10, 20, 50, 100, 200)
    x, _ = labelled(command, DIGITS, 70)
    truth = isogon.PCA(2).fit_transform(x)
    curves = []
    for rank in (0, 5, 50):
        given = isogon.PCA(rank).fit_transform(x) if rank else x  # points of the best Gram matrix of rank k
        fits = {count: isogon.PCAForces(2, iterations=count).fit_transform(given) for count in steps}
        name = f"rank {rank}" if rank else "the whole Gram matrix"
        curves.append(Curve(name, {count: unaligned(y, truth) for count, y in fits.items()}))
    note = f"""\
{len(x):,} MNIST digits (the paper: 1,000), a random start; step 1 / (8 lambda_1), the longest that is proven to lower
the objective."""
    notes = """
Every pair of points pulls or pushes until products of outputs are those of inputs. Rank k: the best approximation of
that rank stands for the inputs' Gram matrix.
Error: |PCA - aligned| / |PCA|, aligned by the best rotation and scale.
The paper's figure shows pictures: the final result is PCA's embedding up to a rotation, for the whole gradient and its
approximations of rank k (theorem 1, lemma 3). Errors below some 1e-6 are rounding."""
    title = "PCA by gradient descent: how far from PCA after so many steps"
    return notes, Curves(title, "steps", "error after the best rotation and scale", curves, note, "xy")


TITLE = "Maps by PCA and LLE with two kernels, t-SNE and UMAP"


@figure("forces-3", TITLE, "figure 3", "33 s", DIGITS, "points")
def maps(command):
    x, labels = labelled(command, DIGITS, 70 if command.quick else 14)
    methods = {"PCA with two kernels": isogon.PCA2(), "t-SNE": isogon.TSNE(), "UMAP": isogon.UMAP()}
    rows, panels = [], []
    for title, fit in {**methods, "LLE with two kernels": isogon.LLE2()}.items():
        begun = time.perf_counter()
        y = fit.fit_transform(x)
        seconds = time.perf_counter() - begun
        score = isogon.score(x, y, labels)
        rows.append([title, score.knn_accuracy, score.trustworthiness, score.continuity, seconds])
        panels.append(panel_of(isogon.plot.map, y, title, labels=labels))
    columns = ["map", "10-nn accuracy", "trustworthiness", "continuity", "seconds"]
    note = f"""\
{len(x):,} MNIST digits (the paper: 5,000), defaults. Accuracy is of labels by the ten nearest in the map, each point
left out in turn."""
    notes = """
With two kernels: in the objective of PCA or LLE 1 / (1 + |y_i - y_j|^2) stands for the product of two outputs, and for
PCA UMAP's graph for that of two inputs.
Trustworthiness is 1 where no neighbour in the map is false, continuity where none of the inputs' is lost.
The paper's figure shows pictures, no numbers: LLE with two kernels separates the classes much as t-SNE and UMAP do, PCA
with two kernels over all pairs does not."""
    return notes, Table("What the maps keep", columns, rows, note), *panels
