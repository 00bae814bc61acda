"""Describe how measures and topics order the systems, and each one's share of the pool."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import permutations
from typing import Unpack

import numpy as np

from rankeval.base.arrays import Floats
from rankeval.base.checked import checked
from rankeval.base.dicts import seal
from rankeval.base.frozen import frozen
from rankeval.base.threads import usable_threads
from rankeval.base.wording import count, listed
from rankeval.commands.systems.pool_bias import ByRun, LeftOut, PoolBias
from rankeval.errors import UsageError
from rankeval.evaluation.evaluate import Evaluating, values_of
from rankeval.evaluation.notice_lines import OfRuns
from rankeval.evaluation.prepared import prepare, require_topics
from rankeval.evaluation.results import RunResult
from rankeval.evaluation.score import score_run
from rankeval.evaluation.system_pairs import (
    TESTED,
    USUAL_TEST,
    PairwiseTest,
    aggregates,
    system_pairs,
    values_by_system,
)
from rankeval.io.formats.named_values import read_groups
from rankeval.io.sources.parts import one_state
from rankeval.measures import MeasuresLike, measure_names, parse_measures
from rankeval.output.shown import InPapers
from rankeval.ranking.qrels import QrelsLike
from rankeval.ranking.run_source import RunsLike, refuse_stdin_twice, run_sources
from rankeval.stats.checked_arrays import random_numbers
from rankeval.stats.rank_correlation import order_agreement
from rankeval.stats.rank_intervals import RankInterval, bootstrap_ranks, posterior_ranks

MEASURES = "nDCG@10 AP P@10 RR"
DRAWS = 500
"""Pairs of disjoint samples of topics for each number of topics."""
SIZES = 8
LEAST_TOPICS = 5


RunGroupsLike = Mapping[str, str] | str | os.PathLike[str]
"""The group of each run, such as its team, by name, or a file with them."""


@frozen
class MeasureAgreement:
    """Two measures and how far they order the systems alike; `first` is the true one of tau-AP."""

    first: str
    second: str
    tau: float | None
    tau_ap: float | None
    rbo: float | None


@frozen
class DiscriminativePower:
    """The share of pairs of systems with a significant difference, and all p-values.

    `asl` has the p-values (achieved significance levels) in descending order.
    """

    share: float
    asl: tuple[float, ...]


@frozen
class SwapRate:
    """The share of pairs that two disjoint samples of a number of topics order in opposite ways."""

    topics: int
    rate: float


@frozen
class RunRanks:
    """The ranks that a run may have among the runs over all topics, and its chance to be best.

    Of the bootstrap over topics, and of the posterior of a hierarchical model of topics and runs.
    """

    run: str
    bootstrap: RankInterval
    posterior: RankInterval


@frozen
class SystemsReport(OfRuns, InPapers):
    """The order of the systems by measures and topics, and the bias of the pool.

    ==================== ==============================================================
    runs                 the runs
    digest               digest of the judgments
    agreement            of every two measures, in both directions
    discriminative       by measure; averages only
    swap_rate            by measure, by number of topics; empty for fewer than 10 topics
    ranks                by measure, the ranks that each run may have; averages only, and empty
                         for a single topic
    unique_relevant      by run, documents of grade 1 or more that it alone has found
    leave_one_run_out    by run and measure, without what only the run has found
    leave_one_group_out  by group, the same for each of its runs, without what only the
                         group has found
    how                  the test of differences
    pool_depth           ranks that count as found; None for all
    ==================== ==============================================================
    """

    runs: tuple[RunResult, ...]
    digest: str
    agreement: tuple[MeasureAgreement, ...]
    discriminative: Mapping[str, DiscriminativePower]
    swap_rate: Mapping[str, tuple[SwapRate, ...]]
    ranks: Mapping[str, tuple[RunRanks, ...]]
    unique_relevant: Mapping[str, int]
    leave_one_run_out: ByRun
    leave_one_group_out: Mapping[str, ByRun]
    how: PairwiseTest
    pool_depth: int | None
    warnings: tuple[str, ...]

    def __post_init__(self) -> None:
        seal(self)

    __repr__ = InPapers.__repr__


@checked
@one_state()
def systems(
    qrels: QrelsLike,
    runs: RunsLike,
    measures: MeasuresLike = MEASURES,
    *,
    pool_depth: int | None = None,
    run_groups: RunGroupsLike | None = None,
    how: PairwiseTest = USUAL_TEST,
    **evaluating: Unpack[Evaluating],
) -> SystemsReport:
    """Describe the systems behind two runs or more.

    ========== =============================================================================
    qrels      judgments, as in `evaluate`
    runs       two or more, or {name: run}
    measures   names or objects; nDCG@10, AP, P@10 and RR by default
    pool_depth a document is unique to a run if no other run has it among its first ranks down
               to this depth; by default, at any rank
    run_groups group of each run by its name, such as the team: a path, or {run: group}
    how        tests of the differences between runs, as `rankeval.options.PairwiseTest`
    evaluating  keywords of `evaluate`: settings or its fields, costs, run_names, jobs
    ========== =============================================================================

    Leaving a run out takes the judgments of its unique documents away, as if the run had not been
    pooled.

    Source: Sakai, "Evaluating evaluation metrics based on the bootstrap", SIGIR 2006, for
    discriminative power; Voorhees and Buckley, "The effect of topic set size on retrieval
    experiment error", SIGIR 2002, for swap rates; `bootstrap_ranks` and `posterior_ranks` of
    `rankeval.stats` for ranks; Zobel, "How reliable are the results of
    large-scale information retrieval experiments?", SIGIR 1998, for unique documents.

    >>> qrels = {"1": {"a": 1, "b": 1}}
    >>> runs = {"one": {"1": {"a": 1.0}}, "two": {"1": {"b": 1.0, "x": 0.5}}}
    >>> dict(systems(qrels, runs).unique_relevant)
    {'one': 1, 'two': 1}
    """
    settings, costs, run_names, jobs = values_of(**evaluating)
    every, given = run_sources(runs, settings.run_form().columns)
    if len(every) < 2:
        raise UsageError(f"found {count(len(every), 'run')}", expected="two runs or more")
    if given is not None:
        run_names = replace(run_names, given=given)
    if pool_depth is not None and pool_depth < 1:
        raise UsageError(f"the pool depth is {pool_depth}", expected="1 or more")
    refuse_stdin_twice(qrels, *every)
    threads = usable_threads(jobs)
    named = measure_names(measures)
    require_topics(parse_measures(named, settings.meanings))
    prepared = prepare(qrels, named, settings, costs=costs)
    aligned = [prepared.align(run, threads) for run in every]
    scored = run_names.name([score_run(prepared, *run) for run in aligned])
    alignments = [alignment for alignment, _ in aligned]
    pool = PoolBias(prepared, alignments, scored, pool_depth)
    names = [run.name for run in scored]
    groups, warnings = _groups(run_groups, names)
    out: dict[str, Mapping[str, LeftOut]] = {}
    for i in range(len(scored)):
        out |= pool.without([i])
    values = {
        score.measure: values_by_system(scored, at)
        for at, score in enumerate(scored[0].scores)
        if score.rule in TESTED
    }
    return SystemsReport(
        runs=tuple(scored),
        digest=prepared.judgments.digest,
        agreement=tuple(_agreements(scored)),
        discriminative={one: _power(found, how) for one, found in values.items()},
        swap_rate={one: _swap_rates(found, how.seed) for one, found in values.items()},
        ranks={one: _ranks(names, found, how) for one, found in values.items()},
        unique_relevant=pool.unique_relevant(),
        leave_one_run_out=out,
        leave_one_group_out={name: pool.without(members) for name, members in groups.items()},
        how=how,
        pool_depth=pool_depth,
        warnings=tuple(warnings),
    )


def _agreements(runs: Sequence[RunResult]) -> Iterator[MeasureAgreement]:
    for one, other in permutations(range(len(runs[0].scores)), 2):
        orders = order_agreement(aggregates(runs, one), aggregates(runs, other))
        first, second = (runs[0].scores[at].measure for at in (one, other))
        yield MeasureAgreement(first, second, orders.tau, orders.tau_ap, orders.rbo)


def _power(values: Floats, how: PairwiseTest) -> DiscriminativePower:
    pairs = system_pairs(values, how)
    shown = float(np.mean(pairs.p_values < how.alpha))
    return DiscriminativePower(shown, tuple(sorted(pairs.p_values.tolist(), reverse=True)))


def _ranks(names: Sequence[str], values: Floats, how: PairwiseTest) -> tuple[RunRanks, ...]:
    """Bound the ranks of the runs, at the level of the tests."""
    level = 1.0 - how.alpha
    bootstrap = bootstrap_ranks(values, level=level, seed=how.seed)
    posterior = posterior_ranks(values, level=level, seed=how.seed)
    if not bootstrap:
        return ()
    return tuple(map(RunRanks, names, bootstrap, posterior))


def _swap_rates(values: Floats, seed: int) -> tuple[SwapRate, ...]:
    """Draw two disjoint samples of topics many times, and count pairs in opposite orders.

    Topics for which a run has no value are left out. Equal means are no swap.
    """
    whole = values[~np.isnan(values).any(axis=1)]
    largest = len(whole) // 2
    if largest < LEAST_TOPICS:
        return ()
    sizes = sorted({round(size) for size in np.linspace(LEAST_TOPICS, largest, SIZES)})
    first, second = np.triu_indices(whole.shape[1], 1)
    found = []
    for size in sizes:
        swapped, rng = 0, random_numbers(seed, size)
        for _ in range(DRAWS):
            drawn = whole[rng.permutation(len(whole))[: 2 * size]]
            means = np.stack([drawn[:size].mean(axis=0), drawn[size:].mean(axis=0)])
            apart = means[:, first] - means[:, second]
            signs = np.sign(np.where(np.abs(apart) > 1e-12, apart, 0.0))
            swapped += int((signs[0] * signs[1] < 0).sum())
        found.append(SwapRate(size, swapped / (DRAWS * first.size)))
    return tuple(found)


def _groups(
    given: RunGroupsLike | None, names: Sequence[str]
) -> tuple[dict[str, list[int]], list[str]]:
    """Return the places of the runs of each group, and warnings of runs that have none."""
    if given is None:
        return {}, []
    if isinstance(given, Mapping):
        by_name = given
    else:
        read = read_groups(os.fspath(given)).by_topic
        by_name = {name.decode("utf-8", "surrogateescape"): one for name, one in read.items()}
    groups: dict[str, list[int]] = {}
    for place, name in enumerate(names):
        if name in by_name:
            groups.setdefault(by_name[name], []).append(place)
    if not groups:
        raise UsageError(
            "no run has a group", expected=f"lines of run and group for {', '.join(names)}"
        )
    lacking = [name.encode("utf-8", "surrogateescape") for name in names if name not in by_name]
    return groups, [f"runs without a group: {listed(lacking)}"] if lacking else []
