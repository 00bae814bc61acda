"""The tables of explanations: one of ranks for each measure, and what the value is made of."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

from rankeval.base.wording import visible
from rankeval.commands.explain.task import ExplainedDocument, Explanation
from rankeval.evaluation.shown_values import conventions_sentence, decimal
from rankeval.evaluation.text_cells import text_columns, topic_title
from rankeval.output.data_rows import Rows, Written
from rankeval.output.declared_columns import (
    Declared,
    data,
    flag,
    grade,
    number,
    rows,
    table,
    text,
    written,
)
from rankeval.output.document_form import headed, plain
from rankeval.output.printer import Printer
from rankeval.output.style import Style
from rankeval.output.tables import Block, Cell, Heading, Table, Verbatim

UNJUDGED, UNDEFINED, TIED, RELEVANT = "?", "-", "=", "*"
DOCNO_LEAST = 8
MISSED_SHOWN = 20
QUANTITY_DIGITS = 4

Explanations = Sequence[Explanation]


def blocks(explanations: Explanations, style: Style) -> Iterator[Block]:
    """Yield the value of each measure, its formula, the table of ranks, and remarks."""
    for place, explanation in enumerate(explanations):
        if place:
            yield ""
        value = decimal(explanation.value, style.decimals, "undefined")
        yield Heading(f"{explanation.measure} = {value}")
        named = topic_title(explanation.topic, explanation.texts.queries)
        yield f"topic {named}, run {explanation.run}"
        yield ""
        yield Verbatim(explanation.formula)
        yield ""
        if explanation.documents:
            yield ranks(explanation, style)
            yield ""
        yield from remarks(explanation)


def ranks(explanation: Explanation, style: Style) -> Table:
    """Return the table of ranks; each gap between ranks has a row."""
    drawn = table("", columns([explanation]), explanation.documents, style)
    found: list[Sequence[str | Cell]] = []
    before = 0
    for document, row in zip(explanation.documents, drawn.rows, strict=True):
        if document.rank > before + 1:
            gap = f"({document.rank - before - 1} more)"
            found.append(["", gap, *[""] * (len(row) - 2)])
        before = document.rank
        found.append(row)
    return replace(drawn, rows=found)


def columns(explanations: Explanations) -> list[Declared]:
    """Return the columns of ranks; programs get the terms of all measures, as the last ones."""
    first = explanations[0]
    return [
        number("rank", words=lambda rank, _: f"{rank}"),
        text("docno", least=DOCNO_LEAST),
        number("score", get=lambda one: one, words=_score)._replace(data=_exact_score),
        grade("grade", get=lambda one: one, words=_grade, data=False),
        grade("grade", shown=False),
        flag("relevant", shown=False),
        data("tie_first", get=lambda one: (one.ties or (one.rank,))[0]),
        data("tie_last", get=lambda one: (one.ties or (one.rank,))[-1]),
        *(_term(name, first.documents) for name in _terms([first])),
        number("adds", get="contribution", words=_value),
        number("value", get="running", words=_value),
        *_ideal(first),
        *(_data_of_term(name) for name in _terms(explanations)),
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


def _terms(explanations: Explanations) -> list[str]:
    every = (document.terms for one in explanations for document in one.documents)
    return list(dict.fromkeys(name for terms in every for name in terms))


def _term(name: str, documents: Sequence[ExplainedDocument]) -> Declared:
    """Return the column of a term for people: without decimals if all its values are whole."""
    whole = _are_whole([one.terms[name] for one in documents if name in one.terms])

    def words(value: float | None, style: Style) -> str:
        return "" if value is None else decimal(value, 0 if whole else style.decimals, UNDEFINED)

    return written(name, get=lambda one: one.terms.get(name), words=words, data=False)


def _data_of_term(name: str) -> Declared:
    return data(name, get=lambda one: one.terms.get(name))


def _ideal(explanation: Explanation) -> list[Declared]:
    """Return the column of the ideal ranking's term at each rank; none without an ideal."""
    name = next(iter(explanation.ideal[0].terms), "") if explanation.ideal else ""
    if not name:
        return []
    values = {place.rank: place.terms[name] for place in explanation.ideal}
    whole = _are_whole(list(values.values()))

    def words(value: float | None, style: Style) -> str:
        return "" if value is None else decimal(value, 0 if whole else style.decimals, UNDEFINED)

    return [written(f"ideal {name}", get=lambda one: values.get(one.rank), words=words, data=False)]


def _are_whole(values: Sequence[float]) -> bool:
    return all(float(value).is_integer() for value in values if math.isfinite(value))


def remarks(explanation: Explanation) -> Iterator[str]:
    """Yield the quantities behind the value, the documents missed, and the meaning of marks."""
    if explanation.topic and not explanation.documents:
        yield "No document of the ranking is judged."
    made_of = ", ".join(
        f"{name} {decimal(value, 0 if _are_whole([value]) else QUANTITY_DIGITS, UNDEFINED)}"
        for name, value in explanation.quantities.items()
    )
    if made_of:
        yield f"Made of: {made_of}."
    yield from _missed(explanation)
    marks = []
    if any(document.relevant for document in explanation.documents):
        marks.append(f"{RELEVANT} relevant")
    if any(document.grade is None for document in explanation.documents):
        marks.append(f"grade {UNJUDGED} unjudged")
    if any(document.ties for document in explanation.documents):
        marks.append(f"{TIED} same score as its neighbour, ordered by docno")
    if explanation.documents:
        yield "; ".join([*marks, "value: of the ranking down to there"]) + "."
    yield from map(visible, conventions_sentence(explanation.conventions))


def _missed(explanation: Explanation) -> Iterator[str]:
    for what, group in (
        ("Relevant and not retrieved", [m for m in explanation.missed if m.rank is None]),
        ("Relevant below the last rank", [m for m in explanation.missed if m.rank is not None]),
    ):
        if group:
            named = ", ".join(
                f"{visible(m.docno)}{_titled(explanation, m.docno)} "
                f"({f'rank {m.rank}, ' if m.rank else ''}grade {m.grade:g})"
                for m in group[:MISSED_SHOWN]
            )
            more = len(group) - MISSED_SHOWN
            yield f"{what}: {named}" + (f" and {more} more." if more > 0 else ".")


def _titled(explanation: Explanation, docno: str) -> str:
    shown = explanation.texts.document(explanation.topic, docno)
    return f' "{visible(shown.title)}"' if shown is not None and shown.title else ""


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
