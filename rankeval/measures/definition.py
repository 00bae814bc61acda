"""Measures: what a definition declares, and a measure with its parameters fixed."""

import inspect
from collections.abc import Callable, Mapping
from functools import cached_property, partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from rankeval.base.arrays import Floats, Integers
from rankeval.base.frozen import field, frozen
from rankeval.errors import MeasureError
from rankeval.measures.facts import (
    COSTS,
    MEAN,
    Aggregate,
    Alias,
    Need,
    Parameter,
    ParameterValue,
    Terms,
    Values,
    literal,
    parameters_of,
)
from rankeval.other_words import Hinting
from rankeval.ranking.ranked import AT_ONCE, RankedJudgments, in_parts

if TYPE_CHECKING:
    from rankeval.measures.bounds import Bounds, BoundsRule

Caution = Callable[..., str | None]
"""From RankedJudgments and a measure's parameters to a warning, or None."""

OF_PLUGINS, OF_TREC_EVAL = "from plugins", "of trec_eval alone"


def origin_of(function: Callable[..., Any]) -> str:
    """Return file and line of a function, for messages."""
    code = inspect.unwrap(function).__code__
    return f"{code.co_filename}:{code.co_firstlineno}"


@frozen
class Definition:
    """A measure as declared: its function, whose signature is the specification, and its facts.

    ============= ==========================================================================
    source        `module:name` of a function that is imported when it is first used; of a measure
                  of plugins the function itself
    at            the parameter that `@` sets
    subject       the part of the catalogue that it is in
    shared        parameters that `Measure` uses itself, and the function does not take
    needs, takes  data required, and used when given, beside grades and ranks
    idle          parameters without effect, by the one that takes it from them when given
    expected      True if the function gives the mean over all orders where `judged.ties_open`
    relevant_only True if retrieved documents of grade 0 or less may count as unjudged ones
    of_run        True if the function gives one number for a whole run, from an `Exposure`
    rule          True if the function is a reader's rule of going on (see `walk`)
    reader        the function for the readers whose quantities `out=` reports
    terms         functions for the terms of the formula: of rows, places, quantities
    parts         names of the measures that the formula puts together
    weights       gives the weights of topics in the mean, or None, from judgments and parameters
    bounds        gives the least and the greatest value if all documents were judged
    ============= ==========================================================================

    A text names a function or a value of the module of `source`, or as `module:name` of another.
    """

    name: str
    source: Callable[..., Any] | str
    at: str | None = None
    aliases: tuple[Alias, ...] = ()
    subject: str = OF_PLUGINS
    shared: tuple[Parameter, ...] | str = ()
    aggregate: Aggregate = MEAN
    low: float = 0.0
    high: float = 1.0
    loss: bool = False
    needs: tuple[Need, ...] = ()
    takes: tuple[Need, ...] = ()
    idle: Mapping[str, str] = field(default_factory=dict)
    expected: bool = False
    relevant_only: bool = False
    of_run: bool = False
    rule: bool = False
    reader: str = ""
    terms: Mapping[str, Callable[..., Terms] | str] = field(default_factory=dict)
    parts: tuple[str, ...] = ()
    caution: Caution | str | None = None
    weights: str | None = None
    bounds: "BoundsRule | str | None" = None

    def part(self, name: Any) -> Any:
        """Return what a name in the module of the function stands for; no other value changes."""
        if not isinstance(name, str):
            return name
        *other, name = name.split(":")
        module = other[0] if other else str(self.source).partition(":")[0]
        room = "rankeval" if "." in module else "rankeval.measures"
        return getattr(import_module(f"{room}.{module}"), name)

    @cached_property
    def function(self) -> Callable[..., Any]:
        """The function, which is imported now."""
        return self.part(self.source)

    @cached_property
    def parameters(self) -> Mapping[str, Parameter]:
        """Parameters by name, in the order in which a canonical name prints them."""
        own = parameters_of(self.function, self)
        shared = {parameter.name: parameter for parameter in self.part(self.shared)}
        last = {n: p for n, p in own.items() if shared and n in ("count", self.at)}
        return {n: p for n, p in own.items() if n not in last} | shared | last

    @property
    def is_own(self) -> bool:
        """True if the measure is one of rankeval's own."""
        return isinstance(self.source, str)

    @property
    def origin(self) -> str:
        """File and line of the function, for messages."""
        return "rankeval itself" if self.is_own else origin_of(self.function)

    def measure(self, parameters: Mapping[str, object]) -> "Measure":
        """Fix the parameters; MeasureError for an unknown, an impossible or a missing one."""
        made = self.begun(parameters)
        made.require_complete()
        return made

    def begun(self, parameters: Mapping[str, object]) -> "Measure":
        """Fix some parameters; others that are required may still be missing, as in `P(rel=2)`."""
        every = self.parameters
        for name in parameters:
            if name not in every:
                raise MeasureError(
                    f"{self.name} has no parameter '{name}'",
                    expected=f"one of: {', '.join(every) or 'none'}",
                )
        checked = {
            n: p.check(self.name, parameters[n]) for n, p in every.items() if n in parameters
        }
        idle = {name for by, name in self.idle.items() if checked.get(by) is not None}
        usual = {n: p.default for n, p in every.items() if not p.required}
        given = [pair for pair in checked.items() if pair not in usual.items()]
        return Measure(self, tuple((name, value) for name, value in given if name not in idle))


