"""Read measures from text and objects: canonical names here, other spellings in `spellings`."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Protocol, runtime_checkable

from rankeval.base.checked import checked
from rankeval.base.frozen import replace
from rankeval.errors import MeasureError
from rankeval.measures.definition import Definition, Measure, NamedMeasure
from rankeval.measures.measure_catalogue import PARSED, SUBJECTS, catalogued

NO_MEANINGS: Mapping[str, str] = {}


@runtime_checkable
class MeasureObject(Protocol):
    """An object of ir_measures: it has a name, and its text is the name with the parameters."""

    NAME: Any

    def __matmul__(self, cutoff: Any) -> Any: ...


MeasureLike = Annotated[
    str | Measure | MeasureObject, "a name such as 'nDCG@10', or an object such as nDCG @ 10"
]
"""A measure's name, or an object: rankeval's own, or of ir_measures."""

MeasuresLike = Annotated[
    MeasureLike | Iterable[MeasureLike],
    "a name such as 'nDCG@10', an object such as nDCG @ 10, or several",
]
"""One measure or several; one string may name several."""


def parse_measures(
    measures: MeasuresLike, meanings: Mapping[str, str] = NO_MEANINGS
) -> list[NamedMeasure]:
    """Read one or several measures: "nDCG@10 AP(rel=2) P.5,10", or objects such as `nDCG @ 10`.

    Names are separated by blanks or commas; a list of cutoffs (`P@5,10` or trec_eval's
    `P.5,10`) gives one measure each, as do trec_eval's sets of measures and its names that have
    cutoffs by default (`official`, `P`). `meanings` maps names to the measures that a tool
    means by them. Raises MeasureError, with the nearest names, for an unknown measure and for
    an impossible parameter.

    >>> import rankeval
    >>> from rankeval.measures import parse_measures
    >>> [named.measure for named in parse_measures(["P@5,10", rankeval.AP(rel=2)])]
    [P@5, P@10, AP(rel=2)]
    """
    if isinstance(measures, list | tuple):
        return [named for measure in measures for named in parse_measures(measure, meanings)]
    if isinstance(measures, str):
        key = measures, *meanings.items()
        if key not in PARSED:
            PARSED[key] = _canonical(measures, meanings)
        if not PARSED[key]:
            from rankeval.measures.spellings import spelled  # most names are canonical

            PARSED[key] = [*spelled(measures, meanings)]
        return list(PARSED[key])
    if isinstance(measures, Measure):
        measures.require_complete()
        stated = frozenset(name for name, _ in measures.given)
        return [NamedMeasure(measures, str(measures), stated)]
    if name := name_of_foreign(measures):
        return [replace(named, as_given=str(measures)) for named in parse_measures(name)]
    if not isinstance(measures, Iterable):
        raise MeasureError(
            f"{measures!r} is not a measure, but a {type(measures).__name__}",
            expected="a name such as 'nDCG@10', an object such as nDCG @ 10, or several of these",
        )
    return parse_measures(list(measures), meanings)


MOST_DIGITS = 9
"""The most digits of a cutoff that is read here."""


def _canonical(text: str, meanings: Mapping[str, str]) -> list[NamedMeasure]:
    """Read names of the catalogue, with a cutoff or without; [] if the text has any other."""
    found = []
    for token in text.split():
        name, at, cutoff = token.partition("@")
        if name not in SUBJECTS or token in meanings:
            return []
        definition, given = catalogued(name), {}
        if at:
            if not (definition.at and cutoff.isdecimal() and len(cutoff) <= MOST_DIGITS):
                return []
            given = {definition.at: int(cutoff)}
        if any(p.required and p.name not in given for p in definition.parameters.values()):
            return []
        found.append(NamedMeasure(definition.measure(given), token, frozenset(given)))
    return found


def listed_measures(measures: MeasuresLike | None) -> MeasuresLike | None:
    """Return measures so that they can be read more than once: an iterator as a list."""
    is_iterator = isinstance(measures, Iterable) and not isinstance(measures, str)
    return list(measures) if is_iterator else measures  # type: ignore[arg-type]  # a list of what it yields


def measure_names(measures: MeasuresLike) -> list[str]:
    """Return measures as names, one or several in each."""
    is_one = isinstance(measures, str | Measure) or not isinstance(measures, Iterable)
    several: Any = [measures] if is_one else measures
    return [one if isinstance(one, str) else str(parse_measure(one)) for one in several]


@checked
def parse_measure(text: MeasureLike) -> Measure:
    """Read exactly one measure; MeasureError for none, or several.

    >>> import rankeval
    >>> rankeval.parse_measure("ndcg_cut_10")
    nDCG@10
    """
    found = parse_measures(text)
    if len(found) != 1:
        raise MeasureError(f"'{text}' names {len(found)} measures", expected="one measure")
    return found[0].measure


def definition_of(name: str) -> Definition:
    """Return the definition behind a name without parameters, such as P."""
    from rankeval.measures.spellings import look_up

    return look_up(name, None)[0]


def name_of_foreign(one: Any) -> str | None:
    """Return the name that rankeval has for an object of ir_measures; None for another object.

    The beta of its SetF is that of trec_eval, which weighs recall by beta and not by its square.
    """
    library: Any = sys.modules.get("ir_measures.measures")
    if library is None or not isinstance(one, library.Measure):
        return None
    if type(one) not in map(type, library.registry.values()) or one.NAME == "Compat":
        raise MeasureError(
            f"the measure {one} of ir_measures is not one of rankeval's",
            expected="a measure that both define alike",
        )
    beta = one.params.get("beta")
    return str(one(beta=math.sqrt(beta)) if one.NAME == "SetF" and beta else one)


def __getattr__(name: str) -> Measure:
    """Return the measure of a name, which may still lack a cutoff: `from rankeval import nDCG`."""
    if name in SUBJECTS:
        return catalogued(name).begun({})
    if not name.startswith("__"):  # imports look for names such as __path__
        from rankeval.measures.spellings import exact

        found = exact(name, with_cutoff=True)
        if found is not None and found[0].is_own:
            return found[0].begun(found[1].implied)
    raise AttributeError(f"rankeval has no measure '{name}'")
