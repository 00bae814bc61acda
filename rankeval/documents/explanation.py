"""The document of explanations, the schema rankeval-explain/1, and each explanation by itself."""

from collections.abc import Iterator, Sequence

from rankeval.documents.plain import Document, headed, plain
from rankeval.support.numbers import finite
from rankeval.tasks.explain.explanation import Explanation

SCHEMA = "rankeval-explain/1"


def document(explanations: Sequence[Explanation]) -> Document:
    """Return the explanations in one document."""
    return headed(SCHEMA, {"explanations": list(records(explanations))})


def records(explanations: Sequence[Explanation]) -> Iterator[Document]:
    """Yield the facts of each explanation."""
    return map(explained, explanations)


def explained(one: Explanation) -> Document:
    """Return the facts of one explanation."""
    return {
        "topic": one.topic,
        "run": one.run,
        "measure": one.measure,
        "value": finite(one.value),
        "formula": one.formula,
        "signature": one.signature,
        "retrieved": one.retrieved,
        "quantities": {name: finite(value) for name, value in one.quantities.items()},
        "documents": [
            {
                "rank": document.rank,
                "docno": document.docno,
                "score": finite(document.score),
                "grade": document.grade,
                "relevant": document.relevant,
                "ties": None if document.ties is None else list(document.ties),
                "terms": {name: finite(value) for name, value in document.terms.items()},
                "contribution": finite(document.contribution),
                "running": finite(document.running),
            }
            for document in one.documents
        ],
        "ideal": [
            {"rank": place.rank, "terms": {n: finite(v) for n, v in place.terms.items()}}
            for place in one.ideal
        ],
        "conventions": plain(one.conventions),
        "warnings": plain(one.warnings),
        "missed": [{"docno": m.docno, "grade": m.grade, "rank": m.rank} for m in one.missed],
    }
