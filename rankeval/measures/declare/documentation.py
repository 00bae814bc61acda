"""Divide docstrings of measures into parts, from which help, pages and JSON are made.

A docstring is a title line, then paragraphs and indented formulas, then sections: "Edge cases"
and "Differences" with one item per bullet, and "Source".
"""

import inspect
import re
import textwrap
from collections.abc import Sequence

from rankeval.base.frozen import frozen

EDGE_CASES, DIFFERENCES, SOURCE = "Edge cases", "Differences", "Source"
HEADINGS = (EDGE_CASES, DIFFERENCES, SOURCE)


@frozen
class Block:
    """A paragraph, in one line; or a formula, in its own lines."""

    text: str
    is_formula: bool


@frozen
class Documentation:
    """The parts of a measure's docstring."""

    title: str
    body: tuple[Block, ...]
    edge_cases: tuple[str, ...]
    differences: tuple[str, ...]
    source: str

    @property
    def formula(self) -> str:
        """The first formula."""
        return next((block.text for block in self.body if block.is_formula), "")


def documentation(function: object) -> Documentation:
    """Divide a docstring into parts; without the known headings all but the title is text."""
    title, _, rest = (inspect.getdoc(function) or "").partition("\n")
    sections: dict[str, list[str]] = {"": []}
    current = ""
    for line in rest.splitlines():
        if line in HEADINGS:
            current = line
            sections.setdefault(current, [])
        else:
            sections[current].append(line)
    return Documentation(
        title=title,
        body=tuple(_blocks(sections[""])),
        edge_cases=_items(sections.get(EDGE_CASES, ())),
        differences=_items(sections.get(DIFFERENCES, ())),
        source=_unwrapped(sections.get(SOURCE, ())),
    )


def _blocks(lines: Sequence[str]) -> list[Block]:
    blocks = []
    for text in re.split(r"\n(?:[ \t]*\n)+", "\n".join(lines).strip("\n")):
        is_formula = text.startswith(" ")
        if text.strip():
            found = textwrap.dedent(text) if is_formula else _unwrapped(text.splitlines())
            blocks.append(Block(found, is_formula))
    return blocks


def _items(lines: Sequence[str]) -> tuple[str, ...]:
    items = re.split(r"^\s*- ", "\n".join(lines), flags=re.MULTILINE)
    return tuple(_unwrapped(item.splitlines()) for item in items if item.strip())


def _unwrapped(lines: Sequence[str]) -> str:
    return " ".join(line.strip() for line in lines if line.strip())
