"""Runs that are watched, stopped, limited and forked."""

import io
import multiprocessing
import os
import re
import signal
import subprocess
import sys
import textwrap
import threading
import time
from types import SimpleNamespace

import numpy as np
import pytest
from conftest import quick
from isogon._core import Run

import isogon
from isogon._running import _Threads, available_threads


def python(code, *arguments):
    command = [sys.executable, "-c", textwrap.dedent(code), *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_a_callback_is_told_of_every_step(digits):
    seen = []
    isogon.Faithful(4, callback=seen.append).fit(digits)
    assert len(seen) > 5 and all(isinstance(step, isogon.Progress) for step in seen)
    assert all(0 <= step.done <= step.total or step.total == 0 for step in seen) and len({s.phase for s in seen}) > 1


def test_a_callback_changes_no_bit_and_is_called_here(digits):
    threads = set()
    watched = isogon.Faithful(4, callback=lambda step: threads.add(threading.get_ident())).fit_transform(digits)
    assert threads == {threading.get_ident()}
    assert np.array_equal(watched, isogon.Faithful(4).fit_transform(digits))


def test_a_true_answer_ends_the_fit(digits):
    calls = []

    def enough(step):
        calls.append(step)
        return len([call for call in calls if call.phase == step.phase]) >= 10

    tsne = isogon.TSNE(callback=enough).fit(digits)
    assert tsne.summary_.termination == "cancelled"
    assert np.isfinite(tsne.embedding_).all() and tsne.transform(digits[:2]).shape == (2, 2)


def test_an_end_before_there_is_anything(digits):
    with pytest.raises(RuntimeError, match="without coordinates"):
        isogon.Isomap(2, components="bridge", callback=lambda step: True).fit(digits)


def test_what_a_callback_raises_comes_out(digits):
    class Mine(Exception):
        pass

    def fails(step):
        if step.phase == "layout" or step.done > 3:
            raise Mine("enough")

    tsne = isogon.TSNE(callback=fails)
    with pytest.raises(Mine, match="enough"):
        tsne.fit(digits)
    assert np.isfinite(tsne.set_params(callback=None).fit_transform(digits)).all()


def test_a_time_limit(digits):
    tsne = isogon.TSNE(iterations=10**8, time_limit=5)
    try:
        tsne.fit(digits)
        assert tsne.summary_.termination == "time-limit" and np.isfinite(tsne.embedding_).all()
    except TimeoutError as error:  # so busy a machine that the layout was not reached
        assert "time_limit" in str(error)
    with pytest.raises(TimeoutError, match="time_limit"):
        isogon.Isomap(2, time_limit=0).fit(digits)
    with pytest.raises(TimeoutError, match="time_limit"):
        isogon.score(digits, digits, time_limit=0)


def made(count, dimension):
    return np.random.default_rng(0).random((count, dimension), dtype=np.float32)


def test_a_map_of_a_few_numbers_is_charged_as_that():
    """Neither a copy of the points is charged nor a model that holds them; the passes over them hold some rows."""
    points = made(60000, 40)
    for kind in (isogon.PCA, isogon.SVD):
        assert kind(2, memory_limit=points.nbytes // 2).fit(points).transform(points[:2]).shape == (2, 2)


def test_a_model_of_landmarks_is_charged_as_that():
    """What is taken besides is one block of points, here all of them, and what their threshold is chosen by."""
    points = made(3000, 400)
    limits = {"memory_limit": 2 * points.nbytes, "n_jobs": 1}
    landmarks = isogon.LocallyLinearLandmarks(isogon.TSM(2, iterations=5), n_landmarks=50, **limits)
    assert landmarks.fit(points).embedding_.shape == (3000, 2)


def test_what_a_fit_leaves_is_charged_before_it_begins():
    points = made(3000, 400)
    with pytest.raises(MemoryError, match="the model"):
        isogon.TSM(2, memory_limit=points.nbytes).fit(points)
    with pytest.raises(MemoryError, match="coordinates of all points"):
        # 4.8 MB of coordinates, and 1.3 MB of a model.
        isogon.LocallyLinearLandmarks(isogon.TSM(400), n_landmarks=410, memory_limit=5 * 10**6).fit(points)


# Tells when it has worked three times as long as a fit takes to its first few steps: then it is at the layout.
LONG_FIT = """
    import signal, threading, time
    import isogon

    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs begin by ignoring it
    points = isogon.generate("drawn-digits", 300).points
    before = time.process_time()
    isogon.TSNE(iterations=5).fit(points)
    enough = time.process_time() + 3 * (time.process_time() - before)

    def tell():
        while time.process_time() < enough:
            time.sleep(0.005)
        print("at work", flush=True)

    threading.Thread(target=tell, daemon=True).start()
    tsne = isogon.TSNE(iterations=10**8{extra})
    try:
        tsne.fit(points)
    except KeyboardInterrupt:
        print("stopped", tsne.summary_.termination, tsne.embedding_.shape, tsne.transform(points[:3]).shape)
"""


@pytest.mark.parametrize("extra", ["", ", callback=lambda step: None", ", n_jobs=1"])
def test_ctrl_c_leaves_a_usable_object(extra):
    with python(LONG_FIT.format(extra=extra)) as process:
        try:
            assert process.stdout.readline() == "at work\n"
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=300)
        finally:
            process.kill()
    assert out == "stopped cancelled (300, 2) (3, 2)\n", err


def test_other_threads_go_on(digits):
    """The interpreter's lock is free while a fit runs: it is taken from nobody here, only given."""
    ticks = []
    begun, done = threading.Event(), threading.Event()

    def tick():
        begun.wait()
        while not done.is_set():
            ticks.append(None)
            time.sleep(0.001)

    def seen_enough(step):
        begun.set()
        return len(ticks) > 20

    other = threading.Thread(target=tick)
    other.start()
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1000)
    try:
        # The limit ends a fit that nobody can end.
        tsne = isogon.TSNE(iterations=10**8, callback=seen_enough, time_limit=300).fit(digits)
    finally:
        sys.setswitchinterval(usual)
        begun.set()
        done.set()
        other.join()
    assert tsne.summary_.termination == "cancelled" and len(ticks) > 20


