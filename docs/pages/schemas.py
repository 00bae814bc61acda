"""The JSON Schemas of the documents that others rely upon, made from what writes the documents.

An object of a document has the fields of a dataclass (`rankeval/output/document_form.py`), or a
function makes it. Then the table in its docstring has the key, the type and the meaning of each
value; `**` before a key stands for all keys of that type, and `Never` takes one away. A type is one
of Python's, a dataclass, or the function that makes the object.
"""

import inspect
import json
import re
import sys
import typing
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields
from enum import StrEnum
from functools import cache
from importlib import import_module
from pathlib import Path
from types import FunctionType, NoneType, UnionType
from typing import Any, Literal, Never, NotRequired, Union, get_args, get_origin

ROOT = Path(__file__).parents[2]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

CONTRACTS = {
    "rankeval/1": (
        "rankeval.evaluation.saved_results.document",
        "rankeval.commands.compare.show.results_beside",
    ),
    "rankeval-compare/1": ("rankeval.commands.compare.show.document",),
    "rankeval-gate/1": ("rankeval.commands.gate.show.document",),
    "rankeval-gate-history/1": ("rankeval.commands.gate.ci_reports.history_line",),
}
"""The functions that make each document, by the name of its schema."""
SHARED = (
    *("rankeval.evaluation.results", "rankeval.options", "rankeval.stats", "rankeval.choices"),
    "rankeval.stats.choices",
    *("rankeval.commands.compare.task", "rankeval.commands.gate.rules"),
)
"""Modules whose names tables may use, beside those of their own module."""
DRAFT = "https://json-schema.org/draft/2020-12/schema"
PLAIN = {int: "integer", float: "number", bool: "boolean", NoneType: "null"}
IN_JSON = {"None": "null", "True": "true", "False": "false"}
Schema = dict[str, Any]
Keys = dict[str, tuple[Any, str]]
"""The types and the meanings of the values of an object."""


def schemas() -> Iterator[tuple[str, str]]:
    """Yield the name and the text of every schema."""
    for name, paths in CONTRACTS.items():
        keys: Keys = {"schema": (Literal[name], "name of this schema")}
        keys["rankeval"] = (str, "version of rankeval that wrote the document")
        for module, _, function in (path.rpartition(".") for path in paths):
            keys |= _keys(_made_by(getattr(import_module(module), function)))
        types = Types()
        whole = types.object_of(keys)
        schema = {"$schema": DRAFT, **whole, "$defs": dict(sorted(types.found.items()))}
        yield name, json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


