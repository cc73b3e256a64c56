#!/usr/bin/env python3
"""Lets requests to the system fail in small runs of every verb, one by one, and looks how each run ends.

A run is first surveyed: every request is counted, with its call stack. A fault is then written as

    alloc:K:once            the K-th allocation since main() began fails;  alloc:K:good  there is no more memory from then on
    io:K:once:ENOSPC        the K-th call about files fails with that errno (EINTR, EIO, ...);  io:K:good:ENOSPC  and all
                            later ones of that kind;  io:K:once:short  moves a byte alone, io:K:good:short  half of all
    thread:K:once           the K-th thread since main() began cannot be started;  thread:K:good  nor any after it
    early-thread:K:once     the same, counted from the first instruction (libraries start threads, too)
    signal:K:SIGINT         at the K-th allocation or call about files the signal comes;  signal:K:SIGINT:twice  and again
    kill:K                  SIGKILL at the K-th call about files, and then the same command again, without any fault
    space:N                 no more than N MB of address space

and a run must end by itself, with an exit code that docs/exit_codes.md names and that fits the fault, a last line on stderr that
begins with "isogon: ", outputs that are whole (with exit code 0: the same bytes as without the fault) or not there,
every one that is there named in the message, no temporary file, inputs as they were, and no leak (LeakSanitizer).
"""

import argparse
import concurrent.futures
import fnmatch
import json
import os
import random
import re
import resource
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from cases import CASES, copy_inputs, make_inputs  # noqa: E402
from fault_list import NO_HARM, all_faults, fault_environment, known_faults, numbered  # noqa: E402

OK, UNUSABLE, USAGE, BAD_INPUT, OVER_LIMIT, INTERRUPTED = 0, 1, 2, 3, 5, 130
LEAK = 99
KNOWN_LEAKS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "known_leaks.txt")
SECONDS = 60  # of a run that takes a few hundredths
REQUEST = struct.Struct("<16sQQ")


class Ended:
    """How a run ended, and what it left."""

    def __init__(self, code, out, err, files):
        self.code, self.out, self.err, self.files = code, out, err, files


def files_below(folder):
    found = {}
    for path, _, names in os.walk(folder):
        for name in names:
            full = os.path.join(path, name)
            with open(full, "rb") as file:
                found[os.path.relpath(full, folder)] = file.read()
    return found


