"""The tables of scores by nuggets."""

from collections.abc import Iterator

from rankeval.base.wording import count as counted
from rankeval.base.wording import number as number_text
from rankeval.commands.nuggets.task import NuggetReport, NuggetRun, NuggetTopic
from rankeval.output.data_rows import Row, TopicName
from rankeval.output.declared_columns import Declared, count, name, number, table, topic
from rankeval.output.escape import ALL
from rankeval.output.printer import Printer
from rankeval.output.style import Style
from rankeval.output.tables import Block


def _scores(run: NuggetRun, *, best: bool | None = None) -> list[Declared]:
    """Return a column for each score."""

    def of(score: str) -> Declared:
        return number(score, get=lambda one: one.scores[score], best=best)

    return list(map(of, run.scores))


def blocks(report: NuggetReport, style: Style) -> Iterator[Block]:
    """Yield which run is best, and a table of the runs or, with -q, of the topics of each."""
    first = report.runs[0]
    score = next((name for name in ("vital_score", *first.scores) if name in first.scores), "")
    best = max(report.runs, key=lambda run: run.scores[score])
    value = f"{score} {number_text(best.scores[score], style.decimals)}"
    topics = counted(len(best.topics), "topic")
    several = len(report.runs) > 1
    yield f"{best.name}{' scores highest' if several else ''}: {value} over {topics}."
    for run in report.runs if style.per_topic else ():
        columns = [topic("topic"), count("vital"), count("nuggets"), *_scores(run)]
        vital = sum(one.vital for one in run.topics)
        whole = NuggetTopic(ALL, vital, sum(one.nuggets for one in run.topics), run.scores)
        title = f"{run.name}, {counted(len(run.topics), 'topic')}"
        yield table(title, columns, [*run.topics, whole], style, footing=1, long=True)
    if not style.per_topic or len(report.runs) > 1:
        columns = [name("name", "run"), count("topics", get=lambda run: len(run.topics))]
        columns += _scores(first, best=True)
        title = "Scores by nuggets, means over topics"
        yield table(title, columns, report.runs, style, turned="score")
    if "f_score" in first.scores:
        yield f"f_score: F of precision and the strict vital score, beta = {report.beta:g}."


def rows(report: NuggetReport, style: Style) -> Iterator[Row]:
    """Yield the scores of each run, after those of its topics if they are wanted."""
    yield ["run", "topic", "score", "value"]
    for run in report.runs:
        for one in run.topics if style.per_topic else ():
            for score, value in one.scores.items():
                yield [run.name, TopicName(one.topic), score, value]
        for score, value in run.scores.items():
            yield [run.name, ALL, score, value]


PRINTER = Printer[NuggetReport](blocks, rows)
