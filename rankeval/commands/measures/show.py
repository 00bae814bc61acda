"""The catalogue of measures, and the description of one, in every format."""

import math
from collections.abc import Iterator, Sequence
from itertools import groupby

from rankeval.base.wording import finite
from rankeval.choices import Format
from rankeval.commands.explain import show as explanations
from rankeval.commands.explain.task import Explanation
from rankeval.commands.measures.task import DescribedParameter, Description
from rankeval.measures.declare.aggregates import WHOLE_RUN
from rankeval.measures.declare.definition import OF_TREC_EVAL
from rankeval.output import json_text
from rankeval.output.data_rows import Rows
from rankeval.output.declared_columns import data, grade, rows_of
from rankeval.output.document_form import Document, headed, plain
from rankeval.output.markdown import lines as markdown_lines
from rankeval.output.markdown import table as markdown_table
from rankeval.output.printer import Printer
from rankeval.output.style import Style
from rankeval.output.text import bold, drawn, entry, paragraph

INDENT = "  "
DIFFERENCES = "Differences from other tools"


def text(description: Description, example: Explanation | None, style: Style) -> Iterator[str]:
    """Print the documentation of a measure, and a worked example."""
    written = description.documentation
    yield bold(description.usage, style) + "\n"
    yield paragraph(written.title, style) + "\n"
    for block in written.body:
        yield "\n"
        if block.is_formula:
            yield "".join(f"{INDENT}{line}".rstrip() + "\n" for line in block.text.splitlines())
        else:
            yield paragraph(block.text, style) + "\n"
    if description.parameters:
        yield _heading("Parameters", style)
        width = max(len(_name(p)) for p in description.parameters)
        for p in description.parameters:
            name = f"{INDENT}{_name(p):<{width}}  "
            yield entry(name, _sentence(p), style) + "\n"
    for heading, items in (
        ("Needs", tuple(f"{need}." for need in description.needs)),
        ("Edge cases", written.edge_cases),
        (DIFFERENCES, written.differences),
        ("Also called", _synonyms(description)),
        ("In short", (facts(description),)),
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
    """Print the ranks of an example, if it is of a topic, and the parts of the value."""
    if example.topic:
        yield from drawn(explanations.ranks(example, style), style)
        yield "\n"
    for line in explanations.remarks(example):
        yield paragraph(line, style) + "\n"


def _heading(words: str, style: Style) -> str:
    return f"\n{bold(words, style)}\n"


def _name(parameter: DescribedParameter) -> str:
    return parameter.name if parameter.sign == parameter.name else f"@ ({parameter.name})"


def _sentence(parameter: DescribedParameter) -> str:
    default = "no default" if parameter.default is None else f"default {parameter.default}"
    meaning = f"{parameter.meaning}: " if parameter.meaning else ""
    return f"{meaning}{parameter.allowed}; {default}"


def _synonyms(description: Description) -> tuple[str, ...]:
    """Return the plain aliases in one line, then those that imply parameters."""
    plain = ", ".join(s.name for s in description.synonyms if not s.meaning)
    return (
        *([plain] if plain else []),
        *(f"{s.name}: {s.meaning}" for s in description.synonyms if s.meaning),
    )


def facts(description: Description) -> str:
    """Return range, direction, aggregate and tier in a sentence."""
    better = "less is better" if description.loss else "more is better"
    direction = "a count" if description.aggregate == "sum" else better
    over = "one number for a whole run"
    if description.aggregate != WHOLE_RUN.name:
        over = f"over topics: {description.aggregate}"
    return f"Range {range_(description)}; {direction}; {over}."


def range_(description: Description) -> str:
    """Return the range of a topic's value, such as [0, 1] or [0, ∞)."""
    low = f"[{description.low:g}" if math.isfinite(description.low) else "(-∞"
    high = f"{description.high:g}]" if math.isfinite(description.high) else "∞)"
    return f"{low}, {high}"


def _example_heading(example: Explanation) -> str:
    value = "undefined" if math.isnan(example.value) else f"{example.value:.4f}"
    return f"Example: {example.measure} = {value}"


def markdown(description: Description, example: Explanation | None, style: Style) -> Iterator[str]:
    """Print the same as a section in Markdown. Nothing in it comes from users' files."""
    written = description.documentation
    yield f"### {description.usage}\n\n{prose(written.title)}\n"
    for block in written.body:
        yield f"\n```text\n{block.text}\n```\n" if block.is_formula else f"\n{prose(block.text)}\n"
    if description.parameters:
        rows = (
            [
                f"`{_name(p)}`",
                prose(p.meaning),
                prose(p.allowed),
                "none" if p.default is None else f"`{p.default}`",
            ]
            for p in description.parameters
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
        yield f"\n{_example_heading(example)}\n\n"
        if example.topic:
            yield from markdown_table(explanations.ranks(example, style))
        yield (
            "\n```text\n" + "".join(f"{line}\n" for line in explanations.remarks(example)) + "```\n"
        )


_MARKS = str.maketrans({c: f"\\{c}" for c in "\\`*_[]<>|#"})


def prose(words: str) -> str:
    """Escape a docstring's text for Markdown, except between backticks."""
    parts = words.split("`")
    if len(parts) % 2 == 0:
        return words.translate(_MARKS)
    parts[::2] = [part.translate(_MARKS) for part in parts[::2]]
    return "`".join(parts)


def document(found: "Described") -> Document:
    """Return the descriptions of measures, each with its example where there is one."""
    every = [
        {**plain(one), **({} if example is None else {"example": plain(example)})}
        for one, example in found
    ]
    return headed("rankeval-measures/1", {"measures": every})


Described = Sequence[tuple[Description, Explanation | None]]

TWELVE = (
    ("nDCG@10", "are the best documents at the top?", "graded judgments"),
    ("AP", "are all relevant ones found, and early?", "nearly all is judged"),
    ("RR@10", "how early is the first relevant one?", "one answer is enough"),
    ("P@10", "how much of the top is relevant?", "users read k results"),
    ("R@100", "how much of the relevant is found?", "a first stage, patents"),
    ("Success@5", "is any of the top relevant?", "questions, RAG"),
    ("Rprec", "of R relevant, how many in the top R?", "R differs by topic"),
    ("ERR@20", "how soon is a reader satisfied?", "one very good one will do"),
    ("RBP", "what does a reader gain per document?", "patience is known"),
    ("Bpref", "do relevant ones beat nonrelevant?", "few are judged"),
    ("Judged@10", "how much of the top is judged at all?", "beside any measure"),
    ("alpha_nDCG@10", "is each subtopic served early?", "subtopics are judged"),
)
"""The common measures: what each answers, and when to use it."""


def common(_found: Described, style: Style) -> Iterator[str]:
    """Print the common measures, a line for each."""
    for heads in (("measure", "answers", "when"), *TWELVE):
        line = f"{heads[0]:<15}{heads[1]:<40}{heads[2]}\n"
        yield bold(line[:-1], style) + "\n" if heads[0] == "measure" else line
    yield "\n'rankeval measures NAME' explains one, '--all' lists all, WORD searches them.\n"


def common_markdown(_found: Described, _style: Style) -> Iterator[str]:
    """Print the common measures as a table."""
    heads = ["measure", "answers", "when"]
    yield from markdown_lines(heads, ([f"`{n}`", *map(prose, rest)] for n, *rest in TWELVE))


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
    found = for_people(found)
    width = max((len(one.usage) for one, _ in found), default=0)
    ranges = max((len(range_(one)) for one, _ in found), default=0)
    for members in _groups(found):
        yield bold(_title_of(members), style) + "\n"
        for member in members:
            name = f"  {member.usage:<{width}}  {range_(member):<{ranges}}  "
            yield entry(name, _title(member), style) + "\n"
        yield "\n"
    yield f"{len(found)} measures; 'rankeval measures NAME' explains one.\n"


def for_people(found: Described) -> Described:
    """Return what lists for people hold; measures of trec_eval alone are explained by name."""
    if len(found) == 1:
        return found
    return [pair for pair in found if pair[0].group != OF_TREC_EVAL]


def _inside(description: Description) -> list[str]:
    """Return the parameters that stand within parentheses."""
    return [p.name for p in description.parameters if p.sign != "@"]


def _title(description: Description) -> str:
    inside = ", ".join(_inside(description))
    return description.documentation.title + (f" ({inside})" if inside else "")


def _groups(found: Described) -> Iterator[list[Description]]:
    for _, group in groupby((one for one, _ in found), key=lambda one: one.group):
        yield list(group)


def _title_of(members: Sequence[Description]) -> str:
    return members[0].group.capitalize()


def listing_markdown(found: Described, _style: Style) -> Iterator[str]:
    """Print a table per group."""
    for number, members in enumerate(_groups(for_people(found))):
        yield "\n" if number else ""
        yield f"## {_title_of(members)}\n\n"
        rows = (
            [
                f"`{member.usage}`",
                range_(member),
                prose(member.documentation.title),
                ", ".join(f"`{p.name}`" for p in member.parameters),
            ]
            for member in members
        )
        heads = ["measure", "range", "what it is", "parameters"]
        yield from markdown_lines(heads, rows)


def full(found: Described, style: Style) -> Iterator[str]:
    """Print all that is known of each measure."""
    for number, (one, example) in enumerate(for_people(found)):
        yield "\n\n" if number else ""
        yield from text(one, example, style)


def full_markdown(found: Described, style: Style) -> Iterator[str]:
    """Print a section per measure; several under the headings of their groups."""
    if len(found) == 1:
        yield from markdown(*found[0], style)
        return
    yield INTRODUCTION
    for _, group in groupby(for_people(found), key=lambda pair: pair[0].group):
        members = list(group)
        yield f"\n## {_title_of([one for one, _ in members])}\n"
        for one, example in members:
            yield "\n"
            yield from markdown(one, example, style)


COLUMNS = [
    data("measure", get="usage"),
    data("group"),
    grade("low", get=lambda one: finite(one.low)),
    grade("high", get=lambda one: finite(one.high)),
    data("better", get=lambda one: "lower" if one.loss else "higher"),
    data("aggregate"),
    data("parameters", get=lambda one: " ".join(_inside(one))),
    data("title", get="documentation.title"),
    data("also", get=lambda one: " ".join(synonym.name for synonym in one.synonyms)),
]


def rows(found: Described, _style: Style) -> Rows:
    """Return a row per measure."""
    return rows_of(COLUMNS, [one for one, _ in found])


def _json(found: Described, _style: Style) -> Iterator[str]:
    return json_text.document(document(found), ascii_only=False)


LISTING = Printer[Described](
    rows=rows,
    document=lambda found, _: document(found),
    drawings={
        Format.TABLE: listing,
        Format.MARKDOWN: listing_markdown,
        Format.JSON: _json,
    },
)
COMMON = Printer[Described](
    document=LISTING.document,
    rows=rows,
    drawings={**LISTING.drawings, Format.TABLE: common, Format.MARKDOWN: common_markdown},
)
FULL = Printer[Described](
    document=LISTING.document,
    drawings={Format.TABLE: full, Format.MARKDOWN: full_markdown, Format.JSON: _json},
)
