"""Models as files, and as pickles; the same bits as the command line's."""

import json
import pickle
import subprocess
from pathlib import Path

import numpy as np
import pytest
from conftest import all_kinds, name_of, quick
from golden.make_pickles import points

import isogon
from isogon._estimator import model_bytes

every_kind = pytest.mark.parametrize("estimator", all_kinds(), ids=name_of)


@every_kind
def test_what_was_saved_is_loaded(estimator, digits, tmp_path):
    path = tmp_path / "model.safetensors"
    estimator.fit(digits).save(path)
    loaded = isogon.load(path)
    assert type(loaded) is type(estimator) or isinstance(estimator, isogon.LocallyLinearLandmarks)
    assert loaded.n_features_in_ == 196
    assert np.array_equal(loaded.transform(digits[:20]), estimator.transform(digits[:20]))
    assert list(loaded.get_feature_names_out())[0].endswith("0")
    assert getattr(loaded, "base", loaded).n_components == 2
    with pytest.raises(OSError, match="exists"):
        loaded.save(path)
    loaded.save(path, overwrite=True)
    assert model_bytes(isogon.load(path)._model) == path.read_bytes()


def test_pickles_hold_the_files_bytes(digits, tmp_path):
    estimator = quick(isogon.TSM).fit(digits)
    estimator.save(tmp_path / "m.safetensors")
    assert (tmp_path / "m.safetensors").read_bytes() in pickle.dumps(estimator)


GOLDEN = sorted((Path(__file__).parent / "golden").glob("*.pickle"))


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_pickles_of_every_version_are_read(path):
    """As golden/make_pickles.py has written them once."""
    fitted = pickle.loads(path.read_bytes())
    assert fitted._method == path.stem.split("-")[0] and fitted.summary_.termination
    assert fitted.options_["n_components"] == fitted.n_components == fitted.embedding_.shape[1]
    again = fitted.transform(points())
    assert again.shape == fitted.embedding_.shape
    near = {"pca": 1e-4, "faithful": 0, "lle": 0.5}[fitted._method]  # mixtures are near their own coordinates
    assert np.abs(again - fitted.embedding_).max() <= near
    assert type(fitted)(**fitted.get_params()).get_params() == fitted.get_params()


def test_there_are_pickles_of_this_version():
    assert {path.stem for path in GOLDEN} >= {f"{name}-{isogon.__version__}" for name in ("pca", "faithful", "lle")}


def test_damaged_files_are_refused(digits, tmp_path):
    path = tmp_path / "m.safetensors"
    quick(isogon.PCA).fit(digits).save(path)
    data = path.read_bytes()
    for bad in (b"", data[:100], data[:-1], data[:-9] + b"\x01" + data[-8:], b"\x80\x04K\x01."):
        path.write_bytes(bad)
        with pytest.raises(ValueError, match="m.safetensors"):
            isogon.load(path)
    with pytest.raises(ValueError, match="nowhere"):
        isogon.load(tmp_path / "nowhere.safetensors")
    with pytest.raises(OSError, match="safetensors"):
        quick(isogon.PCA).fit(digits).save(tmp_path / "m.pickle")


def test_save_before_fit():
    with pytest.raises(ValueError, match="not fitted"):
        isogon.PCA().save("x.safetensors")


def run(program, folder, *arguments):
    return subprocess.run(
        [program, *arguments, "--json"], cwd=folder, check=True, capture_output=True, text=True
    ).stdout


def flags_of(estimator):
    """The estimator's parameters as the command line spells them."""
    flags = ["--method", estimator._method]
    for spec in estimator._specs + getattr(estimator, "_landmark_specs", ()):
        from isogon._names import keyword_of

        value = getattr(estimator, keyword_of(spec["name"]))
        if value is not None and value != ("auto" if spec["default"] is None else spec["default"]):
            flags += ["--" + spec["name"], str(value).lower() if isinstance(value, bool) else str(value)]
    return flags


@every_kind
def test_the_same_bits_as_the_command_line(estimator, digits, tmp_path, program):
    np.save(tmp_path / "x.npy", digits)
    flags = flags_of(getattr(estimator, "base", estimator))
    if isinstance(estimator, isogon.LocallyLinearLandmarks):
        flags += ["--landmarks", str(estimator.n_landmarks)]
    run(program, tmp_path, "embed", "x.npy", "-o", "y.npy", *flags, "--model", "m.safetensors")
    assert np.array_equal(np.load(tmp_path / "y.npy"), estimator.fit_transform(digits))
    assert model_bytes(estimator._model) == (tmp_path / "m.safetensors").read_bytes()


def test_functions_say_what_the_command_line_says(digits, tmp_path, program):
    small = isogon.SVD(4).fit_transform(digits)
    np.save(tmp_path / "x.npy", digits)
    np.save(tmp_path / "y.npy", small)
    result = json.loads(run(program, tmp_path, "score", "x.npy", "y.npy"))
    ours = isogon.score(digits, small)
    stable = {"recall", "all_kept", "kept_in_order"}
    for key in ours.keys() - {"summary", "n_neighbors"} - stable:
        assert result[key] == ours[key], key
    assert all(result[f"{key}_at_10"] == ours[key] for key in stable) and ours.n_neighbors == 10
    result = json.loads(run(program, tmp_path, "threshold", "x.npy"))
    ours = isogon.threshold(digits)
    assert result["threshold"] == ours.threshold and result["nearest"] == ours.nearest.tolist()
    run(program, tmp_path, "neighbors", "x.npy", "-o", "n.npy", "--distances", "d.npy")
    found = isogon.neighbors(digits)
    assert np.array_equal(np.load(tmp_path / "n.npy"), found.indices)
    assert np.array_equal(np.load(tmp_path / "d.npy"), found.distances)
