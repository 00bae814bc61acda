"""Read the parameters in `-m NAME.PARAMETERS`, and make the names to print."""

from collections.abc import Callable
from itertools import pairwise
from typing import Generic, TypeVar

from rankeval.base.frozen import frozen
from rankeval.trec_eval.tool_output import integer, is_integer, real
from rankeval.trec_eval.tool_version import BAD_INPUT, Failure, Version

LONGEST_NUMBER = 8
"""Characters to which a real number in a printed name is cut."""

Parameters = TypeVar("Parameters")


@frozen
class Wording(Generic[Parameters]):
    """A value of a measure's parameters, and the name to print for it."""

    name: bytes
    parameters: Parameters


@frozen
class Pairs:
    """The parameters `key=value,...`: gains of levels, and p.

    `gains` is in the order given; a level may occur several times.
    """

    gains: tuple[tuple[int, float], ...] = ()
    p: float | None = None


Read = Callable[[bytes, bytes | None, Version], list[Wording[Parameters]]]
"""A function from a measure's name, the text of its parameters and the version to wordings."""


def none(name: bytes, _text: bytes | None, _version: Version) -> list[Wording[None]]:
    """Ignore the text: the measure has no parameters."""
    return [Wording(name, None)]


def cutoffs(*default: int) -> Read[int]:
    """Return a reader of numbers of documents, each printed on a line of its own."""

    def read(name: bytes, text: bytes | None, _version: Version) -> list[Wording[int]]:
        numbers = default if text is None else sorted(map(integer, text.split(b",")))
        if numbers[0] <= 0 or any(a == b for a, b in pairwise(numbers)):
            raise _impossible(name)
        return [Wording(b"%b_%d" % (name, number), number) for number in numbers]

    return read


def levels(*default: float) -> Read[float]:
    """Return a reader of shares of R, each printed on a line of its own."""

    def read(name: bytes, text: bytes | None, _version: Version) -> list[Wording[float]]:
        numbers = default if text is None else sorted(map(real, text.split(b",")))
        if any(a == b for a, b in pairwise(numbers)):
            raise _impossible(name)
        return [
            Wording(name + b"_" + (b"%3.2f" % number)[:LONGEST_NUMBER], number)
            for number in numbers
        ]

    return read


def reals(*default: float) -> Read[tuple[float, ...]]:
    """Return a reader of numbers that together make one line."""

    def read(
        name: bytes, text: bytes | None, _version: Version
    ) -> list[Wording[tuple[float, ...]]]:
        if text is None:
            return [Wording(name, default)]
        return [Wording(name + b"_" + text, tuple(map(real, text.split(b","))))]

    return read


def pairs(name: bytes, text: bytes | None, version: Version) -> list[Wording[Pairs]]:
    """Read gains of levels, and p, which together make one line."""
    if text is None:
        return [Wording(name, Pairs())]
    gains: list[tuple[int, float]] = []
    p = None
    for item in text.split(b","):
        if item.count(b"=") != 1:
            raise _impossible(name)
        key, _, value = item.partition(b"=")
        if key == b"p":
            p = real(value)
        if version.gain_keys == "leading digits" or is_integer(key):
            gains.append((integer(key), real(value)))
    return [Wording(name + b"_" + text, Pairs(tuple(gains), p))]


def _impossible(name: bytes) -> Failure:
    return Failure(BAD_INPUT, f"trec_eval: Cannot initialize measure '{name.decode()}'")


def split(text: bytes) -> tuple[bytes, bytes | None]:
    """Divide NAME.PARAMETERS at its first dot."""
    name, dot, parameters = text.partition(b".")
    return name, parameters if dot else None
