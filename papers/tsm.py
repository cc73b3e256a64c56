"""Saul 2022: figures 1 to 9 and 11, and table 1; figure 10 is a drawing."""

from collections import namedtuple
from functools import cache, partial

import numpy as np

import isogon
from shared import DIGITS, QUESTIONS, WORDS, Curve, Curves, Table, add_figure, labelled, panel_of, parsed, words_of

figure = partial(
    add_figure,
    "Saul 2022",
    'L. K. Saul, "A geometrical connection between sparse and low-rank matrices and its application to manifold '
    'learning", Transactions on Machine Learning Research, 2022.',
)

Measure = namedtuple("Measure", "key title axis meaning")
DEVIATION = Measure("mean_angular_deviation_degrees", "Mean angular deviation", "mean angular deviation, degrees", """
Mean angular deviation: the difference between angles of outputs and of inputs, over pairs of inputs whose cosine is
above the threshold tau, each point's pair with itself counted.""")  # fmt: skip
JACCARD = Measure("jaccard", "Jaccard index", "Jaccard index", """
Jaccard index: pairs whose cosine is above the threshold tau among inputs and among outputs, over those that are in
either; 1: the same pairs. Each point's pair with itself counts.""")  # fmt: skip
VARIANTS = "\ntsm: thresholded similarity matching, the paper's method; svd: the linear projection that keeps most."
READING = "\nPublished values were read off the paper's plots by eye: about +-0.3 degrees and +-0.01."
ANALOGIES = "\n(a, b) c: a is to b as c is to which word? The one nearest to b - a + c by cosine, these three left out."
ISOMAP = """
Isomap: distances are lengths of shortest paths through a graph, here that of the pairs above tau; coordinates are
scaled eigenvectors of the Gram matrix of these distances."""
OTHER_DATA = "The paper's 25,124 FastText vectors are not available. Ours: 8,000 words of GoogleNews, 300 numbers each"
OTHER_WORDS = f"""{OTHER_DATA};
of the 19,544 questions those whose four words are among them. Accuracies of different words cannot agree in numbers."""

ALL = DIGITS + WORDS
TAU = 0.75  # of digits
THRESHOLDS = {"digits": TAU, "words": "auto"}
PLOTTED = (4, 8, 16, 32, 64, 128)
WITH_ISOMAP = (4, 8, 12, 16, 20, 24, 28, 32)
# Read off the plots. digits: 14,000 images, figures 3, 4 and 9; words: 25,124 of FastText, figures 3 to 5; llx: 70,000
# images, TSM of 14,000 and LLX, figures 6 and 7.
PUBLISHED = {
    ("digits", "svd", DEVIATION): (25.4, 20.0, 14.3, 9.2, 5.2, 2.5),
    ("digits", "tsm", DEVIATION): (16.2, 6.3, 2.5, 1.0, 0.35, 0.1),
    ("digits", "svd", JACCARD): (0.017, 0.036, 0.097, 0.25, 0.48, 0.71),
    ("digits", "tsm", JACCARD): (0.09, 0.41, 0.745, 0.88, 0.95, 0.985),
    ("digits", "isomap", JACCARD): (0.16, 0.365, 0.475, 0.50, 0.465, 0.405, 0.345, 0.285),
    ("words", "svd", DEVIATION): (46, 38.5, 30.8, 22.7, 15, 7.8),
    ("words", "tsm", DEVIATION): (39, 25.5, 13.7, 5.4, 1.8, 0.4),
    ("words", "svd", JACCARD): (0.01, 0.01, 0.014, 0.02, 0.04, 0.135),
    ("words", "tsm", JACCARD): (0.03, 0.05, 0.14, 0.44, 0.66, 0.85),
    ("words", "svd", "semantic"): (0.005, 0.03, 0.115, 0.36, 0.73, 0.875),
    ("words", "tsm", "semantic"): (0.02, 0.25, 0.60, 0.78, 0.855, 0.89),
    ("words", "svd", "syntactic"): (0.007, 0.06, 0.28, 0.62, 0.795, 0.84),
    ("words", "tsm", "syntactic"): (0.01, 0.18, 0.45, 0.68, 0.78, 0.835),
    ("llx", "svd", DEVIATION): (25.6, 20.1, 14.4, 9.3, 5.2, 2.5),
    ("llx", "tsm", DEVIATION): (16.6, 6.7, 3.3, 1.75, 0.9, 0.45),
    ("llx", "svd", JACCARD): (0.017, 0.036, 0.097, 0.25, 0.48, 0.71),
    ("llx", "tsm", JACCARD): (0.08, 0.37, 0.615, 0.76, 0.87, 0.935),
}


