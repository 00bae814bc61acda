"""The rooms lie in one line: imports run downwards only, in no circle, and into no private module.

LAYERS is where the line is written down. A room is a folder of `rankeval/`, or a module beside the
folders; those of one layer do not know each other. What a module imports within functions and under
TYPE_CHECKING counts, too.
"""

import ast
from collections import Counter
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "rankeval"

LAYERS = (
    ("version", "errors", "choices"),
    ("support",),
    ("io", "stats", "fusion"),
    ("ranking",),
    ("measures",),
    ("evaluation", "trec_eval"),
    ("tasks", "spark"),
    ("documents",),
    ("render",),
    ("plots",),
    ("report",),
    ("cli",),
    ("__main__",),
)
"""The rooms from the ground up. The package itself, which only names what is public, is none."""

ON_THE_PUBLIC_INTERFACE = ("cli", "compat")
"""Rooms that may `import rankeval`, as a user's code does."""

FLOOR = {room: floor for floor, rooms in enumerate(LAYERS) for room in rooms}


def name_of(path: Path) -> str:
    """The dotted name of a module, without `rankeval.`; that of the package itself is ""."""
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {name_of(path): path for path in sorted(PACKAGE.rglob("*.py"))}


def imported_names(tree: ast.Module) -> Iterator[str]:
    """Every dotted name that a module imports; that of a module or of something in it."""
    for node in ast.walk(tree):
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
    """The modules of the package that a module imports."""
    tree = ast.parse(MODULES[module].read_text(encoding="utf-8"))
    names = (name for name in imported_names(tree) if name.partition(".")[0] == "rankeval")
    return frozenset(map(module_of, names)) - {module}


def room(module: str) -> str:
    """The folder of the package, or the module beside the folders, in which a module lies."""
    return module.partition(".")[0]


INSIDE = [module for module in MODULES if module]


def test_every_module_lies_in_a_room_of_the_line():
    assert {room(module) for module in INSIDE} <= {*FLOOR, *ON_THE_PUBLIC_INTERFACE}


def test_few_modules_lie_beside_the_rooms():
    assert len(list(PACKAGE.glob("*.py"))) <= 6


def allowed_in(module: str) -> set[str]:
    """The rooms from which a module may import."""
    below = {name for name, floor in FLOOR.items() if floor < FLOOR.get(room(module), len(LAYERS))}
    return {*below, room(module), *[""] * (room(module) in ON_THE_PUBLIC_INTERFACE)}


def test_imports_run_downwards():
    upwards = {
        module: wrong
        for module in INSIDE
        if (wrong := {name for name in imports(module) if room(name) not in allowed_in(module)})
    }

    assert upwards == {}


@pytest.mark.parametrize("module", [name for name in INSIDE if room(name) == "compat"])
def test_interfaces_of_other_libraries_stand_on_public_names_only(module):
    assert {name for name in imports(module) if room(name) != "compat"} <= {""}


def test_no_modules_import_each_other_in_a_circle():
    order = TopologicalSorter({module: imports(module) for module in INSIDE})

    try:
        order.prepare()
    except CycleError as circle:
        pytest.fail(" -> ".join(circle.args[1]))


def test_no_room_imports_a_private_module_of_another():
    private = [
        (module, name)
        for module in INSIDE
        for name in imports(module)
        if any(part.startswith("_") for part in name.split("."))
    ]

    assert [
        (module, name)
        for module, name in private
        if name != "__main__" and room(name) != room(module)
    ] == []


def test_the_name_of_a_class_is_used_once():
    classes = Counter(
        node.name
        for path in MODULES.values()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef)
    )

    assert [name for name, times in classes.items() if times > 1] == []


TESTS = Path(__file__).parent

OF_THE_WHOLE_PROGRAM = (
    "benchmarks",
    "studies",
    "cli/all_commands",
    "faults",
    "fuzz",
    "journeys",
    "transcript",
)
"""Folders whose tests are not those of one module."""


@pytest.mark.parametrize(
    "path",
    [
        path.relative_to(TESTS)
        for path in sorted(TESTS.glob("*/**/test_*.py"))
        if not path.relative_to(TESTS).as_posix().startswith(OF_THE_WHOLE_PROGRAM)
    ],
    ids=str,
)
def test_tests_are_named_after_a_module_or_a_folder_of_the_package(path):
    """A name may continue after the module's: `test_gate_rules` tests `gate`."""
    name = path.stem.removeprefix("test_") + "_"
    folder = PACKAGE / path.parent
    tested = [folder.name, *(found.stem for found in folder.glob("*.py"))]

    assert folder.is_dir()
    assert [module for module in tested if name.startswith(f"{module}_")] != []
