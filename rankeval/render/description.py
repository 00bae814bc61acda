"""Descriptions of measures: a page of text for the terminal, Markdown and JSON."""

import math
from collections.abc import Iterator

from rankeval.measures.base.aggregates import WHOLE_RUN
from rankeval.render import explanation as explained
from rankeval.render.markdown import lines as markdown_lines
from rankeval.render.style import Style
from rankeval.render.text import bold, entry, paragraph
from rankeval.tasks.describe import DescribedParameter, Description
from rankeval.tasks.explain.explanation import Explanation

INDENT = "  "
DIFFERENCES = "Differences from other tools"


def text(one: Description, example: Explanation | None, style: Style) -> Iterator[str]:
    """Print the documentation of a measure, and a worked example."""
    written = one.documentation
    yield bold(one.usage, style) + "\n"
    yield paragraph(written.title, style) + "\n"
    for block in written.body:
        yield "\n"
        if block.is_formula:
            yield "".join(f"{INDENT}{line}".rstrip() + "\n" for line in block.text.splitlines())
        else:
            yield paragraph(block.text, style) + "\n"
    if one.parameters:
        yield _heading("Parameters", style)
        width = max(len(_name(p)) for p in one.parameters)
        for p in one.parameters:
            name = f"{INDENT}{_name(p):<{width}}  "
            yield entry(name, _sentence(p), style) + "\n"
    for heading, items in (
        ("Needs", tuple(f"{need}." for need in one.needs)),
        ("Edge cases", written.edge_cases),
        (DIFFERENCES, written.differences),
        ("Also called", _synonyms(one)),
        ("In short", (facts(one),)),
        ("Source", (written.source,)),
    ):
        if any(items):
            yield _heading(heading, style)
            bullet = "- " if heading in ("Edge cases", DIFFERENCES) else ""
            for item in items:
                yield paragraph(item, style, indent=INDENT, bullet=bullet) + "\n"
    if example is not None:
        yield _heading(_example_heading(example), style)
        yield from _worked(example, style)


def _worked(example: Explanation, style: Style) -> Iterator[str]:
    """Print the ranks of an example, if it is of a topic, and what the value is made of."""
    if example.topic:
        yield from explained.ranks(example, style)
        yield "\n"
    for line in explained.remarks(example):
        yield paragraph(line, style) + "\n"


def _heading(words: str, style: Style) -> str:
    return f"\n{bold(words, style)}\n"


def _name(parameter: DescribedParameter) -> str:
    return parameter.name if parameter.sign == parameter.name else f"@ ({parameter.name})"


def _sentence(parameter: DescribedParameter) -> str:
    default = "no default" if parameter.default is None else f"default {parameter.default}"
    meaning = f"{parameter.meaning}: " if parameter.meaning else ""
    return f"{meaning}{parameter.allowed}; {default}"


def _synonyms(one: Description) -> tuple[str, ...]:
    """Return the plain aliases in one line, then those that imply parameters."""
    plain = ", ".join(s.name for s in one.synonyms if not s.meaning)
    return (
        *([plain] if plain else []),
        *(f"{s.name}: {s.meaning}" for s in one.synonyms if s.meaning),
    )


def facts(one: Description) -> str:
    """Return range, direction, aggregate and tier in a sentence."""
    better = "less is better" if one.loss else "more is better"
    direction = "a count" if one.aggregate == "sum" else better
    over = "one number for a whole run"
    if one.aggregate != WHOLE_RUN.name:
        over = f"over topics: {one.aggregate}"
    return f"Range {range_(one)}; {direction}; {over}; family {one.family}, tier {one.tier}."


def range_(one: Description) -> str:
    """Return the range of a topic's value, such as [0, 1] or [0, ∞)."""
    low = f"[{one.low:g}" if math.isfinite(one.low) else "(-∞"
    high = f"{one.high:g}]" if math.isfinite(one.high) else "∞)"
    return f"{low}, {high}"


def _example_heading(example: Explanation) -> str:
    value = "undefined" if math.isnan(example.value) else f"{example.value:.4f}"
    return f"Example: {example.measure} = {value}"


def markdown(one: Description, example: Explanation | None, style: Style) -> Iterator[str]:
    """Print the same as a section in Markdown. Nothing in it comes from users' files."""
    written = one.documentation
    yield f"### {one.usage}\n\n{prose(written.title)}\n"
    for block in written.body:
        yield f"\n```text\n{block.text}\n```\n" if block.is_formula else f"\n{prose(block.text)}\n"
    if one.parameters:
        rows = (
            [
                f"`{_name(p)}`",
                prose(p.meaning),
                prose(p.allowed),
                "none" if p.default is None else f"`{p.default}`",
            ]
            for p in one.parameters
        )
        heads = ["parameter", "meaning", "allowed", "default"]
        yield "\n"
        yield from markdown_lines(heads, rows)
    for heading, items in (
        ("Edge cases", written.edge_cases),
        (DIFFERENCES, written.differences),
    ):
        if items:
            yield f"\n{heading}:\n\n" + "".join(f"- {prose(item)}\n" for item in items)
    for need in one.needs:
        yield f"\nNeeds {prose(need)}.\n"
    if one.synonyms:
        names = (f"`{s.name}`" + (f" (`{s.meaning}`)" if s.meaning else "") for s in one.synonyms)
        yield f"\nAlso called: {', '.join(names)}.\n"
    yield f"\n{facts(one)}\n"
    if written.source:
        yield f"\nSource: {prose(written.source)}\n"
    if example is not None:
        yield f"\n{_example_heading(example)}\n\n"
        if example.topic:
            yield from explained.markdown_ranks(example, style)
        yield "\n```text\n" + "".join(f"{line}\n" for line in explained.remarks(example)) + "```\n"


_MARKS = str.maketrans({c: f"\\{c}" for c in "\\`*_[]<>|#"})


def prose(words: str) -> str:
    """Escape a docstring's text for Markdown."""
    return words.translate(_MARKS)
