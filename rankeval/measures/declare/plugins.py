"""Plugins: files that the user names, and installed packages, which add measures and more."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import module_from_spec

from rankeval.base.arrays import short_digest
from rankeval.base.checked import checked
from rankeval.base.doors import registered, restored_on_failure
from rankeval.errors import InputError, MeasureError, RankevalError
from rankeval.measures.declare.measure_registry import all_or_nothing, definitions

GROUP = "rankeval.measures"
"""The group of entry points in which packages declare their measures."""


@checked
def load_plugin(path: str | os.PathLike[str]) -> tuple[str, ...]:
    """Run a Python file that registers measures or formats, and return their names.

    A file that is loaded again registers them anew. Raises RankevalError for a file
    that cannot be read, fails, registers nothing, or takes a name that is not free;
    nothing is registered then.

    >>> from pathlib import Path
    >>> from rankeval import evaluate, load_plugin
    >>> _ = Path("mine.py").write_text('''
    ... import rankeval
    ...
    ... @rankeval.measure("DoctestPlugin", high=float("inf"))
    ... def found(topic):
    ...     "Number of judged documents that were found."
    ...     return float((topic.grades >= 0).sum())
    ... ''')
    >>> load_plugin("mine.py")
    ('DoctestPlugin',)
    >>> evaluate({"q1": {"d1": 1}}, {"q1": {"d1": 2, "d7": 1}}, "DoctestPlugin").to_dict()
    {'run': {'DoctestPlugin': 1.0}}
    """
    from pathlib import Path

    file = Path(path)
    place = os.fspath(path)
    if not file.is_file() and file.exists():
        raise InputError(
            "is not a regular file", place=place, remedy="write the plugin to a file, and name that"
        )
    if not file.is_file():
        raise InputError("no such file", place=place, remedy="check the path of the plugin")
    # Files of the same name in different folders are different modules.
    folder = short_digest([os.fsencode(file.resolve().parent)])
    name = f"rankeval_plugin_{folder}.{file.stem}"
    module = module_from_spec(ModuleSpec(name, loader := _Loader(name, place), origin=place))
    module.__file__ = place
    former, before = sys.modules.get(name), {**definitions(), **registered()}
    sys.modules[name] = module
    try:
        with _told_plainly(f"the plugin {file.name}", place):
            loader.exec_module(module)
            now = {**definitions(), **registered()}
            new = tuple(n for n, one in now.items() if before.get(n) is not one)
    except BaseException:
        del sys.modules[name]
        if former is not None:
            sys.modules[name] = former
        raise
    if not new:
        raise InputError(
            "registers no measure and no output format",
            place=place,
            expected="a function under @rankeval.measure, or a call of "
            "rankeval.options.output_format",
        )
    return new


@cache
def load_installed() -> bool:
    """Load the plugins of installed packages once; raise MeasureError that names a broken one."""
    from importlib.metadata import entry_points  # slow, and seldom needed

    for entry in sorted(entry_points(group=GROUP), key=lambda entry: (entry.value, entry.name)):
        package = f"{entry.dist.name} {entry.dist.version}" if entry.dist else entry.name
        with _told_plainly(f"the plugin {entry.value} of the package {package}", ""):
            entry.load()
    return True


class _Loader(SourceFileLoader):
    """Loads a file without leaving bytecode beside it."""

    def set_data(self, path: str, data: object, *, _mode: int = 0o666) -> None:
        """Write nothing."""


@contextmanager
def _told_plainly(what: str, path: str) -> Iterator[None]:
    """Turn any error of a plugin into a MeasureError, and forget all that it registered."""
    try:
        with all_or_nothing(), restored_on_failure():
            yield
    except RankevalError as error:
        raise MeasureError(
            f"{what} cannot be loaded: {error.problem}",
            place=error.place or path,
            expected=error.expected,
            remedy=error.remedy,
        ) from error
    except SyntaxError as error:
        raise MeasureError(
            f"{what} cannot be loaded: {error.msg}",
            place=f"{error.filename or path}:{error.lineno or 1}",
        ) from error
    except (Exception, SystemExit) as error:
        import traceback

        lines = [
            frame.lineno
            for frame in traceback.extract_tb(error.__traceback__)
            if frame.filename == path
        ]
        raise MeasureError(
            f"{what} cannot be loaded: {type(error).__name__}: {error}",
            place=f"{path}:{lines[-1]}" if lines else path,
            remedy="mend it" if path else "mend the package, or uninstall it",
        ) from error
