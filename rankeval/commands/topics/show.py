"""The tables of topics."""

from collections.abc import Iterator, Sequence

from rankeval.base.wording import count, signed
from rankeval.commands.topics.task import MeasuredTopics, TopicFacts, TopicsReport
from rankeval.evaluation.shown_values import basis
from rankeval.output.data_rows import Rows
from rankeval.output.declared_columns import (
    Declared,
    number,
    percent,
    prose,
    rows,
    table,
    text,
    topic,
)
from rankeval.output.printer import Printer
from rankeval.output.style import Style
from rankeval.output.tables import Block

SHOWN = 10


def columns(report: TopicsReport) -> list[Declared]:
    """Return the columns; the query is the second for people, and the last for programs."""
    queries = report.texts.queries
    query = [prose("query", get=lambda one: queries.get(one.topic))] * report.texts.has_queries
    return [
        topic("topic"),
        *(one._replace(data=None) for one in query),
        number("mean"),
        number("variance"),
        text("best"),
        text("worst"),
        percent("influence"),
        *(one._replace(words=None) for one in query),
    ]


def blocks(report: TopicsReport, style: Style) -> Iterator[Block]:
    """Yield the tables of each measure, and what influence is."""
    for measured in report.measures:
        for title, topics in _parts(measured, report, style):
            yield table(title, columns(report), topics, style, long=True)
        yield from _comparison(measured, style)
    yield from basis(report.runs)


def _parts(
    measured: MeasuredTopics, report: TopicsReport, style: Style
) -> Iterator[tuple[str, Sequence[TopicFacts]]]:
    """Yield titles and topics: all of them, or those at the ends of some orders."""
    n_topics = count(len(measured.topics), "topic")
    head = f"{measured.measure}, {n_topics}, {count(len(report.runs), 'run')}"
    if style.per_topic or len(measured.topics) <= SHOWN:
        yield f"{head}, the hardest first", measured.topics
        return
    known = [one for one in measured.topics if one.mean is not None]
    yield f"{head}: hardest topics", known[:SHOWN]
    yield f"{measured.measure}: easiest topics", known[::-1][:SHOWN]
    if len(report.runs) > 1:
        varied = sorted(known, key=lambda one: -(one.variance or 0.0))
        yield f"{measured.measure}: topics on which the runs differ most", varied[:SHOWN]
    if measured.compared is not None and measured.difference:
        moved = sorted(known, key=lambda one: one.influence or 0.0)
        yield f"{measured.measure}: topics that carry the difference", moved[:SHOWN]


def _comparison(measured: MeasuredTopics, style: Style) -> Iterator[str]:
    if measured.compared is None or measured.difference is None:
        return
    baseline, other = measured.compared
    yield (
        f"Influence: change of the difference {other} - {baseline} "
        f"({signed(measured.difference, style.decimals)}) when the topic is left out."
    )
    if measured.turned:
        listed = ", ".join(measured.turned[:SHOWN])
        more = "" if len(measured.turned) <= SHOWN else ", ..."
        yield f"Without any one of these topics the difference turns round: {listed}{more}."


def _rows(report: TopicsReport, _: Style) -> Rows:
    by_measure = (({"measure": one.measure}, one.topics) for one in report.measures)
    return rows(columns(report), by_measure)


PRINTER = Printer[TopicsReport](blocks, _rows)
