"""The agreement of judges on the documents that they judged, as a whole and by topic."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from rankeval.base.arrays import Booleans, Floats, Integers
from rankeval.base.dicts import seal
from rankeval.base.frozen import frozen
from rankeval.base.wording import finite
from rankeval.ranking.qrels import Qrels
from rankeval.stats.kappa_alpha import (
    JudgedUnits,
    KappaWeights,
    Level,
    agreed,
    alphas,
    coincidences,
    confusion,
    given_shares,
    gwets,
    kappas,
    pair_shares,
)
from rankeval.stats.resampling import LEAST_GROUPS, jackknife_interval

LEAST_TOPICS = LEAST_GROUPS
"""Topics with documents judged twice from which on there are intervals."""
MOST_GRADES = 64
"""Different grades up to which there are intervals."""
Shares = Mapping[str, float | None]


class AgreementInterval(NamedTuple):
    """An interval over topics, by the jackknife; None if it is undefined."""

    low: float | None
    high: float | None


@frozen
class Shift:
    """Grades of the second judge against those of the first, over documents that both judged.

    mean         mean of second minus first; None without a document
    higher, same, lower    number of documents to which the second gave such a grade
    """

    mean: float | None
    higher: int
    same: int
    lower: int


@frozen
class TopicAgreement:
    """The agreement on one topic.

    both   documents that both judged, or at least two of several judges
    raw    share of them with equal grades; of several judges, of all pairs of grades
    kappa  Cohen's plain kappa; None for several judges
    shift  mean of second minus first; None for several judges
    """

    topic: str
    both: int
    raw: float | None
    kappa: float | None
    shift: float | None


@frozen
class JudgesAgreement:
    """The agreement of judges beyond chance.

    ========= ============================================================================
    both      pairs of topic and docno that at least two judges judged
    topics    the topics of these
    raw       share of equal grades; of several judges, of all pairs of grades
    kappa     Cohen's, plain and quadratic, for two judges; None for more
    ac        Gwet's: plain (AC1)
    alpha     Krippendorff's: nominal and ordinal
    intervals of each of these values by its name, such as "alpha.nominal"
    ========= ============================================================================
    """

    both: int
    topics: int
    raw: float | None
    kappa: Shares
    ac: Shares
    alpha: Shares
    intervals: Mapping[str, AgreementInterval]

    def __post_init__(self) -> None:
        seal(self)


@frozen
class TwoJudgesAgreement:
    """Two judges, the documents that both judged, and those that only one did.

    confusion has the number of documents by the grade of the first, and then of the second.
    """

    both: int
    only_first: int
    only_second: int
    raw: float | None
    kappa: Shares
    confusion: Mapping[float, Mapping[float, int]]
    shift: Shift

    def __post_init__(self) -> None:
        seal(self)


@frozen
class DifferingDocument:
    """A document to which judges gave different grades: these by judge, None for none."""

    topic: str
    docno: str
    grades: tuple[float | None, ...]


@frozen(eq=False)
class JudgedPairs:
    """Pairs of topic and docno, and the grade that each judge gave, NaN for none.

    Shapes: topic and docno (n,), the index of the topic and of the name of the document; grades
    (n, judges).
    """

    topics: Sequence[bytes]
    docnos: Sequence[bytes]
    topic: Integers
    docno: Integers
    grades: Floats

    @classmethod
    def of(cls, judges: Sequence[Qrels]) -> "JudgedPairs":
        """Bring together the judges' grades of each document."""
        topics = sorted(set().union(*(one.topics for one in judges)))
        number = {topic: i for i, topic in enumerate(topics)}
        known: dict[bytes, int] = {}
        renumbered = [
            np.array([known.setdefault(name, len(known)) for name in one.docnos.names], np.int64)
            for one in judges
        ]
        keys = []
        for one, docno in zip(judges, renumbered, strict=True):
            code = np.array([number[topic] for topic in one.topics], dtype=np.int64)
            keys.append(code[one.topic] * len(known) + docno[one.docno])
        every, place = np.unique(np.concatenate(keys), return_inverse=True)
        grades = np.full((len(every), len(judges)), np.nan)
        start = 0
        for judge, (one, key) in enumerate(zip(judges, keys, strict=True)):
            grades[place[start : start + len(key)], judge] = one.grade
            start += len(key)
        topic, docno = np.divmod(every, max(len(known), 1))
        return cls(topics, [*known], topic, docno, grades)

    @cached_property
    def judged(self) -> Booleans:
        """True where a judge gave a grade, shape (n, judges)."""
        return ~np.isnan(self.grades)

    @cached_property
    def shared(self) -> Booleans:
        """True for the pairs that at least two judges judged, shape (n,)."""
        return self.judged.sum(axis=1) >= 2

    def differing(self, most: int) -> tuple[DifferingDocument, ...]:
        """Return the documents whose grades are farthest apart, those first, then by topic."""
        highest = np.where(self.judged, self.grades, -np.inf).max(axis=1)
        apart = highest - np.where(self.judged, self.grades, np.inf).min(axis=1)
        order = np.argsort(-apart, kind="stable")[:most]
        return tuple(
            DifferingDocument(
                self.topics[int(self.topic[row])].decode("utf-8", "backslashreplace"),
                self.docnos[int(self.docno[row])].decode("utf-8", "backslashreplace"),
                tuple(map(finite, self.grades[row].tolist())),
            )
            for row in order.tolist()
            if apart[row] > 0
        )

    def overlap(
        self, first: int, second: int, *, scale: Sequence[float] = ()
    ) -> TwoJudgesAgreement:
        """Compare two judges; `scale` names grades that the confusion has in any case."""
        one, other = self.judged[:, first], self.judged[:, second]
        both = one & other
        grades = self.grades[both][:, [first, second]]
        units = JudgedUnits.of(grades, further=scale)
        (table,) = confusion(units)
        names = units.categories.tolist()
        change = grades[:, 1] - grades[:, 0]
        return TwoJudgesAgreement(
            both=int(both.sum()),
            only_first=int((one & ~other).sum()),
            only_second=int((other & ~one).sum()),
            raw=_value(agreed(table[np.newaxis])),
            kappa={
                str(way): _value(kappas(table[np.newaxis], units.categories, way))
                for way in KappaWeights
            },
            confusion={
                grade: dict(zip(names, map(int, row), strict=True))
                for grade, row in zip(names, table.tolist(), strict=True)
            },
            shift=Shift(
                mean=float(change.mean()) if change.size else None,
                higher=int((change > 0).sum()),
                same=int((change == 0).sum()),
                lower=int((change < 0).sum()),
            ),
        )


