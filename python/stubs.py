"""Writes the type stubs of the package: stubs.py FOLDER_OF_THE_EXTENSION OUTPUT.pyi

What follows from the option tables is made from them, as the package itself does when it is imported; numpy is not
needed. Run by CMake when the extension is built.
"""

import sys
from pathlib import Path

HEADER = """\
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple, TypedDict, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray
from typing_extensions import Self

from . import dask as dask
from . import export as export
from . import plot as plot

__version__: str

class NotFittedError(ValueError, AttributeError): ...
class FitWarning(UserWarning): ...

class _Step(NamedTuple):
    phase: str
    done: int
    total: int
    objective: float

class Progress(_Step):
    def coordinates(self) -> NDArray[np.float32] | None: ...

class Result(dict[str, Any]):
    def __getattr__(self, name: str) -> Any: ...

class _Trace(TypedDict):
    iteration: list[int]
    objective: list[float]
    change: list[float]
    seconds: list[float]

class Summary(Result):
    termination: Literal[
        "converged", "iteration-limit", "time-limit", "cancelled", "stalled", "numerical-failure"
    ]
    message: str
    trace: _Trace
    seconds: dict[str, float]
    counts: dict[str, float]
    measures: dict[str, float]
    warnings: list[str]
    seed: int
    threads: int

class _WorstPoint(TypedDict):
    point: int
    kept: float

class Score(Result):
    recall: float
    n_neighbors: int
    mean_angular_deviation_degrees: float
    jaccard: float
    norm_deviation_mean: float
    norm_deviation_max: float
    points: int
    threshold: float
    isolated: int
    zero_vectors: int
    summary: Summary
    # without against=
    all_kept: float
    kept_in_order: float
    worst_points: list[_WorstPoint]
    trustworthiness: float
    continuity: float
    sparsity: float
    angle_rows: int
    rank_rows: int
    knn_accuracy: float  # with labels
    fitted: int  # with against=

class Estimator:
    embedding_: NDArray[np.float32]
    summary_: Summary
    options_: dict[str, Any]
    n_features_in_: int
    feature_names_in_: NDArray[np.object_]
    n_iter_: int
    components_: NDArray[np.float64]
    mean_: NDArray[np.float64]
    eigenvalues_: NDArray[np.float64]
    threshold_: float
    landmark_indices_: NDArray[np.int64]
    kept_: NDArray[np.float32]
    def fit(
        self, X: Any, y: Any = ..., *, start: Any = ..., neighbors: Any = ..., affinities: Any = ...
    ) -> Self: ...
    def fit_transform(
        self, X: Any, y: Any = ..., *, start: Any = ..., neighbors: Any = ..., affinities: Any = ...
    ) -> NDArray[np.float32]: ...
    def transform(self, X: Any) -> NDArray[np.float32]: ...
    def query_map(
        self, *, queries_like: Any = ..., prototypes: int = ..., directions: int = ..., random_state: Any = ...
    ) -> Estimator: ...
    def score(self, X: Any, y: Any = ...) -> float: ...
    def inverse_transform(self, X: Any) -> NDArray[np.float32]: ...
    def get_feature_names_out(self, input_features: ArrayLike | None = ...) -> NDArray[np.object_]: ...
    def set_output(self, *, transform: Literal["default", "pandas", "polars"] | None = ...) -> Self: ...
    def get_params(self, deep: bool = ...) -> dict[str, Any]: ...
    def set_params(self, **parameters: Any) -> Self: ...
    def save(self, path: str | os.PathLike[str], *, overwrite: bool = ...) -> None: ...

class _Map(Estimator):
    def update(self, X: Any, *, hold: float = ...) -> Self: ...

class _Linear(Estimator):
    singular_values_: NDArray[np.float64]
    explained_variance_: NDArray[np.float64]
    explained_variance_ratio_: NDArray[np.float64]

class Codes:
    codes: NDArray[np.uint8]
    shape: tuple[int, int]
    options: dict[str, Any]
    def __len__(self) -> int: ...
    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self: ...
    def save(self, path: str | os.PathLike[str], *, overwrite: bool = ...) -> None: ...
    def encode(self, X: Any, *, memory_limit: int | str | None = ...) -> Codes: ...
    def decode(self, *, memory_limit: int | str | None = ...) -> NDArray[np.float32]: ...
    def search(self, queries: Any, n_neighbors: int = ..., *, memory_limit: int | str | None = ...) -> Result: ...
    def recall(self, X: Any, n_neighbors: int = ..., *, memory_limit: int | str | None = ...) -> float: ...
    @staticmethod
@OF@

def load(path: str | os.PathLike[str]) -> Estimator: ...
def methods() -> dict[str, str]: ...
def align(
    estimator: Estimator, tables: Iterable[Any], *, ids: Iterable[Iterable[Any]] | None = ..., hold: float = ...
) -> list[NDArray[np.float32]]: ...
def procrustes(Y: ArrayLike, onto: ArrayLike) -> NDArray[np.float64]: ...
def embed_anndata(
    adata: Any, estimator: _E, *, use_rep: str | None = ..., key_added: str | None = ...
) -> _E: ...
def generators() -> dict[str, str]: ...
def generate(name: str, count: int = ..., random_state: Seed = ..., **options: Any) -> Result: ...
"""

