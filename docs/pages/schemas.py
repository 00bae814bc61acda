"""The JSON Schemas of the documents that others rely upon, made from their types.

A document is a TypedDict whose key `schema` is a Literal, the schema's name. Its keys are described
by the table in its docstring, whose first sentence is the title. The modules of documents are not
imported, as a build of rankeval has no numpy: their types are read from the source.
"""

import ast
import json
import re
import sys
import typing
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from functools import cache
from pathlib import Path
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    ForwardRef,
    Literal,
    NotRequired,
    Union,
    get_args,
    get_origin,
    is_typeddict,
)

ROOT = Path(__file__).parents[2]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from docs.pages.contracts import parts  # noqa: E402  the root is found first
from rankeval import choices  # noqa: E402

CONTRACTS = [
    ROOT / "docs" / "pages" / "contracts" / f"{name}.py"
    for name in ("eval", "compare", "gate", "history")
]
"""The modules of documents: the types of each may be parts of those of the next ones."""
DRAFT = "https://json-schema.org/draft/2020-12/schema"
PLAIN = {str: "string", int: "integer", float: "number", bool: "boolean", NoneType: "null"}
Schema = dict[str, Any]


def schemas() -> Iterator[tuple[str, str]]:
    """Yield the name and the text of every schema."""
    classes = _classes()
    for document in filter(is_typeddict, classes.values()):
        inherited = [name for base in _bases(document) for name in classes[base].__annotations__]
        if "schema" in document.__annotations__ and "schema" not in inherited:
            (name,) = get_args(document.__annotations__["schema"])
            schema = Types(classes).document(document)
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
def _declared() -> list[ast.ClassDef]:
    """Return the classes of the contracts as they are declared."""
    modules = [ast.parse(path.read_text("utf-8")) for path in CONTRACTS]
    return [node for module in modules for node in module.body if isinstance(node, ast.ClassDef)]


def _classes() -> dict[str, Any]:
    """Return the types of the contracts by name."""
    known = {**vars(typing), **vars(choices), **vars(parts)}
    exec(compile(ast.Module([*_declared()], []), "contracts", "exec"), known)  # noqa: S102  ours
    own = {name: known[name] for name in (node.name for node in _declared())}
    return {"Headed": parts.Headed, **own}


class Types:
    """The schemas of the types that a document refers to, by the names of their classes."""

    def __init__(self, classes: Mapping[str, Any]) -> None:
        self.classes = classes
        self.found: dict[str, Schema] = {}

    def document(self, document: Any) -> Schema:
        """Return the schema of a document, with those of all its parts.

        A document that other classes extend is one of these.
        """
        kinds = [of for of in self.classes.values() if document.__name__ in _bases(of)]
        whole = self._object(document)
        if kinds:
            names = ("title", "description")
            whole = {name: whole[name] for name in names}
            whole["oneOf"] = [self._reference(kind) for kind in kinds]
        return {"$schema": DRAFT, **whole, "$defs": dict(sorted(self.found.items()))}

    def _object(self, of: Any) -> Schema:
        title, description, told = _docstring(of)
        for base in self._all_bases(of):
            told = _docstring(base)[2] | told
        keys = {name: self.of(kind) for name, kind in _keys(of)}
        required = [
            name for name, kind in _keys(of) if get_origin(self._known(kind)) is not NotRequired
        ]
        return {
            "title": title,
            **({"description": description} if description else {}),
            "type": "object",
            "properties": {
                name: {**({"description": told[name]} if name in told else {}), **schema}
                for name, schema in keys.items()
            },
            **({"required": required} if required else {}),
            "additionalProperties": False,
        }

    def _all_bases(self, of: Any) -> Iterator[Any]:
        for name in _bases(of):
            yield self.classes[name]
            yield from self._all_bases(self.classes[name])

    def _known(self, kind: Any) -> Any:
        """Return the type that a forward reference means."""
        text = kind.__forward_arg__ if isinstance(kind, ForwardRef) else kind
        known = {**vars(typing), **vars(choices), **vars(parts), **self.classes}
        return eval(text, known) if isinstance(text, str) else kind  # noqa: S307

    def of(self, kind: Any) -> Schema:
        """Return the schema of a type."""
        kind = self._known(kind)
        origin, arguments = get_origin(kind), get_args(kind)
        if origin in _GENERIC:
            return _GENERIC[origin](self, arguments)
        if is_typeddict(kind):
            return self._reference(kind)
        if issubclass(kind, StrEnum):
            return {"enum": [str(member) for member in kind]}
        return {"type": PLAIN[kind]} if kind is not object else {}

    def either(self, kinds: Sequence[Any]) -> Schema:
        """Return the schema of a value of any of some types."""
        return _either([self.of(kind) for kind in kinds])

    def pair(self, kinds: Sequence[Any]) -> Schema:
        """Return the schema of a list of a fixed length, whose items have one type."""
        size = {"minItems": len(kinds), "maxItems": len(kinds)}
        return {"type": "array", "items": self.of(kinds[0]), **size}

    def _reference(self, of: Any) -> Schema:
        if of.__name__ not in self.found:
            self.found[of.__name__] = {}  # a type may hold itself
            self.found[of.__name__] = self._object(of)
        return {"$ref": f"#/$defs/{of.__name__}"}


