"""Executes a notebook as plain Python: its cells of code in their order, in one namespace, as a kernel would.

    python run_notebook.py NOTEBOOK.ipynb ...

Pictures go nowhere unless MPLBACKEND says otherwise. Magics (%, !) are no Python, and refused as syntax errors.
"""

import ast
import json
import linecache
import sys
from pathlib import Path


def code_cells(path):
    """(number in the notebook, source) of every cell of code."""
    cells = json.loads(Path(path).read_text(encoding="utf-8"))["cells"]
    return [(i, "".join(cell["source"])) for i, cell in enumerate(cells) if cell["cell_type"] == "code"]


def run_cell(source, name, namespace):
    """Runs a cell; a last line that is an expression is shown, as a kernel shows it: what cannot be shown fails."""
    linecache.cache[name] = (len(source), None, source.splitlines(True), name)  # so that errors show their lines
    tree = ast.parse(source, name)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, name, "exec"), namespace)
    if last is None:
        return None
    shown = eval(compile(ast.Expression(last.value), name, "eval"), namespace)
    return None if shown is None else repr(shown)


def execute(path):
    """Runs all cells; the namespace that they leave. What a cell raises comes out, with the cell's name in it."""
    namespace = {"__name__": "__main__"}
    for number, source in code_cells(path):
        run_cell(source, f"{Path(path).name}, cell {number}", namespace)
    return namespace


if __name__ == "__main__":
    for given in sys.argv[1:]:
        execute(given)
