"""Parameters of measures: their types, their checks and the text of their values."""

import inspect
import types
from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import numpy as np

from rankeval.base.frozen import frozen
from rankeval.errors import MeasureError

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


@frozen
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


def literal(value: ParameterValue) -> str:
    """Return a value's text in a canonical name."""
    if isinstance(value, str):
        return f"'{value}'"
    if isinstance(value, tuple):
        return "{" + ",".join(f"{grade!r}:{gain!r}" for grade, gain in value) + "}"
    return repr(value)


def parameters_of(function: Callable[..., Any], name: str, place: str) -> dict[str, Parameter]:
    """Return the keyword-only parameters of a function, by their names."""
    hints = get_type_hints(function, include_extras=True)
    every = list(inspect.signature(function).parameters.values())[1:]
    for p in every:
        if p.kind is not inspect.Parameter.KEYWORD_ONLY or p.name not in hints:
            raise MeasureError(
                f"{name}: the parameter '{p.name}' is not declared as it must be",
                place=place,
                expected=f"a type, and a place after the asterisk: f(judged, *, {p.name}: int)",
            )
    return {p.name: Parameter.of(p.name, hints[p.name], p.default) for p in every}
