"""Messages say what the holder of Python can type."""

import inspect
import re
import warnings

import numpy as np
import pytest
from conftest import ESTIMATORS, ROOT, quick

import isogon
from isogon._names import argument_of, word_for


def known_words():
    """Parameters of every class and function."""
    callables = [*ESTIMATORS.values(), isogon.LocallyLinearLandmarks, isogon.score, isogon.neighbors, isogon.threshold]
    return {name for one in callables for name in inspect.signature(one).parameters}


# Parameters that readers of text have, which Python does not use.
ELSEWHERE = {"format", "vectors", "header", "label_column", "word_column", "skip_column", "skip_text"}


def texts_of_the_library():
    """(file, string literal), pages aside."""
    for path in sorted((ROOT / "src").rglob("*.cpp")):
        if "page" not in path.stem:
            for found in re.finditer(r'"((?:[^"\\\n]|\\.)*)"', path.read_text(encoding="utf-8")):
                yield path.name, found[1]


def options_in_texts():
    """The options that messages of the library name."""
    for path in sorted((ROOT / "src").rglob("*.cpp")):
        yield from re.findall(r'Text::option\("([^"]+)"\)', path.read_text(encoding="utf-8"))


def test_no_text_of_the_library_names_a_flag():
    assert not [text for text in texts_of_the_library() if re.search("--[a-z]", text[1]) and "var(--" not in text[1]]


def test_options_that_messages_name_are_parameters():
    options = set(options_in_texts())
    assert len(options) > 15 and {word_for(name) for name in options if " " not in name} <= known_words() | ELSEWHERE


def test_words_for_what_python_calls_otherwise():
    assert [word_for(name) for name in ("dimension", "target-weight", "lambda")] == [
        "n_components",
        "target_weight",
        "lambda_",
    ]
    assert word_for("convert standardize") == "scikit-learn's StandardScaler"
    assert word_for("neighbor graph") == "neighbors" and argument_of("points") == "X"
    assert argument_of("a-file.safetensors") == "a-file.safetensors"


def test_errors_hold_what_is_at_fault(digits):
    with pytest.raises(ValueError) as raised:
        isogon.PCA(digits.shape[1] + 1).fit(digits)
    error = raised.value
    assert (error.option, error.value) == ("n_components", str(digits.shape[1] + 1))
    assert str(error) == f"{error.option} = {error.value}: {error.requirement}"
    with pytest.raises(ValueError) as raised:
        isogon.PCA(2).fit(np.where(np.arange(digits.size).reshape(digits.shape) == 0, np.nan, digits))
    error = raised.value
    assert error.source == "X" and str(error) == f"X, {error.place}: {error.reason}"


@pytest.mark.parametrize("name", ["{neighbors}.safetensors", "--dim.safetensors", "%s.safetensors"])
def test_names_of_files_are_taken_for_nothing_else(tmp_path, name):
    with pytest.raises(ValueError, match=re.escape(name)):
        isogon.load(tmp_path / name)


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
