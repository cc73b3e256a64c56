"""analogies: by hand, and as the command line counts them."""

import json
import subprocess

import numpy as np
import pytest

import isogon

WORDS = ["man", "woman", "king", "queen", "tree", "stone"]
POINTS = np.array(
    [[1, 0, 0, 0], [0, 1, 0, 0], [1, 0, 1, 0], [0, 1, 1, 0], [0, 0, 0, 1], [0, 0, 0, -1]], dtype=np.float32
)
QUESTIONS = {
    "family": [
        ("man", "woman", "king", "queen"),
        ("Man", "Woman", "King", "Queen"),
        ("man", "woman", "king", "prince"),
    ],
    "gram8-plural": [("man", "woman", "king", "tree")],
    "gram9-other-words": [("eins", "zwei", "drei", "vier")],
}


def text_of(questions):
    return "".join(
        f": {name}\n" + "".join(" ".join(words) + "\n" for words in rows) for name, rows in questions.items()
    )


def answer(points, rows):
    """The row that answers a : b = c : ?, by the definition."""
    unit = points.astype(float) / np.linalg.norm(points, axis=1, keepdims=True)
    a, b, c = rows
    cosines = unit @ (unit[b] - unit[a] + unit[c])
    cosines[[a, b, c]] = -np.inf
    return int(np.argmax(cosines))


def test_counts_by_hand():
    result = isogon.analogies(POINTS, WORDS, QUESTIONS)
    assert (result.questions, result.covered, result.correct) == (5, 3, 2)
    assert (result.semantic_accuracy, result.syntactic_accuracy) == (1.0, 0.0)
    assert result.accuracy == pytest.approx(2 / 3)
    family, plural, other = result.categories
    assert (family.name, family.kind, family.questions, family.covered, family.correct) == (
        "family",
        "semantic",
        3,
        2,
        2,
    )
    assert (plural.kind, plural.accuracy) == ("syntactic", 0.0)
    assert (other.covered, other.accuracy) == (0, None)
    assert result.summary.termination == "converged"


def test_answers_by_the_definition():
    random = np.random.default_rng(0)
    points = random.normal(size=(40, 5)).astype(np.float32)
    words = [f"w{i}" for i in range(40)]
    asked = [random.choice(40, size=3, replace=False) for _ in range(60)]
    right = [(*rows, answer(points, rows)) for rows in asked]
    wrong = [(*rows, next(i for i in range(40) if i not in (*rows, answer(points, rows)))) for rows in asked]
    named = {name: [[words[i] for i in rows] for rows in rows_] for name, rows_ in (("r", right), ("w", wrong))}
    result = isogon.analogies(points, words, named)
    assert [category.correct for category in result.categories] == [60, 0]


def test_the_figures_of_the_command_line(tmp_path, program):
    random = np.random.default_rng(1)
    points = np.vstack([POINTS + 0.1 * random.normal(size=POINTS.shape), random.normal(size=(20, 4))]).astype("f4")
    words = WORDS + [f"other{i}" for i in range(20)]
    small = points[:, :3].copy()
    lines = [f"{len(words)} 4"] + [" ".join([word, *map(repr, row.tolist())]) for word, row in zip(words, points)]
    (tmp_path / "x.vec").write_text("\n".join(lines) + "\n")
    np.save(tmp_path / "y.npy", small)
    (tmp_path / "questions.txt").write_text(text_of(QUESTIONS))
    command = [program, "score", "x.vec", "y.npy", "--neighbors", "3", "--analogies", "questions.txt", "--json"]
    out = subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, text=True).stdout
    theirs = json.loads(out)["analogies"]
    for key, given in (("x", points), ("y", small)):
        for questions in (QUESTIONS, tmp_path / "questions.txt"):
            ours = isogon.analogies(given, words, questions)
            assert {name: value for name, value in ours.items() if name != "summary"} == theirs[key]


def test_threads_change_nothing():
    one, three = (isogon.analogies(POINTS, WORDS, QUESTIONS, n_jobs=jobs) for jobs in (1, 3))
    assert one.categories == three.categories


@pytest.mark.parametrize(
    "change, error, says",
    [
        (dict(words=WORDS[:5]), ValueError, "words: must be 6"),
        (dict(words=None), TypeError, "words"),
        (dict(X=np.full((6, 4), np.nan)), ValueError, "^X"),
        (dict(questions=[("a", "b", "c", "d")]), TypeError, "questions: must be the path"),
        (dict(questions={"family": [("man", "woman", "king")]}), ValueError, "questions: .*four words"),
        (dict(questions={"family": ["man woman king queen"]}), TypeError, "questions: .*four words"),
        (dict(questions={"family": [(1, 2, 3, 4)]}), ValueError, "questions: .*four words"),
        (dict(questions="no-such-file.txt"), ValueError, "no-such-file.txt"),
        (dict(memory_limit=10), MemoryError, "limit"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_bad_input_is_named(change, error, says):
    arguments = {"X": POINTS, "words": WORDS, "questions": QUESTIONS, **change}
    with pytest.raises(error, match=says):
        isogon.analogies(**arguments)


def test_questions_that_nobody_can_answer_are_warned_of():
    result = isogon.analogies(POINTS, WORDS, {"a": [("eins", "zwei", "drei", "vier")]})
    assert result.accuracy is None and "none of the 1 questions" in result.summary.warnings[0]
    assert isogon.analogies(POINTS, WORDS, {}).questions == 0