class Bench:
    """Runs cases with faults in folders of their own."""

    def __init__(self, program, library, sanitizer, inputs):
        self.program, self.library, self.sanitizer, self.inputs = program, library, sanitizer, inputs
        self.requests = {}
        self.clean = {}  # by case: what runs without a fault leave, None for bytes that differ between two

    def run(self, case, fault="none", survey=None, folder=None, trace=False, leaks=True, stacks=False):
        with tempfile.TemporaryDirectory(prefix="isogon-faults-") as own:
            folder = folder or own
            if not os.listdir(folder):
                copy_inputs(case, self.inputs, folder)
            preload = [self.library] + ([self.sanitizer] if self.sanitizer and case.leaks and leaks and not survey else [])
            environment = {**os.environ, **fault_environment(fault),
                           "LD_PRELOAD": ":".join(preload),
                           "LSAN_OPTIONS": "exitcode=%d:fast_unwind_on_malloc=%d:print_suppressions=0:suppressions=%s" % (
                               LEAK, not stacks, KNOWN_LEAKS),
                           "ASAN_OPTIONS": "verify_asan_link_order=0:alloc_dealloc_mismatch=0:exitcode=%d" % LEAK}
            if trace:
                environment["FAULT_TRACE"] = "1"
            if survey:
                environment.update(FAULT_SURVEY=survey, FAULT_COUNT="all")

            def limit():
                resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
                signal.signal(signal.SIGINT, signal.SIG_DFL)
                if fault.startswith("space:"):
                    bytes = int(fault.split(":")[1]) << 20
                    resource.setrlimit(resource.RLIMIT_AS, (bytes, bytes))

            process = subprocess.Popen([self.program, *case.arguments], cwd=folder, env=environment, text=True,
                                       errors="replace", stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                       stderr=subprocess.PIPE, preexec_fn=limit, start_new_session=True)
            try:
                out, err = process.communicate(timeout=SECONDS)
                code = process.returncode
            except subprocess.TimeoutExpired:
                process.kill()
                out, err = process.communicate()
                code = None
            ended = Ended(code, out, err, files_below(folder))
            # Again with whole stacks, which take several times as long: they distinguish a known leak from others.
            again = code == LEAK and not stacks and folder == own
            return self.run(case, fault, survey, None, trace, leaks, stacks=True) if again else ended

    def learn(self, case):
        """Two runs without a fault, of which one is surveyed: by kind of request its calls and their stacks."""
        second = self.run(case)
        with tempfile.TemporaryDirectory(prefix="isogon-faults-") as folder:
            file = os.path.join(folder, "survey")
            first = self.run(case, survey=file)
            with open(file, "rb") as survey:
                found = list(REQUEST.iter_unpack(survey.read()))
        self.requests[case.name] = {
            name: [(call.rstrip(b"\0").decode(), stack) for call, kind, stack in found if kind == number]
            for number, name in enumerate(("alloc", "io", "thread"))}
        for ended in (first, second):
            if ended.code not in (OK, USAGE, BAD_INPUT):
                raise SystemExit("%s ends with %s without any fault: %s" % (case.name, ended.code, ended.err))
        first.files = {name: content if second.files.get(name) == content else None
                       for name, content in first.files.items()}
        self.clean[case.name] = first

    def whole(self, folder_files, name, clean):
        """Whether a file that a stopped run has left is one, by what reads it."""
        content = folder_files[name]
        if clean.files.get(name) == content:
            return True
        if name.endswith(".html"):
            return content.endswith(b"</html>\n")
        if name.endswith(".csv"):
            return content.endswith(b"\n") and content.count(b"\n") == (clean.files.get(name) or content).count(b"\n")
        if name.endswith((".json", ".svg", ".png", ".md")):
            return len(content) > 0
        with tempfile.TemporaryDirectory(prefix="isogon-faults-") as folder:
            path = os.path.join(folder, os.path.basename(name))
            with open(path, "wb") as file:
                file.write(content)
            return subprocess.run([self.program, "info", path], capture_output=True).returncode == OK

    def complaint(self, case, fault):
        """What is wrong with how a run ends under a fault; empty if nothing is."""
        kind, *rest = fault.split(":")
        if kind == "kill":
            return self.complaint_after_kill(case, fault)
        ended = self.run(case, fault)
        if ended.code == LEAK and "CHECK failed" in ended.err:  # the fault has hit LeakSanitizer itself
            ended = self.run(case, fault, leaks=False)
        if kind == "alloc" and self.is_of_json(case, fault, ended.code):
            return ""
        return self.judge(case, fault, ended)

    def is_of_json(self, case, fault, code):
        """Two faults of nlohmann's JSON that are let pass. Where the library uses it (headers of archives), its destructor
        allocates and cannot fail: alloc:K:good leaves it the program's reserve (cli/program/process.hpp), while
        alloc:K:once refuses a request whatever is kept for it, which no system does. And its constructors lose what they
        have made when they fail: some bytes of a program that ends."""
        if code not in (-signal.SIGABRT, LEAK):
            return False
        hit = with_places(self.program, self.run(case, fault, trace=True).err).split("terminate called")[0]
        if code == LEAK:
            return "nlohmann" in hit
        _, of_destructor, callers = hit.partition("json_value::destroy(")
        caller = re.search(r"isogon::(\w+)", callers)
        return fault.endswith("once") and bool(of_destructor) and caller is not None and caller[1] != "cli"

    def complaint_after_kill(self, case, fault):
        with tempfile.TemporaryDirectory(prefix="isogon-faults-") as folder:
            killed = self.run(case, fault, folder=folder)
            clean = self.clean[case.name]
            for name in killed.files:
                if not is_temporary(name) and not self.whole(killed.files, name, clean):
                    return "%s is not whole" % name
            if any(name in clean.files and name not in case.inputs for name in killed.files):
                return ""  # some of its outputs are there: the same command would be refused
            for name in case.inputs:
                copy = killed.files.get(name)
                if copy is None:
                    return "%s is gone" % name
            return self.judge(case, "none", self.run(case, folder=folder))

    def judge(self, case, fault, ended):
        kind, *rest = fault.split(":")
        clean = self.clean[case.name]
        if ended.code is None:
            return "hangs"
        if ended.code == LEAK:
            return "leaks, or memory is used wrongly"
        early_signal = kind == "signal" and ended.code == -getattr(signal, rest[1]) and not ended.err
        if ended.code < 0 and not early_signal:
            return "ends by signal %d" % -ended.code
        if ended.code not in self.expected(kind, rest, clean) and not early_signal:
            return "exit code %d, which does not fit" % ended.code
        if "internal error" in ended.err:
            return "calls it an internal error"
        left = [name for name in ended.files if is_temporary(name)]
        if left and not (kind == "io" and self.hit_call(case, fault) in ("unlink", "unlinkat", "rename", "remove")):
            return "leaves " + ", ".join(left)
        for name in case.inputs:
            if name not in ended.files or (ended.files[name] != clean.files[name] and clean.files[name] is not None
                                           and not self.whole(ended.files, name, clean)):
                return "changes its input " + name
        silent = kind == "io" and "stderr" in self.hit_call(case, fault)
        if ended.code != clean.code and not silent and not early_signal:
            lines = ended.err.strip().splitlines()
            if not lines or not lines[-1].startswith("isogon: "):
                return "fails without a last word"
        return self.judge_outputs(case, fault, ended, clean)

    def judge_outputs(self, case, fault, ended, clean):
        kind = fault.split(":")[0]
        for name in clean.files:
            kept = name in ended.err or (name.startswith("runs") and "not kept" in ended.err)
            if ended.code == clean.code == OK and name not in ended.files and not kept:
                return "succeeds without " + name
        for name, content in ended.files.items():
            if name in case.inputs or is_temporary(name):
                continue
            if ended.code == OK and name in clean.files:
                if clean.files[name] is not None and content != clean.files[name] and name not in ended.err:
                    return "succeeds with another " + name
            if not self.whole(ended.files, name, clean):
                return "leaves a part of " + name
            # Where stat itself fails it is unknown which files exist.
            named = name in ended.err or os.path.dirname(name) or name in ended.out or self.hit_call(case, fault) == "stat"
            if ended.code not in (OK, INTERRUPTED, clean.code) and not named:
                return "leaves %s and does not say so" % name
        if "--json" in case.arguments and ended.code not in (OK, clean.code) and kind != "io" and ended.code > 0:
            try:
                value = json.loads(ended.out)
                if "error" in value and value["error"]["exit_code"] != ended.code:
                    return "its JSON has another exit code"
            except ValueError:
                return "prints no JSON" if ended.code != INTERRUPTED or "stopped" not in ended.err else ""
        return ""

    def expected(self, kind, rest, clean):
        if kind in ("alloc", "thread", "early-thread", "space"):
            return {clean.code, OVER_LIMIT}
        if kind == "signal":
            return {clean.code, INTERRUPTED}
        if kind == "io" and rest[2] in NO_HARM:
            return {clean.code}
        if kind == "io":
            return {clean.code, UNUSABLE, USAGE, BAD_INPUT, OVER_LIMIT}
        return {clean.code}

    def hit_call(self, case, fault):
        """The name of the call that the fault hits."""
        if not fault.startswith("io:"):
            return ""
        calls, number = self.requests[case.name]["io"], int(fault.split(":")[1])
        return calls[number - 1][0] if number <= len(calls) else ""


