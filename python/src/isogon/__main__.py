"""python -m isogon: the command isogon."""

from ._program import main

main()