def write_schemas(folder: Path) -> list[Path]:
    """Write the schemas into a folder, and return the files."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for name, text in schemas():
        path = folder / f"{name.replace('/', '-')}.schema.json"
        path.write_text(text, "utf-8")
        written.append(path)
    return written


@cache
def _made_by(function: FunctionType) -> type:
    """Return a type for the object that a function makes, as part of other types."""
    name = function.__name__.strip("_")
    return type(name, (), {"_in_document": function, "__module__": function.__module__})


def _keys(of: Any) -> Keys:
    """Return the keys of an object."""
    if not hasattr(of, "_in_document"):
        told = _table(of)
        shown = (field for field in fields(of) if field.metadata.get("document", True))
        return {f.name: (_known(f.type, of), told.get(f.name, ("", ""))[1]) for f in shown}
    found: Keys = {}
    for name, (text, words) in _table(of._in_document).items():  # noqa: SLF001  for documents only
        kind = _known(text, of)
        if name.startswith("**"):
            found |= _keys(kind)
        elif kind is Never:
            del found[name]
        else:
            found[name] = (kind, words)
    return found


def _table(of: Any) -> dict[str, tuple[str, str]]:
    """Return type and meaning by key from the table of a docstring; a table may have no types."""
    text = inspect.getdoc(of) or ""
    _, line, table, *_ = [*re.split(r"^(=+(?: +=+)+)$\n", text, flags=re.MULTILINE), "= =", ""]
    types = len(line.split()[1]) if len(line.split()) == 3 else 0
    row = re.compile(rf"((?:\w+, +)*[\w*]+) *(?<= )(.{{,{types}}})(.*)")
    found: dict[str, tuple[str, str]] = {}
    names: list[str] = []
    for text in table.splitlines():
        if started := row.fullmatch(text):
            names = re.split(r", +", started[1])
            found |= dict.fromkeys(names, (started[2].strip(), started[3].strip()))
        else:  # the meaning goes on
            found |= {name: (found[name][0], f"{found[name][1]} {text.strip()}") for name in names}
    return found


class Names(dict[str, Any]):
    """The names that types of a module may use."""

    def __init__(self, module: str) -> None:
        self.modules = [*map(import_module, (module, *SHARED)), typing]

    def __missing__(self, name: str) -> Any:
        """Return what the name means."""
        for module in self.modules:
            if hasattr(module, name):
                return getattr(module, name)
        raise KeyError(name)


def _known(kind: Any, of: Any) -> Any:
    """Return the type that a text means in the module of a class."""
    return eval(kind, {}, Names(of.__module__)) if isinstance(kind, str) else kind  # noqa: S307  ours


class Types:
    """The schemas of the types that a document refers to, by their names."""

    def __init__(self) -> None:
        self.found: dict[str, Schema] = {}

    def object_of(self, keys: Keys) -> Schema:
        """Return the schema of an object with these keys and no others."""
        return {
            "type": "object",
            "properties": {
                name: {**({"description": _in_json(words)} if words else {}), **self.of(kind)}
                for name, (kind, words) in keys.items()
            },
            "required": [n for n, (kind, _) in keys.items() if get_origin(kind) is not NotRequired],
            "additionalProperties": False,
        }

    def of(self, kind: Any) -> Schema:
        """Return the schema of a type."""
        origin, arguments = get_origin(kind), get_args(kind)
        if origin in _GENERIC:
            return _GENERIC[origin](self, arguments)
        if isinstance(kind, FunctionType):
            return self._reference(_made_by(kind))
        if issubclass(kind, StrEnum):
            return {"enum": [str(member) for member in kind]}
        if issubclass(kind, str):
            return {"type": "string"}
        return {"type": PLAIN[kind]} if kind in PLAIN else self._reference(kind)

    def either(self, kinds: Sequence[Any]) -> Schema:
        """Return the schema of a value of any of some types."""
        every = [self.of(kind) for kind in kinds]
        words = [word for one in every for word in one.get("enum", ())]
        if words:  # an enumeration, or the same words as text
            nothing = [None] if NoneType in kinds else []
            return {"enum": [*dict.fromkeys(words), *nothing]}
        if all(set(one) == {"type"} for one in every):
            return {"type": [one["type"] for one in every]}
        return {"anyOf": every}

    def array(self, kinds: Sequence[Any]) -> Schema:
        """Return the schema of a list, of a fixed length for a tuple of several types."""
        size = {"minItems": len(kinds), "maxItems": len(kinds)}
        fixed = len(kinds) > 1 and kinds[1] is not ...
        return {"type": "array", "items": self.of(kinds[0]), **(size if fixed else {})}

    def mapping(self, kinds: Sequence[Any]) -> Schema:
        """Return the schema of an object whose values have one type."""
        if get_origin(kinds[0]) is Literal:
            return self.object_of(dict.fromkeys(get_args(kinds[0]), (kinds[1], "")))
        return {"type": "object", "additionalProperties": self.of(kinds[1])}

    def _reference(self, of: Any) -> Schema:
        if of.__name__ not in self.found:
            self.found[of.__name__] = {}  # a type may hold itself
            self.found[of.__name__] = self.object_of(_keys(of))
        return {"$ref": f"#/$defs/{of.__name__}"}


_GENERIC: dict[Any, Callable[[Types, Sequence[Any]], Schema]] = {
    NotRequired: lambda types, kinds: types.of(kinds[0]),
    Literal: lambda _, words: {"const": words[0]} if len(words) == 1 else {"enum": [*words]},
    Union: Types.either,
    UnionType: Types.either,
    list: Types.array,
    tuple: Types.array,
    dict: Types.mapping,
    Mapping: Types.mapping,
}


def _in_json(words: str) -> str:
    """Return a meaning as readers of JSON know its values."""
    return re.sub(r"\b(None|True|False)\b", lambda found: IN_JSON[found[0]], words)
