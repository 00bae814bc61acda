"""Score a run with every tie broken for it and against it."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from rankeval.evaluation.prepared import CostsLike, prepare
from rankeval.evaluation.reading import AS_FOUND, Reading
from rankeval.evaluation.results import RunResult, Score
from rankeval.evaluation.score import score_run
from rankeval.evaluation.settings import Settings
from rankeval.ranking import RankedJudgments
from rankeval.ranking.qrels import Qrels
from rankeval.ranking.run_source import RunSource
from rankeval.ranking.tie_orders import ORDERS, with_ties_broken
from rankeval.stats.differences import ordered_mean


class Extremes(NamedTuple):
    """The results of a run with ties broken in its favour, and against it.

    `all_equal` is True if no score of the run tells two documents of a topic apart.
    """

    favourable: RunResult
    unfavourable: RunResult
    all_equal: bool


def extreme_results(
    qrels: Qrels,
    run: RunSource,
    measures: str,
    settings: Settings,
    *,
    costs: CostsLike | None = None,
    reading: Reading = AS_FOUND,
    jobs: int = 1,
) -> Extremes:
    """Score a run under the best and the worst order of documents with equal scores.

    Topics are independent, so each has the order that is best, or worst, for its measure.
    """
    prepared = prepare(qrels, measures, settings, reading, costs=costs)
    # Ordering equal scores would separate documents whose best chunks tie.
    unordered = replace(prepared, settings=replace(settings, ties="best"))
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
