"""Which topics of a run count, and which of their documents."""

from dataclasses import replace

import numpy as np

from rankeval.base.arrays import Booleans
from rankeval.base.wording import count, listed
from rankeval.errors import UsageError
from rankeval.evaluation.settings import RELEVANT, Settings
from rankeval.ranking import RankedJudgments


def topics_that_count(judged: RankedJudgments, settings: Settings, present: Booleans) -> Booleans:
    """Mark the topics that count; `present` marks those that the run has."""
    chosen = present if settings.topics == "both" else np.ones(len(judged), dtype=bool)
    if not settings.skip_no_relevant:
        return chosen
    return chosen & with_relevant(judged, settings)


def with_relevant(judged: RankedJudgments, settings: Settings) -> Booleans:
    """Mark the topics with a relevant document."""
    return judged.count_judged(min_grade=settings.min_grade or RELEVANT) > 0


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
    return judged.condensed if settings.judged_only else judged


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
