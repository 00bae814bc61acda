"""The documents that make a topic differ between two runs, and the gain or loss by each."""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from rankeval.base.frozen import frozen
from rankeval.base.wording import decoded, finite
from rankeval.errors import UsageError
from rankeval.evaluation.rankings import Rankings
from rankeval.evaluation.running_values import is_condensed, measured_ranking, running_values
from rankeval.evaluation.settings import Settings
from rankeval.measures import Measure
from rankeval.ranking.align import Alignment
from rankeval.ranking.qrels import Qrels, from_mapping
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
    overlap    the share of the first ranks that both runs have, where topics are chosen by it
    ========== ==============================================================================
    """

    topic: str
    a: float | None
    b: float | None
    difference: float | None
    documents: tuple[MovedDocument, ...]
    rest: float | None = None
    overlap: float | None = None


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

    def grades(self, topic: bytes) -> dict[bytes, tuple[int, float]]:
        """Return the judged documents of a topic; none of a topic without judgments."""
        return super().grades(topic) if topic in self.qrels.code else {}

    def n_unjudged(self, which: int, top: int) -> int:
        """Count the unjudged documents in the first ranks of all topics."""
        return sum(len(self.unjudged(which, topic, top)) for topic in self.qrels.topics)

    def overlaps(self, top: int) -> dict[str, float]:
        """Return the share of the first ranks that is in both runs, by topic, the least first."""
        first, second = self._tops
        found = {}
        for topic in dict.fromkeys([*self.qrels.topics, *first, *second]):
            docnos = [{*one.get(topic, ())[:top]} for one in (first, second)]
            if longer := max(map(len, docnos)):
                found[decoded(topic)] = len(docnos[0] & docnos[1]) / longer
        return dict(sorted(found.items(), key=lambda pair: pair[1]))

    def topic(
        self, name: str, values: tuple[float, float], measure: Measure, top: int, *, shares: bool
    ) -> TopicDifference:
        """Return the documents that make the topic differ; `values` are NaN without judgments."""
        topic = self.topic_of.get(name, name.encode())
        documents = self._judged(topic, measure, top)
        ranks = [self.unjudged(which, topic, top) for which in (0, 1)]
        unjudged = [
            MovedDocument(decoded(docno), None, *(one.get(docno) for one in ranks))
            for docno in {**ranks[0], **ranks[1]}
        ]
        documents += sorted(unjudged, key=lambda one: (_best_rank(one), one.docno))
        a, b = values
        found = TopicDifference(name, finite(a), finite(b), finite(b - a), tuple(documents))
        if not shares or topic not in self.qrels.code:
            return found
        adds = [self._adds(which, topic, measure, documents) for which in (0, 1)]
        rest = b - a - sum(after - before for before, after in zip(*adds, strict=True))
        moved = [
            replace(one, adds_a=finite(before), adds_b=finite(after), share=finite(after - before))
            for one, before, after in zip(documents, *adds, strict=True)
        ]
        rest = finite(0.0 if abs(rest) <= NOISE else rest)
        return replace(found, documents=tuple(moved), rest=rest)

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
        condensed = is_condensed(measure, self._settings)
        ranks = []
        for one in documents:
            if one.grade is not None:
                rank = rank_of.get(judgments[one.docno], 0)
            else:
                rank = (one.rank_a, one.rank_b)[which] or 0
                rank = 0 if condensed or rank > ranking.retrieved[0] else rank
            ranks.append(rank)
        depths = sorted({depth for rank in ranks if rank for depth in (rank - 1, rank)})
        values = running_values(measure, ranking, np.array(depths, dtype=np.int64))
        return [values[rank] - values[rank - 1] if rank else 0.0 for rank in ranks]

    def filled(self, top: int, grade: float) -> Qrels:
        """Return the judgments with the unjudged documents in either run's first ranks added.

        They get the given grade. In judgments by subtopic, they are relevant to each subtopic that
        has a document of that grade or a better one.
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
            whole = grade if self.qrels.subtopics is None else relevant
            holes = {**self.unjudged(0, topic, top), **self.unjudged(1, topic, top)}
            by_topic[name] = {_text(docno): judgment for docno, judgment in judged.items()} | {
                _text(docno): whole for docno in holes if whole
            }
        return from_mapping(by_topic, self.qrels.path)

    def _judged_for(self, judgment: int, grade: float) -> float | dict[str, float]:
        """Return the grade of a judgment, or its grades by subtopic."""
        labels = self.qrels.subtopics
        if labels is None:
            return grade
        _, own = labels.of_judgments(np.array([judgment]))
        numbers = [str(number) for number in labels.number[own].tolist()]
        return dict(zip(numbers, labels.grade[own].tolist(), strict=True))


def _best_rank(document: MovedDocument) -> int:
    return min(rank for rank in (document.rank_a, document.rank_b) if rank is not None)


def _text(name: bytes) -> str:
    """Decode a name so that encoding gives the same bytes; UsageError where that fails."""
    try:
        return name.decode()
    except UnicodeDecodeError as error:
        raise UsageError(
            f"the name '{decoded(name)}' is not in UTF-8", expected="names in UTF-8 for --holes"
        ) from error
