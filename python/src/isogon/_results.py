"""What functions and fits tell."""


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


class Summary(Result):
    """How a run went: termination, message, trace, seconds by phase, counts, measures, warnings, seed, threads."""

    def __repr__(self):
        seconds = sum(self.get("seconds", {}).values())
        return f"<{self.get('termination', 'no fit')}: {self.get('message', '')} ({seconds:.3g} s)>"
