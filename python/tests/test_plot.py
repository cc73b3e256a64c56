"""The pictures show what they were given."""

import subprocess
import sys

import numpy as np
import pytest

import isogon

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

from isogon import plot  # noqa: E402


@pytest.fixture(autouse=True)
def closed_figures():
    yield
    plt.close("all")


def drawn(ax):
    ax.figure.canvas.draw()  # what cannot be drawn fails here
    return ax


def test_angles_show_tau(random_points):
    result = isogon.threshold(random_points)
    ax = drawn(plot.angles(random_points))
    assert ax.lines[0].get_xdata()[0] == result.threshold_degrees
    assert drawn(plot.angles(random_points, 0.5)).lines[0].get_xdata()[0] == pytest.approx(60)
    assert drawn(plot.angles(result)).patches


def test_a_map_has_a_dot_for_each_point(random_points):
    y = random_points[:, :2]
    assert len(drawn(plot.map(y)).collections[0].get_offsets()) == 60
    by_class = drawn(plot.map(y, np.arange(60) % 3))
    assert [len(dots.get_offsets()) for dots in by_class.collections] == [20, 20, 20]
    assert len(by_class.get_legend().get_texts()) == 3
    for labels in (np.arange(60) % 3 - 1, [[None, "b", "c"][i % 3] for i in range(60)]):
        some = drawn(plot.map(y, labels))
        assert [len(dots.get_offsets()) for dots in some.collections] == [20, 20, 20]
        assert [text.get_text() for text in some.get_legend().get_texts()][0] == "unknown"
    assert len(drawn(plot.map(y, y[:, 0])).collections) == 1
    assert len(drawn(plot.map(y[:4], names=list("abcd"))).texts) == 4
    with pytest.raises(ValueError, match="Y"):
        plot.map(y[:, :1])


def test_a_trace_has_every_iteration(digits):
    nmf = isogon.NMF(2).fit(digits)
    ax = drawn(plot.trace(nmf))
    assert ax.lines[0].get_xdata()[-1] == nmf.n_iter_
    assert len(drawn(plot.trace(nmf.summary_)).lines[0].get_xdata()) == len(nmf.summary_.trace["iteration"])
    with pytest.raises(ValueError, match="trace"):
        plot.trace(isogon.PCA(2).fit(digits))


def test_spectra(digits):
    mds = isogon.MDS(3).fit(digits)
    heights = [bar.get_height() for bar in drawn(plot.spectrum(mds)).patches]
    assert heights == pytest.approx(list(mds.eigenvalues_))
    svd = isogon.SVD(3).fit(digits)
    assert len(drawn(plot.spectrum(svd)).patches) == 3
    assert len(drawn(plot.spectrum([3.0, 1.0])).patches) == 2
    with pytest.raises(ValueError, match="source"):
        plot.spectrum(np.zeros((2, 2, 2)))


def test_methods_beside_each_other(digits):
    results = {name: isogon.score(digits, getattr(isogon, name)(4).fit_transform(digits)) for name in ("SVD", "PCA")}
    axes = plot.compare(results)
    drawn(axes[0])
    assert [bar.get_width() for bar in axes[1].patches] == [results[name].jaccard for name in results]
    assert len(plot.compare(results, measures=["jaccard"])) == 1
    with pytest.raises(ValueError, match="results"):
        plot.compare({})
    with pytest.raises(ValueError, match="measures"):
        plot.compare(results, measures=["beauty"])


def test_matplotlib_is_not_imported_before_it_is_needed():
    code = "import sys, isogon; assert 'matplotlib' not in sys.modules; isogon.plot.map; print('ok')"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "ok\n"
