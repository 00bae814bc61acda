"""Plain values: dicts, lists, text, numbers, True, False and None."""

from collections.abc import Mapping
from typing import Any

from rankeval.base.frozen import declared
from rankeval.base.wording import finite
from rankeval.version import __version__

Document = dict[str, Any]
"""Plain values under names."""


def document(result: Any, _style: object = None) -> Document:
    """Return the document of a command's result: its fields, behind the name of the command."""
    command = type(result).__module__.split(".")[2]
    return headed(f"rankeval-{command}/1", plain(result))


def headed(schema: str, facts: Mapping[str, Any]) -> Any:
    """Return a document: the facts behind the name of their schema and rankeval's version."""
    return {"schema": schema, "rankeval": __version__, **facts}


def fields_of(value: object, *names: str) -> Document:
    """Return some fields of a value by name, in this order."""
    return {name: getattr(value, name) for name in names}


HIDDEN = {"document": False}
"""The metadata of a field that is not in documents."""


def plain(value: Any) -> Any:
    """Return the same value made of plain ones, with None for a number that is not finite.

    An object is its fields, but for `HIDDEN` ones, or what its method `_in_document` returns.
    """
    if hasattr(value, "_in_document"):
        value = value._in_document()  # noqa: SLF001  for documents only
    value = value.tolist() if hasattr(value, "tolist") else value
    if fields := declared(type(value)):
        shown = [n for n, said in fields.items() if said.get("metadata") is not HIDDEN]
        return {name: plain(getattr(value, name)) for name in shown}
    if isinstance(value, Mapping):
        return {_key(name): plain(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [plain(one) for one in value]
    if isinstance(value, str):
        return without_halves(value)
    return finite(value) if isinstance(value, float) else value


def _key(name: object) -> str:
    """Return the name of a value in an object; a grade has no decimals if it is whole."""
    return f"{name:g}" if isinstance(name, float) else without_halves(str(name))


def without_halves(value: str) -> str:
    r"""Return text of Python's own class, with half of a surrogate pair as the text \udcff.

    Python has such halves for bytes of a path that are not UTF-8, and many parsers refuse them.
    """
    return value.encode("utf-8", "backslashreplace").decode()
