"""The document of several collections, the schema rankeval-collections/1, and its records."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rankeval.choices import MissingRule
from rankeval.documents.content import Content
from rankeval.documents.plain import Document, headed, plain
from rankeval.documents.results import document as document_of_results
from rankeval.documents.values import ALL, averaged_topics, conventions_sentence
from rankeval.evaluation.results import Score
from rankeval.support.frozen import frozen
from rankeval.support.numbers import finite
from rankeval.tasks.collections.evaluate import CollectionResult, CollectionResults
from rankeval.tasks.collections.means import CollectionTable, collection_tables, scores_by_measure

SCHEMA = "rankeval-collections/1"
MACRO, MICRO, OF_PARTS = "macro mean", "micro mean", "mean of parts"


@frozen(eq=False)
class CollectionReport:
    """The results on several collections, with the rule for missing runs and the tables."""

    results: CollectionResults
    missing: MissingRule
    tables: tuple[CollectionTable, ...]


def report_of(results: CollectionResults, missing: MissingRule = "blank") -> CollectionReport:
    """Return the results with their tables."""
    return CollectionReport(results, missing, collection_tables(results, missing=missing))


def basis(results: CollectionResults) -> list[str]:
    """Return sentences on the topics averaged and the conventions, as far as they are not usual."""
    averaged = [
        f"{one.collection.name} {topics}"
        for one in results
        if (topics := averaged_topics(one.results.runs))
    ]
    where: dict[str, list[str]] = {}
    for one in results:
        words = dict.fromkeys(words for run in one.results.runs for words in run.conventions)
        for each in words:
            where.setdefault(each, []).append(one.collection.name)
    evaluated = sum(bool(one.results.runs) for one in results)
    said = [
        words if len(names) == evaluated else f"{words} on {', '.join(names)}"
        for words, names in where.items()
    ]
    return [
        *([f"Averaged: {'; '.join(averaged)}."] if averaged else []),
        *conventions_sentence(said),
    ]


def document(report: CollectionReport, content: Content) -> Document:
    """Return the results on each collection, as those of an evaluation, and the tables."""
    return headed(
        SCHEMA,
        {
            "systems": list(report.results.systems),
            "missing": report.missing,
            "collections": [_collection(one, content) for one in report.results],
            "measures": {table.measure: _table(table) for table in report.tables},
        },
    )


def _collection(one: CollectionResult, content: Content) -> Document:
    facts = document_of_results(one.results, content)
    return {
        "name": one.collection.name,
        "part_of": one.collection.part_of or None,
        **{key: facts[key] for key in ("qrels", "settings", "runs")},
        "missing": [
            {"system": run.system, "path": run.path or None, "error": run.error or None}
            for run in one.missing
        ],
    }


def _table(table: CollectionTable) -> Document:
    return plain(
        {
            "loss": table.loss,
            "collections": [
                {
                    "name": row.name,
                    "part_of": row.part_of or None,
                    "parts": row.parts,
                    "topics": row.topics,
                    "values": _by_system(table, row.values),
                }
                for row in table.rows
            ],
            "macro_mean": _by_system(table, table.macro_means),
            "micro_mean": _by_system(table, table.micro_means),
            "missing": _by_system(table, table.missing),
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
    part_of: str
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
            one.collection.name: scores_by_measure(one).get(table.key, {})
            for one in report.results
            if content.per_topic
        }
        for row in table.rows:
            for at, system in enumerate(table.systems):
                facts = row.name, row.part_of, system, table.measure
                yield from _topics(facts, scores.get(row.name, {}), system)
                query = OF_PARTS if row.parts else ALL
                yield CollectionLine(*facts, query, row.values[at], table.adds_up)
        for query, means in ((MACRO, table.macro_means), (MICRO, table.micro_means)):
            for system, value in zip(table.systems, means, strict=True):
                yield CollectionLine(ALL, "", system, table.measure, query, value)


def _topics(
    facts: tuple[str, str, str, str], scores: Mapping[str, Score], system: str
) -> Iterator[CollectionLine]:
    for topic, value in scores[system].per_topic.items() if system in scores else ():
        yield CollectionLine(*facts, topic, finite(value), is_topic=True)


def records(report: CollectionReport, content: Content) -> Iterator[Document]:
    """Yield collection, part_of, system, measure, query and value of each value."""
    for line in lines(report, content):
        yield {
            "collection": line.collection,
            "part_of": line.part_of or None,
            "system": line.system,
            "measure": line.measure,
            "query": line.query,
            "value": line.value,
        }
