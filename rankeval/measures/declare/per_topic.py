"""Measures as plain functions of one topic, without vectors."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import wraps
from typing import TypedDict, Unpack

import numpy as np

from rankeval.base.frozen import frozen
from rankeval.measures.declare.aggregates import Aggregate
from rankeval.measures.declare.definition import Alias, Caution, Values
from rankeval.measures.declare.measure_registry import measure
from rankeval.ranking import RankedJudgments

TopicFunction = Callable[..., float | None]


@frozen
class TopicRanking:
    """The ranking of one topic, in plain values.

    ============= ==========================================================================
    topic         the name of the topic
    grades        the grade of each document in rank order, None for an unjudged one
    judged_grades the grades of all judged documents, retrieved or not, highest first
    ============= ==========================================================================
    """

    topic: str
    grades: list[float | None]
    judged_grades: list[float]

    @property
    def retrieved(self) -> int:
        """Documents retrieved."""
        return len(self.grades)


class Facts(TypedDict, total=False):
    """Keyword arguments of `measure`."""

    at: str | None
    aliases: tuple[Alias | str, ...]
    aggregate: Aggregate
    low: float
    high: float
    loss: bool
    tier: int
    caution: Caution | None


def topic_measure(name: str, **facts: Unpack[Facts]) -> Callable[[TopicFunction], TopicFunction]:
    """Register a function of one TopicRanking as the measure `name`; see `measure` for the rest.

    The function returns a number, or None where the measure is undefined for the topic. It is
    called once per topic, which is slower than a vectorised measure.

    >>> import rankeval
    >>> @rankeval.topic_measure("DoctestBest", high=float("inf"))
    ... def best(topic):
    ...     "Highest grade that was found."
    ...     return max(grade or 0 for grade in topic.grades)
    >>> rankeval.evaluate({"q1": {"d1": 3}}, {"q1": {"d1": 2}}, "DoctestBest").to_dict()
    {'run': {'DoctestBest': 3.0}}
    """

    def register(function: TopicFunction) -> TopicFunction:
        @wraps(function)
        def vectorised(judged: RankedJudgments, **parameters: object) -> Values:
            values = [function(ranking, **parameters) for ranking in _rankings(judged)]
            return np.array([np.nan if value is None else value for value in values], dtype=float)

        measure(name, **facts)(vectorised)
        return function

    return register


def _rankings(judged: RankedJudgments) -> Iterator[TopicRanking]:
    """Yield the ranking of each topic in plain values."""
    for i, (topic, retrieved) in enumerate(
        zip(judged.topics, judged.retrieved.tolist(), strict=True)
    ):
        rows = slice(judged.offsets[i], judged.offsets[i + 1])
        grades: list[float | None] = [None] * retrieved
        for rank, grade in zip(
            judged.rank[rows].tolist(), judged.grade[rows].tolist(), strict=True
        ):
            grades[rank - 1] = grade
        yield TopicRanking(
            topic=topic.decode("utf-8", "backslashreplace"),
            grades=grades,
            judged_grades=judged.judged_grade[
                judged.judged_offsets[i] : judged.judged_offsets[i + 1]
            ].tolist(),
        )
