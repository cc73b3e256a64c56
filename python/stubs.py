"""Writes the type stubs of the package: stubs.py FOLDER_OF_THE_EXTENSION OUTPUT.pyi

What follows from the option tables is made from them, as the package itself does when it is imported; numpy is not
needed. Run by CMake when the extension is built.
"""

import sys
from pathlib import Path

HEADER = """\
import os
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from typing_extensions import Self

from . import dask as dask
from . import export as export
from . import plot as plot

__version__: str

class NotFittedError(ValueError, AttributeError): ...
class FitWarning(UserWarning): ...

class Progress(NamedTuple):
    phase: str
    done: int
    total: int
    objective: float

class Result(dict[str, Any]):
    def __getattr__(self, name: str) -> Any: ...

class Summary(Result): ...

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
        self, X: Any, y: Any = ..., *, start: ArrayLike | None = ..., neighbors: Any = ..., affinities: Any = ...
    ) -> Self: ...
    def fit_transform(
        self, X: Any, y: Any = ..., *, start: ArrayLike | None = ..., neighbors: Any = ..., affinities: Any = ...
    ) -> NDArray[np.float32]: ...
    def transform(self, X: Any) -> NDArray[np.float32]: ...
    def inverse_transform(self, X: Any) -> NDArray[np.float32]: ...
    def get_feature_names_out(self, input_features: ArrayLike | None = ...) -> NDArray[np.object_]: ...
    def set_output(self, *, transform: Literal["default", "pandas", "polars"] | None = ...) -> Self: ...
    def get_params(self, deep: bool = ...) -> dict[str, Any]: ...
    def set_params(self, **parameters: Any) -> Self: ...
    def save(self, path: str | os.PathLike[str], *, overwrite: bool = ...) -> None: ...

class Codes:
    codes: NDArray[np.uint8]
    shape: tuple[int, int]
    options: dict[str, Any]
    def __len__(self) -> int: ...
    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self: ...
    def save(self, path: str | os.PathLike[str], *, overwrite: bool = ...) -> None: ...
    def encode(self, X: Any, *, memory_limit: int | None = ...) -> Codes: ...
    def decode(self, *, memory_limit: int | None = ...) -> NDArray[np.float32]: ...
    def search(self, queries: Any, n_neighbors: int = ..., *, memory_limit: int | None = ...) -> Result: ...
    def recall(self, X: Any, n_neighbors: int = ..., *, memory_limit: int | None = ...) -> float: ...
    @staticmethod
@OF@

def load(path: str | os.PathLike[str]) -> Estimator: ...
def methods() -> dict[str, str]: ...
def generators() -> dict[str, str]: ...
def generate(name: str, count: int = ..., random_state: Seed = ..., **options: Any) -> Result: ...
"""

RUN = [
    "n_jobs: int | None = ...",
    "memory_limit: int | None = ...",
    "time_limit: float | None = ...",
    "callback: Callable[[Progress], object] | None = ...",
    "verbose: bool = ...",
]


def type_of(spec):
    if spec["name"] == "seed":
        return "Seed"
    choices = [f'"{choice}"' for choice in spec["choices"]]
    plain = {"flag": "bool", "integer": "int", "number": "float"}.get(spec["kind"])
    if spec["automatic"]:
        return f'{plain} | Literal["auto"] | None'
    of_tables = " | Callable[[Any, Any], float]" if "precomputed" in spec["choices"] else ""
    return plain or f"Literal[{', '.join(choices)}]{of_tables}"


def arguments(specs, keyword_of, first=()):
    named = [f"{keyword_of(spec['name'])}: {type_of(spec)} = ..." for spec in specs]
    return [*first, "*", *named, *RUN]


def function(name, lines, result, indent=""):
    inner = "".join(f"\n{indent}    {line}," for line in lines)
    return f"{indent}def {name}({inner}\n{indent}) -> {result}: ..."


def estimator(name, specs, keyword_of, first=()):
    components = [spec for spec in specs if keyword_of(spec["name"]) == "n_components"]
    rest = [spec for spec in specs if spec not in components]
    first = ["self", *first, *["n_components: int = ..." for _ in components]]
    return f"class {name}(Estimator):\n" + function("__init__", arguments(rest, keyword_of, first), "None", "    ")


def stubs(core, class_of, keyword_of, landmarks_of):
    landmark_specs = core.landmark_options()
    codes = function("of", arguments(core.codes_options(), keyword_of, ["X: Any"]), "Codes", "    ")
    yield HEADER.replace("@OF@", codes).replace(
        "\nclass NotFittedError",
        "\nSeed = int | np.random.RandomState | np.random.Generator | None\n"
        "Questions = str | os.PathLike[str] | Mapping[str, Iterable[Iterable[str]]]\n\nclass NotFittedError",
    )
    numbers = ["X: Any", "Y: Any", "labels: ArrayLike | None = ..."]
    score = arguments(core.score_options(), keyword_of, numbers)
    score.insert(4, "against: tuple[Any, Any] | None = ...")
    yield function("score", score, "Result")
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
        core.report_options(), keyword_of, ["X: Any", "Y: ArrayLike | Estimator", "path: str | os.PathLike[str]"]
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
        yield "\n" + estimator(class_of(method["name"]), list(method["options"]) + own, keyword_of)
    yield "\n" + estimator("LocallyLinearLandmarks", landmark_specs, keyword_of, ["base: Estimator | None = ..."])


def main(folder, output):
    source = Path(__file__).resolve().parent / "src" / "isogon"
    sys.path[:0] = [folder, str(source)]
    import _core
    import _names

    text = "\n".join(stubs(_core, _names.class_of, _names.keyword_of, _names.MADE_OF_LANDMARKS))
    Path(output).write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
