#!/usr/bin/env python3
"""Counts what docs/rules.md bounds in the large: lines, files, public headers, long parameter lists, words of pages.

    count.py [ROOT]
"""
import re
import statistics
import subprocess
import sys
from pathlib import Path

PRODUCT = ("src", "include", "cli", "petsc", "mpi")
MANY_PARAMETERS = 6
LONG_FILE = 450  # lines
# A definition: a name, its parameters, and a brace; no keyword that only looks like one.
DEFINITION = re.compile(r"(?<![\w.>])(?!if|for|while|switch|catch|return|sizeof|alignof|decltype)([A-Za-z_~][\w:~]*)\(")


def tracked(root, *patterns):
    names = subprocess.run(["git", "-C", root, "ls-files", "-z", "--", *patterns], check=True, capture_output=True, text=True)
    return [Path(root, name) for name in names.stdout.split("\0") if name and Path(root, name).is_file()]


def without_texts(source):
    source = re.sub(r"//.*|/\*.*?\*/", "", source)
    return re.sub(r'"(?:\\.|[^"\\\n])*"', '""', source)


def parameters_of(source, begin):
    """The number of parameters of the list that opens before `begin`, and where it ends."""
    depth, commas, angles, k = 1, 0, 0, begin
    while k < len(source) and depth:
        letter = source[k]
        depth += (letter in "([{") - (letter in ")]}")
        angles += (letter == "<") - (letter == ">" and source[k - 1] != "-")
        commas += letter == "," and depth == 1 and angles <= 0
        k += 1
    return (commas + 1 if source[begin : k - 1].strip() else 0), k


def long_parameter_lists(path):
    source = without_texts(path.read_text(encoding="utf-8"))
    for match in DEFINITION.finditer(source):
        count, end = parameters_of(source, match.end())
        defines = re.match(r"\s*(?:const\b|noexcept\b|override\b|final\b|->[^;{=]*|:[^:;][^;]*?)*\s*\{", source[end : end + 400])
        typed = re.search(r"\b\w[\w:<>, ]*[&*>\s]+\w+\s*(?:,|=|$)", source[match.end() : end - 1].split(",")[0])
        if defines and typed and count >= MANY_PARAMETERS:
            yield f"{path}: {match[1]}: {count} parameters"


def main(arguments):
    root = arguments[0] if arguments else str(Path(__file__).resolve().parent.parent)
    product = tracked(root, *(f"{area}/*.{end}" for area in PRODUCT for end in ("cpp", "hpp")))
    tests = tracked(root, "tests/*.cpp", "tests/*.hpp")
    pages = tracked(root, "*.md")
    lines = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in product + tests}
    lists = [text for path in product for text in long_parameter_lists(path)]
    longest = max(product, key=lines.get)
    print(f"product: {sum(lines[path] for path in product):,} lines in {len(product)} files, "
          f"median {statistics.median(lines[path] for path in product):.0f}, longest {lines[longest]} ({longest.relative_to(root)}), "
          f"{sum(lines[path] > LONG_FILE for path in product)} above {LONG_FILE}")
    print(f"public headers: {len(tracked(root, 'include/*.hpp'))}")
    print(f"functions with {MANY_PARAMETERS} parameters or more: {len(lists)}")
    print(f"tests in C++: {sum(lines[path] for path in tests):,} lines in {len(tests)} files")
    print(f"words of pages: {sum(len(path.read_text(encoding='utf-8').split()) for path in pages):,}")
    if "--list" in sys.argv:
        print("\n".join(lists))


if __name__ == "__main__":
    main([argument for argument in sys.argv[1:] if argument != "--list"])
