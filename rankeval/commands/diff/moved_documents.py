"""The documents that make a topic differ between two runs, and the gain or loss by each."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, get_args

import numpy as np

from rankeval.base.frozen import frozen
from rankeval.base.wording import decoded, finite
from rankeval.choices import Contrast
from rankeval.errors import UsageError
from rankeval.evaluation.rankings import Rankings
from rankeval.evaluation.running_values import is_condensed, measured_ranking, running_values
from rankeval.evaluation.settings import Settings
from rankeval.measures import Measure
from rankeval.ranking import RankedJudgments
from rankeval.ranking.align import Alignment
from rankeval.ranking.qrels import Qrels, from_mapping
from rankeval.stats.checked_arrays import NOISE

CONTRASTS: tuple[str, ...] = get_args(Contrast)


@frozen
class MovedDocument:
    """A document, its ranks in the two runs, and its contribution to their values.

    ============== ========================================================================
    grade          its grade; None if it is unjudged
    rank_a, rank_b its ranks; None where a run did not retrieve it. An unjudged document has a
                   rank only if it is among the first `top` ranks
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

    @property
    def best_rank(self) -> float:
        """The better one of its ranks."""
        return min(rank for rank in (self.rank_a, self.rank_b, np.inf) if rank is not None)


@frozen
class TopicDifference:
    """A topic with different values, or different rankings.

    =============== ==============================================================================
    a, b            values; None without judgments, and where the measure is undefined
    difference      b - a; None likewise
    judged          judged documents in the first ranks of either run, the best grades first
    entered         unjudged documents in the first ranks of B but not in those of A; of a topic
                    without judgments, all documents in the first ranks of either
    rest            the shares of all other documents together: with the shares of `judged` and
                    `entered` they sum to the difference. None where shares are not known
    only_a, only_b  relevant documents that only this run retrieved, the best grades first
    holes_a, holes_b  unjudged documents of a run above the last relevant one in its first ranks
    contrast        overlap or tau-AP of the two rankings, where topics are chosen by that
    =============== ==============================================================================
    """

    topic: str
    a: float | None
    b: float | None
    difference: float | None
    judged: tuple[MovedDocument, ...]
    entered: tuple[MovedDocument, ...]
    rest: float | None = None
    only_a: tuple[MovedDocument, ...] = ()
    only_b: tuple[MovedDocument, ...] = ()
    holes_a: tuple[MovedDocument, ...] = ()
    holes_b: tuple[MovedDocument, ...] = ()
    contrast: float | None = None

    def documents(self) -> Iterable[MovedDocument]:
        """Yield all documents of the topic that are listed."""
        for group in (self.judged, self.entered, self.only_a, self.only_b):
            yield from group
        yield from self.holes_a
        yield from self.holes_b


@frozen(eq=False)
class ShareMeasure:
    """A measure, its conventions, and whether contributions of documents add up to the values."""

    measure: Measure
    settings: Settings
    shares: bool

    def is_relevant(self, grade: float) -> bool:
        """Return True for a grade that is relevant to the measure."""
        rel = self.measure.parameters.get("rel")
        return grade >= rel if isinstance(rel, int | float) else grade > 0


