"""Facts of measures: their parameters, how values of topics become one, and what data they need."""

import inspect
import math
import types
from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import numpy as np

from rankeval.base.arrays import Floats, Integers, NDArray
from rankeval.base.frozen import field, frozen, record
from rankeval.errors import MeasureError
from rankeval.ranking import RankedJudgments

Values = Floats
"""One float64 per topic, shape (T,); NaN where the measure is undefined for the topic."""

Gains = tuple[tuple[float, float], ...]
"""Gains by grade, as sorted pairs so that a measure can be hashed and compared."""

LARGEST = 1e15
"""Largest number allowed: with larger ones, values of measures could overflow."""

ParameterValue = bool | int | float | str | Gains | None


@frozen
class Range:
    """The numbers that a parameter may have, by their least or greatest one, or by open ends.

    >>> from rankeval.measures import Range
    >>> print(Range(above=0, most=1))
    more than 0 and at most 1
    """

    least: float = -np.inf
    above: float = -np.inf
    most: float = np.inf
    below: float = np.inf

    def __str__(self) -> str:
        ends = ("at least", self.least), ("more than", self.above), ("at most", self.most)
        every = (*ends, ("less than", self.below))
        return " and ".join(f"{words} {end:g}" for words, end in every if np.isfinite(end))

    def __contains__(self, number: float) -> bool:
        return self.least <= number <= self.most and self.above < number < self.below


QUANTITIES = (Literal["EU", "ETU", "EC", "ETC", "ED"],)
"""The kind of the parameter `out`."""


@record
class Meaning:
    """The meaning of a parameter, in a few words."""

    text: str


@frozen
class Parameter:
    """One parameter of a measure, read from its annotation."""

    name: str
    kinds: tuple[object, ...]
    meaning: str
    default: ParameterValue = None
    required: bool = False
    range: Range = Range()

    @classmethod
    def of(cls, name: str, annotation: Any, default: Any = inspect.Parameter.empty) -> "Parameter":
        """Read `Annotated[int | None, Range(least=1), Meaning("...")]` and the like."""
        kind, *extras = (
            get_args(annotation) if get_origin(annotation) is Annotated else [annotation]
        )
        union = get_origin(kind) in (Union, types.UnionType)
        required = default is inspect.Parameter.empty
        return cls(
            name=name,
            kinds=get_args(kind) if union else (kind,),
            range=next((e for e in extras if isinstance(e, Range)), Range()),
            meaning="; ".join(e.text for e in extras if isinstance(e, Meaning)),
            default=None if required else default,
            required=required,
        )

    @property
    def choices(self) -> tuple[str, ...]:
        """The allowed strings of a parameter that takes certain strings."""
        return tuple(text for k in self.kinds if get_origin(k) is Literal for text in get_args(k))

    @property
    def example(self) -> ParameterValue:
        """A value that is allowed, for messages."""
        return self.choices[0] if self.choices else 10 if int in self.kinds else 0.5

    @property
    def allowed(self) -> str:
        """The allowed values in words."""
        noun = "a number" if float in self.kinds else "an integer" if int in self.kinds else ""
        words = [f"'{choice}'" for choice in self.choices]
        words += [f"{noun} {self.range}".strip()] if noun else []
        texts = {str: "a text", bool: "True or False", Gains: "a table such as {1:1,2:3}"}
        words += [
            text for kind, text in {**texts, type(None): "None"}.items() if kind in self.kinds
        ]
        return " or ".join(words)

    def check(self, owner: str, value: object) -> ParameterValue:
        """Return the value in its normal form; MeasureError when it is not allowed."""
        accepted = self._accepted(value.item() if isinstance(value, np.generic) else value)
        if accepted is None and (value is not None or type(None) not in self.kinds):
            too_large = isinstance(value, int | float) and abs(value) > LARGEST
            raise MeasureError(
                f"{owner}: {self.name}={value!r} is not possible",
                expected=f"{self.allowed}, up to {LARGEST:g}" if too_large else self.allowed,
            )
        return accepted

    def _accepted(self, value: object) -> ParameterValue:
        """Return the normal form of an allowed value; None for other values and for None."""
        if isinstance(value, bool):
            return value if bool in self.kinds else None
        if isinstance(value, str):
            return value if value in self.choices or str in self.kinds else None
        if (number := _plain_number(value)) is None:
            return _gains(value) if Gains in self.kinds else None
        if number not in self.range or not {type(number), float}.intersection(self.kinds):
            return None
        return number if type(number) in self.kinds else float(number)


