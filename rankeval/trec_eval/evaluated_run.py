"""The evaluated topics of a run, as measures see them."""

from dataclasses import replace
from functools import cached_property

import numpy as np

from rankeval.base.arrays import Booleans, Integers
from rankeval.base.frozen import frozen
from rankeval.ranking import Ideal, RankedJudgments
from rankeval.trec_eval.recall_scan import levels_by_rank, with_unjudged_rows
from rankeval.trec_eval.tool_version import Version


@frozen(eq=False)
class Evaluation:
    """The data from which the measures of `-R qrels` are computed.

    =============== ======================================================================
    judged          the evaluated topics, after -M and -J
    level           the lowest relevant level (-l); below 0, unjudged documents are relevant
    collection_size number of documents in the collection (-N)
    version         the rules of trec_eval's version
    =============== ======================================================================
    """

    judged: RankedJudgments
    level: int
    collection_size: int
    version: Version

    @property
    def rel(self) -> int:
        """The lowest relevant level of a judged document."""
        return max(self.level, 0)

    @cached_property
    def ranked(self) -> RankedJudgments:
        """The judgments for measures in which unjudged documents may be relevant.

        If `level` is below 0, unjudged documents have rows as well.
        """
        return self.judged if self.level >= 0 else with_unjudged_rows(self.judged)

    @cached_property
    def graded(self) -> RankedJudgments:
        """The judgments for measures with an ideal ranking."""
        return with_stale_levels(self.judged)

    @cached_property
    def n_relevant(self) -> Integers:
        """R of each topic."""
        return self.judged.count_judged(min_grade=self.rel)

    @cached_property
    def n_found(self) -> Integers:
        """Relevant documents retrieved for each topic; unjudged ones are never counted."""
        return self.judged.count_per_topic(self.judged.grade >= self.rel)

    @cached_property
    def levels(self) -> list[list[int]]:
        """The level of every retrieved document in rank order, topic by topic."""
        return levels_by_rank(self.judged)


def with_stale_levels(judged: RankedJudgments) -> RankedJudgments:
    """Give a topic without any level of 0 or more the levels of the topic before.

    This is an oversight in trec_eval. It has an effect on ideal_dcg, and where unjudged documents
    have gains.
    """
    has_levels = judged.count_judged(min_grade=0) > 0
    if has_levels.all():
        return judged
    source = np.maximum.accumulate(np.where(has_levels, np.arange(len(judged)), 0))
    starts, stops = judged.judged_offsets[:-1][source], judged.judged_offsets[1:][source]
    sizes = stops - starts
    offsets = np.concatenate(([0], np.cumsum(sizes)))
    rows = np.arange(offsets[-1]) - np.repeat(offsets[:-1] - starts, sizes)
    return replace(judged, ideal=Ideal(offsets, judged.judged_grade[rows]))


def nothing_retrieved(judged: RankedJudgments) -> Booleans:
    """Mark the topics whose ranking is empty after -M and -J."""
    return judged.retrieved == 0
