"""The report on topics in every format, and its schema."""

from collections.abc import Iterator, Sequence

from rankeval.base.wording import count, number, percent, signed
from rankeval.commands.topics.task import MeasuredTopics, TopicFacts, TopicsReport
from rankeval.evaluation.shown_texts import ShownTexts
from rankeval.output.data_rows import Row, TopicName
from rankeval.output.document_form import Document, fields_of, headed, plain
from rankeval.output.looks import Look, in_html, nothing
from rankeval.output.printer import Printer
from rankeval.output.style import Style
from rankeval.output.tables import NAME, Block, Cell, Column, Table, numbers
from rankeval.output.text_cells import heads_of_texts, query_cell, query_document, values_of_texts
from rankeval.output.values import basis

SCHEMA = "rankeval-topics/1"


def document(report: TopicsReport) -> Document:
    """Return the topics of the first measure, the hardest first, and of the others."""
    first, *others = report.measures
    return headed(
        SCHEMA,
        plain(
            {
                "digest": report.digest,
                "runs": [fields_of(run, "name", "path") for run in report.runs],
                **_measured(first, report.texts),
                "further": [_measured(one, report.texts) for one in others],
            }
        ),
    )


def _measured(found: MeasuredTopics, texts: ShownTexts) -> Document:
    return {
        **fields_of(found, "measure", "loss", "compared", "difference", "turned"),
        "topics": {
            topic.topic: {**query_document(texts, topic.topic), **fields_of(topic, *HEADS[2:])}
            for topic in found.topics
        },
    }


SHOWN = 10


def blocks(report: TopicsReport, style: Style) -> Iterator[Block]:
    """Yield the tables of each measure; with the values of topics, one of all of them."""
    for found in report.measures:
        yield from _blocks_of_measure(found, report, style)
    yield from basis(report.runs)


def _blocks_of_measure(
    found: MeasuredTopics, report: TopicsReport, style: Style
) -> Iterator[Block]:
    number_of = len(found.topics)
    head = f"{found.measure}, {count(number_of, 'topic')}, {count(len(report.runs), 'run')}"
    if style.per_topic or number_of <= SHOWN:
        yield _table(f"{head}, the hardest first", found.topics, report.texts, style)
    else:
        known = [topic for topic in found.topics if topic.mean is not None]
        varied = sorted(known, key=lambda topic: -(topic.variance or 0.0))
        yield _table(f"{head}: hardest topics", known[:SHOWN], report.texts, style)
        yield _table(f"{found.measure}: easiest topics", known[::-1][:SHOWN], report.texts, style)
        if len(report.runs) > 1:
            title = f"{found.measure}: topics on which the runs differ most"
            yield _table(title, varied[:SHOWN], report.texts, style)
        if found.compared is not None and found.difference:
            moved = sorted(known, key=lambda topic: topic.influence or 0.0)
            title = f"{found.measure}: topics that carry the difference"
            yield _table(title, moved[:SHOWN], report.texts, style)
    yield from _comparison(found, style)


def _comparison(found: MeasuredTopics, style: Style) -> Iterator[Block]:
    if found.compared is None or found.difference is None:
        return
    baseline, other = found.compared
    yield (
        f"Influence: change of the difference {other} - {baseline} "
        f"({signed(found.difference, style.decimals)}) when the topic is left out."
    )
    if found.turned:
        listed = ", ".join(found.turned[:SHOWN])
        more = "" if len(found.turned) <= SHOWN else ", ..."
        yield f"Without any one of these topics the difference turns round: {listed}{more}."


def _table(title: str, topics: Sequence[TopicFacts], texts: ShownTexts, style: Style) -> Table:
    rows: list[list[str | Cell]] = [
        [
            topic.topic,
            *([query_cell(texts, topic.topic)] if texts.has_queries else []),
            number(topic.mean, style.decimals),
            number(topic.variance, style.decimals),
            topic.best or "-",
            topic.worst or "-",
            "-" if topic.influence is None else percent(topic.influence),
        ]
        for topic in topics
    ]
    columns = [
        Column("topic", 12),
        *([Column("query", 24, prose=True)] if texts.has_queries else []),
        *numbers(["mean", "variance"]),
        Column("best", NAME // 2),
        Column("worst", NAME // 2),
        *numbers(["influence"]),
    ]
    return Table(title, columns, rows, long=True)


HEADS = ("measure", "topic", "mean", "variance", "best", "worst", "influence")


def rows(report: TopicsReport, _style: Style) -> Iterator[Row]:
    """Yield the topics of each measure."""
    yield [*HEADS, *heads_of_texts(report.texts)]
    for found in report.measures:
        for topic in found.topics:
            facts = fields_of(topic, *HEADS[2:]).values()
            said = values_of_texts(report.texts, topic.topic)
            yield [found.measure, TopicName(topic.topic), *facts, *said]


TOPICS = Printer[TopicsReport](
    document=lambda report, _: document(report),
    rows=rows,
    blocks=blocks,
)


def look() -> Look:
    """Return how the result shows itself."""
    return Look(TOPICS, in_html(blocks), warnings=nothing)
