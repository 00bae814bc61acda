"""The table of measures: how a function becomes a measure with a name."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from rankeval.errors import MeasureError
from rankeval.measures.base.aggregates import MEAN, Aggregate
from rankeval.measures.base.bounds import BoundsRule
from rankeval.measures.base.definition import (
    BY_NAME,
    Alias,
    Caution,
    Definition,
    Function,
    Idle,
    Taken,
)
from rankeval.measures.base.needs import Need
from rankeval.measures.base.steps import NO_STEPS, Steps

_aliases: dict[str, tuple[Definition, Alias]] = {}


def nothing(**_parameters: object) -> tuple[()]:
    """Name nothing: what most measures take beside grades and ranks, and leave idle."""
    return ()


def measure(
    name: str,
    *,
    at: str | None = None,
    aliases: tuple[Alias | str, ...] = (),
    aggregate: Aggregate = MEAN,
    low: float = 0.0,
    high: float = 1.0,
    loss: bool = False,
    tier: int = 1,
    caution: Caution | None = None,
    steps: Steps = NO_STEPS,
    needs: tuple[Need, ...] = (),
    takes: Taken = nothing,
    idle: Idle = nothing,
    expected: bool = False,
    bounds: BoundsRule | None = None,
) -> Callable[[Function], Function]:
    """Register a vectorised function as the measure `name`.

    ========= ===========================================================================
    at        the parameter that `@` sets
    aliases   other names, as plain strings or with the parameters they imply
    aggregate how the values of all topics become one
    low, high the range of a topic's value
    loss      True when smaller values are better
    tier      1 central, 2 known from other tools, 3 specialised
    caution   what to warn of, given the judgments and the parameters; None for nothing
    steps     what `rankeval explain` shows of it beside its value
    needs     what it cannot do without beside grades and ranks, and
    takes     what it considers when it is given, from its parameters
    idle      names of parameters that the others leave without effect: a name does without them
    expected  True when the function gives the mean over all orders where `judged.ties_open`
    bounds    least and greatest value that judging the unjudged documents could lead to
    ========= ===========================================================================

    Raises MeasureError when a name is taken. A function that is defined anew, as when a
    notebook's cell runs again, takes the place of its former self.
    """

    def register(function: Function) -> Function:
        named = tuple(a if isinstance(a, Alias) else Alias(a) for a in aliases)
        definition = Definition(
            name,
            function,
            at,
            named,
            aggregate,
            low,
            high,
            loss,
            tier,
            caution,
            steps,
            needs,
            takes,
            idle,
            expected,
            bounds,
        )
        if not definition.is_own:
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
    """Raise MeasureError when another measure has one of the names, or one but for its case."""
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
    """Forget what was registered inside when the inside fails."""
    kept = dict(BY_NAME), dict(_aliases)
    try:
        yield
    except BaseException:
        BY_NAME.clear()
        _aliases.clear()
        BY_NAME.update(kept[0])
        _aliases.update(kept[1])
        raise


def list_by_family() -> None:
    """Put families that hold a central measure before the others, otherwise by their names."""
    tiers: dict[str, int] = {}
    for definition in BY_NAME.values():
        family = definition.family
        tiers[family] = min(definition.tier, tiers.get(family, definition.tier))
    ordered = sorted(BY_NAME.items(), key=lambda d: (tiers[d[1].family], d[1].family))
    BY_NAME.clear()
    BY_NAME.update(ordered)


def definitions() -> Mapping[str, Definition]:
    """All measures by canonical name: rankeval's own by family, then those of plugins."""
    return BY_NAME


def aliases() -> Mapping[str, tuple[Definition, Alias]]:
    """Other names of measures."""
    return _aliases
