"""The document on nuggets, the schema rankeval-nuggets/1, and its records."""

from collections.abc import Iterator

from rankeval.documents.plain import Document, headed, plain
from rankeval.tasks.nuggets import NuggetReport, NuggetRun, NuggetTopic

SCHEMA = "rankeval-nuggets/1"


def document(report: NuggetReport, *, per_topic: bool) -> Document:
    """Return the scores of the runs, and of their topics if they are wanted."""
    runs = [
        {**_run(run), "topics": {topic.topic: _topic(topic) for topic in run.topics}}
        if per_topic
        else _run(run)
        for run in report.runs
    ]
    facts = {"beta": report.beta, "runs": runs, "warnings": report.warnings}
    return headed(SCHEMA, plain(facts))


def records(report: NuggetReport, *, per_topic: bool) -> Iterator[Document]:
    """Yield each run, and behind it its topics if they are wanted."""
    for run in report.runs:
        yield plain(_run(run))
        for topic in run.topics if per_topic else ():
            yield plain({"run": run.name, "topic": topic.topic, **_topic(topic)})


def _run(run: NuggetRun) -> Document:
    return {
        "name": run.name,
        "path": run.path,
        "number_of_topics": len(run.topics),
        "vital": sum(topic.vital for topic in run.topics),
        "nuggets": sum(topic.nuggets for topic in run.topics),
        "scores": dict(run.scores),
    }


def _topic(topic: NuggetTopic) -> Document:
    return {"vital": topic.vital, "nuggets": topic.nuggets, "scores": dict(topic.scores)}
