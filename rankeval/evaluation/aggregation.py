"""Aggregate values of topics: the measure's own rule or the user's, weights, groups."""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any, Literal

import numpy as np

from rankeval.base.arrays import Floats, Integers, short_digest
from rankeval.base.wording import count, listed
from rankeval.errors import InputError, UsageError
from rankeval.io.files import StrPath
from rankeval.io.small_tables import ValuesByTopic, values_of
from rankeval.measures import Definition, Measure
from rankeval.measures.facts import GEOMETRIC, MEAN, MEDIAN, SUM, Aggregate, mean
from rankeval.ranking import RankedJudgments

Rule = Literal["mean", "geometric", "sum", "median"]
RULES = {"mean": MEAN, "geometric": GEOMETRIC, "sum": SUM, "median": MEDIAN}

WEIGHTED = Aggregate("weighted mean", mean)
"""The rule of averaged measures where topics have weights."""

WeightsLike = StrPath | Mapping[str, float] | ValuesByTopic[float]
GroupsLike = StrPath | Mapping[str, str] | ValuesByTopic[str]


Total = Callable[..., float]
"""Makes one number of the values of topics, or of those of some, by their indices.

A measure of a whole run has its number without such values.
"""


class Aggregation:
    """The rule, weights and groups by which values of topics become one number.

    ======= ==============================================================================
    rule    the user's rule; None leaves each measure its own
    weights weights of topics, for the measures that are averaged
    groups  groups of topics, each with numbers of its own
    ======= ==============================================================================

    Weights and groups are read from their files if they are paths.
    """

    def __init__(
        self,
        rule: Rule | None = None,
        weights: WeightsLike | None = None,
        groups: GroupsLike | None = None,
    ) -> None:
        if weights is not None and rule not in (None, "mean"):
            raise UsageError(
                f"weights give weighted means, not the {RULES[rule].name}",
                remedy="leave out the weights or the other rule",
            )
        self.rule = rule
        self.weights: ValuesByTopic[float] | None = _by_topic(weights, "weight")
        self.groups: ValuesByTopic[str] | None = _by_topic(groups, "group")

    def rule_for(self, definition: Definition) -> Aggregate:
        """Return the rule for a measure; a rule that is part of the measure's definition stays."""
        own = definition.aggregate
        chosen = own if own.fixed or self.rule is None else RULES[self.rule]
        return WEIGHTED if self.weights and chosen is MEAN else chosen

    def marks(self, definition: Definition) -> list[str]:
        """Return the parts of a signature; none if the measure's own rule applies."""
        aggregate = self.rule_for(definition)
        if aggregate is definition.aggregate:
            return []
        marks = [f"aggregate:{aggregate.name}"]
        return [*marks, f"weights:{self._digest}"] if aggregate is WEIGHTED else marks

    def facts(self) -> dict[str, str | None]:
        """Return where weights and groups come from, for the settings of the results."""
        return {
            "weights": (self.weights.path or "given") if self.weights else None,
            "groups": (self.groups.path or "given") if self.groups else None,
            "group_by": (self.groups.column or None) if self.groups else None,
        }

    def total_of(self, measure: Measure, judged: RankedJudgments) -> Total:
        """Return the function that makes one number of a measure's values of the judged topics."""
        if measure.definition.of_run:
            return lambda _, some=None: measure.of_run(judged, some)
        rule = self.rule_for(measure.definition)
        if rule is WEIGHTED and self.weights is not None:
            weights = self.weights.by_topic
            beside: Floats | None = np.array([weights[topic] for topic in judged.topics])
        else:
            beside = measure.weights(judged)

        def total(values: Floats, some: Integers | None = None) -> float:
            if some is not None:
                return rule.of(values[some], None if beside is None else beside[some])
            # Nothing to average is left only where no topic is required.
            return rule.of(values, beside) if len(values) else 0.0

        return total

    @cached_property
    def _digest(self) -> str:
        """Return twelve hexadecimal digits that identify the weights."""
        weights = sorted(self.weights.by_topic.items()) if self.weights else []
        return short_digest(b"%b %b\n" % (topic, repr(w).encode()) for topic, w in weights)

    def require(self, topics: Sequence[bytes]) -> None:
        """Raise InputError for a topic without a weight, all weights 0, and no topic of a group."""
        if self.weights:
            weights = self.weights.by_topic
            missing = [topic for topic in topics if topic not in weights]
            if missing or not any(weights[topic] for topic in topics):
                of = f"{count(len(missing), 'evaluated topic')} of {len(topics)} without a weight"
                raise InputError(
                    f"{of}: {listed(missing)}"
                    if missing
                    else "the weights of all evaluated topics are 0",
                    place=self.weights.path or "weights",
                    expected="a weight for every topic that is evaluated, and one above 0",
                    remedy="add a line for each; 0 leaves a topic out of the mean",
                )
        if self.groups and self.groups.by_topic.keys().isdisjoint(topics):
            known = listed([*self.groups.by_topic])
            raise InputError(
                f"no evaluated topic has a group: it has {known}, evaluated are {listed(topics)}",
                place=self.groups.path or "groups",
                remedy="check that both files are from the same collection",
            )

    def labels(self, topics: Sequence[bytes]) -> list[str]:
        """Return the group of each topic, "" for a topic without one."""
        return [self.groups.by_topic.get(topic, "") for topic in topics] if self.groups else []

    def members(self, topics: Sequence[bytes]) -> dict[str, Integers]:
        """Return the indices of the topics of each group that has any, in the file's order."""
        self.require(topics)
        found = indices_by_name(self.labels(topics))
        every = self.groups.by_topic.values() if self.groups else ()
        return {name: found[name] for name in dict.fromkeys(every) if name in found}


def indices_by_name(names: Sequence[str]) -> dict[str, Integers]:
    """Return the indices of each name, in one pass over all."""
    found: dict[str, list[int]] = {}
    for i, name in enumerate(names):
        found.setdefault(name, []).append(i)
    return {name: np.array(indices) for name, indices in found.items()}


def _by_topic(given: Any, what: str) -> Any:
    """Return values by topic, from wherever they come."""
    return given if given is None or isinstance(given, ValuesByTopic) else values_of(given, what)