def _words(words: Sequence[Any]) -> Schema:
    return {"const": words[0]} if len(words) == 1 else {"enum": [*words]}


_GENERIC: dict[Any, Callable[[Types, Sequence[Any]], Schema]] = {
    NotRequired: lambda types, kinds: types.of(kinds[0]),
    Annotated: lambda types, kinds: types.of(kinds[0]) | dict(kinds[1:]),
    Literal: lambda _, words: _words(words),
    Union: Types.either,
    UnionType: Types.either,
    list: lambda types, kinds: {"type": "array", "items": types.of(kinds[0])},
    tuple: Types.pair,
    dict: lambda types, kinds: {"type": "object", "additionalProperties": types.of(kinds[1])},
}


def _keys(of: Any) -> list[tuple[str, Any]]:
    """Return the keys of a TypedDict with their types: the schema's name and the version first."""
    keys = of.__annotations__
    first = {
        name: keys[name] for name in ("schema", "rankeval") if name in keys and "schema" in keys
    }
    return [*(first | keys).items()]


def _either(schemas: Iterable[Schema]) -> Schema:
    """Return the schema of a value of any of some types."""
    kinds: list[Schema] = []
    for schema in schemas:
        kinds += schema.get("anyOf", [schema])
    words = [
        word
        for kind in kinds
        for word in kind.get("enum", [kind.get("const")] if "const" in kind else [])
    ]
    nothing = {"type": "null"} in kinds
    others = [
        kind for kind in kinds if not {"enum", "const"} & set(kind) and kind != {"type": "null"}
    ]
    if words:
        listed = {"enum": [*words, None] if nothing else words}
        return listed if not others else {"anyOf": [listed, *others]}
    if all(set(kind) & {"$ref", "anyOf"} == set() for kind in others) and others:
        merged: Schema = {"type": [kind["type"] for kind in others] + ["null"] * nothing}
        for kind in others:
            merged |= {name: value for name, value in kind.items() if name != "type"}
        return merged
    return {"anyOf": [*others, *[{"type": "null"}] * nothing]}


def _bases(of: Any) -> list[str]:
    """Return the names of the classes that a TypedDict extends; Python 3.11 keeps none of them."""
    bases = (node.bases for node in _declared() if node.name == getattr(of, "__name__", None))
    names = [base.id for found in bases for base in found if isinstance(base, ast.Name)]
    return [name for name in names if name != "TypedDict"]


def _docstring(of: Any) -> tuple[str, str, dict[str, str]]:
    """Return the title, the description, and the table of keys of a docstring."""
    told: dict[str, str] = {}
    before, *table = re.split(r"^ *=+ =+ *$\n", of.__doc__ or "", flags=re.MULTILINE)
    title, *paragraphs = [" ".join(part.split()) for part in before.strip().split("\n\n")]
    name = ""
    for line in table[0].splitlines() if table else ():
        key, words = (
            line.strip().split(" ", 1) if line.startswith("    ") and line[4] != " " else ("", line)
        )
        name = key or name
        told[name] = f"{told[name]} {words.strip()}" if not key else words.strip()
    return title.rstrip("."), " ".join(paragraphs), told
