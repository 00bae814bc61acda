"""The rooms lie in one line: imports run downwards only, in no circle, and into no private module.

LAYERS is where the line is written down. A room is a folder of `rankeval/`, or a module beside the
folders; those of one layer do not know each other. What a module imports within functions and under
TYPE_CHECKING counts, too.
"""

import ast
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from tests.support.public_names import DOORS

PACKAGE = Path(__file__).parents[1] / "rankeval"

LAYERS = (
    ("version", "errors", "choices", "other_words"),
    ("endings", "doors"),
    ("base",),
    ("io", "stats"),
    ("output",),
    ("ranking",),
    ("measures",),
    ("evaluation",),
    ("trec_eval", "spark", "fusion"),
    ("plots",),
    ("commands",),
    ("cli",),
    ("__main__",),
)
"""The rooms from the ground up. The package itself, which only names what is public, is none."""

ON_THE_PUBLIC_INTERFACE = ("cli", "commands", "compat")
"""Rooms that may `import rankeval`, as a user's code does; of commands, the command lines only."""


COMMANDS_OF_COMMANDS = {
    "compare": {"collections"},
    "diff": {"compare"},
    "eval": {"collections", "compare"},
    "gate": {"collections"},
    "measures": {"explain"},
    "plot": {"collections"},
    "init": {"gate"},
    "report": {"compare"},
}
"""The commands that a command imports; all others know no other command."""

OF_ALL_COMMANDS = "commands.toml_tables"
"""The module beside the folders of commands, which any of them may import."""

LAZY_UPWARDS = {
    "evaluation.results": {
        "commands.compare.method",
        "commands.compare.task",
        "evaluation.aggregation",
    },
}
"""By module, those above it that methods of results import when they are called."""

FLOOR = {room: floor for floor, rooms in enumerate(LAYERS) for room in rooms}


def name_of(path: Path) -> str:
    """The dotted name of a module, without `rankeval.`; that of the package itself is ""."""
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {name_of(path): path for path in sorted(PACKAGE.rglob("*.py"))}
INSIDE = [module for module in MODULES if module]


@cache
def tree_of(module: str) -> ast.Module:
    return ast.parse(MODULES[module].read_text(encoding="utf-8"))


def imported_names(nodes: Iterator[ast.AST]) -> Iterator[str]:
    """Every dotted name that statements import; that of a module or of something in it."""
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def module_of(name: str) -> str:
    """The module that a dotted name stands for or lies in."""
    name = name.removeprefix("rankeval").removeprefix(".")
    while name not in MODULES:
        name = name.rpartition(".")[0]
    return name


@cache
def imports(module: str) -> frozenset[str]:
    """The modules of the package that a module imports anywhere."""
    return _inside(imported_names(ast.walk(tree_of(module)))) - {module}


def imports_at_once(module: str) -> frozenset[str]:
    """The modules of the package that a module imports outside functions, and not for types."""
    tree = tree_of(module)
    later = {
        inner
        for block in ast.walk(tree)
        if isinstance(block, ast.FunctionDef) or _is_for_types(block)
        for inner in ast.walk(block)
    }
    return _inside(imported_names(node for node in ast.walk(tree) if node not in later))


def _is_for_types(node: ast.AST) -> bool:
    """Return True for `if TYPE_CHECKING`."""
    return isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"


def _inside(names: Iterator[str]) -> frozenset[str]:
    own = (name for name in names if name.partition(".")[0] == "rankeval")
    return frozenset(map(module_of, own))


def room(module: str) -> str:
    """The folder of the package, or the module beside the folders, in which a module lies."""
    return module.partition(".")[0]


def command(module: str) -> str:
    """The command in whose folder a module lies; "" for none."""
    words = module.split(".")
    return words[1] if words[0] == "commands" and len(words) > 1 else ""


def role(module: str) -> str:
    """The part of a module in its command: show, command, task or reports, or its own name."""
    words = module.split(".")[2:]
    return "".join(words[:1])


def test_every_module_lies_in_a_room_of_the_line():
    assert {room(module) for module in INSIDE} <= {*FLOOR, *ON_THE_PUBLIC_INTERFACE, *DOORS}


def may_import(module: str, name: str) -> bool:
    """Return True if the line lets a module import another one."""
    if not name:
        public = room(module) in ON_THE_PUBLIC_INTERFACE
        return public and (room(module) != "commands" or role(module) == "command")
    if name.startswith("cli.options") and role(module) in ("command", "options"):
        return True
    if name in LAZY_UPWARDS.get(module, set()):
        return False
    if room(module) == room(name):
        mine, other = command(module), command(name)
        if name == OF_ALL_COMMANDS or mine in ("", other):
            return True
        return other in COMMANDS_OF_COMMANDS.get(mine, set())
    return FLOOR.get(room(name), len(LAYERS)) < FLOOR.get(room(module), len(LAYERS))


def test_imports_run_downwards():
    upwards = {
        module: wrong
        for module in INSIDE
        if (wrong := {name for name in imports(module) if not may_import(module, name)})
    }

    assert upwards == LAZY_UPWARDS


def test_few_imports_run_upwards_and_only_within_functions():
    assert sum(map(len, LAZY_UPWARDS.values())) <= 22
    for module, above in LAZY_UPWARDS.items():
        assert not above & imports_at_once(module)


@pytest.mark.parametrize("module", [name for name in INSIDE if room(name) == "compat"])
def test_interfaces_of_other_libraries_use_public_names_only(module):
    assert {name for name in imports(module) if room(name) != "compat"} <= {""}


def test_no_modules_import_each_other_in_a_circle():
    order = TopologicalSorter(
        {name: imports(name) - {""} - LAZY_UPWARDS.get(name, set()) for name in INSIDE}
    )

    try:
        order.prepare()
    except CycleError as circle:
        pytest.fail(" -> ".join(circle.args[1]))
