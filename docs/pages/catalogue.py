"""The catalogue of measures in Markdown: a section for each measure, under its subject."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from rankeval.commands.explain import show as explanations
from rankeval.commands.explain.task import Explanation
from rankeval.commands.measures.task import Description, facts, signed_name, worked_title
from rankeval.output.markdown import lines, table
from rankeval.output.style import Style

INTRODUCTION = """\
# Measures

Every measure, as `rankeval measures NAME` explains it. This page is made from the docstrings;
change it there.

In the formulas, g_i is the grade of the document at rank i, n the number of documents retrieved,
h(k) the number of relevant documents among the first k, R the number of relevant documents in
all, and [condition] is 1 where the condition holds and 0 elsewhere. A parameter marked @ is set
by what follows the @ of a name; a number at the end of another tool's name sets it too, as in
`ndcg_cut_10`. All examples are of one topic, whose judgments and run are those of the tables; in
them, "adds" is what a document changes, and "value" is that of the ranking up to this rank.
"""


def catalogue(
    every: Sequence[tuple[Description, Explanation | None]], style: Style
) -> Iterator[str]:
    """Yield a section for each measure, under headings of their subjects."""
    yield INTRODUCTION
    for subject, members in groupby(every, key=lambda pair: pair[0].group):
        yield f"\n## {subject.capitalize()}\n"
        for one, example in members:
            yield "\n"
            yield from section(one, example, style)


def section(description: Description, example: Explanation | None, style: Style) -> Iterator[str]:
    """Yield the documentation of a measure, and its worked example, if it has one."""
    written = description.documentation
    yield f"### {description.usage}\n\n{prose(written.title)}\n"
    for block in written.body:
        yield f"\n```text\n{block.text}\n```\n" if block.is_formula else f"\n{prose(block.text)}\n"
    if description.parameters:
        rows = (
            [
                f"`{signed_name(p)}`",
                prose(p.meaning),
                prose(p.allowed),
                "none" if p.default is None else f"`{p.default}`",
            ]
            for p in description.parameters
        )
        heads = ["parameter", "meaning", "allowed", "default"]
        yield "\n"
        yield from lines(heads, rows)
    for heading, items in (
        ("Edge cases", written.edge_cases),
        ("Differences from other tools", written.differences),
    ):
        if items:
            yield f"\n{heading}:\n\n" + "".join(f"- {prose(item)}\n" for item in items)
    for need in description.needs:
        yield f"\nNeeds {prose(need)}.\n"
    if description.synonyms:
        names = (
            f"`{s.name}`" + (f" (`{s.meaning}`)" if s.meaning else "") for s in description.synonyms
        )
        yield f"\nAlso called: {', '.join(names)}.\n"
    yield f"\n{facts(description)}\n"
    if written.source:
        yield f"\nSource: {prose(written.source)}\n"
    if example is not None:
        yield f"\n{worked_title(example)}\n\n"
        yield from table(explanations.ranks(example, style))
        remarks = "".join(f"{line}\n" for line in explanations.remarks(example, style))
        yield f"\n```text\n{remarks}```\n"


_MARKS = str.maketrans({c: f"\\{c}" for c in "\\`*_[]<>|#"})


def prose(words: str) -> str:
    """Escape a docstring's text for Markdown, except between backticks."""
    parts = words.split("`")
    if len(parts) % 2 == 0:
        return words.translate(_MARKS)
    parts[::2] = [part.translate(_MARKS) for part in parts[::2]]
    return "`".join(parts)
