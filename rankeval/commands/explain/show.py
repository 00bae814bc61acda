"""The tables of explanations: one of ranks for each measure, and what the value is made of."""

from collections.abc import Iterator, Sequence

from rankeval.commands.explain.task import ExplainedDocument, Explanation
from rankeval.errors import visible
from rankeval.evaluation.show import are_whole, conventions_sentence, decimal
from rankeval.evaluation.shown_texts import text_columns, topic_title
from rankeval.output.declared_columns import (
    Declared,
    Rows,
    Written,
    flag,
    grade,
    number,
    rows,
    table,
    text,
)
from rankeval.output.document_form import headed, plain
from rankeval.output.output_formats import Printer
from rankeval.output.style import Style
from rankeval.output.tables import Block, Cell, Heading, Table, Verbatim

UNJUDGED, UNDEFINED, TIED, RELEVANT = "?", "-", "=", "*"
MEANINGS = "* relevant; ? unjudged; = tied, by docno; value: of the ranking up to this rank"
SCREEN = 10
"""Ranks that are shown; -v shows all that are listed."""
MISSED_SHOWN = 2
QUANTITY_DIGITS = 4

Explanations = Sequence[Explanation]


def blocks(explanations: Explanations, style: Style) -> Iterator[Block]:
    """Yield the value of each measure, its formula, the table of ranks, and remarks."""
    for place, explanation in enumerate(explanations):
        if place:
            yield ""
        value = decimal(explanation.value, style.decimals, "undefined")
        named = topic_title(explanation.topic, explanation.texts.queries)
        yield Heading(f"{explanation.measure} = {value}, topic {named}, run {explanation.run}")
        yield Verbatim(explanation.formula)
        yield ""
        if explanation.documents:
            most = None if style.verbose else SCREEN
            yield ranks(explanation, style, most)
            if most and (left := len(explanation.documents) - most) > 0:
                yield f"({left} more: -v)"
        yield from remarks(explanation, style)


def ranks(explanation: Explanation, style: Style, most: int | None = None) -> Table:
    """Return the table of ranks, at most so many."""
    return table("", columns([explanation]), explanation.documents[:most], style)


def columns(explanations: Explanations) -> list[Declared]:
    """Return the columns of ranks, with the terms of all measures for programs."""
    first = explanations[0]
    every = (document.terms for one in explanations for document in one.documents)
    return [
        number("rank", words=lambda rank, _: f"{rank}"),
        text("docno", least=0),
        number("score", get=lambda one: one, words=_score, spare=True)._replace(data=_exact_score),
        grade("grade", get=lambda one: one, words=_grade, data=False),
        grade("grade", shown=False),
        flag("relevant", shown=False),
        *(_term(name, first) for name in dict.fromkeys(name for terms in every for name in terms)),
        number("adds", get="contribution", words=_value),
        number("value", get="running", words=_value),
        *text_columns(first.texts, lambda _: first.topic, lambda one: one.docno),
    ]


def _score(document: ExplainedDocument, _: Style) -> Cell:
    return Cell(f"{document.score:.7g}", mark=TIED if document.ties else "")


def _exact_score(document: ExplainedDocument) -> Written:
    return Written(document.score, repr(document.score))


def _grade(document: ExplainedDocument, _: Style) -> Cell:
    shown = UNJUDGED if document.grade is None else f"{document.grade:g}"
    return Cell(shown, mark=RELEVANT if document.relevant else "")


def _value(value: float, style: Style) -> str:
    return decimal(value, style.decimals, UNDEFINED)


def _term(term: str, first: Explanation) -> Declared:
    """Return a column, which people see of the first measure; whole if all its values are."""
    values = [one.terms[term] for one in first.documents if term in one.terms]
    whole = are_whole(values)

    def words(value: float | None, style: Style) -> str:
        return "" if value is None else decimal(value, 0 if whole else style.decimals, UNDEFINED)

    return number(
        term, get=lambda one: one.terms.get(term), words=words, shown=bool(values), spare=True
    )


def remarks(explanation: Explanation, style: Style) -> Iterator[str]:
    """Yield the quantities behind the value, the documents missed, and the meaning of marks."""
    quantities = ", ".join(
        f"{name} {decimal(value, 0 if are_whole([value]) else QUANTITY_DIGITS, UNDEFINED)}"
        for name, value in explanation.quantities.items()
    )
    yield MEANINGS if explanation.documents else "No document of the ranking is judged."
    if quantities:
        yield f"inputs: {quantities}"
    shown = explanation.missed[: None if style.verbose else MISSED_SHOWN]
    named = ", ".join(
        f"{visible(m.docno)} (grade {m.grade:g}, {f'rank {m.rank}' if m.rank else 'not retrieved'})"
        for m in shown
    )
    if named:
        more = len(explanation.missed) - len(shown)
        yield f"missed: {named}" + (f" and {more} more" if more else "")
    yield from map(visible, conventions_sentence(explanation.conventions))


def _rows(explanations: Explanations, _: Style) -> Rows:
    by_measure = (
        ({"measure": one.measure, "topic": one.topic}, one.documents) for one in explanations
    )
    return rows(columns(explanations), by_measure)


PRINTER = Printer[Explanations](
    blocks,
    _rows,
    lambda explanations, _: headed("rankeval-explain/1", {"explanations": plain(explanations)}),
)