class TwoRankings(Rankings):
    """The rankings of both runs: ranks of judged documents, docnos in the first ranks."""

    def __init__(
        self,
        qrels: Qrels,
        alignments: Sequence[Alignment],
        tops: Sequence[Mapping[bytes, Sequence[bytes]]],
    ) -> None:
        super().__init__(qrels, alignments, tops)
        self._tops_of_both = tops

    def n_unjudged(self, which: int, top: int) -> int:
        """Count the unjudged documents in the first ranks of all topics."""
        return sum(len(self.unjudged(which, topic, top)) for topic in self.qrels.topics)

    def contrasts(self, contrast: str, top: int) -> dict[str, float]:
        """Return how alike the first ranks are, by topic, the least alike first.

        ======== =====================================================================
        overlap  the share of the longer of the two that is in both
        tau-ap   AP correlation of B's order with A's, over the documents in both;
                 without two of these a topic is left out
        ======== =====================================================================
        """
        measure = _tau_ap if contrast == "tau-ap" else _overlap
        first, second = self._tops_of_both
        known = dict.fromkeys([*self.qrels.topics, *first, *second])
        found = {
            decoded(topic): measure(first.get(topic, ())[:top], second.get(topic, ())[:top])
            for topic in known
        }
        alike = {topic: value for topic, value in found.items() if value is not None}
        return dict(sorted(alike.items(), key=lambda pair: pair[1]))

    def topic(
        self, name: str, values: tuple[float, float] | None, measured: ShareMeasure, top: int
    ) -> TopicDifference:
        """Return the documents that make the topic differ."""
        topic = self.topic_of.get(name)
        if topic is None or values is None:
            return self._without_values(name, top)
        judged = [
            MovedDocument(document.docno, document.grade, *document.ranks)
            for document in self.judged(topic, top)
        ]
        judged.sort(key=lambda moved: (-(moved.grade or 0.0), moved.rank_b or np.inf, moved.docno))
        before, after = (self.unjudged(which, topic, top) for which in (0, 1))
        entered = [
            MovedDocument(decoded(docno), None, None, rank)
            for docno, rank in after.items()
            if docno not in before
        ]
        a, b = values
        found = TopicDifference(
            topic=name,
            a=finite(a),
            b=finite(b),
            difference=finite(b - a),
            judged=tuple(judged),
            entered=tuple(entered),
            only_a=self._only(0, topic, measured),
            only_b=self._only(1, topic, measured),
            holes_a=self._holes_above(0, topic, before, measured, top),
            holes_b=self._holes_above(1, topic, after, measured, top),
        )
        return self._with_shares(topic, found, measured) if measured.shares else found

    def _without_values(self, name: str, top: int) -> TopicDifference:
        """Return a topic without judgments: all documents in the first ranks, by their rank."""
        ranks: dict[bytes, list[int | None]] = {}
        for which, tops in enumerate(self._tops_of_both):
            for rank, docno in enumerate(tops.get(name.encode(), ())[:top], 1):
                ranks.setdefault(docno, [None, None])[which] = rank
        moved = [MovedDocument(decoded(docno), None, *found) for docno, found in ranks.items()]
        moved.sort(key=lambda document: (document.best_rank, document.docno))
        return TopicDifference(name, None, None, None, (), tuple(moved))

    def _only(self, which: int, topic: bytes, measured: ShareMeasure) -> tuple[MovedDocument, ...]:
        """Return the relevant documents that only one run retrieved, down to the depth."""
        depth = measured.settings.depth or sys.maxsize
        found = []
        for document in self.judged(topic, depth):
            a, b = (rank if rank and rank <= depth else None for rank in document.ranks)
            is_only = (a, b)[which] is not None and (a, b)[1 - which] is None
            if is_only and measured.is_relevant(document.grade):
                found.append(MovedDocument(document.docno, document.grade, a, b))
        found.sort(key=lambda moved: (-(moved.grade or 0.0), moved.best_rank))
        return tuple(found)

    def _holes_above(
        self,
        which: int,
        topic: bytes,
        unjudged: Mapping[bytes, int],
        measured: ShareMeasure,
        top: int,
    ) -> tuple[MovedDocument, ...]:
        """Return the unjudged documents above the last relevant one in a run's first ranks."""
        relevant = [
            document.ranks[which]
            for document in self.judged(topic, top)
            if measured.is_relevant(document.grade)
        ]
        last = max((rank for rank in relevant if rank is not None and rank <= top), default=0)
        return tuple(
            MovedDocument(decoded(docno), None, *((rank, None) if which == 0 else (None, rank)))
            for docno, rank in unjudged.items()
            if rank < last
        )

    def _with_shares(
        self, topic: bytes, found: TopicDifference, measured: ShareMeasure
    ) -> TopicDifference:
        """Add the contribution of each document to the values, and the rest of the difference."""
        every = [*found.judged, *found.entered]
        adds = [self._adds(which, topic, measured, every) for which in (0, 1)]
        shares = [b - a for a, b in zip(*adds, strict=True)]
        rest = (np.nan if found.difference is None else found.difference) - float(np.sum(shares))
        moved = [
            replace(document, adds_a=finite(a), adds_b=finite(b), share=finite(b - a))
            for document, a, b in zip(every, *adds, strict=True)
        ]
        size = len(found.judged)
        return replace(
            found,
            judged=tuple(moved[:size]),
            entered=tuple(moved[size:]),
            rest=finite(0.0 if abs(rest) <= NOISE else rest),
        )

    def _adds(
        self, which: int, topic: bytes, measured: ShareMeasure, documents: Sequence[MovedDocument]
    ) -> list[float]:
        """Return the contribution of each document to a run's value; 0 if it does not count."""
        ranking = self._measured_topic(which, topic, measured)
        rank_of = dict(zip(ranking.judgment.tolist(), ranking.rank.tolist(), strict=True))
        judgments = {decoded(docno): number for docno, (number, _) in self.grades(topic).items()}
        condensed = is_condensed(measured.measure, measured.settings)
        ranks = []
        for document in documents:
            if document.grade is not None:
                rank = rank_of.get(judgments[document.docno], 0)
            else:
                rank = (document.rank_a, document.rank_b)[which] or 0
                rank = 0 if condensed or rank > ranking.retrieved[0] else rank
            ranks.append(rank)
        depths = sorted({depth for rank in ranks if rank for depth in (rank - 1, rank)})
        values = running_values(measured.measure, ranking, np.array(depths, dtype=np.int64))
        return [values[rank] - values[rank - 1] if rank else 0.0 for rank in ranks]

    def _measured_topic(self, which: int, topic: bytes, measured: ShareMeasure) -> RankedJudgments:
        chosen = np.zeros(len(self.qrels.topics), dtype=bool)
        chosen[self.qrels.code[topic]] = True
        whole = self._alignments[which].judged.select(chosen)
        return measured_ranking(measured.measure, measured.settings, whole)

    def filled(self, top: int, grade: float, ahead: int | None = None) -> Qrels:
        """Return the judgments with the unjudged documents in either run's first ranks added.

        They get the given grade. With `ahead`, 0 or 1, only documents are added that this run
        ranks higher, or that only this run has in its first ranks. In judgments by subtopic, they
        are relevant to each subtopic that has a document of that grade or a better one.
        """
        by_topic: dict[str, dict[str, Any]] = {}
        for name, topic in self.topic_of.items():
            known = self.grades(topic)
            judged = {docno: self._judged_for(*known[docno]) for docno in known}
            relevant = {
                subtopic: grade
                for grades in judged.values()
                if isinstance(grades, dict)
                for subtopic, value in grades.items()
                if value >= grade
            }
            holes = self._holes(topic, top, ahead)
            whole = grade if self.qrels.subtopics is None else relevant
            by_topic[name] = {_text(docno): judgment for docno, judgment in judged.items()} | {
                _text(docno): whole for docno in holes if whole
            }
        return from_mapping(by_topic, self.qrels.path)

    def _holes(self, topic: bytes, top: int, ahead: int | None) -> set[bytes]:
        ranks = [self.unjudged(which, topic, top) for which in (0, 1)]
        if ahead is None:
            return set(ranks[0]) | set(ranks[1])
        others = ranks[1 - ahead]
        return {docno for docno, rank in ranks[ahead].items() if rank < others.get(docno, np.inf)}

    def _judged_for(self, judgment: int, grade: float) -> float | dict[str, float]:
        """Return the grade of a judgment, or its grades by subtopic."""
        labels = self.qrels.subtopics
        if labels is None:
            return grade
        _, own = labels.of_judgments(np.array([judgment]))
        numbers = [str(number) for number in labels.number[own].tolist()]
        return dict(zip(numbers, labels.grade[own].tolist(), strict=True))

    def pool(self, depth: int) -> list[tuple[str, str]]:
        """Return the pairs to judge by topic, each in order of its better rank in the two runs."""
        pairs = []
        for name, topic in self.topic_of.items():
            best: dict[bytes, int] = {}
            for which in (0, 1):
                for docno, rank in self.unjudged(which, topic, depth).items():
                    best[docno] = min(rank, best.get(docno, rank))
            ordered = sorted(best, key=lambda docno: (best[docno], docno))
            pairs += [(name, decoded(docno)) for docno in ordered]
        return pairs


def _overlap(first: Sequence[bytes], second: Sequence[bytes]) -> float | None:
    longer = max(len(first), len(second))
    return len({*first} & {*second}) / longer if longer else None


def _tau_ap(first: Sequence[bytes], second: Sequence[bytes]) -> float | None:
    from rankeval.stats.rank_correlation import tau_ap

    return tau_ap(second, first)


def _text(name: bytes) -> str:
    """Decode a name so that encoding gives the same bytes; UsageError where that fails."""
    try:
        return name.decode()
    except UnicodeDecodeError as error:
        raise UsageError(
            f"the name '{decoded(name)}' is not in UTF-8", expected="names in UTF-8 for --holes"
        ) from error
