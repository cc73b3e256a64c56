"""papers/reproduce: figures of papers by the installed package."""

import csv
import gzip
import subprocess
import sys

import numpy as np
import pytest
from conftest import ROOT

import isogon

pytest.importorskip("matplotlib")
sys.path.insert(0, str(ROOT / "papers"))
import shared  # noqa: E402
import tsm  # noqa: E402


def run(folder, *words, code=0):
    """Markdown that the command prints, or what it says on stderr."""
    command = [sys.executable, ROOT / "papers" / "reproduce", *map(str, words)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300)
    assert done.returncode == code, done.stderr
    return done.stderr if code else done.stdout


def rows_of(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.reader(file))


def write_idx(path, values):
    path.parent.mkdir(parents=True, exist_ok=True)
    head = bytes([0, 0, 8, values.ndim]) + np.array(values.shape, ">i4").tobytes()
    path.write_bytes(gzip.compress(head + values.astype(np.uint8).tobytes(), 1))


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    """Drawn digits under the names of MNIST's files."""
    folder = tmp_path_factory.mktemp("data")
    for names, count in ((shared.TRAINING, 3500), (shared.TESTING, 500)):
        made = isogon.generate("drawn-digits", count, random_state=count)
        write_idx(folder / names[0], made.points.reshape(-1, 28, 28))
        write_idx(folder / names[1], made.labels)
    return folder


def test_the_list_tells_what_each_figure_is_and_needs(tmp_path):
    text = run(tmp_path, "list")
    for name in ["tsm-1", "tsm-3", "tsm-table-1", "lll-roll", "lsde-roll", "forces-2"]:
        assert f"{name} " in text
    assert "Saul 2022, figure 5; needs wordvectors/, analogies/" in text
    assert len(shared.FIGURES) >= 11  # those of tsm are read here


def test_an_example_is_made_whole(tmp_path):
    text = run(tmp_path, "tsm-1", "--quick")  # of which there is no quick one
    assert text.startswith("## tsm-1: Sparse matrices") and "quick" not in text
    assert "Transactions on Machine Learning Research" in text and "S = max(0, L)" in text
    folder = tmp_path / "reproduction" / "tsm-1"
    tables = ["table.csv", "table-2.csv", "table-3.csv", "table-4.csv", "table-5.csv"]
    assert {path.name for path in folder.iterdir()} == {"figure.svg", *tables}
    assert "<svg" in (folder / "figure.svg").read_text()
    s, low, found, identity, circle = (np.array(rows_of(folder / name)[1:], float) for name in tables)
    assert (low[0] == [10, -11, -4, -11, -24, 15]).all()  # as printed
    for sparse, latent, rank in ((s, low, 2), (s, found, 2), (identity, circle, 3)):
        assert np.abs(np.maximum(latent, 0) - sparse).max() < 1e-4
        assert np.linalg.matrix_rank(latent, tol=1e-3) == rank
    assert (identity == np.eye(12)).all()
    assert [path.name for path in (tmp_path / "reproduction").iterdir()] == ["tsm-1"]  # nothing unfinished
    message = run(tmp_path, "tsm-1", code=2)
    assert "tsm-1: exists; choose another -o, or replace it with --overwrite" in message
    run(tmp_path, "tsm-1", "--overwrite")


def test_ours_stand_beside_the_published_numbers(tmp_path, data):
    text = run(tmp_path, "tsm-9", "forces-2", "--data", data, "--quick", "-o", "out")
    first, second = text.split("## forces-2")
    assert "A quick run: fewer points" in first and "A quick run: fewer steps" in second
    assert "Jaccard index: pairs whose cosine" in first and "aligned by the best rotation" in second
    columns, *rows = rows_of(tmp_path / "out" / "tsm-9" / "table.csv")
    assert columns[:2] == ["dimensions", "isogon isomap"] and columns[-1] == "SVD, published"
    table = {row[0]: row for row in rows}
    assert table["12"][2] == "" and float(table["32"][columns.index("TSM, published")]) == 0.88
    errors = np.array(rows_of(tmp_path / "out" / "forces-2" / "table.csv")[1:], float)
    assert (errors[-1, 1:] < 0.1).all() and (errors[0, 1:] > 0.9).all()


