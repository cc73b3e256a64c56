"""The faults that faults.py tries: which are worth a try, and the description of one that the preloaded library reads.
faults.py says how each is written.
"""

import errno
import os
import signal

# What these calls can answer, of errors that are worth a try; all others: EIO.
ERRORS = {
    "read": ["EIO", "EINTR", "short"],
    "pread": ["EIO", "EINTR", "short"],
    "write": ["ENOSPC", "EIO", "EINTR", "short"],
    "pwrite": ["ENOSPC", "EIO", "EINTR", "short"],
    "open": ["EMFILE", "EACCES", "EINTR"],
    "fsync": ["EIO", "ENOSPC", "EINTR"],
    "close": ["EIO", "EINTR"],
    "rename": ["EIO", "ENOSPC"],
    "link": ["EIO", "EPERM"],
    "mmap": ["ENOMEM"],
    "mmap64": ["ENOMEM"],
    "flock": ["EINTR", "ENOLCK"],
    "mkdir": ["ENOSPC"],
}
NO_HARM = {"EINTR", "short"}  # the caller goes on as if nothing had been


def fault_environment(fault):
    """What the preloaded library is to do, as it reads it."""
    kind, *rest = fault.split(":")
    if kind in ("none", "space"):
        return {}
    place = {"FAULT_AT": rest[0]}
    if kind == "alloc":
        return {**place, "FAULT_COUNT": "alloc", "FAULT_FOR": rest[1], "FAULT_NUMBER": str(errno.ENOMEM)}
    if kind in ("thread", "early-thread"):
        early = {"FAULT_EARLY": "1"} if kind == "early-thread" else {}
        return {**place, **early, "FAULT_COUNT": "thread", "FAULT_FOR": rest[1], "FAULT_NUMBER": str(errno.EAGAIN)}
    if kind == "io":
        how = {"FAULT_ACTION": "short"} if rest[2] == "short" else {"FAULT_NUMBER": str(getattr(errno, rest[2]))}
        return {**place, **how, "FAULT_COUNT": "io", "FAULT_FOR": rest[1]}
    if kind == "signal":
        twice = {"FAULT_TWICE": "1"} if rest[2:] else {}
        return {**place, **twice, "FAULT_COUNT": "any", "FAULT_ACTION": "signal",
                "FAULT_NUMBER": str(int(getattr(signal, rest[1])))}
    if kind == "kill":
        return {**place, "FAULT_COUNT": "io", "FAULT_ACTION": "signal", "FAULT_NUMBER": str(int(signal.SIGKILL))}
    raise SystemExit(fault + ": no such fault")


def all_faults(bench, case, seen, how, draw):
    """(fault, whether it is the first with its call stack) of a case."""
    faults = []

    def add(number, stack, texts):
        for text in texts:
            family = text.replace(":%d" % number, "", 1)
            first = (family, stack) not in seen
            seen.add((family, stack))
            if first or how == "all":
                faults.append(text)

    requests = bench.requests[case.name]
    for number, (_, stack) in enumerate(requests["alloc"], 1):
        add(number, stack, ["alloc:%d:%s" % (number, times) for times in ("once", "good")])
    for number, (call, stack) in enumerate(requests["io"], 1):
        for error in ERRORS.get(call, ["EIO"]):
            add(number, stack, ["io:%d:%s:%s" % (number, times, error) for times in ("once", "good")
                                if not (times == "good" and error == "EINTR")])
        if "write" in call or call in ("open", "rename", "link", "fsync", "close", "flock"):
            add(number, stack, ["kill:%d" % number])
    for number, (_, stack) in enumerate(requests["thread"], 1):
        add(number, stack, ["%s:%d:%s" % (kind, number, times) for kind in ("thread", "early-thread")
                            for times in ("once", "good")])
    moments = len(requests["alloc"]) + len(requests["io"])
    for _ in range(moments if how == "all" else 24):
        name, twice = draw.choice(["SIGINT", "SIGTERM"]), draw.choice(["", ":twice"])
        faults.append("signal:%d:%s%s" % (draw.randint(1, moments), name, twice))
    return faults


def numbered(bench, case, fault):
    """A fault whose request is named by its call, counted from the end, or one of a range: as many with plain numbers."""
    kind, place, *rest = fault.split(":")
    requests = bench.requests[case.name].get("thread" if "thread" in kind else "alloc" if kind == "alloc" else "io", [])
    if "#" in place:
        name, nth = place.split("#")
        calls = [number for number, (call, _) in enumerate(requests, 1) if call == name]
        numbers = calls[int(nth) - 1 : int(nth)]
    else:
        first, last = (place.split("..") * 2)[:2]
        numbers = [number if number > 0 else len(requests) + 1 + number for number in range(int(first), int(last) + 1)]
    return [":".join([kind, str(number), *rest]) for number in numbers if number > 0]


def known_faults():
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "regressions.txt")) as file:
        return [tuple(line.split()[:2]) for line in file if line.strip() and not line.startswith("#")]
