"""The package itself: light to import, typed, documented."""

import ast
import inspect
import platform
import subprocess
import sys
from pathlib import Path

import pytest

import isogon

FOLDER = Path(isogon.__file__).parent


def test_import_takes_little_along():
    """Nothing beyond numpy that would make it slow (bench/python-overhead has the seconds)."""
    code = "import numpy, sys; before = set(sys.modules); import isogon; print(*(set(sys.modules) - before))"
    loaded = set(
        subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True).stdout.split()
    )
    assert "isogon._core" in loaded and "isogon.plot" not in loaded and "numpy.ma" not in loaded
    packages = {name.partition(".")[0] for name in loaded}
    assert not packages & {
        "IPython",
        "dask",
        "distributed",
        "joblib",
        "matplotlib",
        "pandas",
        "polars",
        "scipy",
        "sklearn",
        "tqdm",
    }


def test_types_come_with_it():
    assert (FOLDER / "py.typed").is_file()
    assert "def fit(" in (FOLDER / "_core.pyi").read_text()


def test_everything_public_is_listed():
    assert {*isogon.__all__, "plot", "export", "dask"} <= set(dir(isogon))


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
    ast.parse(text)
    for name in isogon.__all__:
        assert f"class {name}(" in text or f"def {name}(" in text or f"{name}: " in text or f"class {name}:" in text, (
            name
        )
    assert "from . import plot as plot" in text and "from typing_extensions import Self" in text
    assert 'n_components: int | Literal["auto"] | None = ...' in text and "termination: Literal" in text
    assert "class PCA(_Linear)" in text and "recall: float" in text
    assert "n_landmarks: int" in text and "_core" not in isogon.__all__


def test_it_needs_no_newer_systems_than_a_wheel_says():
    """glibc and libstdc++ as scripts/wheel_symbols bounds them, where it is built on a system that they are of."""
    if tuple(map(int, platform.libc_ver()[1].split("."))) > (2, 36):
        pytest.skip("newer C libraries give plain functions newer versions")
    script = Path(__file__).resolve().parents[2] / "scripts" / "wheel_symbols"
    done = subprocess.run([sys.executable, script, isogon._core.__file__], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_the_command_runs_or_says_what_lacks():
    command = Path(sys.executable).parent / "isogon"
    done = subprocess.run([command, "--version"], capture_output=True, text=True)
    if hasattr(isogon._core, "run_program"):
        assert (done.returncode, done.stdout) == (0, f"isogon {isogon.__version__}\n")
    else:
        assert done.returncode == 2 and "make wheel" in done.stderr
