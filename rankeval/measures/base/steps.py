"""Terms of a measure's formula, declared beside it for `rankeval explain`."""

from collections.abc import Callable, Mapping
from typing import Any

from rankeval.support.arrays import NDArray
from rankeval.support.frozen import frozen

Terms = Mapping[str, NDArray[Any]]
"""Columns by name: one value per row, per judged document or per topic."""


def _no_terms(*_judged: object, **_parameters: object) -> Terms:
    """Return no terms: the default for each kind."""
    return {}


@frozen
class Steps:
    """The terms of a measure's formula, computed by functions that the measure itself calls.

    ========== ===========================================================================
    rows       from RankedJudgments and the parameters: terms of each row, shape (N,)
    places     terms of each rank of the only topic, as far as there are any, shape (ranks,)
    ideal      the same for the best possible ranking, shape (M,)
    quantities numbers that the formula puts together, shape (T,)
    parts      names of measures whose values it puts together
    ========== ===========================================================================
    """

    rows: Callable[..., Terms] = _no_terms
    places: Callable[..., Terms] = _no_terms
    ideal: Callable[..., Terms] = _no_terms
    quantities: Callable[..., Terms] = _no_terms
    parts: tuple[str, ...] = ()


NO_STEPS = Steps()
