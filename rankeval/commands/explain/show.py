"""Explanations in every format, and their schema."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace

from rankeval.base.wording import visible
from rankeval.choices import Format
from rankeval.commands.explain.task import ExplainedDocument, Explanation
from rankeval.evaluation.shown_values import conventions_sentence, decimal
from rankeval.evaluation.text_cells import (
    cells_of_texts,
    columns_of_texts,
    heads_of_texts,
    query_document,
    topic_title,
    values_of_texts,
    with_texts,
)
from rankeval.output import escape
from rankeval.output import markdown as markdown_tables
from rankeval.output.data_rows import Row, Written, exact
from rankeval.output.document_form import Document, fields_of, headed, plain
from rankeval.output.latex import latex_file as latex_of
from rankeval.output.looks import Look
from rankeval.output.printer import Printer
from rankeval.output.style import Style
from rankeval.output.tables import Cell, Column, Table
from rankeval.output.text import bold, drawn, paragraph

SCHEMA = "rankeval-explain/1"


def _floats(terms: Mapping[str, float]) -> dict[str, float]:
    """Return numbers as fractions, whatever they count."""
    return {name: float(value) for name, value in terms.items()}


def document(explanations: Sequence[Explanation]) -> Document:
    """Return the explanations in one document."""
    return headed(SCHEMA, {"explanations": [*map(explained, explanations)]})


def explained(explanation: Explanation) -> Document:
    """Return the facts of one explanation."""
    texts = explanation.texts
    facts = {
        "topic": explanation.topic,
        **query_document(texts, explanation.topic),
        **fields_of(explanation, "run", "measure", "value", "formula", "signature", "retrieved"),
        "quantities": _floats(explanation.quantities),
        "documents": with_texts(
            ({**asdict(one), "terms": _floats(one.terms)} for one in explanation.documents),
            texts,
            explanation.topic,
        ),
        "ideal": [{**asdict(one), "terms": _floats(one.terms)} for one in explanation.ideal],
        **fields_of(explanation, "conventions", "warnings"),
        "missed": with_texts(map(asdict, explanation.missed), texts, explanation.topic),
    }
    return {**plain(facts)}


UNJUDGED, UNDEFINED, TIED, RELEVANT = "?", "-", "=", "*"
DOCNO_LEAST = 8
MISSED_SHOWN = 20
QUANTITY_DIGITS = 4

Writer = Callable[[float], str]


def table(explanations: Sequence[Explanation], style: Style) -> Iterator[str]:
    """Print a table of ranks per measure, with its formula and remarks."""
    for number, one in enumerate(explanations):
        if number:
            yield "\n"
        yield from explanation_table(one, style)


def explanation_table(explanation: Explanation, style: Style) -> Iterator[str]:
    """Print the value, its formula, the ranks, the quantities, and the documents missed."""
    show = visible
    value = decimal(explanation.value, style.decimals, "undefined")
    yield bold(f"{show(explanation.measure)} = {value}", style) + "\n"
    named = topic_title(explanation.topic, explanation.texts.queries)
    yield paragraph(f"topic {show(named)}, run {show(explanation.run)}", style) + "\n\n"
    yield "".join(f"  {line}\n" for line in explanation.formula.splitlines())
    yield "\n"
    if explanation.documents:
        yield from ranks(explanation, style)
        yield "\n"
    for line in remarks(explanation):
        yield paragraph(line, style) + "\n"


def ranks(explanation: Explanation, style: Style) -> Iterator[str]:
    """Draw the table of ranks."""
    return drawn(_table(explanation, style), style)


def _table(explanation: Explanation, style: Style) -> Table:
    heads, rows = _cells(explanation, style.decimals)
    return Table("", [*_columns(heads), *columns_of_texts(explanation.texts)], rows)


def _columns(heads: Sequence[str]) -> list[Column]:
    return [
        Column(head, DOCNO_LEAST) if head == "docno" else Column(head, right=True) for head in heads
    ]


def _cells(explanation: Explanation, digits: int) -> tuple[list[str], list[list[str | Cell]]]:
    """Return heads and cells; each gap between ranks has a row."""
    terms = {
        name: _writer([d.terms[name] for d in explanation.documents if name in d.terms], digits)
        for name in _term_names(explanation)
    }
    ideal_term = next(iter(explanation.ideal[0].terms), "") if explanation.ideal else ""
    ideal = {place.rank: place.terms[ideal_term] for place in explanation.ideal}
    written = _writer(list(ideal.values()), digits)
    heads = ["rank", "docno", "score", "grade", *terms, "adds", "value"]
    heads += [f"ideal {ideal_term}"] if ideal_term else []
    before = 0
    rows: list[list[str | Cell]] = []
    for document in explanation.documents:
        if document.rank > before + 1:
            width = len(heads) + explanation.texts.has_docs
            rows.append(["", f"({document.rank - before - 1} more)", *[""] * (width - 2)])
        before = document.rank
        row = _row(document, terms, digits)
        if ideal_term:
            row.append(written(ideal[document.rank]) if document.rank in ideal else "")
        row += cells_of_texts(explanation.texts, explanation.topic, document.docno)
        rows.append(row)
    return heads, rows


def _row(document: ExplainedDocument, terms: Mapping[str, Writer], digits: int) -> list[str | Cell]:
    grade = UNJUDGED if document.grade is None else f"{document.grade:g}"
    return [
        str(document.rank),
        document.docno,
        Cell(f"{document.score:.7g}", mark=TIED if document.ties else ""),
        Cell(grade, mark=RELEVANT if document.relevant else ""),
        *(terms[t](document.terms[t]) if t in document.terms else "" for t in terms),
        decimal(document.contribution, digits, UNDEFINED),
        decimal(document.running, digits, UNDEFINED),
    ]


def _term_names(explanation: Explanation) -> list[str]:
    return list(
        dict.fromkeys(name for document in explanation.documents for name in document.terms)
    )


def _writer(values: Sequence[float], digits: int) -> Writer:
    """Return the function that writes a column's numbers: without decimals if all are whole."""
    whole = all(float(value).is_integer() for value in values if math.isfinite(value))
    return lambda value: decimal(value, 0 if whole else digits, UNDEFINED)


