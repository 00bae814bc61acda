"""Parameters of measures: their types, their checks and the text of their values."""

import operator
import types
from collections.abc import Callable, Mapping
from typing import Annotated, ClassVar, Literal, Union, get_args, get_origin

import numpy as np

from rankeval.base.frozen import frozen
from rankeval.errors import MeasureError

Gains = tuple[tuple[float, float], ...]
"""Gains by grade, as sorted pairs so that a measure can be hashed and compared."""

LARGEST = 1e15
"""Largest number allowed: with larger ones, values of measures could overflow."""

ParameterValue = bool | int | float | str | Gains | None


@frozen
class Bound:
    """A bound of the value: what it says, and whether a value keeps to it."""

    bound: float
    words: ClassVar[str]
    keeps: ClassVar[Callable[[float, float], bool]]

    def __str__(self) -> str:
        return f"{self.words} {self.bound:g}"

    def admits(self, value: float) -> bool:
        """Return True if a value keeps to the bound."""
        return type(self).keeps(value, self.bound)


class AtLeast(Bound):
    """The value is this or more."""

    words, keeps = "at least", operator.ge


class AtMost(Bound):
    """The value is this or less."""

    words, keeps = "at most", operator.le


class MoreThan(Bound):
    """The value is more than this."""

    words, keeps = "more than", operator.gt


class LessThan(Bound):
    """The value is less than this."""

    words, keeps = "less than", operator.lt


@frozen
class Meaning:
    """The meaning of a parameter, in a few words."""

    text: str


@frozen
class Parameter:
    """One parameter of a measure, read from its annotation."""

    name: str
    kinds: tuple[object, ...]
    bounds: tuple[Bound, ...]
    meaning: str
    default: ParameterValue
    required: bool

    @classmethod
    def from_annotation(
        cls, name: str, annotation: object, *, default: ParameterValue, required: bool
    ) -> "Parameter":
        """Read `Annotated[int | None, AtLeast(1), Meaning("...")]` and the like."""
        extras: tuple[object, ...] = ()
        if get_origin(annotation) is Annotated:
            annotation, *rest = get_args(annotation)
            extras = tuple(rest)
        union = get_origin(annotation) in (Union, types.UnionType)
        return cls(
            name=name,
            kinds=get_args(annotation) if union else (annotation,),
            bounds=tuple(e for e in extras if isinstance(e, Bound)),
            meaning="; ".join(e.text for e in extras if isinstance(e, Meaning)),
            default=None if required else default,
            required=required,
        )

    @property
    def choices(self) -> tuple[str, ...]:
        """The allowed strings of a parameter that takes certain strings."""
        return tuple(
            c for kind in self.kinds if get_origin(kind) is Literal for c in get_args(kind)
        )

    @property
    def example(self) -> ParameterValue:
        """A value that is allowed, for messages."""
        if self.choices:
            return self.choices[0]
        return 10 if int in self.kinds else 0.5

    @property
    def allowed(self) -> str:
        """The allowed values in words."""
        words = [f"'{choice}'" for choice in self.choices]
        limits = " and ".join(str(bound) for bound in self.bounds)
        if int in self.kinds or float in self.kinds:
            noun = "a number" if float in self.kinds else "an integer"
            words.append(f"{noun} {limits}".strip())
        words += ["a text"] if str in self.kinds else []
        words += ["True", "False"] if bool in self.kinds else []
        words += ["a table such as {1:1,2:3}"] if Gains in self.kinds else []
        words += ["None"] if type(None) in self.kinds else []
        return " or ".join(words)

    def check(self, owner: str, value: object) -> ParameterValue:
        """Return the value in its normal form; MeasureError when it is not allowed."""
        value = value.item() if isinstance(value, np.generic) else value
        accepted = self._accept(value)
        if accepted is None and (value is not None or type(None) not in self.kinds):
            too_large = isinstance(value, int | float) and abs(value) > LARGEST
            raise MeasureError(
                f"{owner}: {self.name}={value!r} is not possible",
                expected=f"{self.allowed}, up to {LARGEST:g}" if too_large else self.allowed,
            )
        return accepted

    def _accept(self, value: object) -> ParameterValue:
        """Return the normal form of an allowed value; None for other values and for None."""
        if isinstance(value, bool):
            return value if bool in self.kinds else None
        if isinstance(value, str):
            return value if value in self.choices or str in self.kinds else None
        if isinstance(value, int | float):
            number = self._number(value)
            fits = number is not None and all(bound.admits(number) for bound in self.bounds)
            return number if fits else None
        if Gains in self.kinds and isinstance(value, Mapping | tuple):
            return _gains(value)
        return None

    def _number(self, value: float) -> int | float | None:
        number = _plain_number(value)
        if int in self.kinds and isinstance(number, int):
            return number
        return float(number) if float in self.kinds and number is not None else None


def _plain_number(value: float) -> int | float | None:
    """Return an int if the value is whole, so that equal values have equal text; else a float.

    None for a number that is not finite or too large.
    """
    if not abs(value) <= LARGEST:
        return None
    return int(value) if value == int(value) else value


def _gains(table: Mapping[object, object] | tuple[object, ...]) -> Gains | None:
    pairs = table.items() if isinstance(table, Mapping) else table
    gains: list[tuple[float, float]] = []
    for pair in pairs:
        match pair:
            case (bool(), _) | (_, bool()):
                return None
            case (int() | float() as grade, int() | float() as gain):
                numbers = _plain_number(grade), _plain_number(gain)
                if numbers[0] is None or numbers[1] is None:
                    return None
                gains.append((numbers[0], numbers[1]))
            case _:
                return None
    one_gain_each = len(dict(gains)) == len(gains)
    return tuple(sorted(gains)) if gains and one_gain_each else None


def literal(value: ParameterValue) -> str:
    """Return a value's text in a canonical name."""
    if isinstance(value, str):
        return f"'{value}'"
    if isinstance(value, tuple):
        return "{" + ",".join(f"{grade!r}:{gain!r}" for grade, gain in value) + "}"
    return repr(value)