def published(name, *key, most=128):
    values = zip(WITH_ISOMAP if "isomap" in key else PLOTTED, PUBLISHED[key])
    return Curve(f"{name}, published", {d: value for d, value in values if d <= most}, "published")


def points_of(command, data):
    return labelled(command, DIGITS, 25 if command.quick else 5)[0] if data == "digits" else words_of(command)[1]


def digits_note(command):
    count = len(points_of(command, "digits"))
    return f"{count:,} MNIST digits{' (fold 0)' if count == 14000 else ''}; the paper: 14,000. tau = {TAU}."


def plotted(command):
    return command.dims or (PLOTTED[:4] if command.quick else PLOTTED)


@cache
def fitted(command, data, method, dimension):
    fit = isogon.TSM(dimension, threshold=THRESHOLDS[data]) if method == "tsm" else isogon.SVD(dimension)
    return fit.fit_transform(points_of(command, data))


@cache
def scored(command, data, *fit):
    x, y = points_of(command, data), fitted(command, data, *fit)
    return isogon.score(x, y, threshold=THRESHOLDS[data], rank_rows=1000)  # no figure shows ranks


def ours(command, data, method, measure, dimensions):
    return Curve(f"isogon {method}", {d: scored(command, data, method, d)[measure.key] for d in dimensions})


def unit(points):
    return points / np.maximum(np.linalg.norm(points, axis=1, keepdims=True), 1e-30)


# The vectors whose products are the L of figure 1.
VECTORS = np.array([[-3, 1], [3, -2], [3, 5], [2, -5], [8, 0], [-5, 0]], float)


def draw_matrix(matrix, ax):
    ax.imshow(np.sign(matrix), cmap="RdBu", vmin=-3, vmax=3)  # pale, below the numbers
    for (i, j), value in np.ndenumerate(matrix if len(matrix) < 10 else []):
        ax.text(j, i, f"{value:.3g}", ha="center", va="center", fontsize="x-large")
    ax.set(xticks=[], yticks=[])


def draw_layer(weights, ax):
    """Two hidden units below, six rectified ones above, and a line for each weight: blue above zero, red below."""
    units, hidden = np.arange(6), np.array([1.5, 3.5])
    for (i, k), weight in np.ndenumerate(weights):
        ax.plot([hidden[k], units[i]], [0, 1], "C0" if weight > 0 else "C3", linewidth=abs(weight) / 2, zorder=0)
    ax.scatter([*hidden, *units], [0, 0, 1, 1, 1, 1, 1, 1], 400, "white", edgecolors="black")
    ax.set(xticks=[], yticks=[0, 1], yticklabels=["h", "s"], ylim=(-0.3, 1.3), frame_on=False)


@figure("tsm-1", "Sparse matrices of high rank from ones of low rank", "figure 1", "1 s")
def example(command):
    low = VECTORS @ VECTORS.T
    s = np.maximum(low, 0)
    found = isogon.relu_decomposition(s, 2)
    places, edge = 2 * np.pi * np.arange(12) / 12, np.cos(np.pi / 12)
    circle = (np.cos(places[:, None] - places) - edge) / (1 - edge)  # 1 for equal places, below 0 for others
    titles = ("S = max(0, L)", "L = W H", "L, found from S alone", "identity = max(0, L)", "its L")
    parts = []
    for title, matrix in zip(titles, (s, low, found.W @ found.H, np.maximum(circle, 0), circle)):
        title += f", rank {np.linalg.matrix_rank(matrix)}"
        parts += [Table(title, list(map(str, range(1, len(matrix) + 1))), (matrix.round(6) + 0.0).tolist())]
        parts += [panel_of(draw_matrix, matrix, title)]
    notes = f"""
S = max(0, L) has the entries of L that are above 0, and 0 for all others: so a sparse matrix of high rank may come of
one of low rank, as a layer of rectified units, s = max(0, W h), comes of few hidden ones. relu_decomposition finds such
an L from S alone: max(0, L) differs from S by {found.output_residual:.1e} of its size, after
{len(found.output_residuals)} updates. An identity of any size is max(0, L) with L of rank 3: its rows are points on a
circle, seen over an edge that only the point itself is above."""
    return notes, *parts, panel_of(draw_layer, VECTORS, "s = max(0, W h), two hidden units h")