def agreement(pairs: JudgedPairs, *, level: float, scale: Sequence[float] = ()) -> JudgesAgreement:
    """Return the agreement of all judges, and its intervals at a level of confidence.

    `scale` has grades that could have been given, which Gwet's AC counts among the categories.

    The intervals are over topics, because the judgments of a topic hang together. There are none
    with fewer than five topics that have a document judged twice, or with more than 64 different
    grades.
    """
    tables = _Tables.of(pairs, scale)
    values = {name: _value(found) for name, found in tables.map(_whole).values().items()}
    found = {name: AgreementInterval(None, None) for name in values}
    if tables.categories.size <= MOST_GRADES:
        found |= _intervals(tables, values, level)
    return JudgesAgreement(
        both=int(pairs.shared.sum()),
        topics=len(np.unique(pairs.topic[pairs.shared])),
        raw=values["raw"],
        kappa={name: values.get(f"kappa.{name}") for name in map(str, KappaWeights)},
        ac={"plain": values["ac.plain"]},
        alpha={str(level): values[f"alpha.{level}"] for level in Level},
        intervals=found,
    )


def _intervals(tables: "_Tables", values: Shares, level: float) -> dict[str, AgreementInterval]:
    """Return the interval of each value that has one."""
    sizes = tables.coincidences.sum(axis=(1, 2))
    found = {}
    for name, without in tables.map(_without_each).values().items():
        counted = sizes > 0
        lowest = 0.0 if name == "raw" else -1.0
        ends = jackknife_interval(
            values[name], without[counted], sizes[counted], level=level, low=lowest
        )
        if ends is not None:
            found[name] = AgreementInterval(*ends)
    return found


