"""What equal scores could do: the ranking with every tie broken for or against a run."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from rankeval.aggregation import aggregation
from rankeval.api import CostsLike, RunLike, aligned, asked_measures, kept_for, score_run
from rankeval.judgments import RankedJudgments
from rankeval.qrels import Qrels
from rankeval.readings import AS_FOUND, Reading
from rankeval.results import RunResult
from rankeval.settings import Settings


class Extremes(NamedTuple):
    """A run with ties broken in its favour, and against it."""

    favourable: RunResult
    unfavourable: RunResult


def with_ties_broken(judged: RankedJudgments, *, favourably: bool) -> RankedJudgments:
    """Put the documents of equal scores into the order of their grades, best first or last.

    Unjudged documents stand between relevant ones and those judged not relevant when the order is
    favourable, and the other way round when it is not: both are as good, but for measures that
    look at judged documents only, and these see the judged ones in the same order.
    """
    signed = -judged.grade if favourably else judged.grade
    order = np.lexsort((signed, judged.tie_first, judged.topic))
    topic, first = judged.topic[order], judged.tie_first[order]
    starts_group = np.ones(len(order), dtype=bool)
    starts_group[1:] = (np.diff(topic) != 0) | (np.diff(first) != 0)
    group = np.cumsum(starts_group) - 1
    place = np.arange(len(order)) - np.flatnonzero(starts_group)[group]
    behind = np.bincount(group)[group] - 1 - place
    in_front = (judged.grade[order] > 0) == favourably
    rank = np.where(in_front, first + place, judged.tie_last[order] - behind)
    return replace(
        judged,
        rank=rank,
        grade=judged.grade[order],
        judgment=judged.judgment[order],
        score=judged.score[order],
        tie_first=first,
        tie_last=judged.tie_last[order],
    )


def extreme_results(
    qrels: Qrels,
    run: RunLike,
    measures: str,
    settings: Settings,
    *,
    costs: CostsLike | None = None,
    reading: Reading = AS_FOUND,
    jobs: int = 1,
) -> Extremes:
    """Score a run under the best and the worst order of documents with equal scores."""
    asked, _ = asked_measures(measures, qrels, settings)
    kept = kept_for(asked, costs)
    alignment, path = aligned(qrels, run, settings, jobs, reading=reading, kept=kept)
    over_topics = aggregation(settings.aggregate, None, None)

    def scored(*, favourably: bool) -> RunResult:
        judged = with_ties_broken(alignment.judged, favourably=favourably)
        broken = replace(alignment, judged=judged)
        return score_run(
            qrels, broken, path, asked, settings, over_topics, reading=reading, cautious=False
        )

    return Extremes(scored(favourably=True), scored(favourably=False))
