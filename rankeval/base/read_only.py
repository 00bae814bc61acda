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


def seal(value: Any) -> None:
    """Keep arrays and dictionaries of a frozen value from being changed: its `__post_init__`.

    Dictionaries are copied, those in them, too; of an array the value has a view.
    """
    fields = vars(value)
    for name, one in fields.items():
        fields[name] = _sealed(one)


def _sealed(one: Any) -> Any:
    if type(one) is dict:
        return ReadOnly({key: _sealed(value) for key, value in one.items()})
    if hasattr(one, "setflags") and one.flags.writeable:  # an array; NumPy need not be imported
        one = one.view()
        one.setflags(write=False)
    return one
