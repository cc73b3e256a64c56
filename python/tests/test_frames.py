"""Files that the command isogon reads by pyarrow and h5py: what is a point, a label, a word; what cannot be read."""

import json
import subprocess
import sys

import numpy as np
import pytest
from test_report import document

import isogon

pandas = pytest.importorskip("pandas")
pyarrow = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")
feather = pytest.importorskip("pyarrow.feather")
pytestmark = pytest.mark.skipif(not hasattr(isogon._core, "run_program"), reason="the package has no program")

ROWS = 70_000  # more than a block


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(scope="module")
def values():
    return np.random.default_rng(0).normal(size=(ROWS, 3)).astype(np.float32)


@pytest.fixture(scope="module")
def frame(values):
    """Three numbers, a kind, a name and a vector in each row."""
    return pandas.DataFrame(values.astype(np.float64), columns=["a", "b", "c"]).assign(
        kind=pandas.Categorical(np.arange(ROWS) % 3, categories=[0, 1, 2]).rename_categories(["x", "y", "z"]),
        name=[f"n{i}" for i in range(ROWS)],
        vector=list(values[:, ::-1]),
    )


def program(*words, code=0):
    done = subprocess.run([sys.executable, "-m", "isogon", *map(str, words)], capture_output=True, text=True)
    assert done.returncode == code, done.stderr
    return done.stderr if code else done.stdout


def converted(file, *flags):
    program("convert", file, "points.npy", "--overwrite", *flags)
    return np.load("points.npy")


def write(frame, file):
    table = pyarrow.Table.from_pandas(frame)
    if file.endswith(".parquet"):
        parquet.write_table(table, file)
    elif file.endswith(".feather"):
        feather.write_feather(table, file)
    else:
        with pyarrow.ipc.new_stream(file, table.schema) as stream:
            stream.write_table(table)


@pytest.mark.parametrize("file", ["t.parquet", "t.feather", "t.arrow"])
def test_columns_of_numbers_and_of_vectors(folder, frame, values, file):
    write(frame[["a", "b", "c", "kind", "name"]], file)
    roles = ["--label-column", "kind", "--word-column", "name"]
    assert np.array_equal(converted(file, *roles), values)
    assert np.array_equal(converted(file, "--skip-text", "--skip-column", "b"), values[:, [0, 2]])
    info = json.loads(program("info", file, "--json", "--skip-text"))
    assert info["shape"] == [ROWS, 3]
    program("convert", file, "points.csv", "--every", 2, "--from", 1, *roles)
    table = pandas.read_csv("points.csv")
    assert list(table["word"]) == list(frame["name"][1::2]) and list(table["label"]) == list(frame["kind"][1::2])
    write(frame, file)
    assert np.array_equal(converted(file), values[:, ::-1])
    assert np.array_equal(converted(file, "--vectors", "vector", "--format", info["format"]), values[:, ::-1])


def test_the_index_is_words_and_columns_are_taken_by_name(folder, frame, values):
    some = frame[["a", "b", "c"]][:40].set_axis([f"row {i}" for i in range(40)])
    some.rename_axis("key").to_parquet("t.parquet")
    some[["c", "a", "b"]][:7].to_parquet("u.parquet")
    program("embed", "t.parquet", "u.parquet", "-o", "y.csv", "--method", "pca", "--dim", 2, "--model", "m.safetensors")
    table = pandas.read_csv("y.csv")
    assert list(table["word"]) == [*some.index, *some.index[:7]]
    places = table.drop(columns="word").to_numpy()
    assert np.array_equal(places[40:], places[:7])
    some.rename(columns={"a": "other"}).to_parquet("v.parquet")
    assert "other" in program("transform", "m.safetensors", "v.parquet", "-o", "z.npy", code=3)


def test_coordinates_come_back_beside_the_columns(folder, frame):
    some = frame[:50]
    some.to_parquet("t.parquet")
    program("embed", "t.parquet", "-o", "y.npy", "--method", "pca", "--dim", 2, "--model", "m.safetensors")
    coordinates = np.load("y.npy")
    for output in ("o.parquet", "o.feather"):
        program("embed", "t.parquet", "-o", output, "--method", "pca", "--dim", 2, "--keep-columns")
        made = pandas.read_parquet(output) if output == "o.parquet" else pandas.read_feather(output)
        assert list(made.columns) == [*some.columns, "pca0", "pca1"]
        assert made[["pca0", "pca1"]].to_numpy().tolist() == coordinates.tolist()
        pandas.testing.assert_frame_equal(made[list(some.columns)], some)
    program("transform", "m.safetensors", "t.parquet", "o.feather", "-o", "p.parquet", "--keep-columns", code=3)
    program("transform", "m.safetensors", "t.parquet", "-o", "p.parquet", "--keep-columns", "--every", 7, "--from", 2)
    made = pandas.read_parquet("p.parquet")
    assert list(made["name"]) == list(some["name"][2::7])
    assert np.allclose(made[["pca0", "pca1"]], coordinates[2::7], atol=1e-5)
    assert "leave it out" in program("embed", "t.parquet", "-o", "o.csv", "--keep-columns", code=2)
    assert not list(folder.glob("*.partial"))


