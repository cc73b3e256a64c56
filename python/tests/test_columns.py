"""Names of columns, in estimators, models and functions; labels that are not known."""

import subprocess

import numpy as np
import pytest

import isogon

pandas = pytest.importorskip("pandas")
NAMES = ["length", "width", "height", "weight"]


@pytest.fixture
def frame():
    values = np.random.default_rng(0).normal(size=(60, 4)) + np.arange(60)[:, None] % 3
    return pandas.DataFrame(values.astype(np.float32), columns=NAMES)


def test_a_model_keeps_the_names(frame, tmp_path):
    for fitted in (
        isogon.PCA(2).fit(frame),
        isogon.Faithful(2).fit(frame),
        isogon.LocallyLinearLandmarks(isogon.LaplacianEigenmaps(2, components="bridge"), n_landmarks=30).fit(frame),
    ):
        path = tmp_path / f"{type(fitted).__name__}.safetensors"
        fitted.save(path)
        read = isogon.load(path)
        assert list(read.feature_names_in_) == NAMES
        assert np.array_equal(read.transform(frame), fitted.transform(frame))
        for bad in (frame[NAMES[::-1]], frame.rename(columns={"width": "depth"})):
            with pytest.raises(ValueError, match="feature names"):
                read.transform(bad)
    unnamed = isogon.PCA(2).fit(frame.to_numpy())
    unnamed.save(tmp_path / "unnamed.safetensors")
    assert not hasattr(isogon.load(tmp_path / "unnamed.safetensors"), "feature_names_in_")


def test_names_of_any_text_come_back(frame, tmp_path):
    names = ["", "größe", 'a,"b"', "line\nend"]
    fitted = isogon.PCA(2).fit(frame.set_axis(names, axis=1))
    fitted.save(tmp_path / "m.safetensors")
    assert list(isogon.load(tmp_path / "m.safetensors").feature_names_in_) == names


def test_a_map_for_queries_keeps_the_names(frame):
    mapped = isogon.TSM(2).fit(frame).query_map(prototypes=2, directions=2)
    assert list(mapped.feature_names_in_) == NAMES


def test_program_and_package_agree_on_names(frame, tmp_path, program):
    frame.to_csv(tmp_path / "x.csv", index=False)
    frame[NAMES[::-1]].to_csv(tmp_path / "moved.csv", index=False)

    def run(*arguments):
        subprocess.run([program, *map(str, arguments)], cwd=tmp_path, check=True, capture_output=True)

    run("embed", "x.csv", "-o", "y.npy", "--method", "pca", "--dim", 2, "--model", "m.safetensors")
    read = isogon.load(tmp_path / "m.safetensors")
    assert list(read.feature_names_in_) == NAMES
    isogon.PCA(2).fit(frame).save(tmp_path / "ours.safetensors")
    for model in ("m.safetensors", "ours.safetensors"):
        run("transform", model, "moved.csv", "-o", "z.npy", "--overwrite")
        assert np.array_equal(np.load(tmp_path / "z.npy"), read.transform(frame))


def test_functions_of_two_tables_compare_names(frame):
    moved = frame[NAMES[::-1]]
    other = frame.rename(columns={"width": "depth"})
    assert np.array_equal(isogon.neighbors(frame, 3, queries=frame).indices[:, 0], np.arange(60))
    for bad in (moved, other):
        with pytest.raises(ValueError, match="^queries: must have the columns of X"):
            isogon.neighbors(frame, 3, queries=bad)
        with pytest.raises(ValueError, match="^against: must have the columns of X"):
            isogon.score(frame, frame.iloc[:, :2].to_numpy(), against=(bad, frame.iloc[:, :2].to_numpy()))
    with pytest.raises(ValueError, match=r"missing \['width'\]; unexpected \['depth'\]"):
        isogon.neighbors(frame, 3, queries=other)
    isogon.neighbors(frame, 3, queries=moved.to_numpy())


def unknown_labels(classes, known):
    """The same labels, unknown in as many ways as people write it."""
    names = np.array(["ape", "bee", "cat"])[classes]
    for mark in (None, np.nan, pandas.NA, pandas.NaT, "", "nan", "NA", "<NA>", "None", -1, "-1"):
        yield [str(name) if one else mark for name, one in zip(names, known)]
        yield [int(label) if one else mark for label, one in zip(classes, known)]
    yield np.where(known, classes, -1)
    yield np.where(known, classes, -5)
    yield np.where(known, classes.astype(float), np.nan)
    yield pandas.Series(np.where(known, classes, -1)).where(known).astype("Int64")
    yield pandas.Series(names).where(known).astype("string")
    yield pandas.Categorical(np.where(known, names, None))


def test_unknown_labels_are_one_thing(frame, tmp_path):
    classes = np.arange(60) % 3
    known = np.arange(60) % 4 != 3
    x = frame.to_numpy()
    wanted = isogon.score(x, x[:, :2], np.where(known, classes, -1)).knn_accuracy
    fit = isogon.UMAP(iterations=20, n_neighbors=8).fit(x, np.where(known, classes, -1))
    for number, labels in enumerate(unknown_labels(classes, known)):
        assert isogon.score(x, x[:, :2], labels).knn_accuracy == wanted, labels[:5]
        again = isogon.UMAP(iterations=20, n_neighbors=8).fit(x, labels)
        assert np.array_equal(again.embedding_, fit.embedding_), labels[:5]
        page = tmp_path / f"{number}.html"
        isogon.report(x, x[:, :2], page, labels=labels)
        assert '"unknown"]' in page.read_text(), labels[:5]


def test_labels_that_are_no_labels_are_named(frame):
    x = frame.to_numpy()
    with pytest.raises(TypeError, match="^labels: must be texts or numbers, not dict"):
        isogon.score(x, x, [{}] * 60)
    assert not hasattr(isogon.score(x, x, [None] * 60), "knn_accuracy")