def is_temporary(name):
    return any(part.startswith(".isogon-") and part.endswith(".tmp") for part in name.split(os.sep))


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="build/isogon")
    parser.add_argument("--library", default="build/tests/faults/libisogon_faults.so")
    parser.add_argument("--no-leaks", action="store_true", help="without LeakSanitizer")
    parser.add_argument("--only", default="*", metavar="PATTERN", help="the cases to run (default all)")
    parser.add_argument("--how", choices=["stacks", "all", "sample", "known"], default="stacks",
                        help="stacks: every request whose call stack no fault has met yet (default); all: every request; "
                             "sample: --count of the former, drawn by --seed; known: regressions.txt alone")
    parser.add_argument("--faults", default="*", metavar="PATTERN", help="only such faults, as alloc:*:good")
    parser.add_argument("--count", type=int, default=400)
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--replay", nargs=2, metavar=("CASE", "FAULT"), help="one run; shows all that it said, and the call stacks of the request that was hit and of a crash")
    return parser.parse_args()


def sanitizer_library():
    found = subprocess.run(["gcc", "-print-file-name=liblsan.so"], capture_output=True, text=True).stdout.strip()
    return found if os.path.isabs(found) else None


def with_places(program, text):
    """Frames of the program's own, which come as addresses, with functions and lines."""

    def place(found):
        result = subprocess.run(["addr2line", "-Cfpie", program, found.group(1)], capture_output=True, text=True).stdout
        return " " + result.strip()

    return re.sub(r"%s\(\+(0x[0-9a-f]+)\)\[0x[0-9a-f]+\]" % re.escape(program), place, text)


