"""Restrict the judgments of a run to the topics and ranks that the settings leave."""

from dataclasses import replace

import numpy as np

from rankeval.errors import UsageError
from rankeval.evaluation.settings import Settings
from rankeval.judgments import RankedJudgments
from rankeval.support.arrays import Booleans
from rankeval.support.wording import count, listed


def topics_that_count(
    judged: RankedJudgments, settings: Settings, present: Booleans
) -> tuple[Booleans, int]:
    """Mark the topics that count, and count those that lack a relevant document and do not.

    `present` marks the topics that the run has.
    """
    chosen = present if settings.topics == "both" else np.ones(len(judged), dtype=bool)
    if not settings.skip_no_relevant:
        return chosen, 0
    relevant = judged.count_judged(min_grade=settings.min_grade or 1) > 0
    return chosen & relevant, int(np.count_nonzero(~relevant & chosen))


def restricted(
    judged: RankedJudgments, chosen: Booleans | None, settings: Settings
) -> RankedJudgments:
    """Keep the chosen topics, all for None, and apply the settings to their rankings."""
    if chosen is not None:
        judged = judged.select(chosen)
    if settings.ties == "expected":
        _refuse_cut_ties(judged, settings)
        judged = replace(judged, ties_open=True)
    if settings.depth is not None:
        judged = judged.truncated(settings.depth)
    return judged.condensed if settings.removes_unjudged else judged


def _refuse_cut_ties(judged: RankedJudgments, settings: Settings) -> None:
    """Raise UsageError if the depth cuts through a group of equal scores."""
    if settings.depth is None:
        return
    cut = (judged.tie_first <= settings.depth) & (judged.tie_last > settings.depth)
    if cut.any():
        topics = [judged.topics[i] for i in np.unique(judged.topic[cut]).tolist()]
        raise UsageError(
            f"a depth of {settings.depth} cuts through equal scores in "
            f"{count(len(topics), 'topic')} ({listed(topics)}), so that there is no mean over all "
            "their orders",
            remedy="cut in the measure, as in AP@100, or break ties by another rule",
        )
