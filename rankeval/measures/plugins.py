"""Measures of users: functions that they declare, files that they name, installed packages."""

import inspect
import os
import re
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache, wraps
from types import ModuleType
from typing import Any, TypedDict, Unpack, overload

import numpy as np

from rankeval.base.arrays import Floats, short_digest
from rankeval.base.checked import checked
from rankeval.base.frozen import record
from rankeval.errors import InputError, MeasureError, RankevalError
from rankeval.measures.bounds import BoundsRule
from rankeval.measures.definition import Caution, Definition, Measure, origin_of
from rankeval.measures.facts import Aggregate, Alias, Need, Terms, Values
from rankeval.measures.measure_catalogue import BY_NAME, forget_names, known_names
from rankeval.ranking import RankedJudgments


@record
class TopicRanking:
    """The ranking of one topic.

    ============= ==========================================================================
    topic         the name of the topic
    grades        the grade of each document in rank order, NaN for an unjudged one
    judged_grades the grades of all judged documents, retrieved or not, highest first
    ============= ==========================================================================

    >>> import numpy as np
    >>> from rankeval import TopicRanking
    >>> topic = TopicRanking("q1", np.array([2.0, np.nan, 1.0]), np.array([2.0, 1.0, 1.0]))
    >>> topic.retrieved, float((topic.grades[:2] > 0).mean())
    (3, 0.5)
    """

    topic: str
    grades: Floats
    judged_grades: Floats

    @property
    def retrieved(self) -> int:
        """Documents retrieved."""
        return len(self.grades)


class Facts(TypedDict, total=False):
    """What the declaration of a measure may say, besides its function."""

    at: str | None
    aliases: tuple[Alias | str, ...]
    aggregate: Aggregate
    low: float
    high: float
    loss: bool
    caution: Caution | None
    needs: tuple[Need, ...]
    takes: tuple[Need, ...]
    expected: bool
    bounds: BoundsRule | None
    terms: Mapping[str, Callable[..., Terms]]


@overload
def measure(function: Callable[..., Any], /) -> Measure: ...
@overload
def measure(
    name: str | None = None, **facts: Unpack[Facts]
) -> Callable[[Callable[..., Any]], Measure]: ...
@checked
def measure(name: Any = None, **facts: Unpack[Facts]) -> Any:
    """Add a function to the measures, under its own name or `name`, and return the measure.

    A function of a `TopicRanking` returns the value of one topic: a number, or None where the
    measure is undefined. It is called once per topic, which is slower than a vectorised function.
    That one takes the `RankedJudgments` of all topics and returns an array of shape (T,). The
    annotation of the first parameter says which of the two it is; without one, the parameter of a
    vectorised function is called `judged`. Keyword-only parameters are those of the measure.

    ========= ===========================================================================
    name      the name of the measure, by default the function's
    at        the parameter that `@` sets
    aliases   other names, as plain strings or with the parameters they imply
    aggregate the rule that turns the values of all topics into one
    low, high the range of a topic's value, 0 to 1 by default
    loss      True when smaller values are better
    caution   gives a warning, or None, from the judgments and the parameters
    needs     data required beside grades and ranks; `takes` is used when given
    expected  True when a vectorised function gives the mean over all orders of equal scores
    bounds    gives the least and the greatest value if all documents were judged
    terms     functions for the terms that `rankeval explain` shows: see `Measure.terms`
    ========= ===========================================================================

    Raises MeasureError when a name is taken. A function that is defined again, as when a
    notebook's cell runs twice, replaces its earlier definition.

    >>> import rankeval
    >>> @rankeval.measure(high=float("inf"))
    ... def doctest_best(topic: rankeval.TopicRanking) -> float:
    ...     "Highest grade that was found."
    ...     return max([grade for grade in topic.grades if grade > 0], default=0)
    >>> rankeval.evaluate({"q1": {"d1": 3}}, {"q1": {"d1": 2}}, [doctest_best]).to_dict()
    {'run': {'doctest_best': 3.0}}
    """
    if callable(name):
        return measure()(name)

    def register(function: Callable[..., Any]) -> Measure:
        named = {"aliases": tuple(Alias(a) if isinstance(a, str) else a for a in aliases)}
        own = function.__name__ if name is None else name
        definition = Definition(
            own,
            _checked_values(function, own),
            **{**facts, **named},  # type: ignore[arg-type]
        )
        _refuse(definition)
        BY_NAME[definition.name] = definition
        forget_names()
        return Measure(definition, ())

    aliases = facts.get("aliases", ())
    return register


_NAME = r"(?![\w-]*[_.]\d+$)[^\W\d_][\w+-]*"
"""Names that the parser of measures reads whole: `My_measure`, but not `My_10`, which is My@10."""


