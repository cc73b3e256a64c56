#!/usr/bin/env python3
"""How good are the maps of few points beside umap-learn's and openTSNE's, over several seeds? See README.md beside this
file. Run by an interpreter that has numpy, scikit-learn, umap-learn and openTSNE."""
import argparse
import pathlib
import sys
import tempfile
import warnings

import numpy
from sklearn import datasets
from sklearn.metrics import silhouette_score
from sklearn.neighbors import NearestNeighbors

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "by-distance")]
import run_isogon  # noqa: E402
from measure import measure  # noqa: E402

VOTERS = 10
MOST_ROWS = 2000  # that are measured, each among all others
METHODS = {"umap": "umap-learn", "tsne": "openTSNE"}


def standardized(table):
    return (table.data - table.data.mean(0)) / table.data.std(0), table.target


def made_sets(random):
    """Binary, counts, copies, two far blobs, a ring and ten points."""
    classes = random.integers(0, 4, 1000)
    rates = random.random((4, 60)) * 0.6 + 0.2
    topics = random.dirichlet(numpy.full(200, 0.1), 5)
    topic = random.integers(0, 5, 1200)
    rows = random.normal(size=(60, 10))
    blobs = random.normal(size=(400, 10))
    blobs[200:] += 1000
    angle = numpy.sort(random.random(800)) * 2 * numpy.pi
    ring = numpy.c_[numpy.cos(angle), numpy.sin(angle)] + 0.02 * random.normal(size=(800, 2))
    return {"binary": (random.random((1000, 60)) < rates[classes], classes),
            "counts": (numpy.log1p(random.poisson(topics[topic] * 60)), topic),
            "copies": (numpy.repeat(rows, 10, 0), numpy.repeat(numpy.arange(60), 10)),
            "blobs": (blobs, numpy.repeat([0, 1], 200)),
            "ring": (ring, (angle / (2 * numpy.pi) * 8).astype(int)),
            "ten": (random.normal(size=(10, 5)), numpy.repeat([0, 1], 5))}


def converted(folder, *words):
    file = folder / "converted.npy"
    run_isogon.run("convert", *words, file, "--overwrite")
    return numpy.load(file)


def real_sets(data, folder):
    """COIL-20 whole, 3,667 of USPS, 14,000 of MNIST, and 8,000 words, which have no classes."""
    images, labels = run_isogon.mnist(data)
    coil, usps = data / "coil-20", data / "usps"
    sources = {
        "coil-20": ([coil / "coil20-32x32-images-idx3-float.gz"], [coil / "coil20-labels-idx1-ubyte.gz"], 1),
        "usps": ([usps / "usps11000-images-idx3-ubyte.gz"], [usps / "usps11000-labels-idx1-ubyte.gz"], 3),
        "mnist": (images, labels, 5)}
    sets = {name: (converted(folder, *points, "--every", every), converted(folder, *classes, "--every", every).ravel())
            for name, (points, classes, every) in sources.items()}
    return {**sets, "words": (converted(folder, *run_isogon.data_sets(data)["words"]), None)}


def all_sets(data, folder):
    """By name, points as float32 and their classes, or None."""
    tables = {"iris": (datasets.load_iris().data, datasets.load_iris().target), "wine": standardized(datasets.load_wine()),
              "cancer": standardized(datasets.load_breast_cancer()), "digits": datasets.load_digits(return_X_y=True)}
    sets = {**tables, **made_sets(numpy.random.default_rng(7)), **real_sets(data, folder)}
    return {name: (numpy.ascontiguousarray(points, numpy.float32), None if labels is None else numpy.asarray(labels).astype(int))
            for name, (points, labels) in sets.items()}


def quality(points, labels, coordinates):
    """Silhouette of the classes and votes (NaN without classes), trustworthiness, recall and triplets in the right order."""
    silhouette, votes = numpy.nan, numpy.nan
    if labels is not None:
        silhouette = silhouette_score(coordinates, labels)
        search = NearestNeighbors(n_neighbors=min(VOTERS, len(points) - 1)).fit(coordinates)
        near = search.kneighbors(return_distance=False)
        votes = numpy.mean([numpy.bincount(labels[row]).argmax() == label for row, label in zip(near, labels)])
    found = measure(points, coordinates, "euclidean", MOST_ROWS)
    return silhouette, votes, found["trustworthiness"], found["recall"], found["triplets"]


def ours(method, points, seed, folder, *options):
    source, target = folder / "points.npy", folder / "map.npy"
    numpy.save(source, points)
    run_isogon.run("embed", source, "-o", target, "--overwrite", "--method", method, "--seed", seed, *options)
    return numpy.load(target)


def peers(name, points, seed):
    if name == "umap-learn":
        import umap
        return umap.UMAP(random_state=seed, n_neighbors=min(15, len(points) - 1)).fit_transform(points)
    import openTSNE
    return numpy.asarray(openTSNE.TSNE(random_state=seed, perplexity=min(30, (len(points) - 1) / 3)).fit(points))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", help="folder that holds mnist/, usps/ and coil-20/")
    parser.add_argument("--methods", default=",".join(METHODS), help="which of: %(default)s")
    parser.add_argument("--sets", help="which, separated by commas; default: all")
    parser.add_argument("--seeds", default=5, type=int)
    parser.add_argument("--results", default=HERE / "results", type=pathlib.Path)
    arguments = parser.parse_args()
    warnings.filterwarnings("ignore")  # of peers, about their threads
    results = run_isogon.Results(arguments.results, f"Means and standard deviations of {arguments.seeds} seeds; {run_isogon.machine()}",
                                 "few_points")
    add = results.table("| set | rows | map | silhouette | votes | trustworthiness | recall | triplets |")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        sets = all_sets(run_isogon.data_directory(arguments), folder)
        for name in arguments.sets.split(",") if arguments.sets else sets:
            points, labels = sets[name]
            for method in arguments.methods.split(","):
                maps = {f"isogon {method}": lambda seed: ours(method, points, seed, folder),
                        METHODS[method]: lambda seed: peers(METHODS[method], points, seed)}
                for title, fit in maps.items():
                    rows = [quality(points, labels, fit(seed)) for seed in range(arguments.seeds)]
                    cells = ["" if numpy.isnan(mean) else f"{mean:.3f} ± {spread:.3f}"
                             for mean, spread in zip(numpy.mean(rows, 0), numpy.std(rows, 0))]
                    add(f"| {name} | {len(points):,} | {title} | {' | '.join(cells)} |")


if __name__ == "__main__":
    main()
