"""Messages say what the holder of Python can type."""

import inspect
import re
import warnings

import numpy as np
import pytest
from conftest import ESTIMATORS, ROOT, quick

import isogon
from isogon._names import in_python_words


def known_words():
    """Parameters of every class and function."""
    callables = [*ESTIMATORS.values(), isogon.LocallyLinearLandmarks, isogon.score, isogon.neighbors, isogon.threshold]
    return {name for one in callables for name in inspect.signature(one).parameters}


# What Python cannot reach: files of text, checkpoints, indexes, the program's help, and query maps.
ELSEWHERE = ("--format", "--checkpoint", "--save-index", "--map")


def texts_with_flags():
    """String literals of the library that name a flag; adjacent ones are one text."""
    for path in sorted((ROOT / "src").rglob("*.cpp")):
        if "page" in path.stem:
            continue
        for found in re.finditer(r'(?:"(?:[^"\\\n]|\\.)*"\s*)+', path.read_text(encoding="utf-8")):
            text = "".join(re.findall(r'"((?:[^"\\\n]|\\.)*)"', found[0]))
            if re.search("--[a-z]", text) and "var(--" not in text and not any(word in text for word in ELSEWHERE):
                yield f"{path.name}: {text}", text


TEXTS = dict(texts_with_flags())


def test_there_are_texts_to_look_at():
    assert len(TEXTS) > 15 and any("components.cpp" in name for name in TEXTS)


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_no_text_of_the_library_names_a_flag(text):
    said = in_python_words(text)
    assert "--" not in said
    # What readers of tables say is not heard in Python, which reads none.
    of_tables = {"label-column", "word-column", "skip-column", "header"}
    flags = set(re.findall("--([a-z][a-z0-9-]*[a-z0-9])", text)) - {"model", "landmarks", "standardize"} - of_tables
    words = [in_python_words(f"--{flag}") for flag in flags]
    assert all(word in said for word in words) and set(words) <= known_words()


def test_a_graph_in_parts_is_told_in_python(apart):
    with pytest.raises(ValueError) as raised:
        isogon.Isomap(2, components="error").fit(apart)
    assert "take more n_neighbors, or components " in str(raised.value)
    assert "--" not in str(raised.value)


def test_warnings_are_told_in_python(digits):
    with pytest.warns(isogon.FitWarning, match="raise n_neighbors or lower n_components"):
        fitted = isogon.LLE(8, n_neighbors=8, components="largest").fit(digits)
    assert not [text for text in fitted.summary_.warnings if "--" in text]


@pytest.mark.parametrize(
    "call, says",
    [
        (
            lambda: isogon.Faithful(n_component=3),
            r"^Faithful\(\) has no parameter 'n_component'; did you mean n_components\?",
        ),
        (lambda: isogon.TSNE(early_bird=3), r"^TSNE\(\) has no parameter 'early_bird'$"),
        (lambda: isogon.LocallyLinearLandmarks(n_landmark=3), "did you mean n_landmarks"),
        (
            lambda: isogon.score(np.eye(3), np.eye(3), neighbors=2),
            r"score\(\) has no parameter 'neighbors'; did you mean n_neighbors",
        ),
        (lambda: isogon.PCA(2, 3), r"^PCA\(\): "),
    ],
)
def test_unknown_parameters_are_named_with_what_was_meant(call, says):
    with pytest.raises(TypeError, match=says):
        call()


def test_unknown_names_elsewhere():
    with pytest.raises(ValueError, match="did you mean n_components"):
        isogon.PCA().set_params(n_component=3)
    with pytest.raises(AttributeError, match="did you mean Faithful"):
        isogon.Faithfull  # noqa: B018


def test_readmes_example_ends_without_a_warning():
    """At its default threshold, of which a share of the points lies alone; the count says how many."""
    x = isogon.generate("drawn-digits", 300).points
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        faithful = isogon.Faithful(n_components=16).fit(x)
        tsm = isogon.TSM(8, iterations=5).fit(x)
    assert "iteration-limit" not in repr(faithful.summary_) and "isolated" in tsm.summary_.counts


def test_docstrings_name_what_there_is():
    for name in ("Isomap", "LaplacianEigenmaps", "UMAP", "TSNE"):
        assert re.search(r"metric : \{.*'precomputed'\}", ESTIMATORS[name].__doc__), name
    assert "n_jobs : int or None, default None: all cores" in isogon.PCA.__doc__
    assert "n_components above 3: every iteration looks at all pairs" in isogon.TSNE.__doc__
    assert "recall" in isogon.Score.__doc__ and "singular_values_" in isogon.PCA.__doc__


def test_a_score_has_names_that_do_not_change(digits):
    y = quick(isogon.SVD).fit_transform(digits)
    for k in (10, 5):
        found = isogon.score(digits, y, n_neighbors=k)
        assert isinstance(found, isogon.Score) and found.n_neighbors == k
        assert found.recall == found[f"recall_at_{k}"] and found.all_kept == found[f"all_kept_at_{k}"]
