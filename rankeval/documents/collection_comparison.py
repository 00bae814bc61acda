"""The document of a comparison over collections, rankeval-compare-collections/1."""

from collections.abc import Iterator
from dataclasses import asdict

from rankeval.documents.plain import Document, headed, plain
from rankeval.tasks.collections.compare import (
    CollectionComparison,
    ComparedMeasure,
    ComparedSystems,
)

SCHEMA = "rankeval-compare-collections/1"


def document(comparison: CollectionComparison) -> Document:
    """Return the tests and the pairs of each measure."""
    return headed(
        SCHEMA,
        plain(
            {
                "systems": comparison.systems,
                "baseline": comparison.baseline,
                "missing": comparison.missing,
                "alpha": comparison.alpha,
                "interval_level": comparison.interval_level,
                "samples": comparison.samples,
                "seed": comparison.seed,
                "measures": {
                    one.measure: {**_tests(one, comparison), "pairs": [*map(_pair, one.pairs)]}
                    for one in comparison.measures
                },
                "warnings": comparison.warnings,
            }
        ),
    )


def records(comparison: CollectionComparison) -> Iterator[Document]:
    """Yield every pair of each measure."""
    for one in comparison.measures:
        for pair in one.pairs:
            yield plain({"measure": one.measure, **_pair(pair)})


def _tests(one: ComparedMeasure, comparison: CollectionComparison) -> Document:
    test, friedman = one.test, asdict(one.test.friedman)
    for name in ("n_topics", "n_excluded", "mean_ranks"):
        del friedman[name]
    ranks = test.friedman.mean_ranks or ()
    return {
        "loss": one.loss,
        "collections": one.collections,
        "left_out": one.left_out,
        "macro_mean": dict(zip(comparison.systems, one.macro_means, strict=True)),
        "mean_rank": dict(zip(comparison.systems, ranks, strict=True)),
        "friedman": friedman,
        "q": test.q,
        "critical_difference": test.critical_difference,
    }


def _pair(pair: ComparedSystems) -> Document:
    interval = pair.interval
    return {
        "first": pair.first,
        "second": pair.second,
        "difference": pair.difference,
        "low": interval and interval.low,
        "high": interval and interval.high,
        "level": interval and interval.level,
        "wins": pair.wins,
        "losses": pair.losses,
        "rank_difference": pair.rank_difference,
        "nemenyi_p": pair.nemenyi_p,
        "holm_p": pair.holm_p,
        "better_on": pair.better_on,
        "worse_on": pair.worse_on,
    }