@figure("tsm-2", "Angles to the nearest neighbour against all angles", "figure 2", "1 s", ALL, "points")
def angles(command):
    digits = isogon.threshold(points_of(command, "digits"), TAU)
    words = isogon.threshold(points_of(command, "words"))
    columns = ["data", "tau", "published tau", "acos(tau), degrees", "sparsity", "published sparsity"]
    columns += ["share of points without a neighbour above tau"]
    rows, panels = [], []
    for title, found, tau in (("Digits", digits, TAU), ("Words: other data than the paper's", words, 0.47)):
        rows += [[title, found.threshold, tau, found.threshold_degrees, found.sparsity, 0.99, found.isolated_share]]
        panels += [panel_of(isogon.plot.angles, found, title)]
    notes = f"""
tau: the cosine above which two points count as near; sparsity: the share of pairs at or below it.
{digits_note(command)} {OTHER_DATA};
tau chosen for a sparsity of 99%, as the paper chose its own."""
    return notes, Table("Thresholds", columns, rows, "Of a sample of 2,000 points against all."), *panels


def quality(measure, command):
    dimensions, panels = plotted(command), []
    for data, title, of in (("digits", "Digits", ""), ("words", "Words: other data than the paper's", " (FastText)")):
        curves = [ours(command, data, method, measure, dimensions) for method in ("tsm", "svd")]
        curves += [published(method.upper() + of, data, method, measure) for method in ("tsm", "svd")]
        tau = scored(command, data, "svd", dimensions[0]).threshold
        other = f"{OTHER_DATA},\ntau = {tau:.4f}; curves of different words cannot agree in numbers."
        panels.append(Curves(title, "dimensions", measure.axis, curves, other if of else digits_note(command), "x"))
    average = "\nThe paper averages digits over five folds and says that they hardly differ; ours are of fold 0."
    return measure.meaning + VARIANTS + READING + average, *panels


for number, measure in (("3", DEVIATION), ("4", JACCARD)):
    add = figure("tsm-" + number, measure.title + " by dimension", "figure " + number, "4 min", ALL, "points", True)
    add(partial(quality, measure))


@figure("tsm-5", "Analogies by dimension (other words)", "figure 5", "2 min", WORDS + QUESTIONS, "dimensions", True)
def analogies(command):
    def answered(points):
        return isogon.analogies(points, words, f"{command.data}/{QUESTIONS[0]}")

    words, vectors = words_of(command)
    every, panels, all_numbers = answered(vectors), [], []
    found = {m: {d: answered(fitted(command, "words", m, d)) for d in plotted(command)} for m in ("tsm", "svd")}
    for kind in ("semantic", "syntactic"):
        key = f"{kind}_accuracy"
        curves = [Curve(f"isogon {m}", {d: one[key] or 0 for d, one in by_d.items()}) for m, by_d in found.items()]
        curves += [published(f"{m.upper()} (FastText)", "words", m, kind) for m in found]
        title = f"{kind.capitalize()} analogies: other data than the paper's"
        panels.append(Curves(title, "dimensions", "share of questions answered correctly", curves, OTHER_WORDS, "x"))
        covered = sum(category.covered for category in every.categories if category.kind == kind)
        all_numbers.append(f"{every[key] or 0:.3f} {kind} of {covered} questions")
    numbers = f"\nAll 300 numbers: {', '.join(all_numbers)}; the paper's vectors, 0.91 and 0.84."
    return ANALOGIES + VARIANTS + READING + numbers, *panels


def answers(points, asked):
    """For rows (a, b, c) the row nearest to b - a + c, other than these three."""
    directions = unit(points)
    a, b, c = asked.T
    products = (directions[b] - directions[a] + directions[c]) @ directions.T
    np.put_along_axis(products, asked, -np.inf, axis=1)
    return products.argmax(axis=1)