def replay(bench, case, fault):
    bench.learn(case)
    if not fault.startswith(("signal", "space")):
        fault = numbered(bench, case, fault)[0]
    ended = bench.run(case, fault, trace=True)
    print("exit code %s\nstdout:\n%s\nstderr:\n%s\nfiles: %s" % (ended.code, ended.out, with_places(bench.program, ended.err), sorted(ended.files)))
    complaint = bench.complaint(case, fault)
    print(complaint or "as it should be")
    return 1 if complaint else 0


def plan(bench, cases, wanted, seed):
    draw = random.Random(seed)
    jobs, seen = [], set()
    with concurrent.futures.ThreadPoolExecutor(wanted.jobs) as pool:
        list(pool.map(bench.learn, cases))
    for case in cases:
        if wanted.how != "known":
            jobs += [(case, fault) for fault in all_faults(bench, case, seen, wanted.how, draw)
                     if fnmatch.fnmatch(fault, wanted.faults)]
    if wanted.how == "sample":
        jobs = draw.sample(jobs, min(wanted.count, len(jobs)))
    by_name = {case.name: case for case in cases}
    for name, fault in known_faults():
        if name in by_name:
            jobs += [(by_name[name], one) for one in numbered(bench, by_name[name], fault)]
    return jobs


def run_all(bench, jobs, seed, threads):
    failures, began = [], time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(threads) as pool:
        done = pool.map(lambda job: (job, bench.complaint(*job)), jobs)
        for number, ((case, fault), complaint) in enumerate(done, 1):
            if complaint:
                failures.append((case, fault, complaint))
                print("%s %s: %s\n  isogon %s\n  replay: tests/faults/faults.py --replay %s %s"
                      % (case.name, fault, complaint, " ".join(case.arguments), case.name, fault), flush=True)
            if sys.stdout.isatty() and number % 50 == 0:
                print("%d of %d" % (number, len(jobs)), end="\r", flush=True)
    print("%d faults in %d cases, seed %d, %.0f s: %d went wrong"
          % (len(jobs), len({case.name for case, _ in jobs}), seed, time.monotonic() - began, len(failures)))
    return 1 if failures else 0


def main():
    wanted = options()
    seed = wanted.seed if wanted.seed is not None else random.SystemRandom().randrange(1 << 32)
    program, library = os.path.abspath(wanted.program), os.path.abspath(wanted.library)
    with tempfile.TemporaryDirectory(prefix="isogon-faults-") as inputs:
        make_inputs(program, inputs)
        bench = Bench(program, library, None if wanted.no_leaks else sanitizer_library(), inputs)
        by_name = {case.name: case for case in CASES}
        if wanted.replay:
            return replay(bench, by_name[wanted.replay[0]], wanted.replay[1])
        cases = [case for case in CASES if fnmatch.fnmatch(case.name, wanted.only)]
        return run_all(bench, plan(bench, cases, wanted, seed), seed, wanted.jobs)


if __name__ == "__main__":
    sys.exit(main())