def test_fits_side_by_side(digits):
    wanted = isogon.Faithful(4).fit_transform(digits)
    found = [None] * 4

    def fit(i):
        found[i] = isogon.Faithful(4).fit_transform(digits)

    threads = [threading.Thread(target=fit, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(np.array_equal(one, wanted) for one in found)


def test_one_model_asked_from_many_threads(digits):
    estimator = quick(isogon.Faithful).fit(digits)
    wanted = quick(isogon.Faithful).fit(digits).transform(digits)
    found = [None] * 6
    threads = [threading.Thread(target=lambda i=i: found.__setitem__(i, estimator.transform(digits))) for i in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(np.array_equal(one, wanted) for one in found)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_fork_after_use(digits):
    estimator = isogon.Faithful(4).fit(digits)
    wanted = estimator.embedding_
    with multiprocessing.get_context("fork").Pool(2) as pool:
        again = pool.apply_async(isogon.Faithful(4).fit_transform, (digits,))
        placed = pool.apply_async(estimator.transform, (digits[:9],))
        assert np.array_equal(again.get(timeout=300), wanted)
        assert np.array_equal(placed.get(timeout=300), wanted[:9])


# A model that takes threads to be ready, for it has more rows than are looked at one by one.
FORKED_LOAD = """
    import multiprocessing, sys
    import numpy as np
    import isogon

    points = isogon.generate("drawn-digits", 400).points
    path, order = sys.argv[1:]

    def loaded(path):
        return isogon.load(path).transform(points[:5])

    if order == "write":
        estimator = isogon.TSM(2, iterations=5).fit(points)
        estimator.save(path)
        wanted = estimator.embedding_[:5]
    else:
        wanted = loaded(path)
    with multiprocessing.get_context("fork").Pool(1) as pool:
        print(np.array_equal(pool.apply_async(loaded, (path,)).get(timeout=120), wanted))
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_model_is_loaded_in_a_fork(tmp_path):
    for order in ("write", "read"):
        with python(FORKED_LOAD, str(tmp_path / "m.safetensors"), order) as process:
            try:
                out, err = process.communicate(timeout=300)
            finally:
                process.kill()
        assert out == "True\n", err


def test_loading_asks_how_many_threads_there_may_be(digits, tmp_path, monkeypatch):
    """Neither waits in a child of fork for threads that are not there, nor starts any that a child would wait for."""
    quick(isogon.PCA).fit(digits).save(tmp_path / "m.safetensors")
    threads = []
    monkeypatch.setattr(isogon._running, "_core", SimpleNamespace(Run=lambda *run: threads.append(run[0]) or Run(*run)))
    monkeypatch.setattr(_Threads, "started", False)
    monkeypatch.setattr(_Threads, "lost", False)
    isogon.load(tmp_path / "m.safetensors")
    assert threads == [available_threads()] and _Threads.started == (threads[0] > 1)
    monkeypatch.setattr(_Threads, "lost", True)
    isogon.load(tmp_path / "m.safetensors").get_feature_names_out()
    assert threads[1:] == [1, 1]


def test_nothing_is_printed_unless_asked_for(digits, capfd):
    quick(isogon.Faithful).fit(digits)
    assert capfd.readouterr() == ("", "")
    result = quick(isogon.Faithful, verbose=True).fit(digits)
    out, err = capfd.readouterr()
    assert out == "" and err.startswith("Faithful [####") and "] done, " in err
    assert np.array_equal(result.embedding_, quick(isogon.Faithful).fit_transform(digits))


class Terminal(io.StringIO):
    def isatty(self):
        return True


def progress_on(stream, steps, monkeypatch, whole=True):
    """What stands on the stream after steps of (second, phase, done, total)."""
    clock = [0.0]
    monkeypatch.setattr(isogon._running, "time", SimpleNamespace(monotonic=lambda: clock[0]))
    monkeypatch.setattr(sys, "stderr", stream)
    line = isogon._running._Line("PCA")
    for clock[0], *step in steps:
        line(isogon.Progress(*step, 0.0))
    line.close(whole)
    return stream.getvalue()


def test_progress_is_one_line_and_ends_at_its_total(monkeypatch):
    """Whatever the number of steps; also where a phase turns out to be longer than it said."""
    steps = [(k / 1000, "matching", k, 30 if k <= 30 else 200) for k in range(1, 2001)]
    steps = [(second, phase, min(done, 200), total) for second, phase, done, total in steps]
    text = progress_on(Terminal(), steps, monkeypatch)
    shown = text.split("\r")[1:]
    assert len(shown) <= 2 * 4 + 1 and text.count("\n") == 1
    assert shown[-1].startswith(f"PCA [{'#' * 24}] done, 2 s") and "200/200" in shown[-2]
    for one in shown[:-1]:
        done, total = map(int, re.search(r" (\d+)/(\d+),", one).groups())
        assert done <= total and one.count("#") == 24 * done // total


def test_progress_in_a_file_is_a_line_now_and_then(monkeypatch):
    steps = [(float(second), "svd", second, 30) for second in range(1, 31)]
    text = progress_on(io.StringIO(), steps, monkeypatch, whole=False)
    lines = text.splitlines()
    assert len(lines) == 4 and "\r" not in text
    assert "svd 10/30" in lines[0] and lines[-1].endswith("svd 30/30, 30 s: stopped")


def test_progress_in_a_notebook_is_a_bar_of_tqdm(digits, monkeypatch, capfd):
    pytest.importorskip("tqdm")
    monkeypatch.setattr(isogon._running, "_in_notebook", lambda: True)
    fitted = quick(isogon.UMAP, verbose=True).fit(digits)
    out, err = capfd.readouterr()
    assert out == "" and "UMAP, layout: " in err and err.rstrip().split("\r")[-1].startswith("UMAP, done: 100%")
    assert np.array_equal(fitted.embedding_, quick(isogon.UMAP).fit_transform(digits))
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    quick(isogon.UMAP, verbose=True).fit(digits)
    assert "UMAP [####" in capfd.readouterr().err


def test_memory_limits_are_sizes_as_of_the_command_line(random_points):
    for text, size in {"2G": 2e9, "1.5kb": 1500, "2GiB": 2**31, "7": 7, ".5m": 5e5, "3TiB": 3 * 2**40, "8b": 8}.items():
        assert isogon._running.memory_limit_of(text) == size
    for text in ("", "G", "2X", "-1G", "0", "1e3", "9999999TB", "2 G", "0.1"):
        with pytest.raises(ValueError, match=f"^memory_limit = '{text}': must be a size above zero such as 8G"):
            isogon.PCA(2, memory_limit=text).fit(random_points)
    isogon.PCA(2, memory_limit="1M").fit(random_points)
    with pytest.raises(MemoryError, match="limit"):
        isogon.score(random_points, random_points, memory_limit="1k")


def test_a_callback_sees_coordinates(digits):
    for name in ("TSNE", "UMAP", "PCA2", "LLE2"):
        seen, kept = [], []

        def look(step, seen=seen, kept=kept):
            kept.append(step)
            if step.phase != "layout":
                assert step.coordinates() is None
                return False
            seen.append(step.coordinates())
            return step.done == 5

        stopped = quick(getattr(isogon, name), callback=look).fit(digits)
        assert len(seen) == 5 and seen[0].shape == (120, 2) and seen[0].dtype == np.float32, name
        assert np.array_equal(seen[-1], stopped.embedding_) and not np.array_equal(seen[0], seen[1])
        phase, done, total, objective = kept[-1]
        assert (phase, done) == ("layout", 5) and total >= 5
        with pytest.raises(ValueError, match="coordinates: .*returned"):
            kept[-1].coordinates()


def test_a_callback_sees_what_tsm_has_come_to(digits):
    seen = []

    def look(step):
        if step.phase == "matching":
            seen.append(step.coordinates())
        return len(seen) == 5

    stopped = isogon.TSM(4, callback=look).fit(1000 * digits)
    assert len(seen) == 5 and seen[0].shape == (120, 4) and not np.array_equal(seen[0], seen[-1])
    assert np.array_equal(seen[-1], stopped.embedding_)
    unseen = isogon.TSM(4, callback=lambda step: step.done == 5).fit(1000 * digits)
    assert np.array_equal(unseen.embedding_, stopped.embedding_)
    assert unseen.summary_.measures == stopped.summary_.measures


@pytest.mark.parametrize("options", [{}, {"metric": "cosine"}])
@pytest.mark.parametrize("d", [2, 16])
def test_a_callback_sees_what_faithful_has_come_to(digits, options, d):
    seen = []

    def look(step):
        if step.phase == "matching":
            seen.append(step.coordinates())
        return len(seen) == 12

    stopped = isogon.Faithful(d, callback=look, **options).fit(1000 * digits)
    assert len(seen) == 12 and seen[0].shape == (120, d) and not np.array_equal(seen[0], seen[-1])
    assert np.array_equal(seen[-1], stopped.embedding_)
