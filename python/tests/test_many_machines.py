"""The recipes of examples/many_machines for Spark and Ray Data: their functions by themselves, for which neither is
needed, since these hand over record batches and dictionaries of arrays; and by Spark and Ray, where installed."""

import functools
import importlib.util
import os
import shutil
import sys

import numpy as np
import pytest
from conftest import ROOT

import isogon


def recipe(name):
    spec = importlib.util.spec_from_file_location(name, ROOT / "examples" / "many_machines" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def kept(tmp_path):
    """(path of a model, new vectors, their coordinates)."""
    draw = np.random.default_rng(3)
    fitted = isogon.SVD(n_components=3).fit(draw.normal(size=(60, 8)).astype(np.float32))
    path = str(tmp_path / "map.safetensors")
    fitted.save(path)
    new = draw.normal(size=(25, 8)).astype(np.float32)
    return path, new, fitted.transform(new)


def test_ray_gets_the_bits_of_transform_however_batches_are_cut(kept):
    path, new, expected = kept
    place = recipe("ray_map_batches").Place(path)
    for step in (1, 7, 25):
        batches = [{"id": np.arange(i, min(i + step, 25)), "vector": new[i : i + step]} for i in range(0, 25, step)]
        placed = [place(batch) for batch in batches]
        np.testing.assert_array_equal(np.concatenate([batch["small"] for batch in placed]), expected)
        np.testing.assert_array_equal(np.concatenate([batch["id"] for batch in placed]), np.arange(25))
    lists = np.empty(25, dtype=object)
    lists[:] = list(new)
    np.testing.assert_array_equal(place({"vector": lists})["small"], expected)


def test_spark_gets_the_bits_of_transform(kept):
    path, new, expected = kept
    spark = recipe("spark_map_in_arrow")
    np.testing.assert_array_equal(spark.place(new.astype(np.float64), path), expected)


def test_spark_batches_come_back_with_a_column_more(kept):
    pyarrow = pytest.importorskip("pyarrow", reason="record batches are pyarrow's, which is not installed")
    path, new, expected = kept
    spark = recipe("spark_map_in_arrow")
    table = pyarrow.table({"id": np.arange(25), "vector": [list(map(float, row)) for row in new]})
    for step in (1, 7, 25):
        placed = list(spark.place_batches(iter(table.to_batches(max_chunksize=step)), path))
        rows = pyarrow.Table.from_batches(placed).to_pydict()
        assert rows["id"] == list(range(25))
        np.testing.assert_array_equal(np.array(rows["small"], dtype=np.float32), expected)
    # A slice, as Arrow has them, begins in the middle of its values; an empty one has none.
    batch = table.to_batches()[0]
    (part,) = spark.place_batches([batch.slice(5, 4)], path)
    np.testing.assert_array_equal(np.array(part.to_pydict()["small"], dtype=np.float32), expected[5:9])
    (none,) = spark.place_batches([batch.slice(0, 0)], path)
    assert (none.num_rows, none.schema.names) == (0, ["id", "vector", "small"])
    holes = pyarrow.RecordBatch.from_pydict({"vector": pyarrow.array([[1.0] * 8, None])})
    with pytest.raises(ValueError, match="vector: 1 rows without"):
        list(spark.place_batches([holes], path))


@pytest.fixture
def recipes_on_path(monkeypatch):
    """Workers are processes of their own: they find the recipe by PYTHONPATH, and run this interpreter."""
    folder = str(ROOT / "examples" / "many_machines")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, [folder, os.environ.get("PYTHONPATH")])))
    monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)
    monkeypatch.setenv("PYSPARK_DRIVER_PYTHON", sys.executable)
    monkeypatch.syspath_prepend(folder)


def test_ray_itself_gives_the_bits_of_transform(kept, tmp_path, recipes_on_path, monkeypatch):
    ray = pytest.importorskip("ray", reason="Ray is not installed (ISOGON_ENGINES=1 installs it)")
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    from ray_map_batches import Place

    path, new, expected = kept
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    try:
        vectors = ray.data.from_items([{"id": i, "vector": row} for i, row in enumerate(new)], override_num_blocks=4)
        small = vectors.map_batches(
            Place, fn_constructor_args=(path,), batch_format="numpy", batch_size=7, concurrency=1
        )
        small.write_parquet(str(tmp_path / "small"))
        rows = sorted(ray.data.read_parquet(str(tmp_path / "small")).take_all(), key=lambda row: row["id"])
    finally:
        ray.shutdown()
    assert [row["id"] for row in rows] == list(range(25))
    np.testing.assert_array_equal(np.stack([row["small"] for row in rows]), expected)


def test_spark_itself_gives_the_bits_of_transform(kept, tmp_path, recipes_on_path):
    pytest.importorskip("pyspark", reason="Spark is not installed (ISOGON_ENGINES=1 installs it)")
    if shutil.which("java") is None:
        pytest.skip("Spark needs Java, which is not installed")
    from pyspark.sql import SparkSession
    from spark_map_in_arrow import place_batches, with_column

    path, new, expected = kept
    spark = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").getOrCreate()
    try:
        rows = [(i, [float(value) for value in row]) for i, row in enumerate(new)]
        table = spark.createDataFrame(rows, "id long, vector array<float>").repartition(3)
        place = functools.partial(place_batches, path=path)
        table.mapInArrow(place, with_column(table.schema)).write.parquet(str(tmp_path / "small"))
        placed = sorted(spark.read.parquet(str(tmp_path / "small")).collect(), key=lambda row: row["id"])
    finally:
        spark.stop()
    assert [row["id"] for row in placed] == list(range(25))
    np.testing.assert_array_equal(np.array([row["small"] for row in placed], dtype=np.float32), expected)
