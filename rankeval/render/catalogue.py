"""The catalogue of measures: a list by group, measures in full, and JSON for machines.

Each function takes measures with their examples; an example is None where only a list is wanted.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from math import isfinite

from rankeval.choices import Format
from rankeval.documents.description import document
from rankeval.render import description, escape, json_text
from rankeval.render.markdown import lines as markdown_lines
from rankeval.render.printer import Printer
from rankeval.render.separated import csv_lines, tsv_lines
from rankeval.render.style import Style
from rankeval.render.text import bold, entry
from rankeval.tasks.describe import Description
from rankeval.tasks.explain.explanation import Explanation

Described = Sequence[tuple[Description, Explanation | None]]

INTRODUCTION = """\
# Measures

Every measure, as `rankeval measures NAME` explains it. This page is made from the docstrings by
`make docs`; change it there.

In the formulas, g_i is the grade of the document at rank i, n the number of documents retrieved,
h(k) the number of relevant documents among the first k, R the number of relevant documents in
all, and [condition] is 1 where the condition holds and 0 elsewhere. A parameter marked @ is set
by what follows the @ of a name; a number at the end of another tool's name sets it too, as in
`ndcg_cut_10`. All examples are of one topic, whose judgments and run are those of the tables; in
them, "adds" is what a document changes, and "value" is that of the ranking down to there.
"""


def listing(found: Described, style: Style) -> Iterator[str]:
    """Print name, range, title and parameters by group."""
    width = max((len(one.usage) for one, _ in found), default=0)
    ranges = max((len(description.range_(one)) for one, _ in found), default=0)
    for members in _groups(found):
        yield bold(_title_of(members), style) + "\n"
        for one in members:
            name = f"  {one.usage:<{width}}  {description.range_(one):<{ranges}}  "
            yield entry(name, _title(one), style) + "\n"
        yield "\n"
    yield f"{len(found)} measures; 'rankeval measures NAME' explains one.\n"


def _title(one: Description) -> str:
    inside = ", ".join(p.name for p in one.parameters if p.sign != "@")
    return f"{one.documentation.title} ({inside})" if inside else one.documentation.title


def _groups(found: Described) -> Iterator[list[Description]]:
    for _, group in groupby((one for one, _ in found), key=lambda one: one.group):
        yield list(group)


def _title_of(members: Sequence[Description]) -> str:
    return members[0].group.capitalize()


def listing_markdown(found: Described, _style: Style) -> Iterator[str]:
    """Print a table per group."""
    for number, members in enumerate(_groups(found)):
        yield "\n" if number else ""
        yield f"## {_title_of(members)}\n\n"
        rows = (
            [
                f"`{one.usage}`",
                description.range_(one),
                description.prose(one.documentation.title),
                ", ".join(f"`{p.name}`" for p in one.parameters),
            ]
            for one in members
        )
        heads = ["measure", "range", "what it is", "parameters"]
        yield from markdown_lines(heads, rows)


def full(found: Described, style: Style) -> Iterator[str]:
    """Print all that is known of each measure."""
    for number, (one, example) in enumerate(found):
        yield "\n\n" if number else ""
        yield from description.text(one, example, style)


def full_markdown(found: Described, style: Style) -> Iterator[str]:
    """Print a section per measure; several under the headings of their groups and families."""
    if len(found) == 1:
        yield from description.markdown(*found[0], style)
        return
    yield INTRODUCTION
    for _, group in groupby(found, key=lambda pair: pair[0].group):
        members = list(group)
        yield f"\n## {_title_of([one for one, _ in members])}\n"
        for _, family in groupby(members, key=lambda pair: pair[0].family):
            for number, (one, example) in enumerate(family):
                if not number:
                    yield f"\n{description.prose(one.heading)}\n"
                yield "\n"
                yield from description.markdown(one, example, style)


HEADS = ("measure", "group", "low", "high", "better", "aggregate", "parameters", "title", "also")


def tsv(found: Described, _style: Style) -> Iterator[str]:
    """Print a line per measure, separated by tabs."""
    return tsv_lines(_rows(found, escape.tsv))


def csv_(found: Described, _style: Style) -> Iterator[str]:
    """Print comma-separated values, as for TSV."""
    return csv_lines(_rows(found, escape.csv))


def _rows(found: Described, safe: Callable[[str], str]) -> Iterator[list[str]]:
    yield list(HEADS)
    for one, _ in found:
        cells = (
            one.usage,
            one.group,
            *(f"{end:g}" if isfinite(end) else "" for end in (one.low, one.high)),
            "lower" if one.loss else "higher",
            one.aggregate,
            " ".join(p.name for p in one.parameters if p.sign != "@"),
            one.documentation.title,
            " ".join(synonym.name for synonym in one.synonyms),
        )
        yield [safe(cell) for cell in cells]


def _json(found: Described, _style: Style) -> Iterator[str]:
    return json_text.unicode_document(document(found))


LISTING = Printer[Described](
    document=lambda found, _: document(found),
    records=None,
    drawings={
        Format.TABLE: listing,
        Format.TSV: tsv,
        Format.CSV: csv_,
        Format.MARKDOWN: listing_markdown,
        Format.JSON: _json,
    },
)
FULL = Printer[Described](
    document=LISTING.document,
    records=None,
    drawings={Format.TABLE: full, Format.MARKDOWN: full_markdown, Format.JSON: _json},
)