RUN = [
    "n_jobs: int | None = ...",
    "memory_limit: int | str | None = ...",
    "time_limit: float | None = ...",
    "callback: Callable[[Progress], object] | None = ...",
    "verbose: bool = ...",
]

COLUMNS = ["columns: str | Sequence[str] | None = ..."]


def type_of(spec):
    if spec["name"] == "seed":
        return "Seed"
    choices = [f'"{choice}"' for choice in spec["choices"]]
    plain = {"flag": "bool", "integer": "int", "number": "float"}.get(spec["kind"])
    if spec["automatic"]:
        return f'{plain} | Literal["auto"] | None' if plain else f'Literal[{", ".join(choices)}, "auto"] | None'
    others = " | None" if spec["fits_data"] else ""
    others += " | Callable[[Any, Any], float]" if "precomputed" in spec["choices"] else ""
    return (plain or f"Literal[{', '.join(choices)}]") + others


def arguments(specs, keyword_of, first=(), more=()):
    named = [f"{keyword_of(spec['name'])}: {type_of(spec)} = ..." for spec in specs]
    return [*first, "*", *named, *more, *RUN]


def function(name, lines, result, indent=""):
    inner = "".join(f"\n{indent}    {line}," for line in lines)
    return f"{indent}def {name}({inner}\n{indent}) -> {result}: ..."


def estimator(name, specs, keyword_of, first=(), base="Estimator"):
    components = [spec for spec in specs if keyword_of(spec["name"]) == "n_components"]
    rest = [spec for spec in specs if spec not in components]
    first = ["self", *first, *[f"n_components: {type_of(spec)} = ..." for spec in components]]
    return f"class {name}({base}):\n" + function(
        "__init__", arguments(rest, keyword_of, first, COLUMNS), "None", "    "
    )


def stubs(core, names):
    class_of, keyword_of, landmarks_of = names.class_of, names.keyword_of, names.MADE_OF_LANDMARKS
    landmark_specs = core.landmark_options()
    codes = function("of", arguments(core.codes_options(), keyword_of, ["X: Any"]), "Codes", "    ")
    yield HEADER.replace("@OF@", codes).replace(
        "\nclass NotFittedError",
        '\n_E = TypeVar("_E", bound="Estimator")\n'
        "Seed = int | np.random.RandomState | np.random.Generator | None\n"
        "Questions = str | os.PathLike[str] | Mapping[str, Iterable[Iterable[str]]]\n\nclass NotFittedError",
    )
    numbers = ["X: Any", "Y: Any", "labels: ArrayLike | None = ..."]
    score = arguments(core.score_options(), keyword_of, numbers)
    score.insert(4, "against: tuple[Any, Any] | None = ...")
    yield function("score", score, "Score")
    yield function(
        "threshold",
        arguments(core.threshold_options(), keyword_of, ["X: Any", "threshold: float | None = ..."]),
        "Result",
    )
    neighbors = arguments(core.neighbor_options()[1:], keyword_of, ["X: Any", "n_neighbors: int = ..."])
    neighbors.insert(3, "queries: Any = ...")
    yield function("neighbors", neighbors, "Result")
    words = ["X: Any", "words: ArrayLike", "questions: Questions"]
    yield function("analogies", arguments([], keyword_of, words), "Result")
    factors = "tuple[ArrayLike, ArrayLike]"
    start = next(spec for spec in core.decompose_options() if spec["name"] == "start")
    starts = ", ".join(f'"{choice}"' for choice in start["choices"])
    relu = [spec for spec in core.decompose_options() if spec["name"] not in ("rank", "start")]
    relu = arguments(relu, keyword_of, ["S: Any", "rank: int = ..."])
    relu.insert(3, f"start: Literal[{starts}] | {factors} = ...")
    relu.insert(4, "observed: Any = ...")
    yield function("relu_decomposition", relu, "Result")
    report = arguments(
        core.report_options(),
        keyword_of,
        ["X: Any", "Y: ArrayLike | Estimator", "path: str | os.PathLike[str] | None = ..."],
    )
    report[4:4] = [
        "labels: ArrayLike | None = ...",
        "words: ArrayLike | None = ...",
        "image_shape: tuple[int, int] | None = ...",
        "title: str | None = ...",
        "overwrite: bool = ...",
    ]
    yield function("report", report, "Result")
    for method in core.methods():
        own = [spec for spec in landmark_specs if spec["name"] in landmarks_of.get(method["name"], ())]
        base = "_Linear" if method["name"] in names.LINEAR else "_Map" if method["starts_some"] else "Estimator"
        yield "\n" + estimator(class_of(method["name"]), method["options"] + own, keyword_of, base=base)
    yield "\n" + estimator("LocallyLinearLandmarks", landmark_specs, keyword_of, ["base: Estimator | None = ..."])


def main(folder, output):
    source = Path(__file__).resolve().parent / "src" / "isogon"
    sys.path[:0] = [folder, str(source)]
    import _core
    import _names

    text = "\n".join(stubs(_core, _names))
    Path(output).write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
