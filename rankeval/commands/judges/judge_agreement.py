"""The agreement of judges on the documents that they judged: of all, of every two, and by topic."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

import numpy as np

from rankeval.base.arrays import Booleans, Floats, Integers
from rankeval.base.frozen import frozen
from rankeval.base.wording import finite
from rankeval.ranking.qrels import Qrels
from rankeval.stats.intervals import LEAST_GROUPS, jackknife_interval
from rankeval.stats.kappa_alpha import (
    JudgedUnits,
    KappaWeights,
    agreed,
    alphas,
    coincidences,
    confusion,
    given_shares,
    gwets,
    kappas,
    pair_shares,
)
from rankeval.stats.rank_correlation import OrderAgreement

LEAST_TOPICS = LEAST_GROUPS
"""Topics with a document judged twice that intervals need."""
MOST_GRADES = 64
"""Different grades up to which there are intervals."""


@frozen
class Agreement:
    """A statistic of agreement, and its interval over topics; None where one is undefined."""

    value: float | None
    low: float | None
    high: float | None


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
class Orders:
    """How alike the orders of the systems by a measure are under two sets of judgments.

    Tau-AP takes the first as the true one.
    """

    measure: str
    orders: OrderAgreement


@frozen
class TwoJudges:
    """Two sets of judgments: their grades of the documents, and their orders of the runs.

    ===================== ==============================================================
    both                  documents that both judged
    only_first, only_second  documents that one of them judged
    raw, kappa            share of equal grades; Cohen's kappa, plain and quadratic
    confusion             documents by the grade of the first, and then of the second
    shift                 mean of second minus first; None without a document
    measures              how alike they order the runs, by measure
    ===================== ==============================================================
    """

    first: str
    second: str
    both: int
    only_first: int
    only_second: int
    raw: float | None
    kappa: Mapping[str, float | None]
    confusion: Mapping[float, Mapping[float, int]]
    shift: float | None
    measures: tuple[Orders, ...]


@frozen(eq=False)
class JudgedPairs:
    """Pairs of topic and docno, and the grade that each judge gave, NaN for none.

    Shapes: topic (n,), the index of the topic; grades (n, judges).
    """

    topics: Sequence[bytes]
    topic: Integers
    grades: Floats

    @classmethod
    def of(cls, judges: Sequence[Qrels]) -> JudgedPairs:
        """Bring together the judges' grades of each document."""
        topics = sorted(set().union(*(one.topics for one in judges)))
        number = {topic: i for i, topic in enumerate(topics)}
        known: dict[bytes, int] = {}
        codes = []
        for one in judges:
            docno = np.array([known.setdefault(name, len(known)) for name in one.docnos.names])
            topic = np.array([number[topic] for topic in one.topics])
            codes.append((topic[one.topic], docno[one.docno]))
        n_docnos = max(len(known), 1)
        every, place = np.unique(
            np.concatenate([topic * n_docnos + docno for topic, docno in codes]),
            return_inverse=True,
        )
        grades = np.full((len(every), len(judges)), np.nan)
        judge = np.repeat(np.arange(len(judges)), [len(one.grade) for one in judges])
        grades[place, judge] = np.concatenate([one.grade for one in judges])
        return cls(topics, every // n_docnos, grades)

    @cached_property
    def judged(self) -> Booleans:
        """True where a judge gave a grade, shape (n, judges)."""
        return ~np.isnan(self.grades)

    @cached_property
    def shared(self) -> Booleans:
        """True for the pairs that at least two judges judged, shape (n,)."""
        return self.judged.sum(axis=1) >= 2

    @cached_property
    def units(self) -> JudgedUnits:
        """The grades as categories, in topics."""
        return JudgedUnits.of(self.grades, self.topic, len(self.topics))

    @cached_property
    def tables(self) -> list[Floats]:
        """Tables of each topic.

        The confusion of the first two judges, coincidences, shares of pairs and of all judgments.
        """
        of = self.units
        return [confusion(of), coincidences(of), pair_shares(of), given_shares(of)]


def two_judges(
    pairs: JudgedPairs,
    names: Sequence[str],
    places: tuple[int, int],
    measures: tuple[Orders, ...],
) -> TwoJudges:
    """Compare two judges."""
    one, other = pairs.judged[:, places].T
    grades = pairs.grades[one & other][:, places]
    units = JudgedUnits.of(grades)
    table = confusion(units)
    categories = units.categories.tolist()
    change = grades[:, 1] - grades[:, 0]
    return TwoJudges(
        first=names[places[0]],
        second=names[places[1]],
        both=len(grades),
        only_first=int((one & ~other).sum()),
        only_second=int((other & ~one).sum()),
        raw=finite(agreed(table)[0]),
        kappa={str(way): finite(kappas(table, units.categories, way)[0]) for way in KappaWeights},
        confusion={
            grade: dict(zip(categories, map(int, row), strict=True))
            for grade, row in zip(categories, table[0].tolist(), strict=True)
        },
        shift=float(change.mean()) if change.size else None,
        measures=measures,
    )


def agreement(pairs: JudgedPairs, level: float) -> dict[str, Agreement]:
    """Return the agreement of all judges by statistic, with intervals at a level of confidence.

    The intervals are over topics, because the judgments of a topic hang together. There are none
    with fewer than five topics that have a document judged twice, or with more than 64 different
    grades.
    """
    units, tables = pairs.units, pairs.tables
    values = _statistics([one.sum(axis=0, keepdims=True) for one in tables], units)
    without = {}
    if units.categories.size <= MOST_GRADES:
        without = _statistics([*map(_without_each, tables)], units)
    sizes = tables[1].sum(axis=(1, 2))
    found = {}
    for name, (value,) in values.items():
        ends = None
        if name in without:
            ends = jackknife_interval(
                finite(value),
                without[name][sizes > 0],
                sizes[sizes > 0],
                level=level,
                low=0.0 if name == "raw" else -1.0,
            )
        found[name] = Agreement(finite(value), *(ends or (None, None)))
    return found


def by_topic(pairs: JudgedPairs) -> tuple[TopicAgreement, ...]:
    """Return the agreement on each topic, the lowest first, topics without any last."""
    n_topics = len(pairs.topics)
    both = np.bincount(pairs.topic[pairs.shared], minlength=n_topics)
    raw = agreed(pairs.tables[1])
    kappa, shift = np.full((2, n_topics), np.nan)
    if pairs.grades.shape[1] == 2:
        kappa = kappas(pairs.tables[0], pairs.units.categories)
        moved = np.nan_to_num(pairs.grades[:, 1] - pairs.grades[:, 0])
        sums = np.bincount(pairs.topic, moved, minlength=n_topics)
        shift = np.where(both > 0, sums / np.maximum(both, 1), np.nan)
    return tuple(
        TopicAgreement(
            pairs.topics[t].decode("utf-8", "surrogateescape"),
            int(both[t]),
            *(finite(values[t]) for values in (raw, kappa, shift)),
        )
        for t in np.argsort(raw, kind="stable").tolist()
    )


def _statistics(tables: Sequence[Floats], units: JudgedUnits) -> dict[str, Floats]:
    """Return all statistics of each topic, or of whatever the tables are of."""
    grades, coincident, shares, given = tables
    names, two = units.categories, units.places.shape[1] == 2
    undefined = np.full(len(grades), np.nan)
    return {
        "raw": agreed(coincident),
        "kappa.plain": kappas(grades, names) if two else undefined,
        "kappa.quadratic": kappas(grades, names, "quadratic") if two else undefined,
        "ac.plain": gwets(shares, given, names),
        "alpha.nominal": alphas(coincident, names, "nominal"),
        "alpha.ordinal": alphas(coincident, names, "ordinal"),
    }


def _without_each(tables: Floats) -> Floats:
    """Return the sum of all tables but one, for each of them.

    It adds those before and those behind: a difference would leave rounding where 0 belongs.
    """
    nothing = np.zeros_like(tables[:1])
    before = np.concatenate((nothing, tables[:-1].cumsum(axis=0)))
    behind = np.concatenate((tables[:0:-1].cumsum(axis=0)[::-1], nothing))
    found: Floats = before + behind
    return found
