"""The table of measures: what a definition declares, and a measure with its parameters fixed."""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Annotated, get_type_hints

from rankeval.errors import MeasureError
from rankeval.judgments import Floats, RankedJudgments
from rankeval.measures._aggregates import MEAN, Aggregate
from rankeval.measures._documentation import Documentation, documentation
from rankeval.measures._parameters import (
    AtLeast,
    Meaning,
    MoreThan,
    Parameter,
    ParameterValue,
    literal,
)
from rankeval.measures._steps import NO_STEPS, Steps

Values = Floats
"""One float64 per topic, shape (T,); NaN where the measure is undefined for the topic."""

Function = Callable[..., Values]

Caution = Callable[..., str | None]
"""From RankedJudgments and a measure's parameters to a warning, or None."""

Cutoff = Annotated[int | None, AtLeast(1), Meaning("ranks considered; None is the whole ranking")]
RequiredCutoff = Annotated[int, AtLeast(1), Meaning("ranks considered")]
Rel = Annotated[int | float, MoreThan(0), Meaning("lowest grade that counts as relevant")]
JudgedOnly = Annotated[
    bool, Meaning("drop unjudged and negative-graded documents before ranks are counted")
]


@dataclass(frozen=True)
class Alias:
    """Another name of a measure, with the parameters that it implies.

    `suffix` names the parameter that a trailing `_10` or `.10` sets (by default the one
    that `@` sets) and `convert` turns its text into the parameter's value.
    """

    name: str
    parameters: Mapping[str, ParameterValue] = field(default_factory=dict)
    suffix: str | None = None
    convert: Callable[[str], ParameterValue] | None = None


@dataclass(frozen=True)
class Definition:
    """A measure as declared: its function, whose signature is the specification, and its facts."""

    name: str
    function: Function
    at: str | None
    aliases: tuple[Alias, ...]
    aggregate: Aggregate
    low: float
    high: float
    loss: bool
    tier: int
    caution: Caution | None
    steps: Steps

    @cached_property
    def parameters(self) -> Mapping[str, Parameter]:
        """Parameters by name, in the order in which a canonical name prints them."""
        hints = get_type_hints(self.function, include_extras=True)
        signature = inspect.signature(self.function)
        return {
            p.name: Parameter.from_annotation(
                p.name,
                hints[p.name],
                default=p.default,
                required=p.default is inspect.Parameter.empty,
            )
            for p in signature.parameters.values()
            if p.kind is inspect.Parameter.KEYWORD_ONLY
        }

    @property
    def family(self) -> str:
        """The module that the function stands in, such as `precision`."""
        return self.function.__module__.rpartition(".")[2]

    @property
    def summary(self) -> str:
        """What the measure is, in a line."""
        return self.documentation.title

    @cached_property
    def documentation(self) -> Documentation:
        """What the docstring says, in its parts."""
        return documentation(self.function)

    def measure(self, parameters: Mapping[str, object]) -> "Measure":
        """Fix the parameters; MeasureError for an unknown or impossible one."""
        unknown = [name for name in parameters if name not in self.parameters]
        if unknown:
            takes = ", ".join(self.parameters) or "none"
            raise MeasureError(
                f"{self.name} has no parameter '{unknown[0]}'", expected=f"one of: {takes}"
            )
        checked = {
            name: parameter.check(self.name, parameters[name])
            for name, parameter in self.parameters.items()
            if name in parameters
        }
        for name, parameter in self.parameters.items():
            if parameter.required and name not in checked:
                at, inside = f"@{parameter.example}", f"({name}={parameter.example})"
                raise MeasureError(
                    f"{self.name} needs {'a cutoff' if name == 'cutoff' else name}",
                    expected=f"for instance {self.name}{at if name == self.at else inside}",
                )
        return Measure(
            definition=self,
            given=tuple(
                (name, value)
                for name, value in checked.items()
                if self.parameters[name].required or value != self.parameters[name].default
            ),
        )


@dataclass(frozen=True)
class Measure:
    """A measure with its parameters: an immutable value whose string is the canonical name.

    `given` holds the parameters that differ from their defaults, in canonical order.
    """

    definition: Definition = field(compare=False, repr=False)
    given: tuple[tuple[str, ParameterValue], ...]
    name: str = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", self.definition.name)

    def __hash__(self) -> int:
        return hash(str(self))

    def __str__(self) -> str:
        at = self.definition.at
        inside = ",".join(f"{name}={literal(value)}" for name, value in self.given if name != at)
        cutoff = "".join(f"@{literal(value)}" for name, value in self.given if name == at)
        return f"{self.name}({inside}){cutoff}" if inside else f"{self.name}{cutoff}"

    @property
    def parameters(self) -> dict[str, ParameterValue]:
        """Every parameter with its value, defaults included."""
        given = dict(self.given)
        return {n: given.get(n, p.default) for n, p in self.definition.parameters.items()}

    def with_default(self, name: str, value: ParameterValue) -> "Measure":
        """Set a parameter unless it is given already or the measure does not have it."""
        if name not in self.definition.parameters or name in dict(self.given):
            return self
        return self.definition.measure({**dict(self.given), name: value})

    def values(self, judged: RankedJudgments) -> Values:
        """The value of each topic, shape (T,); NaN where it is undefined."""
        return self.definition.function(judged, **self.parameters)

    def caution(self, judged: RankedJudgments) -> str | None:
        """What a reader of the value should be warned of, if anything."""
        check = self.definition.caution
        return check(judged, **self.parameters) if check else None

    def aggregate(self, values: Values, judged: RankedJudgments) -> float:
        """One value for all topics; NaN when it is defined for none."""
        return self.definition.aggregate.of(values, judged, self.parameters)


_definitions: dict[str, Definition] = {}
_aliases: dict[str, tuple[Definition, Alias]] = {}


def measure(
    name: str,
    *,
    at: str | None = None,
    aliases: tuple[Alias | str, ...] = (),
    aggregate: Aggregate = MEAN,
    low: float = 0.0,
    high: float = 1.0,
    loss: bool = False,
    tier: int = 1,
    caution: Caution | None = None,
    steps: Steps = NO_STEPS,
) -> Callable[[Function], Function]:
    """Register a vectorised function as the measure `name`.

    ========= ===========================================================================
    at        the parameter that `@` sets
    aliases   other names, as plain strings or with the parameters they imply
    aggregate how the values of all topics become one
    low, high the range of a topic's value
    loss      True when smaller values are better
    tier      1 central, 2 known from other tools, 3 specialised
    caution   what to warn of, given the judgments and the parameters; None for nothing
    steps     what `rankeval explain` shows of it beside its value
    ========= ===========================================================================

    Raises ValueError when a name is taken.
    """

    def register(function: Function) -> Function:
        named = tuple(a if isinstance(a, Alias) else Alias(a) for a in aliases)
        definition = Definition(
            name, function, at, named, aggregate, low, high, loss, tier, caution, steps
        )
        for new in (name, *(alias.name for alias in named)):
            if new in _definitions or new in _aliases:
                taken = f"the measure name '{new}' is taken"
                raise ValueError(taken)
        _definitions[name] = definition
        _aliases.update({alias.name: (definition, alias) for alias in named})
        return function

    return register


def definitions() -> Mapping[str, Definition]:
    """All measures by canonical name, in the order in which they were registered."""
    return _definitions


def aliases() -> Mapping[str, tuple[Definition, Alias]]:
    """Other names of measures."""
    return _aliases
