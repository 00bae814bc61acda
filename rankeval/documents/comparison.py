"""The document of a comparison, the schema rankeval-compare/1, and its pairs one by one."""

from collections.abc import Iterator
from dataclasses import asdict

from rankeval.documents.plain import Document, headed, plain
from rankeval.tasks.compare.compare import Comparison
from rankeval.tasks.compare.pairs import Pair
from rankeval.tasks.compare.planning import Planning, missing_plan

SCHEMA = "rankeval-compare/1"
FIGURES = (
    *("topics_needed", "power_of_needed", "simulated_power_of_needed"),
    *("smallest", "power_of_smallest", "simulated_power_of_smallest"),
)


def document(comparison: Comparison, *, by_topic: bool = False, power: bool = False) -> Document:
    """Return everything that is known of a comparison; the topics that changed if asked for.

    `power` asks for the plans of many comparisons, which take long (`missing_plan`).
    """
    return headed(
        SCHEMA,
        {
            "qrels": {"digest": comparison.digest},
            "method": plain(
                {
                    **asdict(comparison.method),
                    "correction": comparison.method.corrected,
                    "interval_level": comparison.method.level_of,
                }
            ),
            "runs": [
                {"name": run.name, "path": run.path, "warnings": plain(run.warnings)}
                for run in comparison.runs
            ],
            "comparisons": list(records(comparison, by_topic=by_topic, power=power)),
            "anova": {name: plain(asdict(found)) for name, found in comparison.anova.items()},
        },
    )


def records(
    comparison: Comparison, *, by_topic: bool = False, power: bool = False
) -> Iterator[Document]:
    """Yield the facts of each pair of runs."""
    note = missing_plan(comparison.method, len(comparison.pairs), asked=power)
    return (_pair(pair, note, by_topic=by_topic) for pair in comparison.pairs)


def _pair(pair: Pair, note: str, *, by_topic: bool) -> Document:
    facts = asdict(pair)
    changes = facts.pop("changes")
    facts["summary"]["run_mean"] = facts["summary"].pop("candidate_mean")
    facts["planning"] = _planning(pair.planning, note)
    if by_topic:
        facts["topics"] = changes
    return plain(facts)


def _planning(found: Planning, note: str) -> Document:
    """Return the figures, or None for each and a note that tells why."""
    figures = dict.fromkeys(FIGURES) if note else {name: getattr(found, name) for name in FIGURES}
    return {
        "difference": found.difference,
        **figures,
        "alpha": found.alpha,
        "note": note or found.note,
    }
