"""isogon.dask: the same bits as on one machine, whatever the chunks and workers, and clear words for what is wrong."""

import json
import os
import signal
import threading
import time

import numpy as np
import pytest

import isogon

dask = pytest.importorskip("dask")
distributed = pytest.importorskip("distributed")
import dask.array as da  # noqa: E402

import isogon.dask as clusters  # noqa: E402

CHUNKS = [((1000,), (24,)), ((250,) * 4, (24,)), ((1, 7, 0, 492, 500), (24,)), ((400, 600), (10, 14))]
every_chunking = pytest.mark.parametrize("chunks", CHUNKS, ids=["one", "four", "uneven", "both axes"])


@pytest.fixture(scope="module")
def points():
    """1,000 points of 24 numbers around 30 directions: what placement has neighbours for."""
    random = np.random.default_rng(0)
    centres = random.normal(size=(30, 24))
    return (centres[random.integers(30, size=1000)] + 0.4 * random.normal(size=(1000, 24))).astype(np.float32)


@pytest.fixture(scope="module")
def model(points):
    rows = clusters.sample_rows(1000, 200)
    return isogon.Faithful(8, iterations=30).fit(points[rows])


@pytest.fixture(scope="module")
def cluster():
    with dask.config.set({"distributed.scheduler.allowed-failures": 10}):
        with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
            yield cluster


@pytest.fixture
def client(cluster):
    with distributed.Client(cluster) as client:
        yield client


def plain(array):
    return array.compute(scheduler="synchronous")


@every_chunking
def test_transform_gives_the_bits_of_one_machine(chunks, points, model):
    wanted = model.transform(points)
    found = clusters.transform(model, da.from_array(points, chunks=chunks))
    assert isinstance(found, da.Array) and found.dtype == np.float32 and found.shape == (1000, 8)
    assert found.chunks == (chunks[0], (8,))
    assert np.array_equal(plain(found), wanted)
    assert np.array_equal(found.compute(scheduler="threads", num_workers=3), wanted)


@pytest.mark.parametrize("name", ["SVD", "NMF", "LaplacianEigenmaps", "UMAP"])
def test_models_of_every_kind(name, points):
    options = {"NMF": {}, "LaplacianEigenmaps": {"components": "separate"}, "UMAP": {"iterations": 20}}
    kind = getattr(isogon, name)
    data = np.abs(points)
    fitted = kind(3, **options.get(name, {})).fit(data[:150])
    found = clusters.transform(fitted, da.from_array(data[:300], chunks=(70, 24)))
    assert np.array_equal(plain(found), fitted.transform(data[:300]))


def test_every_type_of_numbers(points, model):
    for dtype in ("float64", "float16", "int16"):
        given = (points * 100 if dtype == "int16" else points).astype(dtype)
        found = plain(clusters.transform(model, da.from_array(given, chunks=(300, 24))))
        assert np.array_equal(found, model.transform(given.astype(np.float32)))


def test_blocks_are_worked_through_in_parts(points, model, monkeypatch):
    monkeypatch.setattr(isogon._blocks, "ROWS_AT_ONCE", 64)
    found = clusters.transform(model, da.from_array(points, chunks=(500, 24)))
    assert np.array_equal(plain(found), model.transform(points))


def test_a_cluster_gives_the_same_bits(client, points, model, tmp_path):
    array = da.from_array(points, chunks=(100, 24))
    assert np.array_equal(clusters.transform(model, array).compute(), model.transform(points))
    model.save(tmp_path / "m.safetensors")
    by_path = clusters.transform(tmp_path / "m.safetensors", array)
    assert np.array_equal(by_path.compute(), model.transform(points))
    near = isogon.neighbors(points[:300], 5, queries=points, search="exact")
    indices, distances = dask.compute(*clusters.neighbors(points[:300], array, 5))
    assert np.array_equal(indices, near.indices) and np.array_equal(distances, near.distances)


@every_chunking
def test_samples_are_drawn_by_row_numbers(chunks, points):
    fitted = clusters.fit(isogon.SVD(4), da.from_array(points, chunks=chunks), n_samples=300, random_state=3)
    rows = clusters.sample_rows(1000, 300, 3)
    assert len(set(rows.tolist())) == 300 and (np.diff(rows) > 0).all()
    assert np.array_equal(fitted.sample_rows_, rows)
    assert np.array_equal(fitted.embedding_, isogon.SVD(4).fit_transform(points[rows]))
    assert not np.array_equal(rows, clusters.sample_rows(1000, 300, 4))
    assert np.array_equal(clusters.sample_rows(10, 300), np.arange(10))


