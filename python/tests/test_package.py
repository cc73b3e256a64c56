"""The package itself: quick to import, typed, documented."""

import inspect
import subprocess
import sys
from pathlib import Path

import isogon

FOLDER = Path(isogon.__file__).parent


def test_import_is_quick():
    """Under 0.2 s beyond numpy, the best of five, for a busy machine."""
    code = "import numpy, time; t = time.perf_counter(); import isogon; print(time.perf_counter() - t)"
    seconds = [
        float(subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout) for _ in range(5)
    ]
    assert min(seconds) < 0.2


def test_types_come_with_it():
    assert (FOLDER / "py.typed").is_file()
    assert "def fit(" in (FOLDER / "_core.pyi").read_text()


def test_everything_public_is_documented():
    for name in isogon.__all__:
        value = getattr(isogon, name)
        if callable(value):
            assert inspect.getdoc(value), name
    for kind in (getattr(isogon, name) for name in isogon.methods()):
        for member in ("fit", "transform", "fit_transform", "save", "get_feature_names_out", "set_output"):
            assert inspect.getdoc(getattr(kind, member)), (kind, member)


def test_signatures_are_told():
    assert "n_components" in inspect.signature(isogon.Faithful).parameters
    assert "n_neighbors" in inspect.signature(isogon.score).parameters
    assert isogon.Faithful(8).n_components == 8


def test_stubs_know_every_class_and_function():
    text = (FOLDER / "__init__.pyi").read_text()
    for name in isogon.__all__:
        assert f"class {name}(" in text or f"def {name}(" in text or f"{name}: " in text or f"class {name}:" in text, (
            name
        )
    assert "n_landmarks: int" in text and "_core" not in isogon.__all__
