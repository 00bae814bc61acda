"""The document of a difference between two runs, the schema rankeval-diff/1, and its records."""

from collections.abc import Iterator
from dataclasses import asdict

from rankeval.documents.plain import Document, headed, plain
from rankeval.tasks.diff import Difference

SCHEMA = "rankeval-diff/1"


def document(difference: Difference) -> Document:
    """Return the difference of the means, the topics that moved most, and the cases of holes."""
    facts = _facts(difference)
    if difference.further:
        facts["further"] = [_facts(one) for one in difference.further]
    return headed(SCHEMA, facts)


def _facts(difference: Difference) -> Document:
    return {
        **_overall(difference),
        "topics": [plain(asdict(topic)) for topic in difference.topics],
        "holes": [plain(asdict(case)) for case in difference.holes],
    }


def records(difference: Difference) -> Iterator[Document]:
    """Yield per measure the difference of the means, then its topics and its cases of holes.

    With several measures, topics and cases name theirs.
    """
    for found in difference.by_measure:
        yield _overall(found)
        measure = {"measure": found.measure} if difference.further else {}
        for facts in (*map(asdict, found.topics), *map(asdict, found.holes)):
            yield {**plain(facts), **measure}


def _overall(difference: Difference) -> Document:
    summary = plain(asdict(difference.summary))
    return {
        "measure": difference.measure,
        "loss": difference.loss,
        "signature": difference.signature,
        "a": {"name": difference.a.name, "path": difference.a.path},
        "b": {"name": difference.b.name, "path": difference.b.path},
        "top": difference.top,
        "summary": {
            "a": summary.pop("baseline_mean"),
            "b": summary.pop("candidate_mean"),
            **summary,
        },
        "unjudged": dict(zip("ab", difference.unjudged, strict=True)),
    }