def by_topic(pairs: JudgedPairs) -> list[TopicAgreement]:
    """Return the agreement on each topic, the lowest first, topics without any last."""
    tables = _Tables.of(pairs)
    two = pairs.grades.shape[1] == 2
    raw = agreed(tables.coincidences)
    n_topics = len(pairs.topics)
    kappa = kappas(tables.confusion, tables.categories) if two else np.full(n_topics, np.nan)
    both = np.bincount(pairs.topic[pairs.shared], minlength=n_topics)
    change = np.full(n_topics, np.nan)
    if two:
        moved = np.nan_to_num(pairs.grades[:, 1] - pairs.grades[:, 0])
        change = np.bincount(pairs.topic, moved, minlength=n_topics) / np.maximum(both, 1)
        change = np.where(both > 0, change, np.nan)
    order = np.lexsort((np.arange(n_topics), raw))
    return [
        TopicAgreement(
            topic=pairs.topics[t].decode("utf-8", "surrogateescape"),
            both=int(both[t]),
            raw=finite(raw[t]),
            kappa=finite(kappa[t]),
            shift=finite(change[t]),
        )
        for t in order.tolist()
    ]


@frozen(eq=False)
class _Tables:
    """Tables of each topic: confusion of two judges, coincidences, shares.

    `shares` are those of pairs, and `given` those of all judgments; both are for Gwet's AC.
    """

    categories: Floats
    confusion: Floats
    coincidences: Floats
    shares: Floats
    given: Floats
    two: bool

    @classmethod
    def of(cls, pairs: JudgedPairs, scale: Sequence[float] = ()) -> "_Tables":
        n_topics = len(pairs.topics)
        units = JudgedUnits.of(pairs.grades, pairs.topic, n_topics, further=scale)
        return cls(
            *(units.categories, confusion(units), coincidences(units)),
            *(pair_shares(units), given_shares(units)),
            two=pairs.grades.shape[1] == 2,
        )

    def map(self, change: Callable[[Floats], Floats]) -> "_Tables":
        """Return other tables made of the topics' tables of each kind."""
        return replace(
            self,
            confusion=change(self.confusion),
            coincidences=change(self.coincidences),
            shares=change(self.shares),
            given=change(self.given),
        )

    def values(self) -> dict[str, Floats]:
        """Return all values of each topic, or of whatever the tables are of."""
        found = {"raw": agreed(self.coincidences)}
        if self.two:
            found |= {
                f"kappa.{way}": kappas(self.confusion, self.categories, way) for way in KappaWeights
            }
        found["ac.plain"] = gwets(self.shares, self.given, self.categories)
        return found | {
            f"alpha.{level}": alphas(self.coincidences, self.categories, level) for level in Level
        }


def _whole(tables: Floats) -> Floats:
    found: Floats = tables.sum(axis=0, keepdims=True)
    return found


def _without_each(tables: Floats) -> Floats:
    """Return the sum of all tables but one, for each of them.

    It adds those before and those behind: a difference would leave rounding where 0 belongs.
    """
    nothing = np.zeros_like(tables[:1])
    before = np.concatenate((nothing, tables[:-1].cumsum(axis=0)))
    behind = np.concatenate((tables[:0:-1].cumsum(axis=0)[::-1], nothing))
    found: Floats = before + behind
    return found


def _value(found: Floats) -> float | None:
    return finite(found[0])
