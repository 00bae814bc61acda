"""Docstrings of measures, divided into their parts."""

import inspect
import re
import textwrap

from rankeval.base.frozen import frozen


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
    text = inspect.getdoc(function) or ""
    first, *rest = re.split(r"^(Edge cases|Differences|Source)$", text, flags=re.MULTILINE)
    sections = dict(zip(rest[::2], rest[1::2], strict=True))
    title, _, body = first.partition("\n")
    return Documentation(
        title=title,
        body=tuple(_block(part) for part in re.split(r"\n\s*\n", body.strip("\n")) if part.strip()),
        edge_cases=_items(sections.get("Edge cases", "")),
        differences=_items(sections.get("Differences", "")),
        source=_unwrapped(sections.get("Source", "")),
    )


def _block(text: str) -> Block:
    is_formula = text.startswith(" ")
    return Block(textwrap.dedent(text) if is_formula else _unwrapped(text), is_formula)


def _items(text: str) -> tuple[str, ...]:
    return tuple(map(_unwrapped, re.split(r"^\s*- ", text, flags=re.MULTILINE)[1:]))


def _unwrapped(text: str) -> str:
    return " ".join(line.strip() for line in text.strip().splitlines())
