"""The document of a comparison, the schema rankeval-compare/1, and its pairs one by one."""

from collections.abc import Iterator
from dataclasses import asdict

from rankeval.documents.plain import Document, headed, plain
from rankeval.tasks.compare.compare import Comparison
from rankeval.tasks.compare.pairs import Pair

SCHEMA = "rankeval-compare/1"


def document(comparison: Comparison, *, by_topic: bool = False) -> Document:
    """Return everything that is known of a comparison; the topics that changed if asked for."""
    return headed(
        SCHEMA,
        {
            "qrels": {"digest": comparison.digest},
            "method": plain(
                {**asdict(comparison.method), "correction": comparison.method.corrected}
            ),
            "runs": [
                {"name": run.name, "path": run.path, "warnings": plain(run.warnings)}
                for run in comparison.runs
            ],
            "comparisons": list(records(comparison, by_topic=by_topic)),
            "anova": {name: plain(asdict(found)) for name, found in comparison.anova.items()},
        },
    )


def records(comparison: Comparison, *, by_topic: bool = False) -> Iterator[Document]:
    """Yield the facts of each pair of runs."""
    return (_pair(pair, by_topic=by_topic) for pair in comparison.pairs)


def _pair(pair: Pair, *, by_topic: bool) -> Document:
    facts = asdict(pair)
    changes = facts.pop("changes")
    facts["summary"]["run_mean"] = facts["summary"].pop("candidate_mean")
    if by_topic:
        facts["topics"] = changes
    return plain(facts)