@frozen
class Measure(Hinting):
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

    def require_complete(self) -> None:
        """Raise MeasureError if a required parameter is missing, as the cutoff of P."""
        every, given = self.definition.parameters.values(), dict(self.given)
        missing = {p.name: p.example for p in every if p.required and p.name not in given}
        if missing:
            needed = " and ".join(missing).replace("cutoff", "a cutoff")
            complete = self(**missing)
            raise MeasureError(f"{self.name} needs {needed}", expected=f"for instance {complete}")

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the name and the parameters; a plugin's measure must be there to load it."""
        return _restored, (self.name, self.given)

    def __str__(self) -> str:
        return self._text

    @cached_property
    def _text(self) -> str:
        texts = {name: literal(value) for name, value in self.given}
        at = f"@{texts.pop(self.definition.at)}" if self.definition.at in texts else ""
        inside = ",".join(f"{name}={text}" for name, text in texts.items())
        return f"{self.name}({inside}){at}" if inside else f"{self.name}{at}"

    @cached_property
    def parameters(self) -> dict[str, ParameterValue]:
        """Every parameter with its value, defaults included."""
        given = dict(self.given)
        return {n: given.get(n, p.default) for n, p in self.definition.parameters.items()}

    @cached_property
    def _own(self) -> dict[str, ParameterValue]:
        """The parameters that the function takes."""
        shared = {p.name for p in self.definition.part(self.definition.shared)}
        return {name: value for name, value in self.parameters.items() if name not in shared}

    @cached_property
    def _out(self) -> str:
        """The quantity of its readers that `out=` asks for; "EU" is the measure itself."""
        return str(self.parameters["out"]) if self.definition.reader else "EU"

    @cached_property
    def _computed(self) -> Callable[[RankedJudgments], Values]:
        """The function with its parameters, within what the shared ones ask for."""
        self.require_complete()
        definition = self.definition
        compute: Callable[[RankedJudgments], Values] = partial(definition.function, **self._own)
        if definition.rule or self._out != "EU":
            compute = self._walked
        if definition.shared and self.parameters.get("judged_only"):
            return lambda judged: compute(judged.condensed)
        return compute

    def _walked(self, judged: RankedJudgments) -> Values:
        from rankeval.measures.walk import measure_readers

        out, norm = str(self.parameters["out"]), self.parameters.get("norm", True)
        return measure_readers(judged, self._readers(judged), out, norm)

    def _readers(self, judged: RankedJudgments) -> Any:
        """Return the readers of the C/W/L framework (see `walk`) that the measure is about."""
        if not self.definition.rule:
            return self.definition.part(self.definition.reader)(judged, **self._own)
        from rankeval.measures.walk import readers_of_rule

        return readers_of_rule(self.definition.function, self._own, self.parameters, judged)

    @cached_property
    def relevant_only(self) -> bool:
        """True if retrieved documents of grade 0 or less may count as unjudged ones."""
        asked = self.parameters
        own = self._out == "EU" and not asked.get("judged_only") and not asked.get("gains")
        return self.definition.relevant_only and own

    @cached_property
    def range(self) -> tuple[float, float]:
        """The least and the greatest possible value of a topic, infinite where unknown."""
        if self.parameters.get("out", "EU") != "EU":  # costs and total gains have no known range
            return -np.inf, np.inf
        low, high = self.definition.low, self.definition.high
        gains: Any = self.parameters.get("gains") or ()
        if "gains" in self.parameters and all(gain >= 0 for _, gain in gains):
            low = max(low, 0.0)  # only negative gains lead below 0
        return low, high

    @cached_property
    def considers(self) -> tuple[Need, ...]:
        """Data that the measure uses beside grades and ranks: needed, or used when given."""
        costs = (COSTS,) if self.definition.rule or self._out in ("EC", "ETC") else ()
        return (*self.definition.needs, *self.definition.takes, *costs)

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
        definition = self.definition
        if definition.of_run:
            raise MeasureError(
                f"{self} is one number for a whole run, without values of topics",
                expected="a measure of topics, such as nDCG@10",
                remedy=f"leave it out; rankeval eval computes {self}",
            )
        for need in definition.needs:
            need.refuse_lack(str(self), judged)
        if judged.ties_open and not definition.expected:
            from rankeval.measures import definitions

            able = [name for name, one in definitions().items() if one.expected]
            raise MeasureError(
                f"{self} has no closed form of its mean over all orders of equal scores",
                expected=f"with --ties expected, one of: {' '.join(able)}",
                remedy="break ties by another rule, such as --ties docno, best or worst",
            )
        # What a plugin computes may depend on all topics.
        if definition.is_own and len(judged.judged_grade) > AT_ONCE:
            return np.concatenate([self._computed(part) for part in in_parts(judged)])
        return self._computed(judged)

    def of_run(self, judged: RankedJudgments, topics: Integers | None = None) -> float:
        """Return the value of the whole run, or of some topics of the batch, by their indices.

        NaN where it is undefined; MeasureError when the judgments lack what the measure needs.
        """
        self.require_complete()
        for need in self.definition.needs:
            need.refuse_lack(str(self), judged)
        shown = self.definition.part("Exposure").of(judged, self.parameters["cutoff"], topics)
        return float(self.definition.function(shown, **self.parameters))

    def terms(
        self, kind: Literal["rows", "places", "quantities"], judged: RankedJudgments
    ) -> Terms:
        """Return the terms of the formula: columns by name, {} if there are none.

        Those of `rows` have a value per row, those of `places` for each rank of the only topic as
        far as there are any, and `quantities` are numbers per topic.
        """
        definition = self.definition
        if kind == "places" and (definition.rule or self._out != "EU"):
            from rankeval.measures.walk import probabilities

            return probabilities(judged, self._readers(judged))
        if definition.rule:
            return {"gain": self._readers(judged).gain} if kind == "rows" else {}
        terms = definition.part(definition.terms.get(kind))
        return terms(judged, **self._own) if terms else {}

    def bounds(self, judged: RankedJudgments) -> "Bounds | None":
        """Return the bounds if all documents were judged; None where they are not known."""
        rule: BoundsRule | None = self.definition.part(self.definition.bounds)
        given = self.parameters
        if rule is None or given.get("judged_only") or given.get("gains") or self._out != "EU":
            return None
        return rule(self.values, judged, self.parameters)

    def caution(self, judged: RankedJudgments) -> str | None:
        """Return a warning for readers of the value, or None."""
        check: Caution | None = self.definition.part(self.definition.caution)
        return check(judged, **self.parameters) if check else None

    def weights(self, judged: RankedJudgments) -> Floats | None:
        """Return the weights of topics in the mean; None if every topic weighs the same."""
        rule = self.definition.part(self.definition.weights)
        return rule(judged, self.parameters) if rule else None

    def aggregate(self, values: Values, judged: RankedJudgments) -> float:
        """Return one value for all topics; NaN when it is defined for none."""
        return self.definition.aggregate.of(values, self.weights(judged))


@frozen
class NamedMeasure:
    """A measure, the name that the user wrote, and the parameters that the name sets.

    ======== =============================================================================
    measure  the measure with the stated and the implied parameters
    as_given the name as the user wrote it
    stated   names of the parameters in the text
    implied  those that only the name implies; other conventions may override them
    note     warning where other tools mean something else by the name; otherwise ""
    ======== =============================================================================
    """

    measure: Measure
    as_given: str
    stated: frozenset[str] = frozenset()
    implied: frozenset[str] = frozenset()
    note: str = ""


def _restored(name: str, given: tuple[tuple[str, ParameterValue], ...]) -> Measure:
    from rankeval.measures import definition_of

    return definition_of(name).begun(dict(given))
