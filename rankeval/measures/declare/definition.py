"""Measures: what a definition declares, and a measure with its parameters fixed."""

import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import field
from functools import cached_property, partial
from typing import TYPE_CHECKING, Annotated, Any, TypedDict, get_type_hints

import numpy as np

from rankeval.base.arrays import Floats, Integers
from rankeval.base.frozen import frozen
from rankeval.errors import MeasureError
from rankeval.measures.declare.aggregates import MEAN, Aggregate
from rankeval.measures.declare.families import import_families, import_family_of
from rankeval.measures.declare.measure_parameters import (
    AtLeast,
    Meaning,
    MoreThan,
    Parameter,
    ParameterValue,
    literal,
)
from rankeval.measures.declare.needs import NO_STEPS, Need, Steps
from rankeval.measures.declare.value_bounds import Bounds, BoundsRule
from rankeval.ranking import RankedJudgments

if TYPE_CHECKING:
    from rankeval.measures.declare.documentation import Documentation

Values = Floats
"""One float64 per topic, shape (T,); NaN where the measure is undefined for the topic."""

Function = Callable[..., Values]

RunFunction = Callable[..., float]
"""From `Exposure` and a measure's parameters to one number for a whole run."""

Caution = Callable[..., str | None]
"""From RankedJudgments and a measure's parameters to a warning, or None."""

Taken = Callable[..., tuple[Need, ...]]
"""From a measure's parameters to the optional data that it uses when given."""

Idle = Callable[..., tuple[str, ...]]
"""From a measure's parameters to the names of those without effect on its value."""

Cutoff = Annotated[int | None, AtLeast(1), Meaning("ranks considered; None is the whole ranking")]
RequiredCutoff = Annotated[int, AtLeast(1), Meaning("ranks considered")]
Rel = Annotated[int | float, MoreThan(0), Meaning("lowest grade that counts as relevant")]
JudgedOnly = Annotated[
    bool, Meaning("drop unjudged and negative-graded documents before ranks are counted")
]


OWN_MODULES = "rankeval."
_NAME = r"(?![\w-]*[_.]\d+$)[^\W\d_][\w+-]*"
"""Names that the parser of measures reads whole: `My_measure`, but not `My_10`, which is My@10."""


@frozen
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


def nothing(**_parameters: object) -> tuple[()]:
    """Return nothing: the default for optional needs and for parameters without effect."""
    return ()


class Facts(TypedDict, total=False):
    """What the declaration of a measure may say: the fields of its definition."""

    at: str | None
    aliases: tuple[Alias | str, ...]
    aggregate: Aggregate
    low: float
    high: float
    loss: bool
    tier: int
    caution: Caution | None
    steps: Steps
    needs: tuple[Need, ...]
    takes: Taken
    idle: Idle
    expected: bool
    bounds: BoundsRule | None
    of_run: bool
    relevant_only: bool


@frozen
class Definition:
    """A measure as declared: its function, whose signature is the specification, and its facts."""

    name: str
    function: Function
    at: str | None = None
    aliases: tuple[Alias, ...] = ()
    aggregate: Aggregate = MEAN
    low: float = 0.0
    high: float = 1.0
    loss: bool = False
    tier: int = 1
    caution: Caution | None = None
    steps: Steps = NO_STEPS
    needs: tuple[Need, ...] = ()
    takes: Taken = nothing
    idle: Idle = nothing
    expected: bool = False
    bounds: BoundsRule | None = None
    of_run: bool = False
    relevant_only: bool = False

    @cached_property
    def parameters(self) -> Mapping[str, Parameter]:
        """Parameters by name, in the order in which a canonical name prints them."""
        hints = get_type_hints(self.function, include_extras=True)
        signature = inspect.signature(self.function)
        for p in list(signature.parameters.values())[1:]:
            if p.kind is not inspect.Parameter.KEYWORD_ONLY or p.name not in hints:
                raise MeasureError(
                    f"{self.name}: the parameter '{p.name}' is not declared as it must be",
                    place=self.origin,
                    expected=f"a type, and a place after the asterisk: f(judged, *, {p.name}: int)",
                )
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

    @cached_property
    def is_own(self) -> bool:
        """True if the measure is one of rankeval's own."""
        return self.function.__module__.startswith(OWN_MODULES)

    @property
    def origin(self) -> str:
        """File and line of the function, for messages."""
        code = getattr(inspect.unwrap(self.function), "__code__", None)
        if self.is_own or code is None:
            return "rankeval itself" if self.is_own else self.function.__module__
        return f"{code.co_filename}:{code.co_firstlineno}"

    def check(self) -> None:
        """Raise MeasureError for a declaration that cannot work."""
        if not re.fullmatch(_NAME, self.name):
            raise MeasureError(
                f"'{self.name}' cannot be the name of a measure",
                place=self.origin,
                expected="letters, digits, -, + and _, with a letter first, and not ending in "
                "_ and a number",
            )
        if self.of_run:
            raise MeasureError(
                f"{self.name} is declared as a measure of a whole run",
                place=self.origin,
                expected="a measure of topics: one value for each of them",
            )
        if self.at is not None and self.at not in self.parameters:
            raise MeasureError(
                f"{self.name}: @ is to set '{self.at}', which is not a parameter",
                place=self.origin,
                expected=f"one of: {', '.join(self.parameters) or 'none'}",
            )
        for parameter in self.parameters.values():
            if not parameter.required:
                parameter.check(self.name, parameter.default)

    @property
    def family(self) -> str:
        """Name of the function's module, such as `precision`, or of the folder it is in."""
        modules = self.function.__module__.split(".")
        return modules[2] if self.is_own else modules[-1]

    @property
    def summary(self) -> str:
        """The title of the measure's docstring."""
        return self.documentation.title

    @cached_property
    def documentation(self) -> "Documentation":
        """The docstring, divided into its parts."""
        from rankeval.measures.declare.documentation import documentation  # of few measures

        return documentation(self.function)

    def measure(self, parameters: Mapping[str, object]) -> "Measure":
        """Fix the parameters; MeasureError for an unknown, an impossible or a missing one."""
        found = self.begun(parameters)
        found.require_complete()
        return found

    def begun(self, parameters: Mapping[str, object]) -> "Measure":
        """Fix some parameters; others that are required may still be missing, as in `P(rel=2)`."""
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
        defaults = {name: parameter.default for name, parameter in self.parameters.items()}
        complete = all(not p.required or p.name in checked for p in self.parameters.values())
        idle = self.idle(**{**defaults, **checked}) if complete else ()
        return Measure(
            definition=self,
            given=tuple(
                (name, value)
                for name, value in checked.items()
                if self.parameters[name].required or value != self.parameters[name].default
                if name not in idle
            ),
        )


