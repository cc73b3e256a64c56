"""What functions and fits tell."""

import html
import pathlib


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


class Report(Result):
    """A page that report() wrote: path, points, verdict, warnings. The last line of a notebook's cell shows the page."""

    def __repr__(self):
        return f"<report of {self['points']} points in {self['path']}: {self['verdict']}>"

    def _repr_html_(self):
        # In the attribute, since notebooks may not reach the file from where they are shown.
        page = html.escape(pathlib.Path(self["path"]).read_text(encoding="utf-8"))
        return f'<iframe srcdoc="{page}" style="width: 100%; height: 900px; border: 0" title="isogon report"></iframe>'


class Summary(Result):
    """How a run went: termination, message, trace, seconds by phase, counts, measures, warnings, seed, threads."""

    def __repr__(self):
        seconds = sum(self.get("seconds", {}).values())
        return f"<{self.get('termination', 'no fit')}: {self.get('message', '')} ({seconds:.3g} s)>"
