"""analogies: how many questions "a is to b as c is to ?" the directions of points answer."""

import os
from collections.abc import Mapping

from . import _core
from ._arrays import Memory, as_points, as_texts
from ._functions import _positional, _run
from ._results import Result, Summary
from ._signatures import RUN_HELP, run_parameters, with_signature


def _question(words, category):
    """Four words as texts; ValueError or TypeError naming the question for anything else."""
    if isinstance(words, str) or not hasattr(words, "__iter__"):
        raise TypeError(f"questions: {words!r} of {category!r} must be four words, not {type(words).__name__}")
    four = list(words)
    if len(four) != 4 or not all(isinstance(word, str) for word in four):
        raise ValueError(f"questions: {four!r} of {category!r} must be four words: a is to b as c is to d")
    return [_utf8(word) for word in four]


def _utf8(text):
    """The text without what no UTF-8 can say, halves of surrogate pairs: as words of points are taken."""
    return text.encode("utf-8", "replace").decode()


def _questions_of(questions):
    if isinstance(questions, (str, os.PathLike)):
        return _core.read_questions(os.fspath(questions))
    if not isinstance(questions, Mapping):
        raise TypeError(
            "questions: must be the path of a file, or a dictionary {category: [(a, b, c, d), ...]}, not "
            f"{type(questions).__name__}"
        )
    asked = [(_utf8(str(name)), [_question(words, name) for words in rows]) for name, rows in questions.items()]
    return _core.questions_of(asked)


def _analogies(X, words, questions, **given):
    memory = Memory(given["memory_limit"])
    x = as_points(X, memory=memory)
    names = as_texts(words, "words", x.shape[0])
    if names is None:
        raise TypeError("words: must be one word for each row of X, not None")
    asked = _questions_of(questions)
    with _run("analogies", given, memory) as run:
        found = _core.analogies(x, names, asked, run)
    found["categories"] = [Result(category) for category in found["categories"]]
    found["summary"] = Summary(found["summary"])
    return Result(found)


analogies = with_signature(
    _analogies,
    [_positional("X"), _positional("words"), _positional("questions")] + run_parameters(),
    'How many analogies "a is to b as c is to ?" the directions of points X (n, D) answer: the fourth is right if\n'
    "it is nearest by cosine to b - a + c at unit lengths, a, b and c themselves left out (Mikolov, Chen, Corrado and\n"
    "Dean 2013). What `isogon score --analogies` tells of X, under its names: accuracy, semantic_accuracy,\n"
    "syntactic_accuracy (None where nothing was covered), questions, covered (all four words have a row), correct;\n"
    "and of each of categories the same, with its name and kind.\n\n"
    "words: one for each row, distinct; a later row of the same word is left out. questions: a file in the format of\n"
    "word2vec's questions-words.txt, plain or .gz, or {category: [(a, b, c, d), ...]}; categories that begin with\n"
    '"gram" are syntactic. A word that is not found is looked for in small letters.\n'
    "ValueError for other counts of words, NaN and infinity, a file that holds no questions.\n\n"
    "Parameters\n----------\n" + RUN_HELP,
)
analogies.__name__ = analogies.__qualname__ = "analogies"