def remarks(explanation: Explanation) -> Iterator[str]:
    """Yield the quantities behind the value, the documents missed, and the meaning of marks."""
    if explanation.topic and not explanation.documents:
        yield "No document of the ranking is judged."
    made_of = ", ".join(
        f"{name} {_writer([value], QUANTITY_DIGITS)(value)}"
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


def markdown(explanations: Sequence[Explanation], style: Style) -> Iterator[str]:
    """Print a heading, the formula and a table per measure."""
    for count, one in enumerate(explanations):
        value = decimal(one.value, style.decimals, "undefined")
        yield "\n" if count else ""
        yield f"### {escape.markdown(one.measure)} = {value}\n\n"
        named = escape.markdown(one.topic)
        query = one.texts.query(one.topic)
        named += f' "{escape.markdown_prose(query)}"' if query else ""
        yield f"Topic {named}, run {escape.markdown(one.run)}.\n\n"
        yield f"```text\n{one.formula}\n```\n\n"
        yield from markdown_ranks(one, style)
        yield "\n"
        # In a fence nothing has effect; each line begins with a word of ours, so none closes it.
        yield "```text\n" + "".join(f"{line}\n" for line in remarks(one)) + "```\n"


def markdown_ranks(explanation: Explanation, style: Style) -> Iterator[str]:
    """Print the table of ranks."""
    return markdown_tables.table(_table(explanation, style))


def rows(explanations: Sequence[Explanation], _style: Style) -> Iterator[Row]:
    """Yield a row per measure and rank; the terms of all measures are the last columns."""
    terms = list(dict.fromkeys(name for one in explanations for name in _term_names(one)))
    heads = ["measure", "topic", "rank", "docno", "score", "grade", "relevant"]
    said = heads_of_texts(explanations[0].texts)
    yield [*heads, "tie_first", "tie_last", "adds", "value", *terms, *said]
    for explanation in explanations:
        for document in explanation.documents:
            yield [
                *(explanation.measure, explanation.topic, document.rank, document.docno),
                Written(document.score, repr(document.score)),
                exact(document.grade),
                Written(document.relevant, str(int(document.relevant))),
                *(document.ties or (document.rank, document.rank)),
                *(document.contribution, document.running),
                *map(document.terms.get, terms),
                *values_of_texts(explanation.texts, explanation.topic, document.docno),
            ]


def html(explanation: Explanation, style: Style) -> Iterator[str]:
    """Print the value, its formula, the ranks and the remarks for a notebook."""
    from rankeval.output.html import html as html_of
    from rankeval.output.html import preformatted

    value = decimal(explanation.value, style.decimals, "undefined")
    named = topic_title(explanation.topic, explanation.texts.queries)
    yield from html_of([f"{explanation.measure} = {value}: topic {named}, run {explanation.run}"])
    yield preformatted(explanation.formula)
    yield from html_of([_table(explanation, style), *remarks(explanation)])


def latex(explanations: Sequence[Explanation], style: Style) -> Iterator[str]:
    """Print a table of ranks per measure, with the value as its caption."""
    yield "% packages: booktabs\n"
    for explanation in explanations:
        value = decimal(explanation.value, style.decimals, "undefined")
        named = topic_title(explanation.topic, explanation.texts.queries)
        said = f"{explanation.measure} = {value} for topic {named} of {explanation.run}"
        yield from latex_of(
            [replace(_table(explanation, style), title=said), *remarks(explanation)], style
        )


EXPLANATIONS = Printer[Sequence[Explanation]](
    document=lambda explanations, _: document(explanations),
    rows=rows,
    drawings={
        Format.TABLE: table,
        Format.MARKDOWN: markdown,
        Format.LATEX: latex,
    },
)


def look() -> Look:
    """Return how an explanation shows itself."""
    return Look(EXPLANATIONS, html, several=True)
