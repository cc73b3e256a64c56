"""The blocks of code in README.md, CONTRIBUTING.md and docs/: who runs them, or why nobody does.

Commands of the program: tests/cli/documents_test.py. Python: python/tests/test_documents.py, and readme_example.py for the
README. C++: the README's example is a file that is built and run (pages_test.py). A block that is none of these needs a
reason below; blocks_test.py insists on it."""
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", *ROOT.glob("docs/**/*.md")])

BUILD = "builds or installs; .ci/run does the same by the targets of the Makefile"
CLUSTER = "needs a cluster, or several machines"
RANKS = "needs mpirun and a build with MPI: tests/mpi and tests/petsc run the program so"
FORMULA = "a formula"
# Page: {beginning of a block: why it is not run}.
NOT_RUN = {
    "README.md": {
        "make demo": BUILD,
        "method  angles off by": "what a command prints, with one machine's seconds",
        "make build && cmake --install": "tests/install builds two such projects",
        "scripts/setup build python": BUILD,
    },
    "CONTRIBUTING.md": {
        "make demo": BUILD,
        "cmake --preset asan": BUILD,
        "tests/faults/faults.py": "takes minutes; .ci/run draws some faults",
    },
    "docs/dask-kubernetes.md": {"helm install": CLUSTER, "FROM python": CLUSTER, "pip install dask-kubernetes": CLUSTER},
    "docs/dask-slurm.md": {"pip install": CLUSTER},
    "docs/dask-ssh.md": {"pip install": CLUSTER, "from distributed": CLUSTER, "dask worker": CLUSTER},
    "docs/decisions/mpi.md": {"scripts/setup": RANKS},
    "docs/decisions/petsc.md": {"scripts/setup": RANKS},
    "docs/decompose.md": {"S ~ max(0, L)": FORMULA},
    "docs/many_machines.md": {
        "pip install": BUILD,
        "from distributed import Client": "starts processes; python/tests/test_dask.py does, on data of its own",
    },
    "docs/mathematics.md": {"f(Y) =": FORMULA, "R_ij (k": FORMULA, "attraction": FORMULA},
    "docs/methods/forces.md": {"d/dy_i =": FORMULA},
    "docs/methods/lle2.md": {"minimise   tr(M": FORMULA},
    "docs/methods/llx.md": {"min over W_ij": FORMULA, "min over the unknown y": FORMULA},
    "docs/methods/nmf.md": {"|X - W H|^2": FORMULA},
    "docs/methods/pca-forces.md": {"|C (G_x": FORMULA},
    "docs/methods/pca.md": {"y_i = U^T": FORMULA},
    "docs/methods/pca2.md": {"minimise   sum": FORMULA},
    "docs/methods/sde.md": {"maximise   sum": FORMULA},
    "docs/methods/svd.md": {"y_i = U^T": FORMULA},
    "docs/methods/tsm.md": {"max(0, x_i.x_j": FORMULA, "Z_ij = S_ij": FORMULA, "g(U) =": FORMULA},
    "docs/mpi.md": {"mpirun": RANKS, "scripts/setup build mpi": RANKS, "scripts/setup build petsc": RANKS},
    "docs/python.md": {"pip install .": BUILD, "PYTHONS=": "minutes for each Python; python-test guards which systems the extension needs"},
    "docs/report_data.md": {"<script": "one line of the page"},
    "docs/reproduction.md": {"papers/reproduce": "python/tests/test_papers.py runs that command, on data of its own"},
    "docs/reproducible.md": {"make bits": "compiles five times; the test `bits` compares the instruction sets of one machine"},
}


def blocks(text):
    """(line, kind, code) of each fenced or indented block: kind is what follows the fence, or "indented"."""
    lines = text.split("\n")
    at = 0
    while at < len(lines):
        end = at + 1
        fence = re.match(r"\s*```(.*)", lines[at])
        if fence:
            while end < len(lines) and not lines[end].lstrip().startswith("```"):
                end += 1
            yield at + 1, fence[1].strip(), "\n".join(lines[at + 1 : end])
            end += 1
        elif lines[at].startswith("    ") and (at == 0 or not lines[at - 1].strip() or lines[at - 1].startswith("#")):
            while end < len(lines) and (lines[end].startswith("    ") or not lines[end].strip()):
                end += 1
            yield at + 1, "indented", "\n".join(line[4:] for line in lines[at:end]).rstrip()
        at = end


def commands(code):
    """The commands of the program in a block, without what follows them for the reader."""
    lines = [line.strip() for line in code.split("\n")]
    return [re.sub(r"\s+#.*|\s{2,}\(.*", "", line) for line in lines if line.startswith("isogon ")]


def is_python(kind, code):
    """By the fence, or by what isogon's own examples begin with."""
    begins = r"(import |from [\w.]+ import|\w+(, \w+)* = |isogon\.|make_pipeline|GridSearchCV)"
    return kind == "python" or (kind == "indented" and re.match(begins, code) is not None)


def name_of(page):
    return page.relative_to(ROOT).as_posix()


def reason(page, code):
    """Why a block is not run; None where it is."""
    listed = NOT_RUN.get(name_of(page), {})
    return next((why for beginning, why in listed.items() if code.strip().startswith(beginning)), None)


def runner(page, kind, code):
    """Who runs a block: "program", "python", "readme" or "c++"; None for one that has a reason, or should have one."""
    if reason(page, code):
        return None
    if commands(code):
        return "program"
    if kind == "cpp" and name_of(page) == "README.md":
        return "c++"
    if is_python(kind, code):
        return "readme" if name_of(page) == "README.md" else "python"
    return None


def blocks_run_by(who):
    """(page, line, code) of every block that `who` runs."""
    return [(page, line, code) for page in PAGES for line, kind, code in blocks(page.read_text(encoding="utf-8"))
            if runner(page, kind, code) == who]
