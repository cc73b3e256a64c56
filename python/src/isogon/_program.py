"""The command isogon, where the package brings the program along."""

import os
import sys

from . import _core


def main() -> None:
    if not hasattr(_core, "run_program"):
        print(
            "isogon: this installation has no program: install a wheel (make wheel), build it by `make build`, or "
            "install with -C cmake.define.ISOGON_PYTHON_PROGRAM=ON",
            file=sys.stderr,
        )
        sys.exit(2)
    code = _core.run_program([b"isogon", *map(os.fsencode, sys.argv[1:])])
    sys.stdout.flush()
    os._exit(code)  # signals are still blocked, as the program leaves them: nothing is left for Python to do
