"""The public API as text: names, signatures, fields and methods.

`python -m tests.public_api --write` renews `tests/data/public_api.txt`, which a test compares with
the code: a change of the API is then a change of that file, which a reviewer sees. It also renews
the measures in `rankeval/measures/__init__.pyi`, which type checkers read, from the catalogue.
"""

import ast
import inspect
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

from rankeval.measures import Measure, definitions
from rankeval.measures.definition import OF_TREC_EVAL
from tests.support.public_names import PUBLIC

FILE = Path(__file__).parent / "data" / "public_api.txt"


def lines() -> Iterator[str]:
    """Describe every public name, in alphabetical order."""
    every = PUBLIC | {name: Measure(definitions()[name], ()) for name in own_measures()}
    for name, one in sorted(every.items()):
        if isinstance(one, Measure):
            yield f"measure {name}({_parameters(one)})"
        elif inspect.isclass(one):
            yield from _class(name, one)
        elif inspect.isfunction(one):
            yield f"def {name}{_signature(one)}"
        else:
            yield f"constant {name}"


def _parameters(measure: Measure) -> str:
    """Return the parameters of a measure with their defaults; a cutoff behind @ is marked."""
    definition = measure.definition
    return ", ".join(
        ("@" if name == definition.at else "")
        + (name if one.required else f"{name}={one.default!r}")
        for name, one in definition.parameters.items()
    )


def _class(name: str, one: type) -> Iterator[str]:
    """Describe the fields, properties and methods that a class and its bases in rankeval define."""
    yield f"class {name}"
    members: dict[str, str] = {}
    for cls in reversed(one.__mro__):
        if not cls.__module__.startswith("rankeval"):
            continue
        (body,) = ast.parse(textwrap.dedent(inspect.getsource(cls))).body
        assert isinstance(body, ast.ClassDef)
        for node in body.body:
            members |= dict(_member(node))
    public = {n: text for n, text in members.items() if not n.startswith("_") or n in SPECIAL}
    yield from (f"    {text}" for text in public.values())


SPECIAL = ("__init__", "__call__", "__getitem__", "__iter__", "__len__", "__matmul__")


def _member(node: ast.stmt) -> Iterator[tuple[str, str]]:
    match node:
        case ast.AnnAssign(target=ast.Name(id=name), annotation=kind):
            default = "" if node.value is None else f" = {ast.unparse(node.value)}"
            yield name, f"{name}: {ast.unparse(kind)}{default}"
        case ast.FunctionDef(name=name):
            marks = [
                ast.unparse(one) for one in node.decorator_list if ast.unparse(one) != "checked"
            ]
            kind = next((mark for mark in marks if mark != "overload"), "")
            returned = f" -> {ast.unparse(node.returns)}" if node.returns else ""
            if "property" in kind:
                yield name, f"{name}: property{returned}"
            else:
                before = f"@{kind} " if kind else ""
                yield name, f"{before}def {name}({ast.unparse(node.args)}){returned}"


def _signature(function: object) -> str:
    (node,) = ast.parse(textwrap.dedent(inspect.getsource(function))).body  # type: ignore[arg-type]
    assert isinstance(node, ast.FunctionDef)
    returned = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    return f"({ast.unparse(node.args)}){returned}"


STUB = Path(__file__).parents[1] / "rankeval" / "measures" / "__init__.pyi"


def stub() -> str:
    """Return the stub of the measures with those of the catalogue, in alphabetical order."""
    others = [
        one for one in STUB.read_text(encoding="utf-8").splitlines() if one[-9:] != ": Measure"
    ]
    return "\n".join([*others, *(f"{name}: Measure" for name in own_measures())]) + "\n"


def own_measures() -> list[str]:
    """Return the names of the catalogue's measures that Python can import."""
    own = {n for n, one in definitions().items() if one.is_own and one.subject != OF_TREC_EVAL}
    return sorted(filter(str.isidentifier, own))


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        STUB.write_text(stub(), encoding="utf-8")
    found = "".join(f"{line}\n" for line in lines())
    if sys.argv[1:] == ["--write"]:
        FILE.write_text(found, encoding="utf-8")
    else:
        sys.stdout.write(found)
