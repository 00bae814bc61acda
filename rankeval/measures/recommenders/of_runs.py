"""Register measures of recommenders: of a whole run, and of the list of each user.

They stand in the one table of measures, so that `-m "Coverage@10 nDCG@10"` reads both kinds.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from rankeval.measures.declare.aggregates import WHOLE_RUN
from rankeval.measures.declare.definition import Function, RunFunction
from rankeval.measures.declare.measure_registry import measure
from rankeval.measures.declare.needs import LISTS, NO_STEPS, Need, Steps


def of_run(
    name: str,
    *,
    aliases: tuple[str, ...] = (),
    needs: tuple[Need, ...] = (),
    high: float = 1.0,
    loss: bool = False,
) -> Callable[[RunFunction], RunFunction]:
    """Register a function from `Exposure` and a cutoff to one number: a measure of a whole run."""
    register = measure(
        name,
        at="cutoff",
        aliases=aliases,
        aggregate=WHOLE_RUN,
        high=high,
        loss=loss,
        tier=2,
        needs=(LISTS, *needs),
        of_run=True,
    )
    return cast("Callable[[RunFunction], RunFunction]", register)


def of_users(
    name: str,
    *,
    aliases: tuple[str, ...] = (),
    needs: tuple[Need, ...] = (),
    high: float = 1.0,
    loss: bool = False,
    steps: Steps = NO_STEPS,
) -> Callable[[Function], Function]:
    """Register a function from judgments to the values of users: a measure of their lists."""
    return measure(
        name,
        at="cutoff",
        aliases=aliases,
        high=high,
        loss=loss,
        tier=2,
        needs=(LISTS, *needs),
        steps=steps,
    )
