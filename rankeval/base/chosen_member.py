"""Choices among names: the members of one enumeration, or of several."""

from enum import StrEnum
from typing import TypeVar

from rankeval.errors import UsageError

Choice = TypeVar("Choice", bound=StrEnum)


def choice(name: str, value: object, *kinds: type[Choice]) -> Choice:
    """Return the member that a value is or names; UsageError lists them for another value."""
    for kind in kinds:
        if isinstance(value, str) and value in set(kind):
            return kind(value)
    raise UsageError(
        f"{name} cannot be {value!r}",
        expected=f"one of {', '.join(str(one) for kind in kinds for one in kind)}",
    )
