"""Results over several collections in every format, and their schema."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from rankeval.base.frozen import frozen
from rankeval.base.wording import UNDEFINED, count, finite, number
from rankeval.choices import Shape
from rankeval.commands.collections.collection_means import (
    CollectionTable,
    collection_tables,
    conventions_of,
    scores_by_measure,
    topics_averaged,
)
from rankeval.commands.collections.task import CollectionResult, CollectionResults
from rankeval.evaluation.evaluation_document import document as document_of_results
from rankeval.evaluation.results import Score
from rankeval.evaluation.show import tables as tables_of_results
from rankeval.evaluation.shown_values import conventions_sentence
from rankeval.output.data_rows import Row, TopicName, Value
from rankeval.output.document_form import Document, fields_of, headed, plain
from rankeval.output.escape import ALL
from rankeval.output.printer import Printer
from rankeval.output.style import Content, Style
from rankeval.output.tables import NAME, Block, Cell, Column, Table, numbers, ranked

SCHEMA = "rankeval-collections/1"

MACRO = "macro mean"


@frozen(eq=False)
class CollectionReport:
    """The results on several collections, with their tables."""

    results: CollectionResults
    tables: tuple[CollectionTable, ...]


def report_of(results: CollectionResults) -> CollectionReport:
    """Return the results with their tables."""
    return CollectionReport(results, collection_tables(results))


def basis(results: CollectionResults) -> list[str]:
    """Return sentences on the topics averaged and the conventions, as far as they are not usual."""
    averaged = "; ".join(topics_averaged(results))
    return [
        *([f"Averaged: {averaged}."] if averaged else []),
        *conventions_sentence(conventions_of(results)),
    ]


def document(report: CollectionReport, content: Content) -> Document:
    """Return the results on each collection, as those of an evaluation, and the tables."""
    return headed(
        SCHEMA,
        {
            "systems": list(report.results.systems),
            "collections": [_collection(result, content) for result in report.results],
            "measures": {table.measure: _table(table) for table in report.tables},
        },
    )


def _collection(result: CollectionResult, content: Content) -> Document:
    facts = document_of_results(result.results, content)
    return {
        "name": result.collection.name,
        **{key: facts[key] for key in ("qrels", "settings", "runs")},
        "missing": [
            {"system": run.system, "path": run.path or None, "error": run.error or None}
            for run in result.missing
        ],
    }


def _table(table: CollectionTable) -> Document:
    return plain(
        {
            "loss": table.loss,
            "collections": [
                {**fields_of(row, "name", "topics"), "values": _by_system(table, row.values)}
                for row in table.rows
            ],
            "macro_mean": _by_system(table, table.macro_means),
        }
    )


def _by_system(table: CollectionTable, values: Sequence[Any]) -> dict[str, Any]:
    return dict(zip(table.systems, values, strict=True))


@frozen
class CollectionLine:
    """One value of a system: of a topic, of a collection, or of all collections.

    `query` is the topic, "all" for all topics of the collection, or the name of a mean.
    """

    collection: str
    system: str
    measure: str
    query: str
    value: float | None
    adds_up: bool = False
    is_topic: bool = False


def lines(report: CollectionReport, content: Content) -> Iterator[CollectionLine]:
    """Yield the values measure by measure and collection by collection, then the means."""
    for table in report.tables:
        scores = {
            result.collection.name: scores_by_measure(result).get(table.key, {})
            for result in report.results
            if content.per_topic
        }
        for row in table.rows:
            for at, system in enumerate(table.systems):
                facts = row.name, system, table.measure
                yield from _topics(facts, scores.get(row.name, {}), system)
                yield CollectionLine(*facts, ALL, row.values[at], table.adds_up)
        for system, value in zip(table.systems, table.macro_means, strict=True):
            yield CollectionLine(ALL, system, table.measure, MACRO, value)


def _topics(
    facts: tuple[str, str, str], scores: Mapping[str, Score], system: str
) -> Iterator[CollectionLine]:
    for topic, value in scores[system].per_topic.items() if system in scores else ():
        yield CollectionLine(*facts, topic, finite(value), is_topic=True)


MISSING = "missing"


def blocks(report: CollectionReport, style: Style) -> Iterator[Block]:
    """Yield a table for each measure, and sentences on how to read them."""
    if style.per_topic:
        for result in report.results:
            if result.results.runs:
                for found in tables_of_results(result.results, replace(style, summary=False)):
                    name = result.collection.name
                    title = f"{name}, {found.title}" if found.title else name
                    yield replace(found, title=title)
    for table in report.tables:
        yield from measure_blocks(table, style)
    yield from _missing(report)
    yield from basis(report.results)


def measure_blocks(table: CollectionTable, style: Style) -> Iterator[Block]:
    """Yield the table of a measure, and the names that the measure has elsewhere."""
    yield _whole(table, style)
    names: dict[str, list[str]] = {}
    for collection, name in table.names.items():
        names.setdefault(name, []).append(collection)
    if names:
        shown = "; ".join(f"{name} in {', '.join(where)}" for name, where in names.items())
        yield f"{table.measure} is {shown}."


def _whole(table: CollectionTable, style: Style) -> Table:
    row = partial(_row, table, style)
    number_of_collections = count(len(table.rows), "collection")
    return Table(
        title=table.measure,
        columns=[Column("collection", NAME), *numbers(["topics", *table.systems])],
        rows=[
            *(
                row(collection.name, collection.topics, collection.values, MISSING)
                for collection in table.rows
            ),
            row(f"{MACRO} ({number_of_collections})", None, table.macro_means),
        ],
        footing=1,
        turned="system",
    )


def _row(
    table: CollectionTable,
    style: Style,
    name: str,
    topics: int | None,
    values: Sequence[float | None],
    undefined: str = UNDEFINED,
) -> list[str | Cell]:
    whole = table.adds_up and all(value is None or value.is_integer() for value in values)
    digits = 0 if whole else style.decimals
    shown = [undefined if value is None else number(value, digits) for value in values]
    printed = [
        None if value is None or table.adds_up else float(text)
        for value, text in zip(values, shown, strict=True)
    ]
    cells = map(Cell, shown, ranked(printed, loss=table.loss))
    return [name, "" if topics is None else str(topics), *cells]


def _missing(report: CollectionReport) -> Iterator[Block]:
    """Yield how many runs are missing, and the effect on the means."""
    lacking: dict[str, list[str]] = {}
    for run in report.results.missing:
        lacking.setdefault(run.system, []).append(run.collection)
    for system, collections in lacking.items():
        share = f"{len(collections)} of {count(len(report.results), 'collection')}"
        yield f"{system} has no run on {share}: {', '.join(collections)}."
    if lacking:
        yield "A system without a run has no mean over collections."


HEADS = ("collection", "system", "measure", "query", "value")


def rows(report: CollectionReport, style: Style) -> Iterator[Row]:
    """Yield a value in each row, or in the wide shape a column per system."""
    return (_long if style.shape is Shape.LONG else _wide)(report, style)


def _long(report: CollectionReport, style: Style) -> Iterator[Row]:
    yield HEADS
    for line in lines(report, style):
        names = line.collection, line.system, line.measure
        yield [*names, _query(line), _number(line)]


def _wide(report: CollectionReport, style: Style) -> Iterator[Row]:
    cells: dict[tuple[Value, ...], dict[str, Value]] = {}
    for line in lines(report, style):
        names = line.collection, line.measure, _query(line)
        cells.setdefault((*names, line.is_topic), {})[line.system] = _number(line)
    systems = report.results.systems
    yield [HEADS[0], *HEADS[2:4], *systems]
    for row, values in cells.items():
        yield [*row[:-1], *map(values.get, systems)]


def _query(line: CollectionLine) -> str:
    return TopicName(line.query) if line.is_topic else line.query


def _number(line: CollectionLine) -> Value:
    if line.adds_up and line.value is not None and line.value.is_integer():
        return int(line.value)
    return line.value


COLLECTIONS = Printer[CollectionReport](
    document=document,
    rows=rows,
    blocks=blocks,
)
