"""Markdown of comments and docstrings, which are plain text with `code` in it."""
import re

SPECIAL = re.compile(r"([\\*_<>\[\]#|$~])")
SECTION = re.compile(r"(\w[\w ]*)\n-{3,}\n")


def escaped(text):
    """Plain text, so that Markdown shows it as it is, `code` as code."""
    parts = re.split(r"(`[^`\n]+`)", text)
    return "".join(part if k % 2 else SPECIAL.sub(r"\\\1", part) for k, part in enumerate(parts))


def paragraphs(text):
    """Paragraphs without their indents. What follows "Example:" is code."""
    shown = []
    for part in re.split(r"\n\s*\n", text.strip("\n")):
        lines = [line.strip() for line in part.split("\n")]
        example = lines[0].startswith("Example: ") and len(lines) == 1
        shown.append(f"Example: `{lines[0][9:]}`" if example else escaped("\n".join(lines)))
    return "\n\n".join(shown)


def entries(text, ending):
    """A list of what stands as "name : type" above an indented text, or as "name : text"; `ending` ends the first line."""
    shown = []
    for line in text.strip("\n").split("\n"):
        name, mark, rest = line.partition(" : ")
        if line.startswith(" ") and shown:
            shown[-1] += f"\n  {escaped(line.strip())}"
        elif mark and re.fullmatch(r"\w+(, \w+)*", name):
            shown.append(f"- **{escaped(name)}**: {escaped(rest)}{ending}")
        elif line.strip():
            shown.append(f"\n{escaped(line)}")
    return "\n".join(shown)


def of_docstring(text, without=()):
    """A docstring with sections as numpy's have them, but those whose text is one of `without`."""
    first, *others = SECTION.split(text)
    shown = [paragraphs(first)] if first.strip() else []
    for title, section in zip(others[::2], others[1::2]):
        if section.strip() not in without:
            shown.append(f"**{title}**\n\n{entries(section, '  ' if title == 'Parameters' else '')}")
    return "\n\n".join(shown)


def sections(text):
    """The texts of a docstring's sections."""
    return [section.strip() for section in SECTION.split(text)[2::2]]
