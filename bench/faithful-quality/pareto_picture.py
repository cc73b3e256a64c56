"""Deviation against recall as an SVG: one panel for each data set and dimension, without any plotting library."""
import math
from html import escape

SIDE, GAP, LEFT, TOP = 176, 22, 92, 132  # of a panel; between panels; margins
ROW = SIDE + 3 * GAP
TICKS = [step * 10.0 ** power for power in range(-3, 3) for step in (1, 2, 5)]
FAMILIES = ("svd", "tsm", "faithful")

STYLE = """
  svg { color-scheme: light dark; }
  text { font: 12px system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; fill: #1f2328; }
  .heading { font-weight: 600; font-size: 14px; }
  .quiet { fill: #59636e; }
  .paper { fill: #ffffff; }
  .grid { stroke: #d1d9e0; stroke-width: 1; }
  .line { fill: none; stroke: #1a7f37; stroke-width: 2; stroke-linejoin: round; }
  .svd { fill: #8250a8; } .tsm { fill: #0f6fb5; } .faithful { fill: #1a7f37; }
  .letter { font-weight: 600; paint-order: stroke; stroke: #ffffff; stroke-width: 4px; stroke-linejoin: round; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; }
    .quiet { fill: #9198a1; }
    .paper { fill: #0d1117; }
    .grid { stroke: #30363d; }
    .line { stroke: #56d364; }
    .svd { fill: #cf9ff0; } .tsm { fill: #5cb3f2; } .faithful { fill: #56d364; }
    .letter { stroke: #0d1117; }
  }
"""


def text(x, y, words, kind="", anchor="start"):
    return f'<text x="{x:.1f}" y="{y:.1f}" class="{kind}" text-anchor="{anchor}">{escape(words)}</text>'


def family(cell):
    return cell["method"].split(",")[0]


class Panel:
    """One data set in one dimension. Deviations stand on a logarithmic axis: they differ by factors."""

    def __init__(self, column, row, span):
        self.left, self.top = LEFT + column * (SIDE + GAP), TOP + row * ROW
        self.span = span

    def place(self, cell):
        low, high = map(math.log, self.span)
        share = (math.log(max(cell["deviation"], self.span[0])) - low) / (high - low)
        return self.left + SIDE * share, self.top + SIDE * (1 - cell["recall"])

    def frame(self, dim, first, last):
        for tick in (t for t in TICKS if self.span[0] <= t <= self.span[1]):
            x, _ = self.place({"deviation": tick, "recall": 0})
            yield f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{self.top}" y2="{self.top + SIDE}" class="grid"/>'
            if last and f"{tick:g}".strip("0.")[0] in "15":
                yield text(x, self.top + SIDE + 16, f"{tick:g}", "quiet", "middle")
        for tick in (0, 0.25, 0.5, 0.75, 1):
            y = self.top + SIDE * (1 - tick)
            yield f'<line x1="{self.left}" x2="{self.left + SIDE}" y1="{y:.1f}" y2="{y:.1f}" class="grid"/>'
            if first:
                yield text(self.left - 8, y + 4, f"{tick:g}", "quiet", "end")
        yield text(self.left + SIDE, self.top - 6, f"d = {dim}", "quiet", "end")

    def points(self, cells):
        path = [self.place(cell) for cell in cells if family(cell) == "faithful"]
        yield f'<polyline points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in path)}" class="line"/>'
        for cell in cells:
            x, y = self.place(cell)
            yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4.5" class="{family(cell)}"/>'
        yield from self.letters([cell for cell in cells if family(cell) == "faithful"])

    def letters(self, cells):
        """N, B and A beside their points; one word where the points coincide, as they do when all favours agree."""
        groups = []
        for cell in cells:
            x, y = self.place(cell)
            letter = cell["method"].split(", ")[1][0].upper()
            near = next((group for group in groups if math.hypot(x - group[0], y - group[1]) < 14), None)
            if near:
                near[2] += letter
            else:
                groups.append([x, y, letter])
        for x, y, letters in groups:
            yield text(x, y - 8 if y > self.top + 20 else y + 18, letters, "letter faithful", "middle")


def describe(cells):
    """The picture in words, for those who cannot see it."""
    parts = (f"{c['data']}, d = {c['d']}, {c['method']}: {c['deviation']:.2f} degrees, {c['recall']:.2f}"
             for c in cells)
    return "Mean angular deviation and recall of the 10 nearest. " + "; ".join(parts) + "."


def legend():
    yield text(LEFT - 56, 24, "What is kept of small angles and of neighbours", "heading")
    names = {"svd": "svd", "tsm": "tsm", "faithful": "faithful: N favours neighbors, B balanced, A angles"}
    x = LEFT - 56
    for kind in FAMILIES:
        yield f'<circle cx="{x + 5}" cy="45" r="4.5" class="{kind}"/>'
        yield text(x + 16, 49, names[kind])
        x += 62
    yield text(LEFT - 56, 72, "up: recall@10; to the left: mean angular deviation in degrees; best is the upper left "
               "corner", "quiet")


def draw(cells):
    names = list(dict.fromkeys(cell["data"] for cell in cells))
    dims = list(dict.fromkeys(cell["d"] for cell in cells))
    deviations = [max(cell["deviation"], 1e-3) for cell in cells]
    span = (min(deviations) / 1.5, max(deviations) * 1.5)
    width = max(LEFT + len(dims) * (SIDE + GAP), 640)
    height = TOP + len(names) * ROW - GAP + 8
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
             f'height="{height}" role="img">', f"<title>{escape(describe(cells))}</title>", f"<style>{STYLE}</style>",
             f'<rect width="{width}" height="{height}" class="paper" rx="6"/>', *legend()]
    for row, name in enumerate(names):
        lines.append(text(LEFT, TOP + row * ROW - 24, name, "heading"))
        for column, dim in enumerate(dims):
            panel = Panel(column, row, span)
            lines += panel.frame(dim, column == 0, row == len(names) - 1)
            lines += panel.points([cell for cell in cells if cell["data"] == name and cell["d"] == dim])
    lines.append(text(LEFT + SIDE / 2, height - 12, "deviation, degrees", "quiet", "middle"))
    return "\n".join([*lines, "</svg>"]) + "\n"
