"""Hold saved scores to the definitions of their measures: range, direction, rule and name."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

import numpy as np

from rankeval.errors import MeasureError
from rankeval.evaluation.aggregation import RULES, WEIGHTED
from rankeval.evaluation.other_tools import TOOLS
from rankeval.evaluation.results import Score
from rankeval.measures import Measure, parse_measures
from rankeval.measures.base.aggregates import BY_VALUES_ALONE, SUM, nothing
from rankeval.measures.base.names import NamedMeasure
from rankeval.support.arrays import Floats

ROUNDING = 1e-9
"""Rounding error that a value outside the range of its measure may have."""


class Contradiction(NamedTuple):
    """A statement of a saved score that contradicts its measure, and what would not."""

    problem: str
    expected: str


def contradictions(scores: Iterable[Score], like: object) -> Iterator[Contradiction]:
    """Yield what the scores of a run say against the definitions of their measures.

    `like` is the tool whose names of measures were meant. A measure that is not known here, as that
    of a plugin that is not loaded, has no definition to be held to.
    """
    meanings = TOOLS[like].names if isinstance(like, str) and like in TOOLS else {}
    first: dict[str, Score] = {}
    for score in scores:
        before = first.setdefault(score.measure, score)
        if not _same(before, score):
            yield Contradiction(
                f"has {score.measure} twice, as {before.as_given} and as {score.as_given}, with "
                "other values",
                "each measure once",
            )
        measure = _known(score.measure)
        if measure is not None:
            yield from _of_score(score, measure)
            if not _means(score.as_given, measure, meanings):
                yield Contradiction(
                    f"calls {score.as_given} what its signature says is {score.measure}",
                    "a signature of the measure that is named",
                )


def rule_of(score: Score) -> Callable[[Floats], float] | None:
    """Return the rule over topics of a saved score; None if it needs more than their values."""
    measure = _known(score.measure)
    own = None if measure is None else measure.definition.aggregate
    if own is not None and own.name == score.rule and own.beside is not nothing:
        return None
    return BY_VALUES_ALONE.get(score.rule)


def _of_score(score: Score, measure: Measure) -> Iterator[Contradiction]:
    """Yield what a score says against the definition of its measure."""
    definition, (low, high) = measure.definition, measure.range
    if score.loss != definition.loss:
        better = "smaller" if definition.loss else "greater"
        yield Contradiction(
            f'has "loss": {str(score.loss).lower()} for {score.as_given}',
            f'"loss": {str(definition.loss).lower()}, as {better} values of {measure} are better',
        )
    own = definition.aggregate
    rules = {own.name, *(() if own.fixed else (*(r.name for r in RULES.values()), WEIGHTED.name))}
    if score.rule not in rules:
        yield Contradiction(
            f"aggregates {score.as_given} by the rule '{score.rule}'",
            f"{measure} by {' or '.join(sorted(rules))}",
        )
    found = [*zip(score.topics, score.values.tolist(), strict=True)] if score.has_topics else []
    if score.rule != SUM.name:
        found.append(("all topics", score.aggregate))
    for topic, value in found:
        if value < low - ROUNDING or value > high + ROUNDING:  # NaN is neither
            yield Contradiction(
                f"has the value {value:.12g} for {score.as_given}, {topic}",
                f"a value of {measure}, from {low:g} to {high:g}",
            )
            return


def _known(name: str) -> Measure | None:
    found = _parsed(name, {})
    return found[0].measure if len(found) == 1 else None


def _means(as_given: str, measure: Measure, meanings: Mapping[str, str]) -> bool:
    """Return False if a name that is known here means other measures only.

    Parameters that the name does not state may be those of settings.
    """
    found = _parsed(as_given, meanings)
    return not found or any(
        named.measure.name == measure.name
        and all(named.measure.parameters[p] == measure.parameters[p] for p in named.stated)
        for named in found
    )


def _parsed(name: str, meanings: Mapping[str, str]) -> list[NamedMeasure]:
    try:
        return parse_measures(name, meanings)
    except MeasureError:
        return []


def _same(score: Score, other: Score) -> bool:
    facts = [(s.aggregate, s.rule, s.loss, s.signature) for s in (score, other)]
    values = np.array_equal(score.values, other.values, equal_nan=True)
    return values and (
        facts[0] == facts[1] or bool(np.isnan([score.aggregate, other.aggregate]).all())
    )