def test_every_way_of_landmarks_is_fitted(tmp_path, data):
    for _ in range(2):  # the second time in the place of the first
        run(tmp_path, "lll-landmarks", "--data", data, "--quick", "--overwrite")  # of 175 points
    columns, *rows = rows_of(tmp_path / "reproduction" / "lll-landmarks" / "table.csv")
    assert columns == ["landmarks", "LLL", "LE(Z)", "LE(Nys.)"] and [row[0] for row in rows] == ["100"]
    errors = [float(cell) for cell in rows[0][1:]]
    assert all(0 < error < 1 for error in errors)
    assert min(errors) == errors[0]  # mixtures that know of all points come nearest to the exact fit


@pytest.mark.parametrize(
    "words, said",
    [
        (["tsm-1", "tsm-99"], ["tsm-99: no such figure", "did you mean tsm-9", "lll-roll", "list"]),
        (["tsm-1", "tsm-1"], ["tsm-1: is there twice"]),
        (["tsm-1", "--dims", "2"], ["--dims: tsm-1 is not made over the dimension"]),
        (["tsm-3", "--dims", "0"], ["--dims", "0"]),
        (["tsm-1", "tsm-3"], ["--data", *tsm.DIGITS, *tsm.WORDS]),
    ],
)
def test_mistakes_are_found_before_work(tmp_path, words, said):
    message = run(tmp_path, *words, code=2)
    assert all(part in message for part in said), message
    assert "Sparse matrices" not in message and list(tmp_path.iterdir()) == []


def test_missing_files_are_named(tmp_path, data):
    message = run(tmp_path, "tsm-4", "lsde-digits", "--data", data, code=2)
    assert shared.WORDS[0] in message and "tsm-4" in message and "docs/data.md" in message and "mnist" not in message
    said = (ROOT / "docs" / "data.md").read_text(encoding="utf-8")
    for name in shared.WORDS + shared.QUESTIONS + shared.OBJECTS + shared.POSTAL_DIGITS:
        assert name in said


def test_a_damaged_file_is_named_and_what_was_written_stays(tmp_path, data):
    for name in shared.DIGITS:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes((data / name).read_bytes()[:1000])
    message = run(tmp_path, "lll-roll", "forces-2", "--data", ".", "-o", "out", "--quick", code=1)
    assert f"forces-2: {shared.DIGITS[0]}: is damaged" in message
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["lll-roll"]


def test_errors_after_alignment(random_points):
    turn, _ = np.linalg.qr(np.random.default_rng(1).normal(size=(6, 6)))
    assert shared.unaligned(3 * random_points @ turn + 1, random_points) < 1e-6
    squeezed = random_points * [1, 2, 3, 4, 5, 6]
    assert shared.unaligned(squeezed, random_points, linear=True) < 1e-6 < shared.unaligned(squeezed, random_points)
    assert shared.unaligned(np.random.default_rng(2).normal(size=(60, 6)), random_points) > 0.5


def test_the_nearest_label_is_that_of_the_nearest_by_distance():
    points = np.array([[1, 0], [9, 0], [1.5, 1], [9, 3]], np.float32)  # by angle the first two are nearest
    assert shared.nearest_label_error(points, np.array([0, 1, 0, 1])) == 0
    assert shared.nearest_label_error(points, np.array([0, 1, 1, 1])) == 50
    assert shared.nearest_label_error(points, np.array([0, 1, 0, 1]), points[:1] + 1, np.array([1])) == 100


def test_near_pairs_of_isomap_are_those_of_the_paper(random_points):
    x, y = random_points, random_points[:, :2].astype(float)
    near_x = np.array([[a @ b / np.linalg.norm(a) / np.linalg.norm(b) > 0.5 for b in x] for a in x])
    near_y = np.array([[((a - b) ** 2).sum() / 2 < 0.5 for b in y] for a in y])
    expected = (near_x & near_y).sum() / (near_x | near_y).sum()
    assert tsm.distance_jaccard(x, random_points[:, :2], 0.5, rows=7) == pytest.approx(expected, abs=0.01)


def test_answers_are_the_nearest_but_the_three():
    points = np.array([[1, 0], [0, 2], [-1, 0.1], [0.2, -3], [-1, 1.2]], float)
    # (0, 1) 2: the direction of (-2, 1), which is nearest to the rows 2 and 4; 2 is asked itself.
    assert tsm.answers(points, np.array([[0, 1, 2]])).tolist() == [4]