COMPLETED = "Analogies that TSM completes in 32 dimensions and SVD does not"


@figure("tsm-table-1", f"{COMPLETED} (other words)", "table 1", "1 min", WORDS + QUESTIONS)
def examples(command):
    words, _ = words_of(command)
    row = {word: i for i, word in enumerate(words)}
    asked, category = [], ""
    for four in parsed(f"{command.data}/{QUESTIONS[0]}", lambda text: list(map(str.split, text.decode().splitlines()))):
        category = four[1] if four[:1] == [":"] else category
        if len(four) == 4 and all(word in row for word in four):
            asked.append((category, [row[word] for word in four]))
    terms = np.array([rows for _, rows in asked])
    tsm, svd = (answers(fitted(command, "words", method, 32), terms[:, :3]) for method in ("tsm", "svd"))
    rows = {}
    for (category, (a, b, c, d)), right, wrong in zip(asked, tsm, svd):
        if right == d != wrong and category not in rows:
            kind = "syntactic" if category.startswith("gram") else "semantic"
            rows[category] = [kind, category, f"({words[a]}, {words[b]})", words[c], words[d], words[wrong]]
    notes = f"""{ANALOGIES}
{OTHER_WORDS}
The paper's own examples, such as (boy, girl) father: TSM mother, SVD daughter, are of its own words."""
    columns = ["type", "category", "prompt", "query", "isogon tsm (right)", "isogon svd (wrong)"]
    note = "The first such question of each category; categories without one are left out."
    return notes, Table(COMPLETED, columns, list(rows.values()), note)


