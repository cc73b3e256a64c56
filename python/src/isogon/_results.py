"""What functions and fits tell."""

import html
import pathlib
from typing import TypedDict


class Result(dict):
    """A dictionary whose entries are attributes too: result["jaccard"] is result.jaccard."""

    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"{type(self).__name__} has no {name}; it has {', '.join(self)}") from None

    def __dir__(self):
        return [*super().__dir__(), *self]

    def __reduce__(self):
        return type(self), (dict(self),)


class Trace(TypedDict):
    """The objective by iteration; its unit is on the method's page. Lists of equal lengths."""

    iteration: list
    objective: list
    change: list
    seconds: list


class Report(Result):
    """A page that report() made: path, or html without a file; points, verdict, warnings. As the last line of a cell it
    is shown in the notebook."""

    def __repr__(self):
        place = f" in {self['path']}" if "path" in self else ""
        return f"<report of {self['points']} points{place}: {self['verdict']}>"

    def _repr_html_(self):
        # In the attribute, since notebooks may not reach the file from where they are shown.
        page = self["html"] if "html" in self else pathlib.Path(self["path"]).read_text(encoding="utf-8")
        style = "width: 100%; height: 900px; border: 0"
        return f'<iframe srcdoc="{html.escape(page)}" style="{style}" title="isogon report"></iframe>'


class Summary(Result):
    """How a run went.

    termination: "converged", "iteration-limit" (all iterations that were asked for are made), "time-limit",
    "cancelled", "stalled" or "numerical-failure"; message: the numbers behind it; trace: lists "iteration",
    "objective", "change", "seconds"; seconds, counts and measures: numbers by name; warnings: sentences; seed; threads.
    """

    def __repr__(self):
        seconds = sum(self.get("seconds", {}).values())
        # A limit that was asked for is an end like another, and the message names it.
        end = self.get("termination", "no fit")
        end = "" if end == "iteration-limit" else f"{end}: "
        return f"<{end}{self.get('message', '')} ({seconds:.3g} s)>"


class Score(Result):
    """What isogon.score() finds, the names of `isogon score`. For every n_neighbors = k:

    recall: share of the k nearest neighbours in X that are among the k nearest in Y, which is recall_at_k too; all_kept
    and kept_in_order (all_kept_at_k, kept_in_order_at_k): shares of points of which all, and in their order;
    n_neighbors: k itself. mean_angular_deviation_degrees, jaccard: of pairs nearer than the threshold;
    norm_deviation_mean, norm_deviation_max: of lengths; trustworthiness, continuity; knn_accuracy, with labels;
    worst_points: [{"point", "kept"}, ...]; threshold, sparsity, points, isolated (of the angle_rows), zero_vectors,
    angle_rows and rank_rows: points whose angles and neighbours were compared; summary.
    """
