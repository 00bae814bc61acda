"""Rankings: ranks of judged documents, docnos in the first ranks, and values at each rank."""

from collections.abc import Mapping, Sequence

from rankeval.base.arrays import Integers
from rankeval.base.frozen import frozen
from rankeval.base.wording import decoded
from rankeval.errors import UsageError
from rankeval.evaluation.settings import Settings
from rankeval.measures import Measure
from rankeval.ranking import RankedJudgments
from rankeval.ranking.align import Alignment
from rankeval.ranking.qrels import Qrels

BATCH = 256
"""Prefixes of the ranking evaluated at once; memory grows with this times the judgments."""

ONE_ORDER = ("docno", "input", "rank")
"""The rules for ties that give every document one rank, whatever its grade."""


@frozen
class JudgedDocument:
    """A judged document with its ranks, one for each run; None where a run did not retrieve it."""

    docno: str
    grade: float
    ranks: tuple[int | None, ...]

    @property
    def best_rank(self) -> float:
        """The best of its ranks; infinity if no run retrieved it."""
        return min((rank for rank in self.ranks if rank is not None), default=float("inf"))


class Rankings:
    """The rankings of runs over the same judgments.

    `alignments` hold the ranks of judged documents, and `tops` the docnos of the first ranks, which
    only `unjudged` needs.
    """

    def __init__(
        self,
        qrels: Qrels,
        alignments: Sequence[Alignment],
        tops: Sequence[Mapping[bytes, Sequence[bytes]]] = (),
    ) -> None:
        self.qrels = qrels
        self.topic_of = {decoded(topic): topic for topic in qrels.topics}
        self._alignments, self._tops = alignments, tops
        self._names = qrels.docnos.names
        self._ranks = [
            dict(
                zip(alignment.judged.judgment.tolist(), alignment.judged.rank.tolist(), strict=True)
            )
            for alignment in alignments
        ]

    def grades(self, topic: bytes) -> dict[bytes, tuple[int, float]]:
        """Return the judged documents of a topic, with the index of the judgment and the grade."""
        code = self.qrels.code[topic]
        start, stop = self.qrels.offsets[code : code + 2].tolist()
        docnos = self.qrels.docno[start:stop].tolist()
        grades = self.qrels.grade[start:stop].astype(float).tolist()
        return {
            self._names[docno]: (judgment, grade)
            for judgment, docno, grade in zip(range(start, stop), docnos, grades, strict=True)
        }

    def judged(self, topic: bytes, top: int) -> list[JudgedDocument]:
        """Return the judged documents that stand in the first ranks of some run."""
        found = (
            JudgedDocument(decoded(docno), grade, tuple(ranks.get(i) for ranks in self._ranks))
            for docno, (i, grade) in self.grades(topic).items()
        )
        return [one for one in found if one.best_rank <= top]

    def unjudged(self, which: int, topic: bytes, top: int) -> dict[bytes, int]:
        """Return the unjudged documents in the first ranks of a run, with their ranks."""
        known = self.grades(topic)
        ranking = self._tops[which].get(topic, ())[:top]
        return {docno: rank for rank, docno in enumerate(ranking, 1) if docno not in known}


def require_one_order(settings: Settings) -> None:
    """Raise UsageError unless ties are broken in an order that does not depend on grades."""
    if settings.ties not in ONE_ORDER:
        raise UsageError(
            f"with ties '{settings.ties}', documents have no fixed ranks to compare",
            expected="ties by docno, input or rank",
        )


def is_condensed(measure: Measure, settings: Settings) -> bool:
    """Return True where unjudged documents are removed: by a setting, or by the measure itself."""
    return settings.judged_only or bool(measure.parameters.get("judged_only"))


def measured_ranking(
    measure: Measure, settings: Settings, whole: RankedJudgments
) -> RankedJudgments:
    """Return the ranking that a measure looks at: cut at the depth, without what is removed."""
    judged = whole if settings.depth is None else whole.truncated(settings.depth)
    return judged.condensed if is_condensed(measure, settings) else judged


def running_values(measure: Measure, judged: RankedJudgments, depths: Integers) -> dict[int, float]:
    """Return the value of the only topic's ranking cut at each depth; evaluated in batches.

    A document at rank r adds the value at r minus the value at r - 1.
    """
    values: dict[int, float] = {}
    for start in range(0, len(depths), BATCH):
        some = depths[start : start + BATCH]
        batch = measure.values(judged.prefixes(some))
        values.update(zip(some.tolist(), batch.tolist(), strict=True))
    return values
