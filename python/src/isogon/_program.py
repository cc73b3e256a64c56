"""The command isogon, where the package brings the program along."""

import os
import sys

from . import _core


def main() -> None:
    if not hasattr(_core, "run_program"):
        print(
            "isogon: this installation has no program, as it was built upon an installed library or without CLI11 and "
            "fmt: install a wheel (make wheel), or build the program by `make build`",
            file=sys.stderr,
        )
        sys.exit(2)
    code = _core.run_program([b"isogon", *map(os.fsencode, sys.argv[1:])])
    sys.stdout.flush()
    os._exit(code)  # signals are still blocked, as the program leaves them: nothing is left for Python to do