def test_hdf5_and_single_cells(folder, values):
    h5py = pytest.importorskip("h5py")
    with h5py.File("t.h5", "w") as file:
        file["train"] = values
        file["more/kind"] = np.arange(ROWS) % 4
        file["test"] = values[:5]
    assert "test, more" not in program("convert", "t.h5", "o.npy", code=3)
    assert np.array_equal(converted("t.h5", "--vectors", "train", "--label-column", "more/kind"), values)
    assert "for 5 points" in program(
        "convert", "t.h5", "o.npy", "--vectors", "test", "--label-column", "more/kind", code=3
    )
    with h5py.File("c.h5ad", "w") as file:
        file["obsm/X_pca"], file["obsm/X_umap"] = values[:90], values[:90, :2]
        sparse = file.create_group("X")
        sparse.attrs["encoding-type"] = "csr_matrix"
        obs = file.create_group("obs")
        obs.attrs["_index"] = "cell"
        obs["cell"] = [f"cell {i}" for i in range(90)]
        kind = obs.create_group("kind")
        kind.attrs["encoding-type"] = "categorical"
        kind["categories"], kind["codes"] = ["B", "T"], np.resize([0, 1, -1], 90)
    assert np.array_equal(converted("c.h5ad"), values[:90])
    assert np.array_equal(converted("c.h5ad", "--vectors", "X_umap"), values[:90, :2])
    assert "sparse" in program("convert", "c.h5ad", "o.npy", "--vectors", "X", code=3)
    program("convert", "c.h5ad", "o.csv", "--label-column", "kind")
    table = pandas.read_csv("o.csv")
    assert list(table["word"][:2]) == ["cell 0", "cell 1"]
    assert table["label"][:2].tolist() == ["B", "T"] and table["label"][2:3].isna().all()


def test_the_export_of_a_vector_store_becomes_a_map_page(folder, frame):
    some = frame[:200].rename(columns={"vector": "embedding", "name": "id"})[["id", "embedding", "kind"]]
    some.to_parquet("export.parquet")
    roles = ["--label-column", "kind", "--report", "map.html"]
    program("embed", "export.parquet", "-o", "map.csv", "--method", "umap", "--dim", 2, "-k", 5, *roles)
    table = pandas.read_csv("map.csv")
    assert list(table["word"]) == list(some["id"]) and list(table["label"]) == list(some["kind"])
    page = document(folder / "map.html")
    assert page["points"]["count"] == 200 and page["points"]["labels"]["names"] == ["x", "y", "z"]


@pytest.mark.parametrize(
    "change, says",
    [
        (lambda frame: frame.assign(a=[1.0, None] * 20), ["column 'a', row 1", "missing"]),
        (lambda frame: frame.assign(a=[1.0, 1e300] * 20), ["column 'a', row 1", "float32"]),
        (lambda frame: frame.assign(kind="x"), ["'kind'", "--skip-text"]),
        (lambda frame: frame.assign(kind="x")[["kind"]], ["'kind'"]),
        (lambda frame: frame.assign(v=[[1, 2], [1]] * 20), ["column 'v', row 1: has 1 numbers, where row 0 has 2"]),
        (lambda frame: frame.assign(v=[[1, 2], [1, None]] * 20), ["column 'v', row 1, column 1", "missing"]),
        (lambda frame: frame.assign(v=[[1, 2], None] * 20), ["column 'v', row 1", "missing"]),
        (lambda frame: frame.assign(v=[[1, 2]] * 40, w=[[1, 2]] * 40), ["'v', 'w'", "--vectors"]),
        (lambda frame: frame[:0], ["no rows"]),
    ],
)
def test_what_cannot_be_read_is_named(folder, frame, change, says):
    change(frame[["a", "b"]][:40].copy()).to_parquet("t.parquet")
    message = program("convert", "t.parquet", "o.npy", code=3)
    assert "t.parquet" in message and all(word in message for word in says), message
    assert [path.name for path in folder.iterdir()] == ["t.parquet"]


def test_flags_and_files_that_are_wrong(folder, frame):
    frame[["a", "b"]][:9].assign(a=[1.0, np.inf, 2.0] * 3).to_parquet("i.parquet")
    assert "i.parquet, row 1" in program("embed", "i.parquet", "-o", "o.npy", "--method", "pca", "--dim", 1, code=3)
    frame[:9].to_parquet("t.parquet")
    for flags, says in (
        (["--vectors", "a"], "lists of numbers"),
        (["--vectors", "q"], "no such column"),
        (["--label-column", "99"], "no such column"),
        (["--skip-text"], "no effect"),
    ):
        assert says in program("convert", "t.parquet", "o.npy", *flags, code=3)
    for name in ("broken.parquet", "broken.arrow", "broken.h5"):
        (folder / name).write_bytes(b"PAR1 and nothing else")
        assert name in program("convert", name, "o.npy", code=3)
    assert "name tells no format" in program("convert", "t.parquet", "o.parquet", code=2)
