#!/usr/bin/env python3
"""Checks that the modules include nothing but their declared dependencies.

    check_modules.py [ROOT]

Prints one line for each fault and exits with 1 if there is any. The rules are those of docs/rules.md:
an include that the tables below forbid, a cycle of headers or modules, a header that is not installed used by a public
one or an example,
a third-party include in a public header, a module without tests, a test outside a namespace of its name, and a comment
that names a file which does not exist.
"""
import os.path
import re
import sys
from pathlib import Path

# What a module may include, besides itself and core.
MAY_INCLUDE = {
    "core": "",
    "distributed": "",
    "io": "",
    "synthetic": "",
    "linalg": "distributed",
    "pairs": "distributed linalg",
    "neighbors": "distributed linalg pairs",
    "graph": "linalg neighbors",
    "verlet": "distributed linalg pairs",
    "decomposition": "distributed linalg pairs",
    "spectral": "linalg graph",
    "semidefinite": "linalg pairs neighbors graph",
    "forces": "linalg pairs graph",
    "transform": "linalg pairs neighbors graph forces",
    "methods": "distributed linalg pairs neighbors graph decomposition spectral semidefinite forces transform",
    "faithful": "distributed linalg pairs verlet neighbors graph decomposition forces transform methods",
    "registry": "distributed linalg neighbors transform methods faithful",
    "quality": "linalg pairs neighbors",
    "report": "linalg pairs neighbors quality",
    "codes": "linalg pairs neighbors",
    "engines": "io linalg neighbors transform codes",
}

# Modules of which others include these headers of src/ alone.
DOORS = {
    "verlet": ("verlet/listed_pass.hpp",),
    "decomposition": ("decomposition/riemannian_lbfgs.hpp", "decomposition/sphere_objective.hpp",
                      "decomposition/low_rank.hpp", "decomposition/relu_decomposition.hpp"),
    "spectral": ("spectral/dense_kernel.hpp", "spectral/kernel_shape.hpp", "spectral/spectral_problem.hpp"),
    "codes": ("codes/vector_codes.hpp",),
    "io": ("io/atomic_file.hpp",),
    **dict.fromkeys(("faithful", "registry", "quality", "report", "synthetic", "engines"), ()),
}

STANDARD_HEADERS = set(
    """algorithm any array atomic barrier bit bitset cassert cctype cerrno cfenv cfloat charconv chrono cinttypes climits
    clocale cmath codecvt compare complex concepts condition_variable coroutine csetjmp csignal cstdarg cstddef cstdint
    cstdio cstdlib cstring ctime cuchar cwchar cwctype deque exception execution filesystem format forward_list fstream
    functional future initializer_list iomanip ios iosfwd iostream istream iterator latch limits list locale map memory
    memory_resource mutex new numbers numeric optional ostream queue random ranges ratio regex scoped_allocator
    semaphore set shared_mutex source_location span sstream stack stdexcept stop_token streambuf string string_view
    strstream syncstream system_error thread tuple type_traits typeindex typeinfo unordered_map unordered_set utility
    valarray variant vector version""".split()
)

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)
COMMENT = re.compile(r"//(.*)")
# graph/laplacian.hpp, laplacian.hpp, or a file of a module without its ending: graph/laplacian
NAMED = re.compile(r"(?<![\w/.-])([\w/]+\.[ch]pp|(?:%s)/\w+(?![\w/-]|\.\w))" % "|".join(MAY_INCLUDE))


LIBRARY_FUNCTION = re.compile(
    r"\bstd::(?:exp2?|expm1|log(?:2|10|1p)?|pow|a?(?:sin|cos|tan)h?|atan2|cbrt|hypot|erfc?|[lt]gamma|transform_reduce|reduce)\b(?=\()"
    r"|\blong double\b")
# Of these only bounds are made, which decide what is compared exactly, and no result.
LANE_FUNCTION = re.compile(r"\bhn::(?:MulAdd|NegMulAdd|MulSub|NegMulSub|SumOfLanes|Exp|Log|Sin|Cos)\b(?=\()")
MAY_CALL_LANE_FUNCTIONS = ("src/core/lane_sums.hpp", "src/pairs/quantized_points.cpp")
MODULES = ("include", "src")  # where the files of modules are


class File:
    """One C++ file: where it stands (`area`, `module`) and what it includes."""

    def __init__(self, root, path):
        self.path = path
        self.name = path.relative_to(root).as_posix()
        parts = path.relative_to(root).parts
        self.area, self.module = self._place(parts)
        self.text = path.read_text(encoding="utf-8")
        self.includes = INCLUDE.findall(self.text)

    @staticmethod
    def _place(parts):
        if parts[:2] == ("include", "isogon") and len(parts) > 3:
            return "include", parts[2]
        if parts[0] == "src" and len(parts) > 2:
            return "src", parts[1]
        if parts[0] == "tests" and parts[1] in MAY_INCLUDE:
            return "tests", parts[1]
        return parts[0], None


def read_files(root):
    files = {}
    for area in ("include", "internal", "src", "cli", "tests", "examples", "bench", "fuzz", "python", "mpi", "petsc"):
        for path in sorted((root / area).rglob("*")):
            if path.suffix in (".cpp", ".hpp") and path.is_file():
                file = File(root, path)
                files[file.name] = file
    return files


