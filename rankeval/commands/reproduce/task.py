"""Measure how close a reproduction comes to the original experiment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Unpack

import numpy as np

from rankeval.base.arrays import Floats
from rankeval.base.frozen import frozen
from rankeval.base.shown import InPapers, LookOfResults
from rankeval.base.threads import usable_threads
from rankeval.base.wording import finite
from rankeval.errors import UsageError
from rankeval.evaluation.evaluate import evaluate
from rankeval.evaluation.prepared import CostsLike, judgments_of, require_topics
from rankeval.evaluation.reading import AS_FOUND, Reading
from rankeval.evaluation.results import RunResult
from rankeval.evaluation.run_names import BY_TAG, RunNames
from rankeval.evaluation.settings import Settings, SettingsFields, settings_from
from rankeval.io.sources.parts import one_state
from rankeval.measures import MeasuresLike, measure_names, parse_measures
from rankeval.ranking.full_rankings import top_documents
from rankeval.ranking.qrels import Qrels, QrelsLike
from rankeval.ranking.run_source import RunLike, RunSource, refuse_stdin_twice
from rankeval.stats import (
    delta_relative_improvement,
    effect_ratio,
    paired_differences,
    paired_test,
    rmse,
)
from rankeval.stats.rank_correlation import tau_unions
from rankeval.stats.rank_overlap import rbo_bases

MEASURES = "AP nDCG@10 P@10"
CUTOFFS = (5, 10, 20, 100, 1000)
PERSISTENCE = 0.95
"""Of the overlap of rankings, as repro_eval takes it."""
Ranking = tuple[bytes, ...]


@frozen
class BaseAndAdvanced:
    """A number for the baseline run and one for the advanced run; None where undefined."""

    base: float | None
    advanced: float | None


@frozen
class ReproducedMeasure:
    """The closeness of a reproduction in one measure.

    ============ =========================================================================
    original     means of the original runs
    replicated   means of the replicated runs
    rmse         root mean square error over topics; None with other judgments
    p            p-value of the t test of original against replicated values: paired, or with
                 other judgments unpaired
    effect_ratio mean improvement of the replication divided by the original one
    delta_ri     relative improvement of the original minus that of the replication
    ============ =========================================================================
    """

    measure: str
    original: BaseAndAdvanced
    replicated: BaseAndAdvanced
    rmse: BaseAndAdvanced
    p: BaseAndAdvanced
    effect_ratio: float | None
    delta_ri: float | None


@frozen
class ReproducedOrder:
    """The closeness of the rankings down to a cutoff, means over topics.

    ktu  Kendall's tau Union; None where a topic's rankings have different lengths
    rbo  rank-biased overlap in its base form, p = 0.95
    """

    cutoff: int
    ktu: BaseAndAdvanced
    rbo: BaseAndAdvanced


@frozen
class Reproduction(InPapers):
    """The closeness of a reproduction, by measure and by cutoff of the rankings.

    `runs` are the original baseline and advanced run, and the replicated ones. `orders` is empty
    where the replication has judgments of its own.
    """

    runs: tuple[RunResult, RunResult, RunResult, RunResult]
    other_qrels: bool
    measures: tuple[ReproducedMeasure, ...]
    orders: tuple[ReproducedOrder, ...]
    warnings: tuple[str, ...]

    __repr__ = InPapers.__repr__

    def _look(self) -> LookOfResults:
        from rankeval.commands.reproduce.show import look

        return look()


@one_state()
def reproduce(
    qrels: QrelsLike,
    original: tuple[RunLike, RunLike],
    replicated: tuple[RunLike, RunLike],
    measures: MeasuresLike = MEASURES,
    settings: Settings | None = None,
    *,
    other_qrels: QrelsLike | None = None,
    cutoffs: Sequence[int] = CUTOFFS,
    costs: CostsLike | None = None,
    reading: Reading = AS_FOUND,
    run_names: RunNames = BY_TAG,
    jobs: int | None = None,
    **conventions: Unpack[SettingsFields],
) -> Reproduction:
    """Compare a replicated baseline and advanced run with the original two.

    =========== ============================================================================
    qrels       judgments, as in `evaluate`
    original    the baseline and the advanced run, in a tuple
    replicated  their replications
    measures    names or objects
    settings    the conventions, or their fields as keywords, such as topics="both"
    other_qrels judgments of a replication on other topics: then only the effects and unpaired
                tests (of equal variances) are defined
    cutoffs     of Kendall's tau Union and RBO, which compare the rankings of judged topics
    run_names   names of the four runs
    costs, reading, jobs  as in `evaluate`
    =========== ============================================================================

    Edge cases
        - A topic that a run lacks has an empty ranking.
        - No improvement in the original: no effect ratio.

    Source: Breuer et al., "How to measure the reproducibility of system-oriented IR experiments",
    SIGIR 2020, and their program repro_eval.

    >>> qrels = {"1": {"a": 1}, "2": {"b": 1}}
    >>> good, bad = {"1": {"a": 1.0}, "2": {"b": 1.0}}, {"1": {"a": 1.0}, "2": {"x": 1.0}}
    >>> reproduce(qrels, (bad, good), (bad, good), "AP").measures[0].effect_ratio
    1.0
    """
    if not cutoffs or min(cutoffs) < 1:
        raise UsageError(f"found the cutoffs {list(cutoffs)}", expected="numbers of at least 1")
    settings = settings_from("reproduce", settings, conventions, reproduce.__annotations__)
    refuse_stdin_twice(qrels, other_qrels, *original, *replicated)
    measures = measure_names(measures)
    require_topics(parse_measures(measures))
    threads = usable_threads(jobs)
    form = settings.form(reading.run())
    given = (*original, *replicated)
    runs = [RunSource.of(run).again(form, jobs=threads) for run in given]
    judgments = judgments_of(qrels, measures, reading)
    others = judgments if other_qrels is None else judgments_of(other_qrels, measures, reading)
    score = partial(
        evaluate, measures=measures, settings=settings, costs=costs, reading=reading, jobs=threads
    )
    found = [*score(judgments, runs[:2]).runs, *score(others, runs[2:]).runs]
    a, b, c, d = run_names.name(found)
    same = other_qrels is None
    if same and len({run.topics for run in (a, b, c, d)}) > 1:
        raise UsageError("the runs have different topics", expected="topics='judged'")
    compared = tuple(_measure((a, b, c, d), at, paired=same) for at in range(len(a.scores)))
    orders: tuple[ReproducedOrder, ...] = ()
    warnings: list[str] = []
    if same:
        depth, rules = max(cutoffs), settings.rules_with(reading)
        tops = [top_documents(judgments, run, depth, rules, form, jobs=threads) for run in runs]
        orders = _orders(judgments, tops, sorted(set(cutoffs)))
        warnings = _lengths(judgments, tops, (a.name, b.name), (c.name, d.name))
    return Reproduction((a, b, c, d), not same, compared, orders, tuple(warnings))


def _measure(
    runs: tuple[RunResult, RunResult, RunResult, RunResult], at: int, *, paired: bool
) -> ReproducedMeasure:
    scores = [run.scores[at] for run in runs]
    base, advanced, other_base, other_advanced = (score.values for score in scores)
    of = [finite(score.aggregate) for score in scores]
    p_of = _paired_p if paired else _unpaired_p
    return ReproducedMeasure(
        measure=scores[0].measure,
        original=BaseAndAdvanced(of[0], of[1]),
        replicated=BaseAndAdvanced(of[2], of[3]),
        rmse=BaseAndAdvanced(rmse(base, other_base), rmse(advanced, other_advanced))
        if paired
        else BaseAndAdvanced(None, None),
        p=BaseAndAdvanced(p_of(base, other_base), p_of(advanced, other_advanced)),
        effect_ratio=effect_ratio(base, advanced, other_base, other_advanced),
        delta_ri=delta_relative_improvement(base, advanced, other_base, other_advanced),
    )


def _paired_p(original: Floats, replicated: Floats) -> float | None:
    return paired_test(paired_differences(original, replicated)).p_value


def _unpaired_p(original: Floats, replicated: Floats) -> float | None:
    """Return the p-value of Student's t test of two samples with equal variances."""
    from scipy.stats import ttest_ind

    one, other = original[~np.isnan(original)], replicated[~np.isnan(replicated)]
    if min(one.size, other.size) < 1 or one.size + other.size < 3:
        return None
    if np.ptp(one) == 0.0 and np.ptp(other) == 0.0:  # no variance: equal, or surely not
        return 1.0 if one[0] == other[0] else 0.0
    return float(ttest_ind(one, other).pvalue)


