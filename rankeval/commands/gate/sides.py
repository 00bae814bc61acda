"""A side of a gate: a system, with its values under other orders of equal scores."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from rankeval.base.frozen import frozen
from rankeval.evaluation.prepared import Prepared
from rankeval.evaluation.results import RunResult, Score
from rankeval.evaluation.score import score_run
from rankeval.evaluation.seeds import averaged
from rankeval.ranking import RankedJudgments
from rankeval.ranking.run_source import RunSource
from rankeval.stats.differences import ordered_mean


@frozen(eq=False)
class System:
    """The result of a run, or the mean over several runs of one system, which are its `seeds`."""

    run: RunResult
    seeds: tuple[RunResult, ...] = ()


@frozen(eq=False)
class Side:
    """A system with its values under other orders of equal scores.

    system       its values in the order that was asked for
    favourable   with ties broken in its favour
    unfavourable with ties broken against it
    all_equal    True if all documents of a topic have the same score, in one of its runs
    saved        True for saved results, which do not have the values of other orders
    """

    system: System
    favourable: System
    unfavourable: System
    all_equal: bool = False
    saved: bool = False


class Extremes(NamedTuple):
    """The results of a run with ties broken in its favour, and against it.

    `all_equal` is True if all documents of a topic have the same score in the run.
    """

    favourable: RunResult
    unfavourable: RunResult
    all_equal: bool


def side_of(system: System, extremes: Sequence[Extremes], *, saved: bool) -> Side:
    """Return the side of a system, from the extremes of each of its runs; none without ties."""
    if not extremes:
        return Side(system, system, system, saved=saved)

    def whole(runs: Sequence[RunResult]) -> System:
        if not system.seeds:
            return System(runs[0])
        mean = replace(averaged(runs, system.run.path), name=system.run.name)
        return System(mean, tuple(runs))

    return Side(
        system,
        whole([extreme.favourable for extreme in extremes]),
        whole([one.unfavourable for one in extremes]),
        all_equal=any(one.all_equal for one in extremes),
        saved=saved,
    )


def extreme_results(prepared: Prepared, run: RunSource, jobs: int = 1) -> Extremes:
    """Score a run under the best and the worst order of documents with equal scores.

    Topics are independent, so each has the order that is best, or worst, for its measure.
    """
    from rankeval.ranking.tie_orders import ORDERS, with_ties_broken  # only where scores tie

    # Ordering equal scores would separate documents whose best chunks tie.
    unordered = replace(prepared, settings=replace(prepared.settings, ties="best"))
    alignment, path = unordered.align(run, jobs)
    broken = (
        replace(alignment, judged=with_ties_broken(alignment.judged, order)) for order in ORDERS
    )
    runs = [score_run(prepared, ordered, path, ties=False) for ordered in broken]
    return Extremes(
        _extreme(runs, favourable=True),
        _extreme(runs, favourable=False),
        _all_equal(alignment.judged),
    )


def _all_equal(judged: RankedJudgments) -> bool:
    """Return True if all documents of every topic tie, as far as judged documents show it."""
    retrieved = judged.retrieved[judged.topic]
    several = retrieved > 1
    whole = (judged.tie_first == 1) & (judged.tie_last == retrieved)
    return bool(several.any() and whole[several].all())


def _extreme(runs: list[RunResult], *, favourable: bool) -> RunResult:
    scores = zip(*(run.scores for run in runs), strict=True)
    return replace(runs[0], scores=tuple(_best(pair, favourable=favourable) for pair in scores))


def _best(scores: tuple[Score, ...], *, favourable: bool) -> Score:
    """Merge scores topic by topic, the best or the worst value; take one whole if it is no mean."""
    first = scores[0]
    sign = 1.0 if favourable != first.loss else -1.0
    if first.rule != "mean":
        return max(scores, key=lambda score: sign * score.aggregate)
    values = sign * np.fmax.reduce([sign * score.values for score in scores])
    mean = ordered_mean(values[~np.isnan(values)])
    return replace(first, values=values, aggregate=np.nan if mean is None else mean)
