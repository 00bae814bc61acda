"""Dictionaries that cannot be changed, and can be copied, pickled and encoded as others can."""

from collections.abc import Mapping
from typing import Any, NoReturn, TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")


class ReadOnly(dict[Key, Value]):
    """A dictionary that refuses changes with TypeError."""

    def _refuse(self, *_: Any, **__: Any) -> NoReturn:
        """Refuse the change."""
        raise TypeError("these values cannot be changed; dict(values) makes a copy that can")

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse

    def __reduce__(self) -> tuple[Any, ...]:
        """Copy and pickle it as its items."""
        return type(self), (dict(self),)


def read_only(given: Mapping[Key, Value]) -> ReadOnly[Key, Value]:
    """Return a mapping that cannot be changed: the same, or a copy."""
    return given if isinstance(given, ReadOnly) else ReadOnly(given)
