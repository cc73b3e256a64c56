#!/usr/bin/env python3
"""Fits one peer's map, in two dimensions or --dim of them; called by bench/maps/run and others, with an interpreter that
has the peers.

Writes the coordinates in float32 and prints the seconds of the fit (neighbours included, without imports, reading and
writing), the version and, where the peer tells it, its KL divergence as JSON. A small fit of other points goes before,
so that compiling is not counted.
"""
import argparse
import json
import time
import warnings

import numpy


def umap_learn(arguments):
    import umap
    model = umap.UMAP(n_components=arguments.dim, metric=arguments.metric, random_state=arguments.seed)
    return umap, model.fit_transform, lambda: None


def umap_learn_parallel(arguments):
    import umap
    model = umap.UMAP(n_components=arguments.dim, metric=arguments.metric, n_jobs=arguments.threads)
    return umap, model.fit_transform, lambda: None


def open_tsne(arguments):
    import openTSNE
    model = openTSNE.TSNE(n_components=arguments.dim, metric=arguments.metric, n_jobs=arguments.threads,
                          random_state=arguments.seed)
    kept = {}

    def fit(points):
        kept["map"] = model.fit(points)
        return numpy.asarray(kept["map"])

    return openTSNE, fit, lambda: float(kept["map"].kl_divergence)


def scikit_learn(arguments):
    import sklearn
    from sklearn.manifold import TSNE
    model = TSNE(n_components=arguments.dim, metric=arguments.metric, n_jobs=arguments.threads,
                 random_state=arguments.seed)
    return sklearn, model.fit_transform, lambda: float(model.kl_divergence_)


def pacmap(arguments):
    import pacmap
    distance = "angular" if arguments.metric == "cosine" else arguments.metric
    model = pacmap.PaCMAP(n_components=arguments.dim, distance=distance, random_state=arguments.seed)
    return pacmap, model.fit_transform, lambda: None


PEERS = {"umap-learn": umap_learn, "umap-learn-parallel": umap_learn_parallel, "openTSNE": open_tsne,
         "scikit-learn": scikit_learn, "PaCMAP": pacmap}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("peer", choices=PEERS)
    parser.add_argument("points")
    parser.add_argument("output")
    parser.add_argument("--dim", type=int, default=2)
    parser.add_argument("--metric", default="euclidean", choices=("euclidean", "cosine"))
    parser.add_argument("--threads", type=int, required=True)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    warnings.filterwarnings("ignore")  # that one thread serves a seed
    points = numpy.load(arguments.points)
    _, warm_up, _ = PEERS[arguments.peer](arguments)
    warm_up(numpy.random.default_rng(0).standard_normal((300, points.shape[1])).astype(numpy.float32))
    module, fit, divergence = PEERS[arguments.peer](arguments)
    begin = time.monotonic()
    result = fit(points)
    seconds = time.monotonic() - begin
    numpy.save(arguments.output, numpy.asarray(result, numpy.float32))
    print(json.dumps({"seconds": seconds, "version": module.__version__, "kl_divergence": divergence()}))


if __name__ == "__main__":
    main()
