"""The notebooks are executed, and stand in the repository without what they printed."""

import json

import pytest
from conftest import ROOT
from run_notebook import code_cells, execute, run_cell

matplotlib = pytest.importorskip("matplotlib")

NOTEBOOKS = sorted((ROOT / "python" / "notebooks").glob("*.ipynb"))
every_notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


def test_there_are_three():
    assert [path.stem for path in NOTEBOOKS] == ["digits", "search", "words"]


@every_notebook
def test_it_runs_to_its_end(path, monkeypatch):
    for name in ("ISOGON_DIGITS", "ISOGON_VECTORS", "ISOGON_WORDS", "ISOGON_QUESTIONS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv(
        "OMP_NUM_THREADS", "1"
    )  # small fits on a machine that may be busy: threads would wait for each other
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    try:
        execute(path)
        assert plt.get_fignums(), "it draws nothing"
        for number in plt.get_fignums():
            plt.figure(number).canvas.draw()  # what cannot be drawn fails here
    finally:
        plt.close("all")


@every_notebook
def test_it_holds_no_outputs(path):
    """They would be another machine's, and make every change of a cell hard to read."""
    notebook = json.loads(path.read_text(encoding="utf-8"))
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            assert cell["outputs"] == [] and cell["execution_count"] is None
    assert "widgets" not in notebook["metadata"] and len({cell["id"] for cell in notebook["cells"]}) == len(
        notebook["cells"]
    )


def test_errors_come_out_with_cell_and_line(tmp_path):
    path = tmp_path / "bad.ipynb"
    cells = [
        {"cell_type": "markdown", "source": ["# no code"]},
        {"cell_type": "code", "source": ["a = 1\n", "a + 1"]},
        {"cell_type": "code", "source": ["b = a\n", "b / 0"]},
    ]
    path.write_text(json.dumps({"cells": cells}))
    assert code_cells(path)[0] == (1, "a = 1\na + 1")
    with pytest.raises(ZeroDivisionError) as caught:
        execute(path)
    assert caught.traceback[-1].frame.code.raw.co_filename == "bad.ipynb, cell 2"
    assert run_cell("1 + 1", "cell", {}) == "2" and run_cell("a = 1", "cell", {}) is None
    with pytest.raises(SyntaxError):
        run_cell("%matplotlib inline", "cell", {})