@frozen
class Measure:
    """A measure with its parameters: an immutable value whose string is the canonical name.

    `given` holds the parameters that differ from their defaults, in canonical order. `@` sets the
    cutoff, or the parameter in its place, and a call sets others; a measure such as P, which needs
    a cutoff, computes nothing before it has one.

    >>> from rankeval import AP, P, nDCG
    >>> nDCG @ 10, AP(rel=2) @ 100, nDCG(dcg="exp-log2") @ 10
    (nDCG@10, AP(rel=2)@100, nDCG(dcg='exp-log2')@10)
    >>> P(rel=2) @ 5 == P(cutoff=5, rel=2)
    True
    """

    definition: Definition = field(compare=False, repr=False)
    given: tuple[tuple[str, ParameterValue], ...]
    name: str = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", self.definition.name)

    def __hash__(self) -> int:
        return hash(str(self))

    def __repr__(self) -> str:
        return str(self)

    def __call__(self, **parameters: object) -> "Measure":
        """Return the measure with other parameters; MeasureError for an impossible one."""
        return self.definition.begun({**dict(self.given), **parameters})

    def __matmul__(self, at: object) -> "Measure":
        """Return the measure with a cutoff, or with the parameter that `@` sets in its place."""
        if self.definition.at is None:
            raise MeasureError(f"{self.name} takes no @", expected=self.name)
        return self(**{self.definition.at: at})

    @cached_property
    def missing(self) -> tuple[Parameter, ...]:
        """The required parameters that are not given, as the cutoff of P."""
        given = dict(self.given)
        every = self.definition.parameters.values()
        return tuple(p for p in every if p.required and p.name not in given)

    def require_complete(self) -> None:
        """Raise MeasureError if a required parameter is missing."""
        if self.missing:
            complete = self(**{p.name: p.example for p in self.missing})
            needed = " and ".join(
                "a cutoff" if p.name == "cutoff" else p.name for p in self.missing
            )
            raise MeasureError(f"{self.name} needs {needed}", expected=f"for instance {complete}")

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the name and the parameters; a plugin's measure must be there to load it."""
        return _restored, (self.name, self.given)

    def __str__(self) -> str:
        return self._text

    @cached_property
    def _text(self) -> str:
        at = self.definition.at
        inside = ",".join(f"{name}={literal(value)}" for name, value in self.given if name != at)
        cutoff = "".join(f"@{literal(value)}" for name, value in self.given if name == at)
        return f"{self.name}({inside}){cutoff}" if inside else f"{self.name}{cutoff}"

    @cached_property
    def parameters(self) -> dict[str, ParameterValue]:
        """Every parameter with its value, defaults included."""
        given = dict(self.given)
        return {n: given.get(n, p.default) for n, p in self.definition.parameters.items()}

    @cached_property
    def _computed(self) -> Callable[[RankedJudgments], Values] | None:
        """The function with its parameters, if all judgments have what it needs."""
        self.require_complete()
        definition = self.definition
        if definition.needs or not definition.is_own:
            return None
        return partial(definition.function, **self.parameters)

    @cached_property
    def relevant_only(self) -> bool:
        """True if retrieved documents of grade 0 or less may count as unjudged ones."""
        asked = self.parameters
        own = asked.get("out", "EU") == "EU" and not asked.get("judged_only")
        return self.definition.relevant_only and own and not asked.get("gains")

    @cached_property
    def range(self) -> tuple[float, float]:
        """The least and the greatest possible value of a topic, infinite where unknown."""
        parameters = self.parameters
        if parameters.get("out", "EU") != "EU":  # costs and total gains have no known range
            return -np.inf, np.inf
        low, high = self.definition.low, self.definition.high
        if low == -np.inf and "gains" in parameters:
            table: Any = parameters["gains"] or ()
            if all(gain >= 0 for _, gain in table):  # only negative gains lead below 0
                low = 0.0
        return low, high

    @cached_property
    def considers(self) -> tuple[Need, ...]:
        """Data that the measure uses beside grades and ranks: needed, or used when given."""
        return (*self.definition.needs, *self.definition.takes(**self.parameters))

    def with_default(self, name: str, value: "ParameterValue") -> "Measure":
        """Set a parameter unless it is given already or the measure does not have it."""
        if name not in self.definition.parameters or name in dict(self.given):
            return self
        return self.definition.measure({**dict(self.given), name: value})

    def without(self, name: str) -> "Measure":
        """Put a parameter back to its default."""
        return self.definition.measure({n: value for n, value in self.given if n != name})

    def values(self, judged: RankedJudgments) -> Values:
        """Return the value of each topic, shape (T,); NaN where it is undefined.

        Raises MeasureError when the judgments lack what the measure needs.
        """
        if self._computed is not None and not judged.ties_open:
            return self._computed(judged)
        if self.definition.of_run:
            raise MeasureError(
                f"{self} is one number for a whole run, without values of topics",
                expected="a measure of topics, such as nDCG@10",
                remedy=f"leave it out; rankeval eval computes {self}",
            )
        for need in self.definition.needs:
            need.refuse_lack(str(self), judged)
        if judged.ties_open and not self.definition.expected:
            import_families()
            able = [name for name, definition in BY_NAME.items() if definition.expected]
            raise MeasureError(
                f"{self} has no closed form of its mean over all orders of equal scores",
                expected=f"with --ties expected, one of: {' '.join(able)}",
                remedy="break ties by another rule, such as --ties docno, best or worst",
            )
        if self.definition.is_own:
            return self.definition.function(judged, **self.parameters)
        return _values_of_guest(self, judged)

    def of_run(self, judged: RankedJudgments, topics: Integers | None = None) -> float:
        """Return the value of the whole run, or of some topics of the batch, by their indices.

        NaN where it is undefined; MeasureError when the judgments lack what the measure needs.
        """
        from rankeval.measures.arithmetic.exposure import Exposure  # for measures of whole runs

        self.require_complete()
        for need in self.definition.needs:
            need.refuse_lack(str(self), judged)
        cutoff: Any = self.parameters["cutoff"]
        value: Any = self.definition.function(
            Exposure.of(judged, cutoff, topics), **self.parameters
        )
        return float(value)

    def bounds(self, judged: RankedJudgments) -> Bounds | None:
        """Return the bounds if all documents were judged; None where they are not known."""
        rule = self.definition.bounds
        if rule is None or self.parameters.get("judged_only"):
            return None
        return rule(self.values, judged, self.parameters)

    def caution(self, judged: RankedJudgments) -> str | None:
        """Return a warning for readers of the value, or None."""
        check = self.definition.caution
        return check(judged, **self.parameters) if check else None

    def aggregate(self, values: Values, judged: RankedJudgments) -> float:
        """Return one value for all topics; NaN when it is defined for none."""
        return self.definition.aggregate.over(values, judged, self.parameters)


def _restored(name: str, given: tuple[tuple[str, ParameterValue], ...]) -> Measure:
    import_family_of(name)
    return BY_NAME[name].begun(dict(given))


def _values_of_guest(guest: Measure, judged: RankedJudgments) -> Values:
    """Return the values of a plugin's measure; MeasureError when it fails."""
    try:
        values = np.asarray(guest.definition.function(judged, **guest.parameters), dtype=float)
    except MeasureError:
        raise
    except (Exception, SystemExit) as error:  # a plugin may raise anything
        raise MeasureError(
            f"{guest} failed: {type(error).__name__}: {error}", place=guest.definition.origin
        ) from error
    if values.shape != (len(judged),) or np.isinf(values).any():
        found = f"shape {values.shape}" if not np.isinf(values).any() else "an infinite value"
        raise MeasureError(
            f"{guest} gave {found}",
            place=guest.definition.origin,
            expected=f"one finite number per topic, shape ({len(judged)},); NaN where undefined",
        )
    return values


BY_NAME: dict[str, Definition] = {}
"""All measures by canonical name; `registry` fills it."""