def _orders(
    qrels: Qrels, tops: Sequence[Mapping[bytes, Ranking]], cutoffs: Sequence[int]
) -> tuple[ReproducedOrder, ...]:
    """Compare the original rankings with the replicated ones down to each cutoff."""
    ktu, rbo = [], []
    for i in (0, 1):
        pairs = [(tops[i].get(t, ()), tops[i + 2].get(t, ())) for t in qrels.topics]
        ktu.append(_ktu(pairs, cutoffs))
        rbo.append(_means([rbo_bases(*pair, cutoffs, PERSISTENCE) for pair in pairs]))
    return tuple(
        ReproducedOrder(
            cutoff,
            BaseAndAdvanced(ktu[0].get(cutoff), ktu[1].get(cutoff)),
            BaseAndAdvanced(rbo[0][at], rbo[1][at]),
        )
        for at, cutoff in enumerate(cutoffs)
    )


def _ktu(
    pairs: Sequence[tuple[Ranking, Ranking]], cutoffs: Sequence[int]
) -> dict[int, float | None]:
    """Return Kendall's tau Union by cutoff, without cutoffs at which lengths differ."""
    equal = min(
        (min(map(len, pair)) for pair in pairs if len(pair[0]) != len(pair[1])), default=None
    )
    defined = [cutoff for cutoff in cutoffs if equal is None or cutoff <= equal]
    if not defined:
        return {}
    means = _means([tau_unions(_names(a, defined), _names(b, defined), defined) for a, b in pairs])
    return dict(zip(defined, means, strict=True))


def _names(ranking: Ranking, cutoffs: Sequence[int]) -> list[str]:
    return [name.decode("utf-8", "surrogateescape") for name in ranking[: max(cutoffs)]]


def _means(topics: Sequence[Sequence[float | None]]) -> list[float | None]:
    """Return the mean over topics of each of several values."""
    return [_mean(values) for values in zip(*topics, strict=True)]


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return float(np.mean(known)) if known else None


def _lengths(
    qrels: Qrels,
    tops: Sequence[Mapping[bytes, Ranking]],
    original: tuple[str, str],
    replicated: tuple[str, str],
) -> list[str]:
    """Return a warning for each two runs whose rankings have different lengths."""
    warnings = []
    for i, (one, other) in enumerate(zip(original, replicated, strict=True)):
        apart = sum(len(tops[i].get(t, ())) != len(tops[i + 2].get(t, ())) for t in qrels.topics)
        if apart:
            warnings.append(
                f"{one} and {other} retrieve different numbers of documents for {apart} of "
                f"{len(qrels.topics)} topics, so Kendall's tau Union is undefined at those cutoffs"
            )
    return warnings