@cache
def extended_scores(command):
    """Number of digits, and scores by (curve, dimension): svd of all, tsm of a fifth and LLX of the others."""
    x, _ = labelled(command, DIGITS, 5 if command.quick else 1)
    found = {}
    for d in command.dims or ((8, 16) if command.quick else PLOTTED):
        tsm = isogon.TSM(d, threshold=TAU)
        llx = isogon.LocallyLinearLandmarks(tsm, n_landmarks=(len(x) + 4) // 5, extension="llx")
        fits = {"svd": isogon.SVD(d), "tsm": llx}
        for name, fit in fits.items():
            found[name, d] = isogon.score(x, fit.fit_transform(x), threshold=TAU, rank_rows=1000)
    return len(x), found


def extension(measure, command):
    def curve(name, key):
        return Curve(name, {d: one[measure.key] for (k, d), one in scores.items() if k == key})

    count, scores = extended_scores(command)
    curves = [curve("isogon tsm + LLX", "tsm"), curve("isogon svd", "svd")]
    curves += [published("TSM + LLX", "llx", "tsm", measure), published("SVD", "llx", "svd", measure)]
    note = f"{count:,} MNIST digits; a random fifth is fitted; tau = {TAU}; LLX with k = 4 d neighbours and eps = 1e-4."
    notes = f"""
LLX, locally linear extension: outputs of new points are those that are reconstructed best from their neighbours' by the
weights that reconstruct the inputs (eqs. 14 and 15).{measure.meaning}{READING}
From 16 dimensions tsm has the paper's constraint (eqs. 19-22), its inequality turned."""
    return notes, Curves("Digits", "dimensions", measure.axis, curves, note, "x")


for number, measure in (("6", DEVIATION), ("7", JACCARD)):
    add = figure("tsm-" + number, measure.title + " with LLX", "figure " + number, "23 min", DIGITS, "points", True)
    add(partial(extension, measure))


@figure("tsm-8", "The loss over the updates", "figure 8", "34 s", ALL, "points")
def loss(command):
    curves, rows = [], []
    for data, name, d, about in (("digits", "digits, d = 16", 16, 1e-2), ("words", "words (other), d = 32", 32, None)):
        trace = isogon.TSM(d, threshold=THRESHOLDS[data], tolerance=0.0).fit(points_of(command, data)).summary_.trace
        # Eq. 4 over its first value. The trace has |L - Z| / |S|, hence the square.
        ratios = np.square(np.array(trace["objective"]) / trace["objective"][0]).tolist()
        curves.append(Curve(name, dict(zip(trace["iteration"], ratios))))
        rows.append([name, trace["iteration"][-1], ratios[-1], about])
    notes = f"""
The loss (eq. 4) is |L - Z|^2: how far the matrix L of low rank is from the nearest Z with S = max(0, Z). An update is a
new Z, then a new L (eqs. 5 and 6). S: the similarities, cosines above tau; d: dimensions.
Ours are updates of the fast recipe, whose extrapolation stands for the paper's momentum, without its stop (tolerance
0). The loss of an update is taken where it starts from, which is the extrapolated L. {digits_note(command)}"""
    columns = ["data", "updates", "loss over its first value", "published, about"]
    note = "The published curve was read off figure 8: both fall to about 1e-2 in 250 updates."
    title = "Loss of the alternating updates, over its first value"
    panel = Curves(title, "update", "normalized loss", curves, log="y", tabled=False)
    return notes, Table("After so many updates", columns, rows, note), panel


@cache
def isomap_of(command):
    """Of 32 dimensions, of which fewer are the first columns; and a note."""
    isomap = isogon.Isomap(32, graph="tsm", threshold=TAU, components="bridge", negative_eigenvalues=10)
    counts = isomap.fit(points_of(command, "digits")).summary_.counts
    note = f"""{digits_note(command)} Isomap on the graph of S, inputs at unit length: {counts["edges"]:.0f} edges; its
{counts["components"]:.0f} parts are joined by their shortest edges (the paper does not say how it joined them)."""
    return isomap, note


def distance_jaccard(x, y, tau, rows=1000):
    """Appendix B: near in y are pairs with |y_i - y_j|^2 / 2 < 1 - tau, in x those whose cosine is above tau."""
    x, halves = unit(x), np.square(y, dtype=np.float64).sum(axis=1) / 2
    both = either = 0
    for i in range(0, len(x), rows):
        near_x = x[i : i + rows] @ x.T > tau
        near_y = halves[i : i + rows, None] + halves - y[i : i + rows] @ y.T < 1 - tau
        both += np.count_nonzero(near_x & near_y)
        either += np.count_nonzero(near_x | near_y)
    return both / either


@figure("tsm-9", "Jaccard index of Isomap, TSM and SVD by dimension", "figure 9", "34 s", DIGITS, "points")
def isomap_jaccard(command):
    (fit, note), x = isomap_of(command), points_of(command, "digits")
    curves = [Curve("isogon isomap", {d: distance_jaccard(x, fit.embedding_[:, :d], TAU) for d in WITH_ISOMAP})]
    curves += [ours(command, "digits", method, JACCARD, PLOTTED[:4]) for method in ("tsm", "svd")]
    names = {"isomap": "Isomap", "tsm": "TSM", "svd": "SVD"}
    curves += [published(name, "digits", method, JACCARD, most=32) for method, name in names.items()]
    notes = f"""{JACCARD.meaning}{ISOMAP}{READING}
Isomap keeps distances, not angles: its near pairs are those with |y_i - y_j|^2 / 2 < 1 - tau, as in the paper."""
    return notes, Curves("Digits", "dimensions", JACCARD.axis, curves, note)


@figure("tsm-11", "Eigenvalues of Isomap's Gram matrix", "figure 11", "34 s, with tsm-9", DIGITS, "points")
def isomap_spectrum(command):
    fit, note = isomap_of(command)
    measures = fit.summary_.measures.items()
    ends = [[v for name, v in measures if name.startswith(end)] for end in ("eigenvalue_", "last_eigenvalue_")]
    known = max(min(map(abs, values), default=0.0) for values in ends)  # of smaller ones some are missing
    ordered = sorted((value for value in sum(ends, []) if abs(value) >= known), key=abs, reverse=True)
    below = {place: value for place, value in enumerate(ordered, 1) if value < 0}
    above = {place: value for place, value in enumerate(ordered, 1) if value >= 0}
    title = "Eigenvalues of the Gram matrix that Isomap diagonalizes, digits"
    notes = f"""{ISOMAP} A negative one means that no coordinates have these distances.
The first negative eigenvalue is number {min(below, default="-")} by size. The paper says that it comes a little before
the Jaccard index falls; its plot, whose values cannot be read off well, goes from -2,000 to 8,000."""
    curves = [Curve("positive", above), Curve("negative", below)]
    return notes, Curves(title, "place by size", "eigenvalue", curves, note)