def _plain_number(value: object) -> int | float | None:
    """Return an int if the value is whole, so that equal values have equal text; else a float.

    None for what is not a finite number, or too large.
    """
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= LARGEST:
        return None
    return int(value) if value == int(value) else value


def _gains(table: object) -> Gains | None:
    pairs: Any = table.items() if isinstance(table, Mapping) else table
    if not isinstance(table, Mapping | tuple) or not all(len(pair) == 2 for pair in pairs):
        return None
    gains = {_plain_number(grade): _plain_number(gain) for grade, gain in pairs}
    if None in (*gains, *gains.values()) or len(gains) < len(pairs):
        return None
    return tuple(sorted(gains.items())) or None  # type: ignore[arg-type]  # none is None


Cutoff = Annotated[
    int | None, Range(least=1), Meaning("ranks considered; None is the whole ranking")
]
RequiredCutoff = Annotated[int, Range(least=1), Meaning("ranks considered")]
Rel = Annotated[int | float, Range(above=0), Meaning("lowest grade that counts as relevant")]


@record
class Alias:
    """Another name of a measure, with the parameters that it means.

    `usual` holds values of parameters that other settings may override, such as the conventions
    of the tool that has the name. `suffix` names the parameter that a trailing `_10` or `.10`
    sets (by default the one that `@` sets), and `convert` turns its text into the parameter's
    value.
    """

    name: str
    parameters: Mapping[str, ParameterValue] = field(default_factory=dict)
    suffix: str | None = None
    convert: Callable[[str], ParameterValue] | None = None
    usual: Mapping[str, ParameterValue] = field(default_factory=dict)

    @property
    def implied(self) -> dict[str, ParameterValue]:
        """All parameters that the name sets by itself."""
        return {**self.parameters, **self.usual}


def literal(value: ParameterValue) -> str:
    """Return a value's text in a canonical name."""
    if isinstance(value, str):
        return f"'{value}'"
    if isinstance(value, tuple):
        return "{" + ",".join(f"{grade!r}:{gain!r}" for grade, gain in value) + "}"
    return repr(value)


def parameters_of(function: Callable[..., Any], owner: Any) -> dict[str, Parameter]:
    """Return the keyword-only parameters of a definition's function, by their names."""
    hints = get_type_hints(function, include_extras=True)
    every = list(inspect.signature(function).parameters.values())[1:]
    for p in every:
        if p.kind is not inspect.Parameter.KEYWORD_ONLY or p.name not in hints:
            raise MeasureError(
                f"{owner.name}: the parameter '{p.name}' is not declared as it must be",
                place=owner.origin,
                expected=f"a type, and a place after the asterisk: f(judged, *, {p.name}: int)",
            )
    return {p.name: Parameter.of(p.name, hints[p.name], p.default) for p in every}


GEOMETRIC_FLOOR = 0.00001
"""Smallest value that enters a geometric mean, as in trec_eval."""


@frozen
class Aggregate:
    """A named rule that makes one number of the values of topics, NaN without any value.

    A `fixed` rule is part of the measure's definition, as the geometric mean is of GMAP. It stays
    when the user chooses another rule for the other measures.
    """

    name: str
    rule: Callable[[Floats], float]
    fixed: bool = False

    def of(self, values: Floats, weights: Floats | None = None) -> float:
        """Return the number; with weights of the topics, the weighted mean, or NaN."""
        if weights is None:
            return self.rule(values)
        weights = np.where(np.isnan(values), 0.0, weights)
        weight = total(weights)
        return total(np.where(weights > 0, values * weights, 0.0)) / weight if weight else math.nan