def test_a_sampled_fit_and_its_transform_are_a_fit_on_landmarks(points):
    array = da.from_array(points, chunks=(300, 24))
    faithful = isogon.Faithful(6, iterations=20)
    landmarks = isogon.LocallyLinearLandmarks(faithful, n_landmarks=200, landmark_selection="random")
    fitted = clusters.fit(isogon.Faithful(6, iterations=20), array, n_samples=200)
    assert np.array_equal(plain(clusters.transform(fitted, array)), landmarks.fit_transform(points))


@every_chunking
def test_neighbors(chunks, points, model):
    array = da.from_array(points, chunks=chunks)
    for base, rows in ((points[:400], points[:400]), (model, model._model.array("inputs"))):
        for metric in ("cosine", "euclidean"):
            wanted = isogon.neighbors(rows, 7, queries=points, metric=metric, search="exact")
            indices, distances = clusters.neighbors(base, array, 7, metric=metric)
            assert np.array_equal(plain(indices), wanted.indices)
            assert np.array_equal(plain(distances), wanted.distances)
    assert indices.dtype == np.int64 and distances.dtype == np.float32 and indices.chunks[0] == array.chunks[0]


@every_chunking
def test_scores(chunks, points, model):
    array = da.from_array(points, chunks=chunks)
    placed = clusters.transform(model, array)
    rows = clusters.sample_rows(1000, 500, 1)
    y = model.transform(points)
    fitted = (model._model.array("inputs"), model._model.array("coordinates"))
    among = isogon.score(points[rows], y[rows], against=fitted)
    alone = isogon.score(points[rows], y[rows], n_neighbors=5)
    for wanted, result in (
        (among, clusters.score(array, placed, against=model, n_samples=500, random_state=1)),
        (among, clusters.score(array, placed, against=fitted, n_samples=500, random_state=1)),
        (alone, clusters.score(array, placed, n_samples=500, random_state=1, n_neighbors=5)),
    ):
        found = result.compute(scheduler="synchronous")
        assert {**found, "summary": None} == {**wanted, "summary": None}


def test_files_of_rows(points, model, tmp_path):
    wanted = model.transform(points)
    found = clusters.transform(model, da.from_array(points, chunks=(300, 24)))
    paths = clusters.write_npy(found, tmp_path / "y")
    assert [os.path.basename(path) for path in paths] == [f"part-{i:06d}.npy" for i in range(4)]
    assert np.array_equal(np.concatenate([np.load(path) for path in paths]), wanted)
    assert json.loads((tmp_path / "y" / "parts.json").read_text())["rows"] == 1000
    again = clusters.read_npy(tmp_path / "y")
    assert again.chunks == found.chunks and np.array_equal(plain(again), wanted)
    assert np.array_equal(plain(clusters.read_npy(paths)), wanted)
    with pytest.raises(OSError, match="holds an array already"):
        clusters.write_npy(found, tmp_path / "y")
    (tmp_path / "y" / f"part-000001.npy.{'0' * 32}.tmp").write_bytes(b"half")
    clusters.write_npy(found, tmp_path / "y", rows=600, overwrite=True)
    assert sorted(os.listdir(tmp_path / "y")) == ["part-000000.npy", "part-000001.npy", "parts.json"]
    assert np.array_equal(plain(clusters.read_npy(tmp_path / "y")), wanted)


def test_a_run_that_was_broken_off_is_begun_again(points, model, tmp_path):
    found = clusters.transform(model, with_block(points, without_a_number))
    with pytest.raises(ValueError, match="X, row 267"):
        clusters.write_npy(found, tmp_path / "y")
    with pytest.raises(ValueError, match="parts.json: is not there"):
        clusters.read_npy(tmp_path / "y")
    whole = clusters.transform(model, da.from_array(points, chunks=(300, 24)))
    clusters.write_npy(whole, tmp_path / "y")
    assert np.array_equal(plain(clusters.read_npy(tmp_path / "y")), model.transform(points))


def test_files_of_others_are_left_alone(points, tmp_path):
    (tmp_path / "mine.npy").write_bytes(b"mine")
    for overwrite in (False, True):
        with pytest.raises(OSError, match="holds other files .mine.npy"):
            clusters.write_npy(da.from_array(points), tmp_path, overwrite=overwrite)
    assert os.listdir(tmp_path) == ["mine.npy"]


def test_zarr(points, model, tmp_path):
    pytest.importorskip("zarr")
    found = clusters.transform(model, da.from_array(points, chunks=((100, 500, 400), (24,))))
    clusters.write_zarr(found, str(tmp_path / "y.zarr"), rows=300)
    assert np.array_equal(plain(da.from_zarr(str(tmp_path / "y.zarr"))), model.transform(points))


