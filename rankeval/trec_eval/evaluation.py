"""The evaluated topics of a run, as measures see them."""

from dataclasses import replace
from functools import cached_property

import numpy as np

from rankeval.judgments import Ideal, RankedJudgments
from rankeval.measures.base.gain_table import levels_by_rank, with_unjudged_rows
from rankeval.support.arrays import Booleans, Integers
from rankeval.support.frozen import frozen
from rankeval.trec_eval.version import Version


@frozen(eq=False)
class Evaluation:
    """What the measures of qrels are computed from.

    =============== ======================================================================
    judged          the evaluated topics, as -M and -J leave them
    level           the lowest relevant level (-l); below 0 it takes in unjudged documents
    collection_size documents in the collection (-N)
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
        """The judgments for measures that take any retrieved document for relevant.

        With `level` as rel: where that is below 0, unjudged documents have rows as well.
        """
        return self.judged if self.level >= 0 else with_unjudged_rows(self.judged)

    @cached_property
    def graded(self) -> RankedJudgments:
        """The judgments for measures that look at an ideal ranking."""
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
    """Let a topic without any level of 0 or more keep the levels of the topic before.

    trec_eval does so by oversight: it shows in ideal_dcg, and where unjudged documents gain.
    """
    kept = judged.count_judged(min_grade=0) > 0
    if kept.all():
        return judged
    source = np.maximum.accumulate(np.where(kept, np.arange(len(judged)), 0))
    starts, stops = judged.judged_offsets[:-1][source], judged.judged_offsets[1:][source]
    sizes = stops - starts
    offsets = np.concatenate(([0], np.cumsum(sizes)))
    rows = np.arange(offsets[-1]) - np.repeat(offsets[:-1] - starts, sizes)
    return replace(judged, ideal=Ideal(offsets, judged.judged_grade[rows]))


def nothing_retrieved(judged: RankedJudgments) -> Booleans:
    """Mark the topics whose ranking -M or -J has emptied."""
    return judged.retrieved == 0