def total(values: Floats) -> float:
    """Sum the defined values one by one in topic order."""
    defined = values[~np.isnan(values)]
    return float(np.cumsum(defined)[-1]) if len(defined) else 0.0


def mean(values: Floats) -> float:
    """Return the arithmetic mean of the defined values; NaN when there is none."""
    if len(values) == 1:
        return float(values[0])
    if len(values) and not math.isnan(every := float(np.add.accumulate(values)[-1])):
        return every / len(values)  # no value is NaN
    n_defined = np.count_nonzero(~np.isnan(values))
    return total(values) / int(n_defined) if n_defined else float("nan")


def geometric_mean(values: Floats) -> float:
    """Return exp of the mean logarithm, with values below GEOMETRIC_FLOOR raised to it."""
    return float(np.exp(mean(np.log(np.maximum(values, GEOMETRIC_FLOOR)))))


def median(values: Floats) -> float:
    """Return the median of the defined values; NaN when there is none."""
    return float(np.nanmedian(values)) if not np.isnan(values).all() else float("nan")


MEAN = Aggregate("mean", mean)
SUM = Aggregate("sum", total)
COUNT = Aggregate("sum", total, fixed=True)
MEDIAN = Aggregate("median", median)
GEOMETRIC = Aggregate("geometric mean", geometric_mean, fixed=True)
WHOLE_RUN = Aggregate("whole run", lambda _: math.nan, fixed=True)
"""The rule of measures without values of topics, which `Measure.of_run` computes."""
BY_VALUES_ALONE = {one.name: one.rule for one in (MEAN, SUM, MEDIAN, GEOMETRIC)}
"""The rules that need nothing but the values of topics, by their names."""


@record
class Need:
    """A field of Extras by its name, with words for messages: its kind and how to supply it."""

    name: str
    what: str
    given: str

    def of(self, judged: RankedJudgments) -> Any:
        """Return this field of the judgments' extras, or None."""
        return getattr(judged.extras, self.name, None)

    def code_of(self, judged: RankedJudgments) -> Integers:
        """Return the index of each topic of the batch in the field's tables."""
        return np.arange(len(judged)) if judged.extras is None else judged.extras.code

    def refuse_lack(self, measure: str, judged: RankedJudgments) -> None:
        """Raise MeasureError when the judgments lack the field."""
        if self.of(judged) is None:
            raise MeasureError(f"{measure} needs {self.what}", expected=self.given)


SUBTOPICS = Need(
    "subtopics",
    "subtopics",
    "subtopics in the second column of the qrels: topic subtopic docno grade",
)
STRATA = Need(
    "strata",
    "the stratum of each judgment",
    "strata in the fourth column of the qrels: topic 0 docno stratum grade",
)
ELSEWHERE = Need(
    "elsewhere",
    "the documents that are judged for other topics",
    "judgments aligned with a run by rankeval.evaluate",
)
COSTS = Need("costs", "costs of documents", "costs=FILE: lines of docno and cost")
LISTS = Need(
    "lists",
    "the documents of a run, judged or not",
    "a run evaluated by rankeval eval or rankeval.evaluate",
)
TRAIN = Need("train", "training interactions", "train=FILE: lines of user and item")
CATALOG = Need("catalog", "the catalogue", "catalog=N, the number of items, or a file of items")
FEATURES = Need("features", "features of items", "features=FILE.csv: a docno and its features")
NUGGETS = Need(
    "nuggets", "nuggets assigned to answers", "rankeval nuggets FILE: JSON Lines of qid and nuggets"
)
SUPPORT = Need(
    "support", "citations of answers, judged", "rankeval nuggets FILE: JSON Lines of qid and answer"
)


Terms = Mapping[str, NDArray[Any]]
"""Columns by name: one value per row, per judged document or per topic."""