def test_files_that_do_not_fit_are_named_before_work(points, tmp_path):
    paths = [tmp_path / f"{i}.npy" for i in range(3)]
    for path, rows in zip(paths, (points[:10], points[10:20], points[20:30])):
        np.save(path, rows)
    assert np.array_equal(plain(clusters.read_npy(paths)), points[:30])
    for spoil, says in (
        (lambda: np.save(paths[1], points[:10, :9]), "1.npy: rows of 9 float32, where .*0.npy has rows of 24"),
        (lambda: np.save(paths[1], points[:10].astype(float)), "1.npy: rows of 24 float64"),
        (lambda: np.save(paths[1], points[0]), "1.npy: must have two axes"),
        (lambda: paths[1].write_bytes(b"\x93NUMPY"), "1.npy"),
        (lambda: paths[1].unlink(), "1.npy: cannot be read"),
    ):
        spoil()
        with pytest.raises(ValueError, match=says):
            clusters.read_npy(paths)
    with pytest.raises(ValueError, match="parts.json: is not there"):
        clusters.read_npy(tmp_path)


def with_block(points, spoiled, at=1):
    """An array in four chunks of which one is not what the array says of it, or holds what no point may."""
    blocks = [points[i * 250 : (i + 1) * 250] for i in range(4)]
    blocks[at] = spoiled(blocks[at].copy())
    parts = [da.from_delayed(dask.delayed(block), (250, 24), np.float32) for block in blocks]
    return da.concatenate(parts)


def without_a_number(block):
    block[17, 5] = np.nan
    return block


@pytest.mark.parametrize(
    "spoiled, says",
    [
        (lambda block: block[:, :20], "X, rows 250 to 499: the chunk has 20 numbers in a row, where the array says 24"),
        (lambda block: block[:99], "X, rows 250 to 499: the chunk has 99 rows, where the array says 250"),
        (
            lambda block: block.astype(float),
            "X, rows 250 to 499: the chunk holds float64, where the array says float32",
        ),
        (lambda block: block.tolist(), "X, rows 250 to 499: the chunk is no table of rows, but list"),
        (without_a_number, "X, row 267, column 5: is nan"),
    ],
    ids=["width", "length", "type", "list", "nan"],
)
def test_a_chunk_that_is_wrong_is_named(spoiled, says, points, model):
    array = with_block(points, spoiled)
    with pytest.raises(ValueError, match=says):
        clusters.check(array)
    with pytest.raises(ValueError, match=says.replace(": is nan", "")):
        plain(clusters.transform(model, array))
    clusters.check(da.from_array(points, chunks=(300, 24)))


def test_a_sample_with_a_number_that_is_none_is_named(points):
    array = with_block(points, without_a_number)
    with pytest.raises(ValueError, match="X, row 267, column 5: is nan"):
        clusters.fit(isogon.SVD(2), array, n_samples=1000)
    fitted = clusters.fit(isogon.SVD(2), array, n_samples=3)  # which has not met it
    assert 267 not in fitted.sample_rows_


@pytest.mark.parametrize(
    "call, error, says",
    [
        (
            lambda x, m: clusters.transform(m, x[:, :9]),
            ValueError,
            "X: has 9 numbers in a row, where the model takes 24",
        ),
        (lambda x, m: clusters.transform(m, x.compute()), TypeError, "X: must be a dask array"),
        (lambda x, m: clusters.transform(m, x[:, 0]), ValueError, "X: must have two axes"),
        (lambda x, m: clusters.transform(m, x.astype(complex)), TypeError, "X: must hold numbers"),
        (lambda x, m: clusters.transform(m, x[x[:, 0] > 0]), ValueError, "X: has chunks of unknown length"),
        (lambda x, m: clusters.transform(3, x), TypeError, "model: must be a fitted estimator"),
        (lambda x, m: clusters.transform(isogon.SVD(2), x), ValueError, "not fitted"),
        (lambda x, m: clusters.transform("none.safetensors", x), ValueError, "none.safetensors"),
        (lambda x, m: clusters.transform(m, x, memory_limit=1000), MemoryError, "X: a task holds .*rechunk"),
        (lambda x, m: clusters.transform(m, x, n_jobs=0), ValueError, "n_jobs"),
        (lambda x, m: clusters.fit("svd", x), TypeError, "estimator: must be"),
        (lambda x, m: clusters.fit(isogon.SVD(2), x, n_samples=0), ValueError, "n_samples"),
        (lambda x, m: clusters.neighbors(m, x, 0), ValueError, "n_neighbors = 0"),
        (lambda x, m: clusters.neighbors(m, x, 201), ValueError, "n_neighbors = 201"),
        (lambda x, m: clusters.neighbors(m, x, 5, metric="far"), ValueError, "metric = far"),
        (lambda x, m: clusters.neighbors(m, x[:, :9]), ValueError, "X: has 9 numbers"),
        (lambda x, m: clusters.neighbors(isogon.PCA(2).fit(x.compute()), x), ValueError, "keeps no fitted points"),
        (lambda x, m: clusters.score(x, x[:100]), ValueError, "Y: 100 rows"),
        (
            lambda x, m: plain(clusters.transform(m, x.astype(float) * 1e300)),
            ValueError,
            "X, rows .*: holds numbers beyond",
        ),
        (lambda x, m: clusters.write_npy(np.eye(3), "nowhere"), TypeError, "Y: must be a dask array"),
    ],
    ids=range(20),
)
def test_bad_arguments_are_named_at_once(call, error, says, points, model):
    with pytest.raises(error, match=says):
        call(da.from_array(points, chunks=(250, 24)), model)


