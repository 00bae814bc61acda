"""The table of measures, and the decorator that registers a function as a measure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Unpack

from rankeval.errors import MeasureError
from rankeval.measures.declare.definition import (
    BY_NAME,
    Alias,
    Definition,
    Facts,
    Function,
)
from rankeval.measures.declare.families import FAMILY_OF, import_families, import_family_of

_aliases: dict[str, tuple[Definition, Alias]] = {}


def measure(name: str, **facts: Unpack[Facts]) -> Callable[[Function], Function]:
    """Register a vectorised function as the measure `name`.

    ========= ===========================================================================
    at        the parameter that `@` sets
    aliases   other names, as plain strings or with the parameters they imply
    aggregate the rule that turns the values of all topics into one
    low, high the range of a topic's value
    loss      True when smaller values are better
    tier      1 central, 2 known from other tools, 3 specialised
    caution   gives a warning, or None, from the judgments and the parameters
    steps     terms that `rankeval explain` shows beside the value
    needs     data required beside grades and ranks
    takes     from the parameters: optional data that is used when given
    idle      parameters without effect, given the others; canonical names omit them
    expected  True when the function gives the mean over all orders where `judged.ties_open`
    bounds    gives the least and the greatest value if all documents were judged
    of_run    True when the function gives one number for a whole run, from `Exposure`
    ========= ===========================================================================

    With `relevant_only`, values are the same where retrieved documents of grade 0 or less count as
    unjudged ones, which spares the search for them; that is so unless the parameters `judged_only`,
    `out` or `gains` say otherwise.

    Raises MeasureError when a name is taken. A function that is defined again, as when a
    notebook's cell runs twice, replaces its earlier definition.

    >>> import rankeval
    >>> @rankeval.measure("DoctestFirst")
    ... def first_is_judged(judged):
    ...     "Whether the first document is judged."
    ...     return judged.sum_per_topic((judged.rank == 1) * 1.0)
    >>> rankeval.evaluate({"q1": {"d1": 1}}, {"q1": {"d1": 2}}, "DoctestFirst").to_dict()
    {'run': {'DoctestFirst': 1.0}}
    """

    def register(function: Function) -> Function:
        aliases = facts.get("aliases", ())
        named = tuple(a if isinstance(a, Alias) else Alias(a) for a in aliases)
        given: dict[str, Any] = {**facts, "aliases": named}
        definition = Definition(name, function, **given)
        if not definition.is_own:
            import_families()  # their names are taken
            definition.check()
            _forget_former(definition)
        _refuse_taken(definition)
        BY_NAME[name] = definition
        _aliases.update({alias.name: (definition, alias) for alias in named})
        return function

    return register


def _forget_former(definition: Definition) -> None:
    """Drop the measure that an earlier definition of the same function made."""
    former = BY_NAME.get(definition.name)
    new, old = definition.function, former and former.function
    if old and (old.__module__, old.__qualname__) == (new.__module__, new.__qualname__):
        del BY_NAME[definition.name]
        for alias in [alias for alias, (owner, _) in _aliases.items() if owner is former]:
            del _aliases[alias]


def _refuse_taken(definition: Definition) -> None:
    """Raise MeasureError when another measure has one of the names, in any case."""
    names = (definition.name, *(alias.name for alias in definition.aliases))
    if definition.is_own and not any(name in BY_NAME or name in _aliases for name in names):
        return
    taken = {**BY_NAME, **{alias: owner for alias, (owner, _) in _aliases.items()}}
    fold = str if definition.is_own else str.lower
    owners = {fold(name): owner for name, owner in taken.items()}
    for name in names:
        owner = owners.get(fold(name))
        if owner is not None:
            raise MeasureError(
                f"the measure name '{name}' is taken by {owner.name} ({owner.origin})",
                place=definition.origin,
                remedy="choose another name",
            )


@contextmanager
def all_or_nothing() -> Iterator[None]:
    """Forget the measures registered in the block if the block fails."""
    import_families()
    kept = dict(BY_NAME), dict(_aliases)
    try:
        yield
    except BaseException:
        BY_NAME.clear()
        _aliases.clear()
        BY_NAME.update(kept[0])
        _aliases.update(kept[1])
        raise


def definitions() -> Mapping[str, Definition]:
    """Return all measures by canonical name: rankeval's own by family, then those of plugins."""
    import_families()
    own = {name: BY_NAME[name] for name in FAMILY_OF if name in BY_NAME}
    return own | BY_NAME


def is_registered(definition: Definition) -> bool:
    """Return True unless the measure was defined anew, or forgotten."""
    return BY_NAME.get(definition.name) is definition


def aliases() -> Mapping[str, tuple[Definition, Alias]]:
    """Return the other names of measures."""
    import_families()
    return _aliases


def known_as(name: str) -> tuple[Definition, Alias] | None:
    """Return the measure of a name, importing no family but its own; None for an unknown name."""
    import_family_of(name)
    definition = BY_NAME.get(name)
    return (definition, Alias(name)) if definition else _aliases.get(name)


def known_names() -> Iterable[str]:
    """Return all names of measures: canonical names and others, importing no family."""
    return {**FAMILY_OF, **BY_NAME, **_aliases}
