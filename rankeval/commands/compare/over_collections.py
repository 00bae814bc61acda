"""Compare systems over several collections: the collections are the topics."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Unpack

import numpy as np

from rankeval.base.checked import checked
from rankeval.base.wording import nearest
from rankeval.commands.collections.collection_means import over_collections, sorted_systems
from rankeval.commands.collections.task import (
    CollectionResults,
    CollectionsLike,
    evaluate_collections,
)
from rankeval.commands.compare.method import Method, MethodFields
from rankeval.commands.compare.task import Comparison, compare_results, method_of
from rankeval.errors import UsageError
from rankeval.io.sources.parts import one_state
from rankeval.stats import nemenyi


@checked
@one_state()
def compare_collections(
    collections: CollectionsLike | CollectionResults,
    measures: Sequence[str] | str | None = None,
    *,
    baseline: str | None = None,
    sort: str | None = None,
    method: Method | None = None,
    jobs: int | None = None,
    **options: Unpack[MethodFields],
) -> Comparison:
    """Compare a baseline with each other system over collections, each of which counts once.

    =========== ============================================================================
    collections as in `evaluate_collections`, or its results
    measures    names that replace those of the file; measures that some collection lacks are
                left out
    baseline    name of a system; the first one by default
    sort        order of the systems: a measure, best first, or "name"
    method      as in `compare`, or its fields as keywords
    jobs        processes or threads; one for each processor by default
    =========== ============================================================================

    The value of a system on a collection is what its value on a topic is elsewhere, so that the
    tests and intervals are those of `compare`, and a collection without a value of one of the two
    systems is left out. `ranks` holds by measure Friedman's and Nemenyi's test of the mean ranks,
    over the collections on which every system has a value.

    Source: Demsar, "Statistical comparisons of classifiers over multiple data sets", JMLR 7, 2006.

    Raises UsageError for fewer than two systems, or a baseline that is none of them.

    >>> from pathlib import Path
    >>> from rankeval.reports import compare_collections
    >>> for name in "abc":
    ...     _ = Path(f"{name}.qrels").write_text("1 0 d1 1\\n2 0 d2 1\\n")
    ...     _ = Path(f"{name}.good").write_text("1 Q0 d1 1 2.0 x\\n2 Q0 d2 1 2.0 x\\n")
    ...     _ = Path(f"{name}.bad").write_text("1 Q0 d7 1 2.0 x\\n2 Q0 d2 1 2.0 x\\n")
    >>> runs = '{ bad = "{collection}.bad", good = "{collection}.good" }'
    >>> names = "[collection.a]\\n[collection.b]\\n[collection.c]\\n"
    >>> shared = 'qrels = "{collection}.qrels"\\n'
    >>> _ = Path("beir.toml").write_text(f"{shared}runs = {runs}\\n{names}")
    >>> found = compare_collections("beir.toml", "P@1")
    >>> found["good", "P@1"].difference, found.ranks["P@1"].friedman.mean_ranks
    (0.5, (2.0, 1.0))
    """
    results = (
        collections
        if isinstance(collections, CollectionResults)
        else evaluate_collections(collections, measures, jobs=jobs)
    )
    if sort:
        results = sorted_systems(results, sort)
    method = method_of(method, options)
    values = over_collections(results)
    if baseline is not None:
        if baseline not in results.systems:
            raise UsageError(
                f"no system is called '{baseline}'",
                place="--baseline",
                expected=nearest(baseline, results.systems),
            )
        at = results.systems.index(baseline)
        runs = (values.runs[at], *values.runs[:at], *values.runs[at + 1 :])
        values = replace(values, runs=runs)
    found = compare_results(values, method=method)
    scores = {score.measure: score.loss for score in found.runs[0].scores}
    by_measure = {
        measure: np.column_stack([run[measure].values for run in found.runs]) for measure in scores
    }
    ranks = {
        measure: nemenyi(-of_all if scores[measure] else of_all, alpha=method.alpha)
        for measure, of_all in by_measure.items()
    }
    return replace(found, ranks=ranks, digest=values.qrels.digest)
