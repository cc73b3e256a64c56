"""How a run reports its progress, and with how many threads and which seed it runs."""

import numbers
import operator
import os
import re
import sys
import time
import warnings
from typing import NamedTuple

from . import _core
from ._core import usable_processors


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


class _Step(NamedTuple):
    phase: str
    done: int
    total: int
    objective: float


class Progress(_Step):
    """What a callback receives between two steps of a run.

    phase: "similarities", "matching", ...; done: steps of the phase, of `total`; objective: 0 in phases without one.
    """

    _coordinates = None

    @classmethod
    def _of(cls, phase, done, total, objective, coordinates):
        step = cls(phase, done, total, objective)
        step._coordinates = coordinates
        return step

    def coordinates(self):
        """The coordinates of all points at this step, float32 (n, d), a copy; None where a step has none.

        Of TSNE, UMAP, PCA2 and LLE2 in the phase "layout", of TSM and Faithful in "matching": what a run that ended
        here would give. Costs a copy of n d numbers where it is called (of TSM the reading of its matrix, too), nothing
        elsewhere. ValueError once the callback has returned.
        """
        return None if self._coordinates is None else self._coordinates()


def _whole(value, name):
    if isinstance(value, bool):
        raise TypeError(f"{name}: must be a whole number, not {value!r}")
    try:
        return operator.index(value)
    except TypeError:
        raise TypeError(f"{name}: must be a whole number, not {value!r}") from None


def available_threads():
    """As many as this process may use by its affinity and its control groups' quota; at most OMP_NUM_THREADS, by which
    joblib keeps its workers from each other."""
    count = usable_processors()
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
        return max(1, usable_processors() + 1 + count)
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


_POWERS = {"k": 1, "m": 2, "g": 3, "t": 4}
_UNITS = {"": 1, "b": 1, **{letter + b: 1000**n for letter, n in _POWERS.items() for b in ("", "b")}}
_UNITS |= {f"{letter}ib": 1024**n for letter, n in _POWERS.items()}


def memory_limit_of(value):
    """Bytes, or None: no limit; from a number, or a size as the command line takes it."""
    if not isinstance(value, str):
        return None if value is None else whole_of(value, "memory_limit", 0, 64)
    found = re.fullmatch(r"([0-9]*\.?[0-9]+)([a-z]*)", value.lower())
    size = int(float(found[1]) * _UNITS[found[2]]) if found and found[2] in _UNITS else 0
    if not 0 < size < 1 << 63:
        raise ValueError(
            f"memory_limit = {value!r}: must be a size above zero such as 8G, 500M or 2GiB (k, M, G, T: powers of "
            "1000; KiB, MiB, GiB, TiB: powers of 1024)"
        )
    return size


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


def _in_notebook():
    return type(sys.stderr).__module__.startswith("ipykernel")


def _shown(title):
    """Progress for people: a bar of tqdm's in a notebook that has it, else a line."""
    if _in_notebook():
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # without ipywidgets tqdm warns, and writes a line
                from tqdm.auto import tqdm
        except ImportError:
            pass
        else:
            return _Bar(title, tqdm(desc=title))
    return _Line(title)


class _Bar:
    """One bar of tqdm's, begun again for each phase."""

    def __init__(self, title, bar):
        self.title, self.bar, self.phase = title, bar, None

    def __call__(self, step):
        phase = (step.phase, step.total)
        if phase != self.phase:
            self.phase = phase
            self.bar.set_description_str(f"{self.title}, {step.phase}", refresh=False)
            self.bar.reset(step.total or None)
        self.bar.update(step.done - self.bar.n)

    def close(self, whole):
        self.bar.set_description_str(f"{self.title}, {'done' if whole else 'stopped'}")
        self.bar.close()


class _Line:
    """Progress for people, on stderr: one line, written over a few times a second, and left as it was at the end. Where
    it cannot be written over, in files, a line every ten seconds."""

    width = 24

    def __init__(self, title):
        self.title, self.step, self.written = title, None, ""
        self.began = self.shown = time.monotonic()
        self.file = sys.stderr
        # A notebook's stream is no terminal, and takes the return of the carriage all the same.
        self.over = _in_notebook() or self.file.isatty()
        self.pause = 0.25 if self.over else 10.0

    def __call__(self, step):
        now = time.monotonic()
        self.step = step
        if now - self.shown >= self.pause:
            self.shown = now
            self._write(self._text(now))

    def _text(self, now):
        done, total = self.step.done, max(self.step.done, self.step.total)
        bar = "#" * (self.width * done // total if total else 0)
        count = f"{done}/{total}" if self.step.total else f"{done}"
        return f"{self.title} [{bar:-<{self.width}}] {self.step.phase} {count}, {now - self.began:.0f} s"

    def _write(self, text, end=""):
        if self.over:
            print(f"\r{text:<{len(self.written)}}", end=end, file=self.file, flush=True)
        else:
            print(text, file=self.file, flush=True)
        self.written = text

    def close(self, whole):
        """The last line: the run's end, of which the bar is full if it came to it by itself."""
        seconds = time.monotonic() - self.began
        if whole:
            self._write(f"{self.title} [{'#' * self.width}] done, {seconds:.3g} s", "\n")
        elif self.step is not None:
            self._write(f"{self._text(self.began + seconds)}: stopped", "\n")


class Run:
    """Threads, limits and listeners of one run; a context, so that the line of progress is ended."""

    def __init__(self, title, *, n_jobs=None, memory_limit=None, time_limit=None, callback=None, verbose=False):
        if callback is not None and not callable(callback):
            raise TypeError(f"callback: must be a function of one argument, or None, not {callback!r}")
        self.callback = callback
        self.line = _shown(title) if verbose else None
        self.whole = True  # until the callback ends the run
        self.threads = threads_of(n_jobs)
        self.memory_limit = memory_limit_of(memory_limit)
        self.time_limit = _time_limit_of(time_limit)

    def _tell(self, *progress):
        step = Progress._of(*progress)
        if self.line is not None:
            self.line(step)
        if self.callback is None or not self.callback(step):
            return False
        self.whole = False
        return True

    def __enter__(self):
        if _Threads.lost:
            self.threads = 1
        _Threads.started = _Threads.started or self.threads > 1
        listener = self._tell if self.callback is not None or self.line is not None else None
        return _core.Run(self.threads, self.memory_limit, self.time_limit, listener)

    def __exit__(self, raised, *_):
        if self.line is not None:
            self.line.close(self.whole and raised is None)
