"""Compare runs over several collections: in each, over all, and in how many a difference exists."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from typing import Literal, NamedTuple

import numpy as np

from rankeval.base.arrays import Floats
from rankeval.base.dicts import choice
from rankeval.base.frozen import frozen
from rankeval.base.wording import count
from rankeval.choices import IntervalLevel, MissingRule
from rankeval.commands.collections.collection_means import (
    CollectionRow,
    CollectionTable,
    collection_tables,
    scores_by_measure,
)
from rankeval.commands.collections.task import (
    CollectionResults,
    CollectionsLike,
    evaluate_collections,
)
from rankeval.errors import UsageError
from rankeval.evaluation.results import Score
from rankeval.io.sources.parts import one_state
from rankeval.stats import (
    MacroInterval,
    Nemenyi,
    RankedPair,
    hierarchical_bootstrap,
    holm_rank_pairs,
    nemenyi,
    replicability,
)
from rankeval.stats.mean_tests import EstimatedMean, macro_mean


class ShownOn(NamedTuple):
    """Least numbers of collections on which a system is better, and on which it is worse."""

    better: int
    worse: int


def shown_on(gains: Sequence[Sequence[Floats]], *, alpha: float) -> tuple[ShownOn, ...]:
    """Bound from below on how many collections a difference is there, for each pair of systems.

    Each collection gives a one-sided p-value of Student's t over its topics, Welch's over the
    topics of its parts. Partial conjunctions combine them by Fisher's method (`replicability`), in
    each direction at alpha / 2, so that with confidence 1 - alpha both numbers are right. This
    takes differences of topics that are nearly normal, and collections with topics of their own.

    Shapes: for each part of each collection the gains of topics by pairs, (n, p); gives p numbers.
    A part with fewer than two topics shows nothing.
    """
    n_pairs = gains[0][0].shape[1]
    found = [[_estimate([part[:, j] for part in parts]) for parts in gains] for j in range(n_pairs)]

    def at_least(sign: float, of_pair: Sequence[EstimatedMean | None]) -> int:
        p_values = [1.0 if one is None else _p_above(one, sign) for one in of_pair]
        return replicability(p_values, alpha=alpha / 2.0).at_least

    return tuple(ShownOn(at_least(1.0, of_pair), at_least(-1.0, of_pair)) for of_pair in found)


def _estimate(parts: Sequence[Floats]) -> EstimatedMean | None:
    """Return the mean over the parts of a collection; None if topics are too few for a variance."""
    defined = [part[~np.isnan(part)] for part in parts]
    if min(map(len, defined)) < 2:
        return None
    return macro_mean(defined, [1.0 / len(defined)] * len(defined))


def _p_above(mean: EstimatedMean, sign: float) -> float:
    """Return the p-value of "the mean is at most 0", of the mean times `sign`."""
    return EstimatedMean(sign * mean.mean, mean.error, mean.freedom).p_above(0.0)


SAMPLES, MOST_SAMPLES = 10_000, 100_000
"""Samples of the bootstrap, and most for many pairs, whose intervals reach further out."""
IN_TAIL = 20
"""Samples beyond the ends of an interval, unless that takes too many."""


@frozen
class ComparedSystems:
    """Two systems in one measure, over the collections that all systems have.

    ============== ================================================================================
    first, second  the systems
    difference     macro mean of the second - macro mean of the first
    interval       of the difference, by the hierarchical bootstrap; None where the value of a
                   collection is no mean over topics
    wins           collections on which the second is better
    losses         collections on which the first is better
    better_on      least number of collections on which the second is better, shown with confidence
                   1 - alpha together with the next and with those of all pairs of the measure;
                   None where the value is no mean over topics
    worse_on       least number on which it is shown to be worse
    rank_difference mean rank of the second - mean rank of the first; above 0 the first is better
    nemenyi_p      p-value of Nemenyi's test, for all pairs
    holm_p         p-value of the mean ranks with Holm's correction for all pairs, or for those with
                   the baseline
    ============== ================================================================================
    """

    first: str
    second: str
    difference: float
    interval: MacroInterval | None
    wins: int
    losses: int
    rank_difference: float
    nemenyi_p: float
    holm_p: float
    better_on: int | None = None
    worse_on: int | None = None


@frozen
class ComparedMeasure:
    """All systems in one measure.

    =========== ===================================================================================
    measure     the name of the measure
    loss        True when smaller is better
    collections the collections that count, which all systems have
    left_out    the collections that some system lacks
    macro_means of each system, over the collections that count
    test        Nemenyi's test with Friedman's, the systems in their order
    pairs       every two systems: (0, 1), (0, 2), ...; or the baseline and each other one
    =========== ===================================================================================
    """

    measure: str
    loss: bool
    collections: tuple[str, ...]
    left_out: tuple[str, ...]
    macro_means: tuple[float, ...]
    test: Nemenyi
    pairs: tuple[ComparedSystems, ...]


@frozen(eq=False)
class CollectionComparison:
    """A comparison of systems over several collections.

    ======== ======================================================================================
    results  the results of each collection
    systems  the names of the systems
    measures the comparison in each measure
    missing  the rule for missing runs
    alpha    risk that any two equal systems differ significantly by Nemenyi's test
    samples  samples of the bootstrap
    seed     of the samples
    warnings collections that are left out, and small numbers of collections
    baseline the system that all others are compared with; "" for every two
    interval_level  all: intervals of a measure hold together, by Bonferroni's correction for its
             pairs; each: each one by itself
    ======== ======================================================================================
    """

    results: CollectionResults
    systems: tuple[str, ...]
    measures: tuple[ComparedMeasure, ...]
    missing: MissingRule
    alpha: float
    samples: int
    seed: int
    warnings: tuple[str, ...]
    baseline: str = ""
    interval_level: IntervalLevel = IntervalLevel.ALL


FEWEST = 5
"""Fewer collections than these get a warning."""


@one_state()
def compare_collections(
    collections: CollectionsLike | CollectionResults,
    measures: Sequence[str] | str | None = None,
    *,
    missing: MissingRule = "blank",
    baseline: str | None = None,
    alpha: float = 0.05,
    interval_level: IntervalLevel | Literal["all", "each"] = "all",
    samples: int | None = None,
    seed: int = 0,
    jobs: int | None = None,
) -> CollectionComparison:
    """Compare every two systems over collections, or a baseline with each other system.

    ============== =========================================================================
    collections    as in `evaluate_collections`, or its results
    measures       names that replace those of the file. Measures that fewer than two
                   collections have for all systems are left out, with a warning
    missing        "blank" or "skip" leave out a collection that some system lacks, with a
                   warning; "zero" counts 0 for a missing run
    baseline       name of a system: Holm's correction is for the pairs with it only
    alpha          significance level; intervals have the level 1 - alpha
    interval_level "all": the intervals and numbers of a measure hold together for all pairs,
                   by Bonferroni's correction; "each": each by itself
    samples        of the bootstrap; 10,000 by default, and more for many pairs
    seed           of the bootstrap
    jobs           processes or threads; one for each processor by default
    ============== =========================================================================

    Friedman's test with Iman and Davenport's F asks whether all systems are equal, by their ranks
    on each collection; Nemenyi's test and Holm's procedure compare every two mean ranks. The
    hierarchical bootstrap bounds each difference of macro means, and partial conjunctions of t
    tests bound the number of collections on which it is there (`replicability`). A collection with
    parts counts once, with the mean of its parts. Nemenyi's test, its critical difference and
    Friedman's test are those of all systems, with a baseline, too.

    Source: Demsar, "Statistical comparisons of classifiers over multiple data sets", JMLR 7, 2006;
    Iman and Davenport, "Approximations of the critical region of the Friedman statistic",
    Communications in Statistics A9, 1980; Davison and Hinkley, Bootstrap Methods and their
    Application, 1997.

    Raises UsageError for fewer than two systems, a baseline that is none of them, or no measure
    that can be compared.

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
    >>> (found,) = compare_collections("beir.toml", "P@1", samples=100).measures
    >>> found.test.friedman.mean_ranks, found.pairs[0].difference, found.pairs[0].wins
    ((2.0, 1.0), 0.5, 3)
    """
    results = (
        collections
        if isinstance(collections, CollectionResults)
        else evaluate_collections(collections, measures, jobs=jobs)
    )
    if len(results.systems) < 2:
        raise UsageError(
            f"found {count(len(results.systems), 'system')}", expected="two systems or more"
        )
    control = None if baseline is None else _number(results.systems, baseline)
    n_systems, level = len(results.systems), choice("interval_level", interval_level, IntervalLevel)
    n_pairs = math.comb(n_systems, 2) if control is None else n_systems - 1
    risk = alpha / n_pairs if level is IntervalLevel.ALL else alpha
    drawn = _samples(risk, n_pairs) if samples is None else samples
    # A mean of other parts than those of the other systems cannot be compared with theirs.
    tables = collection_tables(results, missing="zero" if missing == "zero" else "blank")
    found, warnings = [], []
    for table in tables:
        whole = [row for row in table.collections if None not in row.values]
        left_out = tuple(row.name for row in table.collections if None in row.values)
        if missing == "zero":
            whole, left_out = list(table.collections), ()
        if len(whole) < 2:
            warnings.append(
                f"{table.measure}: not compared, with {count(len(whole), 'collection')} that all "
                "systems have"
            )
            continue
        if left_out:
            warnings.append(
                f"{table.measure}: left out, because some system has no run: {', '.join(left_out)}"
            )
        if len(whole) < FEWEST:
            warnings.append(
                f"{table.measure}: {count(len(whole), 'collection')} are too few for tests of "
                "mean ranks and for intervals over collections"
            )
        compared = _compared(results, table, whole, control, alpha, risk, drawn, seed)
        found.append(replace(compared, left_out=left_out))
    if not found:
        raise UsageError(
            "no measure can be compared: " + "; ".join(warnings),
            expected="two collections or more on which every system has a run",
        )
    return CollectionComparison(
        results,
        results.systems,
        tuple(found),
        missing,
        alpha,
        drawn,
        seed,
        tuple(warnings),
        baseline or "",
        level,
    )


def _number(systems: Sequence[str], baseline: str) -> int:
    """Return the place of the baseline among the systems; UsageError if it is none of them."""
    if baseline not in systems:
        close = get_close_matches(baseline, systems, n=1)
        raise UsageError(
            f"no system is called '{baseline}'",
            place="baseline=",
            expected=f"perhaps {close[0]}" if close else f"one of {', '.join(systems)}",
        )
    return systems.index(baseline)


def _samples(risk: float, n_pairs: int) -> int:
    """Return the samples of intervals with this risk; UsageError where no number would do."""
    samples = max(SAMPLES, math.ceil(min(IN_TAIL / risk, MOST_SAMPLES)))
    if samples * risk >= 2.0:
        return samples
    raise UsageError(
        f"{samples:,} samples have no interval with a risk of {risk:.2g}, Bonferroni's share for "
        f"{count(n_pairs, 'pair')}",
        expected=f"a risk of {2 / MOST_SAMPLES:g} or more",
        remedy="take interval_level='each', baseline=SYSTEM, or a larger alpha=",
    )


def _compared(
    results: CollectionResults,
    table: CollectionTable,
    rows: Sequence[CollectionRow],
    control: int | None,
    alpha: float,
    risk: float,
    samples: int,
    seed: int,
) -> ComparedMeasure:
    values = np.array([[value or 0.0 for value in row.values] for row in rows])
    gains = -values if table.loss else values
    test = nemenyi(gains, alpha=alpha)
    by_holm = holm_rank_pairs(gains, control)
    firsts, seconds = ([getattr(pair, one) for pair in by_holm] for one in ("first", "second"))
    nemenyi_p = {frozenset((pair.first, pair.second)): pair.p_value for pair in test.pairs}
    intervals: Sequence[MacroInterval | None] = [None] * len(firsts)
    shown: Sequence[ShownOn | None] = [None] * len(firsts)
    if table.averaged:
        topics = _topics(results, table, rows)
        differences = [[part[:, seconds] - part[:, firsts] for part in parts] for parts in topics]
        intervals = hierarchical_bootstrap(
            differences, level=1.0 - risk, samples=samples, seed=seed
        )
        sign = -1.0 if table.loss else 1.0
        shown = shown_on(
            [[sign * part for part in parts] for parts in differences], alpha=alpha / len(firsts)
        )
    return ComparedMeasure(
        measure=table.measure,
        loss=table.loss,
        collections=tuple(row.name for row in rows),
        left_out=(),
        macro_means=tuple(values.mean(axis=0).tolist()),
        test=test,
        pairs=tuple(
            _pair(results.systems, values, gains, pair, nemenyi_p[frozenset(both)], interval, on)
            for pair, both, interval, on in zip(
                by_holm, zip(firsts, seconds, strict=True), intervals, shown, strict=True
            )
        ),
    )


def _pair(
    systems: Sequence[str],
    values: Floats,
    gains: Floats,
    pair: RankedPair,
    nemenyi_p: float,
    interval: MacroInterval | None,
    shown: ShownOn | None,
) -> ComparedSystems:
    first, second = pair.first, pair.second
    return ComparedSystems(
        first=systems[first],
        second=systems[second],
        difference=float((values[:, second] - values[:, first]).mean()),
        interval=interval,
        wins=int((gains[:, second] > gains[:, first]).sum()),
        losses=int((gains[:, second] < gains[:, first]).sum()),
        rank_difference=pair.difference or 0.0,
        nemenyi_p=nemenyi_p,
        holm_p=pair.p_value,
        better_on=shown and shown.better,
        worse_on=shown and shown.worse,
    )


def _topics(
    results: CollectionResults, table: CollectionTable, rows: Sequence[CollectionRow]
) -> list[list[Floats]]:
    """Return the values of topics by systems, for each part of each collection."""
    scores = {
        result.collection.name: scores_by_measure(result).get(table.key, {}) for result in results
    }
    return [
        [_matrix(scores[part], results.systems, part) for part in row.parts or (row.name,)]
        for row in rows
    ]


def _matrix(scores: Mapping[str, Score], systems: Sequence[str], collection: str) -> Floats:
    """Return topics by systems, over the topics of all; 0 for a system without a run."""
    by_system = [scores[system].per_topic if system in scores else None for system in systems]
    there = [one for one in by_system if one is not None]
    topics = [topic for topic in there[0] if all(topic in one for one in there)] if there else []
    if there and not topics:
        raise UsageError(
            f"the systems have no topic in common on collection {collection}",
            remedy="evaluate all judged topics, by topics='judged'",
        )
    if not topics:  # no system has a run
        return np.zeros((1, len(systems)))
    return np.array([[one[topic] if one else 0.0 for one in by_system] for topic in topics])
