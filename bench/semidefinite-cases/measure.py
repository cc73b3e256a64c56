#!/usr/bin/env python3
"""What the cases need numpy for; called by run. Prints one line of JSON.

    measure.py object IMAGES LABELS NUMBER OUT.npy   the images of one object, as points
    measure.py circle COORDINATES                    how round a ring of views in their order is
    measure.py votes LABELS COORDINATES D...         share of points whose nearest other has another label, by the first D
"""
import gzip
import json
import sys

import numpy


def idx(name):
    data = gzip.open(name).read()
    kind = {0x08: "u1", 0x0D: ">f4"}[data[2]]
    shape = [int.from_bytes(data[4 + 4 * k:8 + 4 * k], "big") for k in range(data[3])]
    return numpy.frombuffer(data[4 + 4 * len(shape):], kind).reshape(shape)


def one_object(images, labels, number, output):
    points = idx(images).reshape(len(idx(images)), -1)[idx(labels) == int(number)].astype(numpy.float32)
    numpy.save(output, points)
    return {"points": len(points)}


def circle(name):
    points = numpy.load(name)[:, :2].astype(numpy.float64)
    lengths = numpy.linalg.norm(points - points.mean(axis=0), axis=1)
    turn = numpy.diff(numpy.unwrap(numpy.arctan2(points[:, 1], points[:, 0])))
    return {"least": float(lengths.min() / lengths.mean()), "most": float(lengths.max() / lengths.mean()),
            "turns": float(abs(turn.sum()) / (2 * numpy.pi)), "backward": int(min((turn > 0).sum(), (turn < 0).sum()))}


def votes(labels, name, *dimensions):
    truth = idx(labels)
    points = numpy.load(name).astype(numpy.float32)
    errors = []
    for dimension in map(int, dimensions):
        x = points[:, :dimension]
        squares = (x ** 2).sum(axis=1)
        wrong = 0
        for first in range(0, len(x), 1000):
            distances = squares - 2 * x[first:first + 1000] @ x.T
            rows = numpy.arange(len(distances))
            distances[rows, first + rows] = numpy.inf
            wrong += int((truth[distances.argmin(axis=1)] != truth[first:first + 1000]).sum())
        errors.append(wrong / len(x))
    return errors


if __name__ == "__main__":
    print(json.dumps({"object": one_object, "circle": circle, "votes": votes}[sys.argv[1]](*sys.argv[2:])))