def _refuse(definition: Definition) -> None:
    """Raise MeasureError for a declaration that cannot work, or a name of another measure.

    The measure that the same function made before is forgotten.
    """
    name, place = definition.name, definition.origin
    if not re.fullmatch(_NAME, name):
        raise MeasureError(
            f"'{name}' cannot be the name of a measure",
            place=place,
            expected="letters, digits, -, + and _, with a letter first, and not ending in _ and a "
            "number",
        )
    if definition.at not in (None, *definition.parameters):
        problem = f"{name}: @ is to set '{definition.at}', which is not a parameter"
        raise MeasureError(problem, place=place, expected=f"one of: {[*definition.parameters]}")
    for parameter in definition.parameters.values():
        if not parameter.required:
            parameter.check(name, parameter.default)
    former = BY_NAME.get(name)
    if former and not former.is_own and _place(former) == _place(definition):
        del BY_NAME[name]
        forget_names()
    owners = {known.lower(): owner for known, (owner, _) in known_names().items()}
    for taken in (name, *(alias.name for alias in definition.aliases)):
        if owner := owners.get(taken.lower()):
            raise MeasureError(
                f"the measure name '{taken}' is taken by {owner.name} ({owner.origin})",
                place=place,
                remedy="choose another name",
            )


def _place(definition: Definition) -> tuple[str, str]:
    return definition.function.__module__, definition.function.__qualname__


def _is_of_one_topic(function: Callable[..., Any]) -> bool:
    """Return True for a function of a TopicRanking, by its annotation or its parameter's name."""
    first = next(iter(inspect.signature(function).parameters.values()), None)
    if first is None or first.annotation is first.empty:
        return first is None or first.name != "judged"
    kind = first.annotation
    name = kind if isinstance(kind, str) else getattr(kind, "__name__", "")
    return name.strip("'\"").rpartition(".")[2] == TopicRanking.__name__


def _checked_values(function: Callable[..., Any], name: str) -> Callable[..., Values]:
    """Return the function of all topics, which raises MeasureError for any failure."""
    of_one_topic = _is_of_one_topic(function)

    @wraps(function)
    def values_of(judged: RankedJudgments, **parameters: object) -> Values:
        try:
            given = (
                function(judged, **parameters)
                if not of_one_topic
                else [
                    np.nan if (value := function(ranking, **parameters)) is None else value
                    for ranking in _rankings(judged)
                ]
            )
            values = np.asarray(given, dtype=float)
        except MeasureError:
            raise
        except (Exception, SystemExit) as error:  # a plugin may raise anything
            problem = f"{name} failed: {type(error).__name__}: {error}"
            raise MeasureError(problem, place=origin_of(function)) from error
        if values.shape != (len(judged),) or np.isinf(values).any():
            infinite = values.shape == (len(judged),)
            raise MeasureError(
                f"{name} gave {'an infinite value' if infinite else f'shape {values.shape}'}",
                place=origin_of(function),
                expected=f"{len(judged)} finite numbers, one per topic; NaN where undefined",
            )
        return values

    return values_of


def _rankings(judged: RankedJudgments) -> Iterator[TopicRanking]:
    """Yield the ranking of each topic in plain values."""
    for i, (topic, retrieved) in enumerate(
        zip(judged.topics, judged.retrieved.tolist(), strict=True)
    ):
        rows = slice(judged.offsets[i], judged.offsets[i + 1])
        grades = np.full(retrieved, np.nan)
        grades[judged.rank[rows] - 1] = judged.grade[rows]
        yield TopicRanking(
            topic=topic.decode("utf-8", "backslashreplace"),
            grades=grades,
            judged_grades=judged.judged_grade[
                judged.judged_offsets[i] : judged.judged_offsets[i + 1]
            ].astype(np.float64),
        )


GROUP = "rankeval.measures"
"""The group of entry points in which packages declare their measures."""


@checked
def load_plugin(path: str | os.PathLike[str]) -> tuple[str, ...]:
    """Run a Python file that registers measures, and return their names.

    A file that is loaded again registers them anew. Raises RankevalError for a file
    that cannot be read, fails, registers nothing, or takes a name that is not free.

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
    if not file.is_file():
        problem = "is not a regular file" if file.exists() else "no such file"
        raise InputError(problem, place=place, expected="a file of Python")
    # Files of the same name in different folders are different modules.
    folder = short_digest([os.fsencode(file.resolve().parent)])
    name = f"rankeval_plugin_{folder}.{file.stem}"
    sys.modules[name] = module = ModuleType(name)
    module.__file__ = place
    try:
        with _told_plainly(f"the plugin {file.name}", place):
            before = dict(BY_NAME)
            exec(compile(file.read_bytes(), place, "exec"), vars(module))  # noqa: S102
            new = tuple(n for n, one in BY_NAME.items() if before.get(n) is not one)
    except MeasureError:
        del sys.modules[name]
        raise
    if not new:
        raise InputError(
            "registers no measure", place=place, expected="a function under @rankeval.measure"
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


@contextmanager
def _told_plainly(what: str, path: str) -> Iterator[None]:
    """Turn any error of a plugin into a MeasureError."""
    try:
        yield
    except RankevalError as error:
        problem = f"{what} cannot be loaded: {error.problem}"
        raise MeasureError(
            problem, place=error.place or path, expected=error.expected, remedy=error.remedy
        ) from error
    except (Exception, SystemExit) as error:
        place = path
        if isinstance(error, SyntaxError):
            place = f"{error.filename or path}:{error.lineno or 1}"
        for frame in traceback.extract_tb(error.__traceback__):
            if frame.filename == path:
                place = f"{path}:{frame.lineno}"
        problem = f"{what} cannot be loaded: {type(error).__name__}: {error}"
        raise MeasureError(problem, place=place) from error
    finally:
        forget_names()
