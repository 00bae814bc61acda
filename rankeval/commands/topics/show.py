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
from rankeval.output.tables import Block, Note
from rankeval.output.text import MORE

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
    """Yield a sentence on each measure and the hardest topics; with -v the ends of other orders."""
    brief = False
    for measured in report.measures:
        yield _headline(measured, report, style)
        every, *more = _orders(measured, report)
        wanted = [every] if style.per_topic or len(measured.topics) <= SHOWN else more
        for title, topics in wanted if style.verbose else wanted[:1]:
            yield table(f"{measured.measure}: {title}", columns(report), topics, style, long=True)
        brief |= len(wanted) > 1 and not style.verbose
    yield from basis(report.runs)
    if brief:
        yield Note(MORE)


def _orders(
    measured: MeasuredTopics, report: TopicsReport
) -> Iterator[tuple[str, Sequence[TopicFacts]]]:
    """Yield titles and topics: all of them, and those at the ends of some orders.

    A topic without a relevant document is hard for no run.
    """
    known = [one for one in measured.topics if one.mean is not None]
    yield "all topics, the hardest first", measured.topics
    yield "hardest topics", [one for one in known if one.relevant][:SHOWN]
    yield "easiest topics", known[::-1][:SHOWN]
    if len(report.runs) > 1:
        varied = sorted(known, key=lambda one: -(one.variance or 0.0))
        yield "topics on which the runs differ most", varied[:SHOWN]
    if measured.compared is not None and measured.difference:
        moved = sorted(known, key=lambda one: one.influence or 0.0)
        yield "topics that carry the difference", moved[:SHOWN]


def _headline(measured: MeasuredTopics, report: TopicsReport, style: Style) -> str:
    over = f"{count(len(measured.topics), 'topic')}, {count(len(report.runs), 'run')}"
    if measured.compared is None or measured.difference is None:
        return f"{measured.measure}, {over}."
    baseline, other = measured.compared
    said = (
        f"{measured.measure}, {over}: {other} - {baseline} is "
        f"{signed(measured.difference, style.decimals)}. Influence: the change of this "
        "difference without the topic."
    )
    if measured.turned:
        listed = ", ".join(measured.turned[:SHOWN])
        more = "" if len(measured.turned) <= SHOWN else ", ..."
        said += f" Without any one of these topics it turns round: {listed}{more}."
    return said


def _rows(report: TopicsReport, _: Style) -> Rows:
    by_measure = (({"measure": one.measure}, one.topics) for one in report.measures)
    return rows(columns(report), by_measure)


PRINTER = Printer[TopicsReport](blocks, _rows)
