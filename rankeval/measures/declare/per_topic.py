"""Measures as plain functions of one topic, without vectors."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from functools import wraps
from typing import Any, Unpack, overload

import numpy as np

from rankeval.base.arrays import Floats
from rankeval.base.checked import checked
from rankeval.base.dicts import seal
from rankeval.base.frozen import frozen
from rankeval.measures.declare.definition import (
    BY_NAME,
    Facts,
    Measure,
    Values,
)
from rankeval.measures.declare.measure_registry import measure as register_vectorised
from rankeval.ranking import RankedJudgments

TopicFunction = Callable[..., float | None]


@frozen(eq=False)
class TopicRanking:
    """The ranking of one topic, as read-only arrays.

    ============= ==========================================================================
    topic         the name of the topic
    grades        the grade of each document in rank order, NaN for an unjudged one
    judged_grades the grades of all judged documents, retrieved or not, highest first
    ============= ==========================================================================

    >>> import numpy as np
    >>> from rankeval import TopicRanking
    >>> topic = TopicRanking("q1", np.array([2.0, np.nan, 1.0]), np.array([2.0, 1.0, 1.0]))
    >>> topic.retrieved, float((topic.grades[:2] > 0).mean())
    (3, 0.5)
    """

    topic: str
    grades: Floats
    judged_grades: Floats

    def __post_init__(self) -> None:
        seal(self)

    @property
    def retrieved(self) -> int:
        """Documents retrieved."""
        return len(self.grades)


@overload
def measure(function: Callable[..., Any], /) -> Measure: ...
@overload
def measure(
    name: str | None = None, **facts: Unpack[Facts]
) -> Callable[[Callable[..., Any]], Measure]: ...
@checked
def measure(name: Any = None, **facts: Unpack[Facts]) -> Any:
    """Register a function as a measure, under its own name or `name`, and return the measure.

    A function of a `TopicRanking` returns the value of one topic: a number, or None where the
    measure is undefined. It is called once per topic, which is slower than a vectorised function.
    That one takes the `RankedJudgments` of all topics and returns an array of shape (T,). The
    annotation of the first parameter says which of the two it is; without one, the parameter of a
    vectorised function is called `judged`. Keyword-only parameters are those of the measure.

    ========= ===========================================================================
    name      the name of the measure, by default the function's
    at        the parameter that `@` sets
    aliases   other names, as plain strings or with the parameters they imply
    aggregate the rule that turns the values of all topics into one
    low, high the range of a topic's value, 0 to 1 by default
    loss      True when smaller values are better
    tier      1 central, 2 known from other tools, 3 specialised
    caution   gives a warning, or None, from the judgments and the parameters
    others    of vectorised functions: see `rankeval.measures.declare.measure_registry.measure`
    ========= ===========================================================================

    Raises MeasureError when a name is taken. A function that is defined again, as when a
    notebook's cell runs twice, replaces its earlier definition.

    >>> import rankeval
    >>> @rankeval.measure(high=float("inf"))
    ... def doctest_best(topic: rankeval.TopicRanking) -> float:
    ...     "Highest grade that was found."
    ...     return max([grade for grade in topic.grades if grade > 0], default=0)
    >>> rankeval.evaluate({"q1": {"d1": 3}}, {"q1": {"d1": 2}}, [doctest_best]).to_dict()
    {'run': {'doctest_best': 3.0}}
    """
    if callable(name):
        return measure()(name)

    def register(function: Callable[..., Any]) -> Measure:
        own = function.__name__ if name is None else name
        work = (
            _vectorised(function)
            if not facts.get("of_run") and _is_of_one_topic(function)
            else function
        )
        register_vectorised(own, **facts)(work)
        return Measure(BY_NAME[own], ())

    return register


def _is_of_one_topic(function: Callable[..., Any]) -> bool:
    """Return True for a function of a TopicRanking, by its annotation or its parameter's name."""
    first = next(iter(inspect.signature(function).parameters.values()), None)
    if first is None or first.annotation is first.empty:
        return first is None or first.name != "judged"
    kind = first.annotation
    name = kind if isinstance(kind, str) else getattr(kind, "__name__", "")
    return name.strip("'\"").rpartition(".")[2] == TopicRanking.__name__


def _vectorised(function: TopicFunction) -> Callable[..., Values]:
    """Return the function of all topics that calls a function of one topic for each."""

    @wraps(function)
    def vectorised(judged: RankedJudgments, **parameters: object) -> Values:
        values = [function(ranking, **parameters) for ranking in _rankings(judged)]
        return np.array([np.nan if value is None else value for value in values], dtype=float)

    return vectorised


def _rankings(judged: RankedJudgments) -> Iterator[TopicRanking]:
    """Yield the ranking of each topic in plain values."""
    for i, (topic, retrieved) in enumerate(
        zip(judged.topics, judged.retrieved.tolist(), strict=True)
    ):
        rows = slice(judged.offsets[i], judged.offsets[i + 1])
        grades = np.full(retrieved, np.nan)
        grades[judged.rank[rows] - 1] = judged.grade[rows]
        yield TopicRanking(
            topic=topic.decode("utf-8", "backslashreplace"),
            grades=grades,
            judged_grades=judged.judged_grade[
                judged.judged_offsets[i] : judged.judged_offsets[i + 1]
            ].astype(np.float64),
        )
