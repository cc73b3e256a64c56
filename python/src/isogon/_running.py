"""How a run reports its progress, and with how many threads and which seed it runs."""

import numbers
import operator
import os
import sys
import time
from typing import NamedTuple

from . import _core


class _Threads:
    """Whether there may be threads. In a child of fork there are none of those that its parent's runs have started, and
    a run that waited for them would wait for ever: there it goes alone, to the same bits."""

    started = False
    lost = False

    @classmethod
    def forked(cls):
        cls.lost = cls.started


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_Threads.forked)


class Progress(NamedTuple):
    """What a callback receives between two steps of a run.

    phase: "similarities", "matching", ...; done: steps of the phase, of `total`; objective: 0 in phases without one.
    """

    phase: str
    done: int
    total: int
    objective: float


def _whole(value, name):
    if isinstance(value, bool):
        raise TypeError(f"{name}: must be a whole number, not {value!r}")
    try:
        return operator.index(value)
    except TypeError:
        raise TypeError(f"{name}: must be a whole number, not {value!r}") from None


def available_threads():
    """As many as this process may use, at most OMP_NUM_THREADS, by which joblib keeps its workers from each other."""
    count = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    limit = os.environ.get("OMP_NUM_THREADS", "")
    return min(count, int(limit)) if limit.isdigit() and int(limit) > 0 else count


def threads_of(n_jobs):
    """scikit-learn's count of jobs as a count of threads: None is all there are, -1 too, -2 all but one."""
    if n_jobs is None:
        return available_threads()
    count = _whole(n_jobs, "n_jobs")
    if count == 0 or count > 1 << 20:
        raise ValueError("n_jobs: must be at least 1 and at most 2^20, or negative: -1 is all, -2 all but one")
    if count < 0:
        cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        return max(1, cores + 1 + count)
    return count


def real_of(value, name):
    """A number of any type as a float."""
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        raise TypeError(f"{name}: must be a number, not {value!r}")
    try:
        return float(value)
    except OverflowError:
        raise ValueError(f"{name}: must be a number that a float holds, below 1.8e308") from None


def whole_of(value, name, least, bound):
    """A whole number of any type, at least `least` and below 2^`bound`."""
    number = _whole(value, name)
    if number < least:
        raise ValueError(f"{name} = {number}: must be at least {least}")
    if number >= 1 << bound:
        raise ValueError(f"{name}: must be below 2^{bound}")
    return number


def memory_limit_of(value):
    """Bytes, or None: no limit."""
    return None if value is None else whole_of(value, "memory_limit", 0, 64)


def _time_limit_of(value):
    """Seconds, or None: no limit."""
    seconds = None if value is None else real_of(value, "time_limit")
    if seconds is not None and not seconds >= 0:
        raise ValueError(f"time_limit = {seconds}: must be at least 0")
    return seconds


def seed_of(random_state):
    """A seed from a whole number, a generator of numpy's (which is drawn from), or None: another one every time."""
    import numpy as np

    if random_state is None:
        return int(np.random.randint(1 << 31))
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(1 << 31))
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(1 << 31))
    return whole_of(random_state, "random_state", 0, 63)


class _Bar:
    """Progress for people: tqdm's bar where there is tqdm, else a line on stderr every other second."""

    def __init__(self, title):
        self.title, self.phase, self.bar, self.reported = title, None, None, time.monotonic()
        try:
            from tqdm.auto import tqdm
        except ImportError:
            tqdm = None
        self.tqdm = tqdm

    def __call__(self, progress):
        if self.tqdm is None:
            self._line(progress)
            return
        if progress.phase != self.phase:
            self.close()
            self.phase = progress.phase
            self.bar = self.tqdm(total=progress.total or None, desc=f"{self.title}: {progress.phase}", leave=False)
        self.bar.n = progress.done
        self.bar.refresh()

    def _line(self, progress):
        if time.monotonic() - self.reported > 2.0:
            self.reported = time.monotonic()
            print(f"{self.title}: {progress.phase} {progress.done}/{progress.total}", file=sys.stderr, flush=True)

    def close(self):
        if self.bar is not None:
            self.bar.close()
            self.bar = None


class Run:
    """Threads, limits and listeners of one run; a context, so that a bar is taken away in the end."""

    def __init__(self, title, *, n_jobs=None, memory_limit=None, time_limit=None, callback=None, verbose=False):
        if callback is not None and not callable(callback):
            raise TypeError(f"callback: must be a function of one argument, or None, not {callback!r}")
        self.callback = callback
        self.bar = _Bar(title) if verbose else None
        self.threads = threads_of(n_jobs)
        self.memory_limit = memory_limit_of(memory_limit)
        self.time_limit = _time_limit_of(time_limit)

    def _tell(self, *progress):
        result = Progress(*progress)
        if self.bar is not None:
            self.bar(result)
        return self.callback is not None and bool(self.callback(result))

    def __enter__(self):
        if _Threads.lost:
            self.threads = 1
        _Threads.started = _Threads.started or self.threads > 1
        listener = self._tell if self.callback is not None or self.bar is not None else None
        return _core.Run(self.threads, self.memory_limit, self.time_limit, listener)

    def __exit__(self, *_):
        if self.bar is not None:
            self.bar.close()
