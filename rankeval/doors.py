"""Doors of rooms, whose names are imported when they are first used.

The stub next to a room's `__init__.py` is the only list of its names, a line each: `from MODULE
import NAME as NAME`. Type checkers and editors read it at any time.
"""

import sys
from collections.abc import Callable
from functools import cache
from importlib import import_module

from rankeval.other_words import otherwise


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

    def get(name: str) -> object:
        modules = modules_by_name(folder, declared_in)
        if name == "__all__":
            return sorted(modules)
        if name in rooms:
            return import_module(f"{room}.{name}")
        if name not in modules:
            return otherwise(package, name, declared_in)
        value: object = getattr(import_module(modules[name]), name)
        setattr(package, name, value)
        return value

    return get, lambda: sorted({*vars(package), *rooms, *modules_by_name(folder, declared_in)})


@cache
def modules_by_name(folder: str, declared_in: str = "") -> dict[str, str]:
    """Return the public names of a room and their modules, as the stub in its folder lists them.

    Lines are `from MODULE import NAME as NAME`, or `NAME: Measure` for one of `declared_in`.
    """
    with open(f"{folder}/__init__.pyi", encoding="utf-8") as stub:  # noqa: PTH123  as pathlib is slow
        lines = [line.split() for line in stub]
    imported = {words[3]: words[1] for words in lines if words[:1] == ["from"] and words[1] != "."}
    declared = [words[0][:-1] for words in lines if words[1:] == ["Measure"]]
    return imported | dict.fromkeys(declared, declared_in)