def resolve(file, style, target, files):
    """The name of the project's file that an include means, or None if it is none of ours."""
    candidates = ["include/" + target, "src/" + target]
    if style == '"':
        candidates.insert(0, os.path.normpath(Path(file.name).parent / target))
    if file.area == "cli":
        candidates.append("cli/" + target)
    return next((name for name in candidates if name in files), None)


def check_places(files):
    for file in files.values():
        if file.area in MODULES and file.module not in MAY_INCLUDE:
            yield f"{file.name}: not in a module that the table knows ({', '.join(MAY_INCLUDE)})"


def check_dependencies(files):
    """Forbidden includes between modules, past their doors, and of what is not installed."""
    for file in files.values():
        for style, target in file.includes:
            used = files.get(resolve(file, style, target, files))
            if used is None or used.area not in MODULES:
                continue
            if file.area in ("include", "examples") and used.area != "include":
                yield f"{file.name}: includes {used.name}, which is not installed"
            elif file.area in MODULES and is_behind_door(file, used):
                yield f"{file.name}: includes {used.name}, a private header of {used.module}"
            elif file.area in MODULES and not is_allowed(file.module, used.module):
                yield f"{file.name}: {file.module} may not include {used.module} ({used.name})"


def is_allowed(module, other):
    return other in (module, "core") or other in MAY_INCLUDE.get(module, "").split()


def is_behind_door(file, used):
    return used.area == "src" and used.module != file.module and target_of(used) not in DOORS.get(used.module, (target_of(used),))


def target_of(file):
    return file.name.removeprefix("src/")


def check_public_includes(files):
    for file in files.values():
        if file.area != "include":
            continue
        for style, target in file.includes:
            ours = resolve(file, style, target, files) is not None
            if not ours and target not in STANDARD_HEADERS:
                yield f"{file.name}: a public header includes {target}, neither isogon's nor the standard library's"


def find_cycle(edges):
    """One cycle of a graph {node: nodes} as a list that ends where it begins, or None."""
    done, path = set(), []

    def visit(node):
        if node in path:
            return path[path.index(node):] + [node]
        if node in done:
            return None
        path.append(node)
        for other in sorted(edges.get(node, ())):
            cycle = visit(other)
            if cycle:
                return cycle
        path.pop()
        done.add(node)
        return None

    for start in sorted(edges):
        cycle = visit(start)
        if cycle:
            return cycle
    return None


def check_cycles(files):
    headers, modules = {}, {}
    for file in files.values():
        for style, target in file.includes:
            used = files.get(resolve(file, style, target, files))
            if used is None:
                continue
            if file.name.endswith(".hpp"):
                headers.setdefault(file.name, set()).add(used.name)
            inside = file.area in MODULES and used.area in MODULES
            if inside and used.module != file.module:
                modules.setdefault(file.module, set()).add(used.module)
    for what, edges in (("headers", headers), ("modules", modules)):
        cycle = find_cycle(edges)
        if cycle:
            yield f"cycle of {what}: {' -> '.join(cycle)}"


def check_tests(files):
    """A module is tested through its own door; which of its files have a test of their own is its matter."""
    tested = {file.module for file in files.values() if file.area == "tests" and file.name.endswith("_test.cpp")}
    for module in sorted({file.module for file in files.values() if file.area == "src" and file.module} - tested):
        yield f"src/{module}: has no test in tests/{module}/"


def check_namespaces(files):
    """Tests are compiled many at once (ISOGON_UNITY), and each has helpers of its own."""
    for file in files.values():
        name = Path(file.name).stem
        if file.area == "tests" and name.endswith("_test") and f"\nnamespace isogon::{name} {{\n" not in file.text:
            yield f"{file.name}: is not in a namespace of its name, isogon::{name}"


def check_comments(files):
    """Comments name files by the end of their path, with or without the ending of the name."""
    known = set()
    for name in files:
        parts = name.split("/")
        for k in range(len(parts)):
            ends = "/".join(parts[k:])
            known.update((ends, ends.rpartition(".")[0], "/".join(parts[k:-1])))
    for file in files.values():
        for named in NAMED.findall("\n".join(COMMENT.findall(file.text))):
            if named not in known:
                yield f"{file.name}: a comment names {named}, which does not exist"


def check_elementary(files):
    """Bits of the C library's functions, and of some of Highway's, depend on the processor (docs/reproducible.md)."""
    for file in files.values():
        if file.area not in MODULES:
            continue
        for number, line in enumerate(file.text.splitlines(), 1):
            code = line.partition("//")[0]
            found = LIBRARY_FUNCTION.search(code)
            if found:
                yield f"{file.name}: line {number}: {found[0]} has other bits on other machines; see isogon::elementary"
            found = LANE_FUNCTION.search(code)
            if found and file.name not in MAY_CALL_LANE_FUNCTIONS:
                yield f"{file.name}: line {number}: {found[0]} has other bits on other machines; see core/lane_sums.hpp"


CHECKS = (check_places, check_dependencies, check_public_includes, check_cycles, check_tests, check_namespaces,
          check_comments, check_elementary)


def faults(root):
    files = read_files(Path(root).resolve())
    return [fault for check in CHECKS for fault in check(files)]


def main(arguments):
    root = arguments[0] if arguments else Path(__file__).parent.parent
    found = faults(root)
    for fault in found:
        print(fault)
    print(f"{len(found)} faults" if found else "all modules keep to their dependencies")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
