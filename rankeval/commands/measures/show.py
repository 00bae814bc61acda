"""The catalogue of measures, and the description of one, in every format."""

import math
from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import itemgetter

from rankeval.base.wording import finite
from rankeval.commands.explain import show as explanations
from rankeval.commands.explain.task import Explanation
from rankeval.commands.measures.task import DescribedParameter, Description
from rankeval.measures.declare.aggregates import WHOLE_RUN
from rankeval.measures.declare.definition import OF_TREC_EVAL
from rankeval.output.data_rows import Rows
from rankeval.output.declared_columns import data, grade, prose, rows_of, table, text
from rankeval.output.document_form import Document, headed, plain
from rankeval.output.printer import Printer
from rankeval.output.style import Style
from rankeval.output.tables import Block, Heading, Verbatim

Described = Sequence[tuple[Description, Explanation | None]]
"""Measures, each with a worked example if it is explained."""

TWELVE = (
    ("nDCG@10", "are the best documents at the top?", "graded judgments"),
    ("AP", "are all relevant ones found, and early?", "nearly all is judged"),
    ("RR@10", "how early is the first relevant one?", "one answer is enough"),
    ("P@10", "how much of the top is relevant?", "users read k results"),
    ("R@100", "how much of the relevant is found?", "a first stage, patents"),
    ("Success@5", "is any of the top relevant?", "questions, RAG"),
    ("Rprec", "of R relevant, how many in the top R?", "R differs by topic"),
    ("ERR@20", "how soon is a reader satisfied?", "one very good is enough"),
    ("RBP", "what does a reader gain per document?", "patience is known"),
    ("Bpref", "do relevant ones beat nonrelevant?", "few are judged"),
    ("Judged@10", "how much of the top is judged at all?", "beside any measure"),
    ("alpha_nDCG@10", "is each subtopic served early?", "subtopics are judged"),
)
"""The common measures: what each answers, and when to use it."""


def common(_found: Described, style: Style) -> Iterator[Block]:
    """Yield the common measures, a line for each."""
    columns = [
        text("measure", get=itemgetter(0), least=0),
        prose("answers", get=itemgetter(1)),
        prose("when", get=itemgetter(2)),
    ]
    yield table("", columns, TWELVE, style)
    yield ""
    yield "'rankeval measures NAME' explains one, '--all' lists all, WORD searches them."
    yield "docs/which-measure.md helps to choose."


def listing(found: Described, style: Style) -> Iterator[Block]:
    """Yield a table of measures for each subject, or all that is known of those with examples."""
    shown = found if len(found) == 1 else [p for p in found if p[0].group != OF_TREC_EVAL]
    if all(example is not None for _, example in shown):
        for number, (one, example) in enumerate(shown):
            yield from ["", ""] if number else []
            yield from explained(one, example, style)
        return
    columns = [
        text("measure", get="usage", least=0),
        text("range", get=range_, least=0),
        prose("what it is", get="documentation.title"),
        text("parameters", get=lambda one: ", ".join(_inside(one))),
    ]
    for subject, members in groupby((one for one, _ in shown), key=lambda one: one.group):
        yield table(subject.capitalize(), columns, members, style)
    yield ""
    yield f"{len(shown)} measures; 'rankeval measures NAME' explains one."


def explained(one: Description, example: Explanation | None, style: Style) -> Iterator[Block]:
    """Yield the documentation of a measure, and its worked example."""
    written = one.documentation
    yield Heading(one.usage)
    yield written.title
    for block in written.body:
        yield ""
        yield Verbatim(block.text) if block.is_formula else block.text
    if one.parameters:
        yield table("Parameters", PARAMETERS, one.parameters, style)
    synonyms = [s.name if not s.meaning else f"{s.name} ({s.meaning})" for s in one.synonyms]
    for heading, items in (
        ("Needs", [f"{need}." for need in one.needs]),
        ("Edge cases", [f"- {item}" for item in written.edge_cases]),
        ("Differences from other tools", [f"- {item}" for item in written.differences]),
        ("Names in other tools", [", ".join(synonyms)] if synonyms else []),
        ("In short", [facts(one)]),
        ("Source", [written.source] if written.source else []),
    ):
        if items:
            yield from ["", Heading(heading), *items]
    if example is not None:
        yield from ["", Heading(worked_title(example))]
        if example.topic:
            yield explanations.ranks(example, style)
            yield ""
        yield from explanations.remarks(example, style)


def signed_name(parameter: DescribedParameter) -> str:
    """Return the name of a parameter, behind the @ that sets it."""
    return parameter.name if parameter.sign == parameter.name else f"@ ({parameter.name})"


PARAMETERS = [
    text("parameter", get=signed_name, least=0),
    prose("meaning"),
    prose("allowed"),
    text("default", get=lambda one: "none" if one.default is None else one.default, least=0),
]


def facts(description: Description) -> str:
    """Return range, direction and aggregate in a sentence."""
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


def worked_title(example: Explanation) -> str:
    """Return the value of a worked example."""
    value = "undefined" if math.isnan(example.value) else f"{example.value:.4f}"
    return f"Example: {example.measure} = {value}"


def _inside(description: Description) -> list[str]:
    """Return the parameters that stand within parentheses."""
    return [p.name for p in description.parameters if p.sign != "@"]


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


def _rows(found: Described, _style: Style) -> Rows:
    return rows_of(COLUMNS, [one for one, _ in found])


def document(found: Described, _style: Style) -> Document:
    """Return the descriptions of measures, each with its example where there is one."""
    every = [
        {**plain(one), **({} if example is None else {"example": plain(example)})}
        for one, example in found
    ]
    return headed("rankeval-measures/1", {"measures": every})


LISTING = Printer[Described](listing, _rows, document)
COMMON = Printer[Described](common, _rows, document)