def test_memory_is_stated_and_kept(points, model):
    array = da.from_array(points, chunks=(500, 24))
    size = len(isogon._estimator.model_bytes(model._model))
    assert clusters.memory(model, array) == 500 * (24 + 8) * 4 + 3 * size
    assert clusters.memory(model, array.astype(float)) == 500 * (24 * 8 + 24 * 4 + 8 * 4) + 3 * size
    enough = clusters.transform(model, array, memory_limit=10**8)
    assert np.array_equal(plain(enough), model.transform(points))
    tight = clusters.transform(model, array, memory_limit=clusters.memory(model, array))
    with pytest.raises(
        MemoryError, match=r"X, rows (0 to 499|500 to 999): "
    ):  # the lists of neighbours are the library's to state
        plain(tight)


def test_a_model_is_in_the_graph_once(points, model):
    cloudpickle = pytest.importorskip("cloudpickle")
    sizes = [
        len(cloudpickle.dumps(clusters.transform(model, da.from_array(points, chunks=(n, 24))))) for n in (500, 20)
    ]
    model_size = len(isogon._estimator.model_bytes(model._model))
    data = points.nbytes  # which from_array puts into the graph
    assert model_size < sizes[0] < sizes[1] < data + 2 * model_size + 50 * 2000


def test_another_version_is_named_before_work(client, points, model, monkeypatch):
    array = da.from_array(points, chunks=(500, 24))
    with monkeypatch.context() as patch:
        patch.setattr(isogon._core, "__version__", "0.0.1")
        with pytest.raises(RuntimeError, match="worker .* has isogon .*, where this process has 0.0.1"):
            clusters.transform(model, array)
        shared = isogon._shared_model.SharedModel.of(model)
    with pytest.raises(RuntimeError, match="0.0.1 where the work is handed out"):
        shared.model()


def test_a_model_file_that_is_another_on_the_worker_is_refused(points, model, tmp_path):
    path = tmp_path / "m.safetensors"
    model.save(path)
    later = clusters.transform(path, da.from_array(points, chunks=(500, 24)))
    isogon.Faithful(8, iterations=3).fit(points[:100]).save(path, overwrite=True)
    isogon._shared_model._Kept.models.clear()
    with pytest.raises(ValueError, match="m.safetensors is not the same file"):
        plain(later)


def slowly(block):
    time.sleep(0.05)
    return block


def test_a_worker_that_dies_costs_time_only(client, points, model, tmp_path):
    """Killed while it works: Dask does its tasks again elsewhere, and files are whole."""
    slow = da.from_array(points, chunks=(25, 24)).map_blocks(slowly, dtype=np.float32)
    processes = client.run(os.getpid)
    work = (clusters.transform(model, slow), tmp_path / "y")
    written = threading.Thread(target=clusters.write_npy, args=work, daemon=True)
    written.start()
    deadline = time.monotonic() + 60
    while not list(tmp_path.glob("y/part-*.npy")) and time.monotonic() < deadline:
        time.sleep(0.01)
    os.kill(next(iter(processes.values())), signal.SIGKILL)
    assert not (tmp_path / "y" / "parts.json").exists(), "it was over before anybody died"
    written.join(100)
    assert not written.is_alive()
    assert np.array_equal(plain(clusters.read_npy(tmp_path / "y")), model.transform(points))
    assert len(os.listdir(tmp_path / "y")) == 41
    assert set(client.run(os.getpid).values()) != set(processes.values())
