"""The blocks of Python in docs/, each run in a folder of its own with the names that its page takes for given."""

import importlib.util
import sys
from types import SimpleNamespace

import numpy as np
import pytest
from conftest import ROOT

import isogon

sys.path.insert(0, str(ROOT / "tests" / "docs"))
import code_blocks

BLOCKS = code_blocks.blocks_run_by("python")
# What a block imports or takes for imported, and not every environment has.
PACKAGES = {"da.from_zarr": ("dask", "zarr"), "isogon.plot": ("matplotlib",), "make_pipeline": ("sklearn",)}
PACKAGES |= {"GridSearchCV": ("sklearn",), "isogon.export.hnswlib": ("hnswlib",), "fit(table)": ("pandas",)}
PACKAGES |= {"import umap": ("umap",), "from openTSNE": ("openTSNE",), "from sklearn": ("sklearn",)}


@pytest.fixture(scope="module")
def given():
    """Vectors, new ones, labels and words; fits, their coordinates and scores."""
    made = isogon.generate("drawn-digits", 160)
    x = np.ascontiguousarray(made.points.reshape(-1, 28, 28)[:, ::2, ::2].reshape(160, 196))
    faithful = isogon.Faithful(32).fit(x)
    y = faithful.embedding_
    words = [str(row) for row in range(len(x))]
    names = {"np": np, "isogon": isogon, "x": x, "labels": made.labels, "new": x[:20] + 0.01}
    names |= {"faithful": faithful, "y": y}
    names |= {"mds": isogon.MDS(2).fit(x), "p": isogon.score(x, y), "f": x[:100], "g": y[:100]}
    names |= {"words": words, "questions": {"family": [words[:4]]}}
    return names


@pytest.fixture
def scikit_learn(given):
    """Classes of scikit-learn that pages use without a line that imports them."""
    if importlib.util.find_spec("sklearn"):
        from sklearn.model_selection import GridSearchCV
        from sklearn.neighbors import KNeighborsClassifier, KNeighborsTransformer
        from sklearn.pipeline import make_pipeline

        found = (GridSearchCV, KNeighborsClassifier, KNeighborsTransformer, make_pipeline)
        given.update({value.__name__: value for value in found})


def write_vectors(given, folder):
    import zarr

    array = zarr.create_array(str(folder / "vectors.zarr"), shape=given["x"].shape, chunks=(60, 196), dtype="float32")
    array[:] = given["x"]


def write_model(given, folder):
    given["faithful"].save(str(folder / "model.safetensors"))


def decomposition(given, folder):
    """What read_model() of docs/model_file.md gives for a file of `isogon decompose`."""
    found = isogon.relu_decomposition(np.maximum(0, given["x"][:40, :30]), 4)
    return {"read_model": lambda path: ({}, {}, {"W": found.W, "H": found.H})}


def write_layer(given, folder):
    layer = {"weights": np.ones((5, 2)), "bias": np.zeros(5), "hidden": np.ones((4, 2))}
    np.savez(folder / "layer.npz", **layer)


def a_table(given, folder):
    import pandas

    table = pandas.DataFrame(given["x"][:, 90:92], columns=["a", "b"])
    return {"table": table.assign(kind=given["labels"].astype(str), name=given["words"])}


# What else a block needs, by what it says: files, or names that elsewhere have another meaning.
NEEDED = {
    "vectors.zarr": write_vectors,
    "read_model(": decomposition,
    "layer.npz": write_layer,
    "fit(table)": a_table,
    "(adata": lambda given, folder: {"adata": SimpleNamespace(X=given["x"], obsm={})},
    "relu_decomposition(s": lambda given, folder: {"s": np.maximum(0, given["x"] @ given["x"].T - 1)},
    '"svd": s': lambda given, folder: {"s": isogon.score(given["x"], isogon.PCA(16).fit_transform(given["x"]))},
}


def run(code, page, given, folder):
    """Runs a block; gives the names that it leaves. In one process: test_scikit_learn.py starts others."""
    names, code = dict(given), code.replace("n_jobs=2", "n_jobs=1")
    for said, provide in NEEDED.items():
        if said in code:
            names |= provide(given, folder) or {}
    exec(compile(code, str(page), "exec"), names)
    return names


@pytest.mark.parametrize(
    ("page", "code"), [pytest.param(page, code, id=f"{page.stem}:{line}") for page, line, code in BLOCKS]
)
def test_block(page, code, given, scikit_learn, tmp_path, monkeypatch):
    for said, packages in PACKAGES.items():
        for package in packages if said in code else ():
            pytest.importorskip(package)
    monkeypatch.chdir(tmp_path)
    run(code, page, given, tmp_path)


def test_the_reader_of_model_files_reads_one(given, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_model(given, tmp_path)
    page, code = next((page, code) for page, _, code in BLOCKS if page.stem == "model_file")
    names = run(code.replace("read_model(", "read("), page, {}, tmp_path)
    about, options, arrays = names["read"]("model.safetensors")
    assert options and about
    assert any(np.array_equal(array, given["y"]) for array in arrays.values())


def test_there_are_blocks():
    assert {"python", "coming_from", "many_machines", "decompose", "model_file"} <= {page.stem for page, _, _ in BLOCKS}
