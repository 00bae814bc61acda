"""The table of measures and of all their names: the catalogue, trec_eval's own and plugins'."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from typing import Any, TypeVar

from rankeval.base.doors import Registry
from rankeval.base.frozen import changed
from rankeval.errors import MeasureError
from rankeval.measures.declare.definition import OF_TREC_EVAL as ITS_SUBJECT
from rankeval.measures.declare.definition import Alias, Definition
from rankeval.measures.measure_catalogue import CATALOGUE

Function = TypeVar("Function", bound=Callable[..., Any])

BY_NAME: Registry[Definition] = Registry()
"""All measures that are defined by now, by canonical name."""

PARSED: dict[tuple[Any, ...], Any] = {}
"""Measures by the text that names them, until one is defined anew; see `measure_names`."""

OF_TREC_EVAL = ("preferences", "tabulated")
"""The modules of `trec_eval` that declare measures."""


def add(definition: Definition) -> None:
    """Add a measure to the table."""
    BY_NAME[definition.name] = definition
    forget_names()


def forget_names() -> None:
    """Forget what was made of the table, which has changed."""
    known_names.cache_clear()
    PARSED.clear()


@cache
def known_names() -> Mapping[str, tuple[Definition, Alias]]:
    """Return all names of measures, canonical ones first, with the measures that they mean."""
    own = {name: (definition, Alias(name)) for name, definition in BY_NAME.items()}
    every = [(one, alias) for one in BY_NAME.values() for alias in one.aliases]
    return {**own, **{alias.name: (one, alias) for one, alias in every}, **own}


for _subject, _entries in CATALOGUE.items():
    for _entry in _entries:
        object.__setattr__(_entry, "subject", _subject)  # a copy of each takes half a millisecond
        BY_NAME[_entry.name] = _entry


def declare(name: str, **facts: Any) -> Callable[[Function], Function]:
    """Add a function as the measure `name`; `facts` are other fields of `Definition`.

    Raises MeasureError when a name is taken. A function that is defined again, as when a
    notebook's cell runs twice, replaces its earlier definition.
    """

    def register(function: Function) -> Function:
        aliases = facts.pop("aliases", ())
        named = tuple(a if isinstance(a, Alias) else Alias(a) for a in aliases)
        definition = Definition(name, function, aliases=named, **facts)
        if definition.is_own:
            definition = changed(definition, subject=ITS_SUBJECT)
        else:
            definition.check()
            _refuse_taken(definition)
        add(definition)
        return function

    return register


def _refuse_taken(definition: Definition) -> None:
    """Forget the measure that the same function made; MeasureError for a name of another one."""
    former, new = definitions().get(definition.name), definition.function
    if former and not former.is_own and _place(former.function) == _place(new):
        del BY_NAME[definition.name]
        forget_names()
    owners = {name.lower(): owner for name, (owner, _) in known_names().items()}
    for name in (definition.name, *(alias.name for alias in definition.aliases)):
        if owner := owners.get(name.lower()):
            raise MeasureError(
                f"the measure name '{name}' is taken by {owner.name} ({owner.origin})",
                place=definition.origin,
                remedy="choose another name",
            )


def _place(function: Callable[..., Any]) -> tuple[str, str]:
    return function.__module__, function.__qualname__


@cache
def import_trec_eval() -> None:
    """Import the measures that nothing but trec_eval knows, beside those of the catalogue."""
    for module in OF_TREC_EVAL:
        import_module(f"rankeval.trec_eval.{module}")


def definitions() -> Mapping[str, Definition]:
    """Return all measures by canonical name: those of the catalogue, then others."""
    import_trec_eval()
    return BY_NAME


def aliases() -> Mapping[str, tuple[Definition, Alias]]:
    """Return the other names of measures."""
    every = definitions()
    return {name: known for name, known in known_names().items() if name not in every}


def known_as(name: str) -> tuple[Definition, Alias] | None:
    """Return the measure of a name; None for an unknown one, or one that is not imported yet."""
    return known_names().get(name)
