"""The document on topics, the schema rankeval-topics/1, and its records."""

from collections.abc import Iterator
from dataclasses import asdict

from rankeval.documents.plain import Document, headed, plain
from rankeval.tasks.topics import MeasuredTopics, TopicFacts, TopicsReport

SCHEMA = "rankeval-topics/1"


def document(report: TopicsReport) -> Document:
    """Return the topics of the first measure, the hardest first, and of the others."""
    first, *others = report.measures
    return headed(
        SCHEMA,
        plain(
            {
                **_runs(report),
                **_measured(first),
                "further": [_measured(one) for one in others],
            }
        ),
    )


def records(report: TopicsReport) -> Iterator[Document]:
    """Yield per measure the comparison, and then its topics."""
    for found in report.measures:
        yield plain({**_runs(report), **_overall(found)})
        for topic in found.topics:
            yield plain({"measure": found.measure, "topic": topic.topic, **_facts(topic)})


def _runs(report: TopicsReport) -> Document:
    return {
        "digest": report.digest,
        "runs": [{"name": run.name, "path": run.path} for run in report.runs],
    }


def _measured(found: MeasuredTopics) -> Document:
    return {
        **_overall(found),
        "topics": {topic.topic: _facts(topic) for topic in found.topics},
    }


def _overall(found: MeasuredTopics) -> Document:
    return {
        "measure": found.measure,
        "loss": found.loss,
        "compared": found.compared,
        "difference": found.difference,
        "turned": found.turned,
    }


def _facts(topic: TopicFacts) -> Document:
    return {name: value for name, value in asdict(topic).items() if name != "topic"}
