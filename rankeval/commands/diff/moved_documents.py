"""The documents that make a topic differ between two runs, and the gain or loss by each."""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from rankeval.base.frozen import frozen
from rankeval.base.wording import decoded, finite
from rankeval.evaluation.rankings import Rankings, is_condensed, measured_ranking, running_values
from rankeval.evaluation.settings import Settings
from rankeval.measures import Measure
from rankeval.ranking.align import Alignment
from rankeval.ranking.qrels import AS_TEXT, Qrels, from_mapping
from rankeval.stats.checked_arrays import NOISE


@frozen
class MovedDocument:
    """A document, its ranks in the two runs, and its contribution to their values.

    ============== ========================================================================
    grade          its grade; None if it is unjudged
    rank_a, rank_b its ranks; None where a run did not retrieve it, or has an unjudged document
                   below the first ranks
    adds_a, adds_b what it adds to the value of the topic, as in `explain`: the value of the
                   ranking cut after its rank minus that of the ranking cut before it
    share          adds_b - adds_a; None where it is not known, as of a system of several runs
    ============== ========================================================================
    """

    docno: str
    grade: float | None
    rank_a: int | None
    rank_b: int | None
    adds_a: float | None = None
    adds_b: float | None = None
    share: float | None = None


@frozen
class TopicDifference:
    """A topic with different values, or different rankings.

    ========== ==============================================================================
    a, b       values; None without judgments, and where the measure is undefined
    difference b - a; None likewise
    documents  those in the first ranks of either run, and relevant ones that only one run
               retrieved: the judged ones, the best grades first, and then the unjudged ones
    rest       the shares of all other documents together: all shares sum to the difference.
               None where shares are not known
    ========== ==============================================================================
    """

    topic: str
    a: float | None
    b: float | None
    difference: float | None
    documents: tuple[MovedDocument, ...]
    rest: float | None = None


class TwoRankings(Rankings):
    """The rankings of both runs: ranks of judged documents, docnos in the first ranks."""

    def __init__(
        self,
        qrels: Qrels,
        alignments: Sequence[Alignment],
        tops: Sequence[Mapping[bytes, Sequence[bytes]]],
        settings: Settings,
    ) -> None:
        super().__init__(qrels, alignments, tops)
        self._settings = settings

    def n_unjudged(self, which: int, top: int) -> int:
        """Count the unjudged documents in the first ranks of all topics."""
        return sum(len(self.unjudged(which, topic, top)) for topic in self.qrels.topics)

    def topic(
        self, name: str, values: tuple[float, float], measure: Measure, top: int, *, shares: bool
    ) -> TopicDifference:
        """Return the documents that make the topic differ."""
        topic = self.topic_of[name]
        moved = [
            *self._judged(topic, measure, top),
            *sorted(self._unjudged(topic, top), key=lambda one: (_best_rank(one), one.docno)),
        ]
        a, b = values
        rest = None
        if shares:
            adds = [self._adds(which, topic, measure, moved) for which in (0, 1)]
            others = b - a - sum(after - before for before, after in zip(*adds, strict=True))
            rest = finite(0.0 if abs(others) <= NOISE else others)
            moved = [
                replace(one, adds_a=finite(old), adds_b=finite(new), share=finite(new - old))
                for one, old, new in zip(moved, *adds, strict=True)
            ]
        return TopicDifference(name, finite(a), finite(b), finite(b - a), tuple(moved), rest)

    def _judged(self, topic: bytes, measure: Measure, top: int) -> list[MovedDocument]:
        """Return judged documents in the first ranks, and relevant ones that one run lacks."""
        depth = self._settings.depth or sys.maxsize
        rel = measure.parameters.get("rel")
        least = rel if isinstance(rel, int | float) else sys.float_info.min  # above 0
        found = []
        for one in self.judged(topic, depth):
            among = [rank for rank in one.ranks if rank is not None and rank <= depth]
            if one.best_rank <= top or (len(among) == 1 and one.grade >= least):
                found.append(MovedDocument(one.docno, one.grade, *one.ranks))
        return sorted(found, key=lambda one: (-(one.grade or 0.0), one.rank_b or np.inf, one.docno))

    def _unjudged(self, topic: bytes, top: int) -> list[MovedDocument]:
        first, second = (self.unjudged(which, topic, top) for which in (0, 1))
        return [
            MovedDocument(decoded(docno), None, first.get(docno), second.get(docno))
            for docno in {**first, **second}
        ]

    def _adds(
        self, which: int, topic: bytes, measure: Measure, documents: Sequence[MovedDocument]
    ) -> list[float]:
        """Return the contribution of each document to a run's value; 0 if it does not count."""
        chosen = np.zeros(len(self.qrels.topics), dtype=bool)
        chosen[self.qrels.code[topic]] = True
        whole = self._alignments[which].judged.select(chosen)
        ranking = measured_ranking(measure, self._settings, whole)
        rank_of = dict(zip(ranking.judgment.tolist(), ranking.rank.tolist(), strict=True))
        judgments = {decoded(docno): number for docno, (number, _) in self.grades(topic).items()}
        # Where unjudged documents are removed, none has a rank.
        last = 0 if is_condensed(measure, self._settings) else int(ranking.retrieved[0])
        ranks = []
        for one in documents:
            own = (one.rank_a, one.rank_b)[which] or 0
            unjudged = own if own <= last else 0
            ranks.append(unjudged if one.grade is None else rank_of.get(judgments[one.docno], 0))
        depths = sorted({depth for rank in ranks if rank for depth in (rank - 1, rank)})
        values = running_values(measure, ranking, np.array(depths, dtype=np.int64))
        return [values[rank] - values[rank - 1] if rank else 0.0 for rank in ranks]

    def filled(self, top: int, grade: float) -> Qrels:
        """Return the judgments with the unjudged documents in either run's first ranks added."""
        by_topic = self.qrels.to_dict()
        for name, topic in zip(by_topic, self.qrels.topics, strict=True):
            for which in (0, 1):
                holes = (
                    docno.decode("utf-8", AS_TEXT) for docno in self.unjudged(which, topic, top)
                )
                by_topic[name] |= dict.fromkeys(holes, grade)
        return from_mapping(by_topic, self.qrels.path)


def _best_rank(document: MovedDocument) -> int:
    return min(rank for rank in (document.rank_a, document.rank_b) if rank is not None)
