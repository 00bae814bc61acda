"""Doors of rooms, whose names are imported when they are first used, and registries of plugins.

The stub next to a room's `__init__.py` is the only list of its names, a line each: `from MODULE
import NAME as NAME`. Type checkers and editors read it at any time.
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import TypeVar

from rankeval.base.other_words import otherwise


@cache
def door(
    room: str, folder: str, rooms: tuple[str, ...] = (), declared_in: str = ""
) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """Return `__getattr__` and `__dir__` of a room, whose `folder` has the stub.

    `__getattr__` imports a name from its module and keeps it, lists all names as `__all__`, and
    imports the `rooms` within this one that are public. `declared_in` is the module of the names
    that the stub declares without an import, which also knows their other spellings.
    """
    package = sys.modules[room]

    @cache
    def modules() -> dict[str, str]:
        return modules_by_name(folder, declared_in)

    def get(name: str) -> object:
        if name == "__all__":
            return sorted(modules())
        if name not in rooms and name not in modules():
            return otherwise(package, name, declared_in)
        from importlib import import_module

        if name in rooms:
            return import_module(f"{room}.{name}")
        value: object = getattr(import_module(modules()[name]), name)
        setattr(package, name, value)
        return value

    return get, lambda: sorted({*vars(package), *rooms, *modules()})


def modules_by_name(folder: str, declared_in: str = "") -> dict[str, str]:
    """Return the public names of a room and their modules, as the stub in its folder lists them.

    Lines are `from MODULE import NAME as NAME`, or `NAME: Measure` for one of `declared_in`.
    """
    with open(f"{folder}/__init__.pyi", encoding="utf-8") as stub:  # noqa: PTH123  as pathlib is slow
        lines = [line.split() for line in stub]
    imported = {words[3]: words[1] for words in lines if words[:1] == ["from"] and words[1] != "."}
    declared = [words[0][:-1] for words in lines if words[1:] == ["Measure"]]
    return imported | dict.fromkeys(declared, declared_in)


Item = TypeVar("Item")

_REGISTRIES: list[dict[str, object]] = []


class Registry(dict[str, Item]):
    """A mapping of names to the items that plugins have added."""

    def __init__(self) -> None:
        super().__init__()
        _REGISTRIES.append(self)  # type: ignore[arg-type]  # is only restored, item by item


def registered() -> dict[str, object]:
    """Return all that is registered; a name in two registries is there once."""
    return {name: item for registry in _REGISTRIES for name, item in registry.items()}


@contextmanager
def restored_on_failure() -> Iterator[None]:
    """Restore the content of every registry if the block fails."""
    before = [dict(registry) for registry in _REGISTRIES]
    try:
        yield
    except BaseException:
        for registry in _REGISTRIES[len(before) :]:  # made by an import in the block
            registry.clear()
        for registry, items in zip(_REGISTRIES, before, strict=False):
            registry.clear()
            registry.update(items)
        raise
