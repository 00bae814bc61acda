"""Plain values: dicts, lists, text, numbers, True, False and None."""

from collections.abc import Mapping
from typing import Any

from rankeval.base.wording import finite
from rankeval.version import __version__

Document = dict[str, Any]
"""Plain values under names."""


def headed(schema: str, facts: Mapping[str, Any]) -> Any:
    """Return a document: the facts behind the name of their schema and rankeval's version."""
    return {"schema": schema, "rankeval": __version__, **facts}


def fields_of(value: object, *names: str) -> Document:
    """Return some fields of a value by name, in this order."""
    return {name: getattr(value, name) for name in names}


def plain(value: Any) -> Any:
    """Return the same value made of plain ones, with None for a number that is not finite."""
    if isinstance(value, Mapping):
        return {str(name): plain(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [plain(one) for one in value]
    if isinstance(value, str):
        return str(value)  # not a class of its own, such as an enumeration's
    if isinstance(value, float):
        return finite(value)
    return value
