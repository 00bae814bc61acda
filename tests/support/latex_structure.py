"""Whether LaTeX would take a text: environments, braces and the number of cells in each row."""

import re

_SPECIAL = re.compile(r"(?<!\\)[&#^_~]")


def problems(text):
    """Name what LaTeX would stumble over in the tables that rankeval prints."""
    lines = [line for line in text.splitlines() if not line.startswith("%")]
    return [*_in_lines(lines), *_in_tables(lines)]


def _in_lines(lines):
    """Braces and dollars that do not match, and characters that act."""
    for line in lines:
        bare = re.sub(r"\\[\\{}%$]", "", line)
        if bare.count("{") != bare.count("}") or bare.count("$") % 2 or "%" in bare:
            yield f"not matched: {line}"
        if set(_SPECIAL.findall(line)) - ({"&"} if line.endswith(r"\\") else set()):
            yield f"special characters: {line}"


def _in_tables(lines):
    """Environments that are not closed in their order, and rows of another number of cells."""
    opened, cells = [], 0
    for line in lines:
        if begun := re.match(r"\\begin\{(\w+)\}(?:\{((?:\w|p\{[^}]*\})+)\})?", line):
            opened.append(begun[1])
            cells = len(re.sub(r"\{[^}]*\}", "", begun[2] or ""))
        elif ended := re.match(r"\\end\{(\w+)\}", line):
            if not opened or opened.pop() != ended[1]:
                yield f"environment: {line}"
        elif line.startswith(r"\caption") and opened[-1:] == ["longtable"]:
            continue
        elif line.endswith(r"\\") and (
            not {"tabular", "longtable"} & {*opened[-1:]} or line.count(" & ") + 1 != cells
        ):
            yield f"row: {line}"
    yield from (f"not closed: {name}" for name in opened)
