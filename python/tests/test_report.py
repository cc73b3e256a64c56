"""report: the page as Python writes it."""

import base64
import gzip
import json
import re

import numpy as np
import pytest

import isogon


def document(path):
    text = path.read_text(encoding="utf-8")
    found = re.search(r'<script id="isogon-data" type="application/json">(.*?)</script>', text, re.DOTALL)
    return json.loads(found.group(1))


def test_a_page_of_arrays(tmp_path, digits, digit_labels):
    page = tmp_path / "page.html"
    result = isogon.report(digits, digits[:, :3], page, labels=digit_labels, words=[f"<b>{i}" for i in range(120)])
    assert result.points == 120 and result.path == str(page) and all(isinstance(text, str) for text in result.warnings)
    shown = document(page)
    assert shown["format"] == "isogon-report" and shown["points"]["count"] == 120
    assert shown["points"]["labels"]["names"] == [str(kind) for kind in np.unique(digit_labels)]
    assert "<b>" not in page.read_text(encoding="utf-8").split('id="isogon-data"')[1].split("</script>")[0]


def test_a_page_of_a_fit_tells_of_its_run(tmp_path, digits):
    fit = isogon.Faithful(4).fit(digits)
    page = tmp_path / "page.html"
    isogon.report(digits, fit, page, image_shape=(14, 14), title="Digits")
    shown = document(page)
    assert shown["title"] == "Digits" and shown["run"]["method"] == "faithful"
    assert len(shown["run"]["trace"]) == len(fit.summary_["trace"]["iteration"])
    images = shown["points"]["images"]
    assert (images["width"], images["height"]) == (14, 14)
    rows = {row["name"]: row["measures"] for row in shown["quality"]["rows"]}
    result = isogon.score(digits, fit.embedding_, threshold=shown["threshold"])
    assert rows["Faithful"]["jaccard"] == pytest.approx(result.jaccard, abs=1e-6)


def columns_of(path):
    return {column["name"]: column for column in document(path)["points"]["columns"]}


def numbers_of(column):
    return np.frombuffer(gzip.decompress(base64.b64decode(column["values"]["gzip"])), "<f8")


def test_columns_are_numbers_dates_and_texts_by_what_is_in_them(tmp_path, digits):
    days = np.datetime64("2020-01-01") + np.arange(120)
    columns = {
        "age": [None, *range(119)],
        "small": np.arange(120, dtype=np.float32),
        "day": days,
        "nanoseconds": days.astype("M8[ns]"),
        "kind": ["a", "b", None] * 40,
        7: [float("nan")] * 120,
    }
    page = tmp_path / "page.html"
    result = isogon.report(digits, digits[:, :2], page, columns=columns)
    shown = columns_of(page)
    assert {name: column["kind"] for name, column in shown.items()} == {
        "age": "number",
        "small": "number",
        "day": "date",
        "nanoseconds": "date",
        "kind": "text",
    }
    assert np.isnan(numbers_of(shown["age"])[0]) and numbers_of(shown["age"])[119] == 118
    for name in ("day", "nanoseconds"):
        np.testing.assert_array_equal(numbers_of(shown[name]), days.astype("M8[s]").astype(float))
    assert any('column "7" has no value' in warning for warning in result.warnings)


def test_a_data_frame_gives_its_columns(tmp_path, digits):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"when": pandas.date_range("2020-01-01", periods=120), "n": range(120)})
    frame["n"] = frame["n"].astype("Int64").where(frame["n"] > 0)
    page = tmp_path / "page.html"
    isogon.report(digits, digits[:, :2], page, columns=frame)
    shown = columns_of(page)
    assert shown["when"]["kind"] == "date" and np.isnan(numbers_of(shown["n"])[0])


def test_a_notebook_shows_the_page_itself(tmp_path, digits):
    result = isogon.report(digits, digits[:, :2], tmp_path / "page.html", title='"<b>')
    shown = result._repr_html_()
    assert shown.startswith('<iframe srcdoc="&lt;!doctype html&gt;') and shown.endswith("</iframe>")
    assert "<b>" not in shown and "finding similar items" in result.verdict and result.verdict in repr(result)


def test_a_page_without_a_file(tmp_path, digits, digit_labels, monkeypatch):
    monkeypatch.chdir(tmp_path)
    isogon.report(digits, digits[:, :2], "page.html", labels=digit_labels)
    result = isogon.report(digits, digits[:, :2], labels=digit_labels)
    assert [path.name for path in tmp_path.iterdir()] == ["page.html"] and "path" not in result
    (tmp_path / "other.html").write_text(result.html, encoding="utf-8")
    shown, wanted = document(tmp_path / "other.html"), document(tmp_path / "page.html")
    assert shown["points"] == wanted["points"] and shown["quality"] == wanted["quality"]
    assert result._repr_html_().startswith("<iframe srcdoc=") and result.verdict in repr(result)


def test_files_are_not_overwritten_and_not_left_half_written(tmp_path, digits):
    page = tmp_path / "page.html"
    page.write_text("mine")
    with pytest.raises(OSError):
        isogon.report(digits, digits[:, :2], page)
    assert page.read_text() == "mine"
    with pytest.raises(RuntimeError):
        isogon.report(digits, digits[:, :2], tmp_path / "other.html", callback=lambda result: True)
    assert [path.name for path in tmp_path.iterdir()] == ["page.html"]
    isogon.report(digits, digits[:, :2], page, overwrite=True)
    assert document(page)["points"]["dimension"] == 2


@pytest.mark.parametrize(
    "change, words",
    [
        (dict(Y=np.zeros((3, 2))), "Y: 3 rows"),
        (dict(labels=[1, 2]), "labels: must be 120"),
        (dict(words=["a"]), "words: must be 120"),
        (dict(columns={"age": [1]}), r"columns\['age'\]: must be 120"),
        (dict(columns=[1]), "columns: must be a mapping"),
        (dict(columns={"1": range(120), 1: range(120)}), "columns: '1' is the name of two"),
        (dict(columns={"": range(120)}), "columns"),
        (dict(image_shape=(13, 14)), "image_shape: 13 x 14"),
        (dict(image_shape=14), "image_shape"),
        (dict(points=1), "points"),
    ],
)
def test_bad_input_is_named(tmp_path, digits, change, words):
    arguments = {"Y": digits[:, :2], **change}
    with pytest.raises((ValueError, TypeError), match=words):
        isogon.report(digits, path=tmp_path / "page.html", **arguments)
    assert not list(tmp_path.iterdir())
