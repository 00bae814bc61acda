"""Scores of answers by nuggets in every format, and their schema."""

from collections.abc import Iterator, Mapping
from itertools import starmap

from rankeval.base.wording import count, number
from rankeval.commands.nuggets.task import NuggetReport, NuggetRun, NuggetTopic
from rankeval.evaluation.shown_values import judgments
from rankeval.output.data_rows import Row, TopicName
from rankeval.output.document_form import Document, headed, plain
from rankeval.output.escape import ALL
from rankeval.output.printer import Printer
from rankeval.output.style import Style
from rankeval.output.tables import NAME, Block, Cell, Column, Table, cell_of, numbers, ranked

SCHEMA = "rankeval-nuggets/1"


def document(report: NuggetReport) -> Document:
    """Return the scores of the runs and of their topics, which other commands read as results."""
    facts = {
        "beta": report.beta,
        "qrels": judgments(report.judged, by_topic=True),
        "runs": [_run(run) for run in report.runs],
        "warnings": report.warnings,
    }
    return headed(SCHEMA, plain(facts))


def _run(run: NuggetRun) -> Document:
    return {
        "name": run.name,
        "path": run.path,
        "number_of_topics": len(run.topics),
        "vital": sum(topic.vital for topic in run.topics),
        "nuggets": sum(topic.nuggets for topic in run.topics),
        "scores": dict(run.scores),
        "topics": {topic.topic: _topic(topic) for topic in run.topics},
    }


def _topic(topic: NuggetTopic) -> Document:
    return {"vital": topic.vital, "nuggets": topic.nuggets, "scores": dict(topic.scores)}


def blocks(report: NuggetReport, style: Style) -> Iterator[Block]:
    """Yield the table of the runs, and below it one of the topics of each if they are wanted."""
    if style.per_topic:
        for run in report.runs:
            yield _topics(run, style)
    if not style.per_topic or len(report.runs) > 1:
        yield _runs(report, style)
    if "f_score" in report.runs[0].scores:
        yield f"f_score: F of precision and the strict vital score, beta = {report.beta:g}."


def _runs(report: NuggetReport, style: Style) -> Table:
    names = list(report.runs[0].scores)
    emphases = [
        ranked([round(run.scores[name], style.decimals) for run in report.runs], loss=False)
        if len(report.runs) > 1
        else []
        for name in names
    ]
    rows: list[list[str | Cell]] = [[run.name, str(len(run.topics))] for run in report.runs]
    for name, emphasis in zip(names, emphases, strict=True):
        cells = [number(run.scores[name], style.decimals) for run in report.runs]
        drawn = (
            starmap(Cell, zip(cells, emphasis, strict=True)) if emphasis else map(cell_of, cells)
        )
        for row, cell in zip(rows, drawn, strict=True):
            row.append(cell)
    columns = [Column("run", NAME), *numbers(["topics", *names])]
    return Table("Scores by nuggets, means over topics", columns, rows, turned="score")


def _topics(run: NuggetRun, style: Style) -> Table:
    def cells(scores: Mapping[str, float]) -> list[str]:
        return [number(value, style.decimals) for value in scores.values()]

    rows = [
        [topic.topic, str(topic.vital), str(topic.nuggets), *cells(topic.scores)]
        for topic in run.topics
    ]
    vital, every = (
        sum(numbers)
        for numbers in zip(*((topic.vital, topic.nuggets) for topic in run.topics), strict=True)
    )
    rows.append([ALL, str(vital), str(every), *cells(run.scores)])
    columns = [Column("topic", 12), *numbers(["vital", "nuggets", *run.scores])]
    title = f"{run.name}, {count(len(run.topics), 'topic')}"
    return Table(title, columns, rows, footing=True, long=True)


HEADS = ("run", "topic", "score", "value")


def rows(report: NuggetReport, style: Style) -> Iterator[Row]:
    """Yield the scores of each run, behind those of its topics if they are wanted."""
    yield HEADS
    for run in report.runs:
        for topic in run.topics if style.per_topic else ():
            for name, value in topic.scores.items():
                yield [run.name, TopicName(topic.topic), name, value]
        for name, value in run.scores.items():
            yield [run.name, ALL, name, value]


PRINTER = Printer[NuggetReport](
    document=lambda report, _: document(report),
    rows=rows,
    blocks=blocks,
)
