#!/usr/bin/env python3
"""Words as distributions over what follows them, and who is near whom; called by run. Prints one line of JSON.

    bigrams.py matrix TEXT NUMBER KIND OUT.npy WORDS   a row for each of the NUMBER most common words, the commonest first
    bigrams.py nearest WORDS COORDINATES D WORD...     those nearest to each WORD by the first D numbers, nearest first
    bigrams.py kept POINTS COORDINATES D               share of the 10 nearest by the first D numbers that are so among POINTS

A word is a token that begins with a letter, lower-cased. What follows is one of the same words, another word, a number,
or a mark of punctuation, each of which is a column of its own; a sentence that ends without one ends with a full stop.
KIND shares: how often each follows, as a share (the maximum likelihood); roots: square roots of these, between which
distances are those of Hellinger. WORDS: a file of their names.
"""
import collections
import gzip
import json
import sys

import numpy

SHOWN = 6
JUDGED = 10


def sentences(name):
    """Tokens of each sentence, lower-cased, numbers as one."""
    for line in gzip.open(name, "rt", encoding="utf-8"):
        tokens = ["#" if any(letter.isdigit() for letter in token) and not token[0].isalpha() else token
                  for token in line.rstrip("\n").split("\t")[1].lower().split(" ")]
        yield tokens if tokens[-1] in (".", "?", "!") else tokens + ["."]


def most_common(tokens, number):
    """Of two that are equally common, the first by its letters."""
    frequency = collections.Counter(tokens)
    return sorted(frequency, key=lambda token: (-frequency[token], token))[:number], frequency


def matrix(text, number, kind, output, names):
    result = list(sentences(text))
    words, frequency = most_common((token for tokens in result for token in tokens if token[0].isalpha()), int(number))
    marks, _ = most_common((token for tokens in result for token in tokens if not any(map(str.isalpha, token))), None)
    column = {token: k for k, token in enumerate(words + marks)}
    counts = numpy.zeros((len(words), len(column) + 1))
    for tokens in result:
        for word, after in zip(tokens, tokens[1:]):
            if column.get(word, len(words)) < len(words):
                counts[column[word], column.get(after, len(column))] += 1
    shares = counts / counts.sum(axis=1, keepdims=True)
    numpy.save(output, (numpy.sqrt(shares) if kind == "roots" else shares).astype(numpy.float32))
    with open(names, "w", encoding="utf-8") as file:
        json.dump(words, file)
    return {"points": len(words), "dimensions": counts.shape[1], "rarest": frequency[words[-1]]}


def orders(points, rows):
    """For each of the rows all others, nearest first."""
    squares = (points ** 2).sum(axis=1)
    distances = squares - 2 * points[rows] @ points.T
    distances[numpy.arange(len(rows)), rows] = -numpy.inf
    return numpy.argsort(distances, axis=1, kind="stable")[:, 1:]


def nearest(names, coordinates, dimension, *asked):
    with open(names, encoding="utf-8") as file:
        words = json.load(file)
    points = numpy.load(coordinates).astype(numpy.float64)[:, :int(dimension)]
    found = orders(points, [words.index(word) for word in asked])
    return {word: [words[i] for i in near[:SHOWN]] for word, near in zip(asked, found)}


def kept(inputs, coordinates, dimension):
    x = numpy.load(inputs).astype(numpy.float64)
    y = numpy.load(coordinates).astype(numpy.float64)[:, :int(dimension)]
    every = numpy.arange(len(x))
    common = [len(set(near) & set(true)) for near, true in zip(orders(y, every)[:, :JUDGED], orders(x, every)[:, :JUDGED])]
    return {"kept": sum(common) / (JUDGED * len(x))}


if __name__ == "__main__":
    print(json.dumps({"matrix": matrix, "nearest": nearest, "kept": kept}[sys.argv[1]](*sys.argv[2:])))
