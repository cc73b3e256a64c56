#!/usr/bin/env python3
"""How far are coordinates from others of the same points, whatever their frame? Called by benches, with an interpreter
that has numpy: alignment_error.py TRUTH COORDINATES...

Prints, as a list of JSON objects, |T - aligned X| / |T - mean of T| (Frobenius norms) after the best shift and
  procrustes  the best rotation, reflection and scale
  linear      the best linear map: also what each direction's own scale does is forgiven
"""
import json
import sys

import numpy


def centred(name):
    points = numpy.load(name).astype(numpy.float64)
    return points - points.mean(axis=0)


def errors(truth, x):
    """By the singular values of the cross product: |T - s X R|^2 is least at |T|^2 - (their sum)^2 / |X|^2."""
    whole = (truth ** 2).sum()
    singular = numpy.linalg.svd(truth.T @ x, compute_uv=False)
    linear = truth - x @ numpy.linalg.lstsq(x, truth, rcond=None)[0]
    return {"procrustes": float(numpy.sqrt(max(0.0, 1.0 - singular.sum() ** 2 / (whole * (x ** 2).sum())))),
            "linear": float(numpy.sqrt((linear ** 2).sum() / whole))}


def main():
    truth = centred(sys.argv[1])
    print(json.dumps([errors(truth, centred(name)) for name in sys.argv[2:]]))


if __name__ == "__main__":
    main()
