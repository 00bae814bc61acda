"""The settings of a method that tuning tries."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise, product
from math import comb

from rankeval.errors import UsageError
from rankeval.fusion.methods import method_named
from rankeval.fusion.registry import PARAMETERS
from rankeval.tasks.fuse.plan import DEFAULT_NORM, FusionPlan, fusion_plan

TRIED_NORMS = (DEFAULT_NORM, "sum", "z-score", "rank")
"""The normalisations that tuning tries."""

MOST_WEIGHTS = 70
"""The weights that tuning tries are as fine as this number of choices allows."""

FINEST = 10
"""The largest number of parts that weights are made of."""


def plans_to_try(
    method: str,
    n_runs: int,
    *,
    norm: str | None = None,
    weights: Sequence[float] | None = None,
    learned: bool = False,
    **parameters: float | None,
) -> list[FusionPlan]:
    """Return the plans among which tuning chooses, the one with the usual settings first.

    Settings that are given stay. With `learned`, the weights are those that judgments of training
    teach. UsageError if nothing is left to choose or to learn.
    """
    usual = fusion_plan(method, n_runs, norm=norm, weights=weights, **parameters)
    record = method_named(method)
    norms = [norm] if norm or not record.scored else list(TRIED_NORMS)
    choices: list[Sequence[float] | None] = [weights]
    if record.weighted and weights is None and not learned:
        choices = list(weights_to_try(n_runs))
    values = [_values(name, parameters.get(name)) for name in record.parameters]
    plans = [
        fusion_plan(
            method,
            n_runs,
            norm=one,
            weights=some,
            **dict(zip(record.parameters, chosen, strict=True)),
        )
        for some in choices
        for one in norms
        for chosen in product(*values)
    ]
    if len(plans) == 1 and not usual.learns:
        raise UsageError(
            f"the method {usual} leaves nothing to tune",
            place="--tune",
            expected="a method with a setting that is not given, such as rrf with its k",
        )
    return plans


def _values(name: str, given: float | None) -> list[float]:
    """Return the values of a parameter to try, the usual one first."""
    if given is not None:
        return [given]
    usual = PARAMETERS[name].default
    return [usual, *(value for value in PARAMETERS[name].tried if value != usual)]


def weights_to_try(n_runs: int) -> Iterator[tuple[float, ...]]:
    """Yield weights that add up to 1: equal ones, then all multiples of a step.

    The step is 0.1 for two or three runs, and larger for more.
    """
    equal = (1 / n_runs,) * n_runs
    yield equal
    parts = max(
        (m for m in range(1, FINEST + 1) if comb(m + n_runs - 1, m) <= MOST_WEIGHTS), default=1
    )
    for bars in combinations(range(parts + n_runs - 1), n_runs - 1):
        ends = (-1, *bars, parts + n_runs - 1)
        found = tuple((b - a - 1) / parts for a, b in pairwise(ends))
        if found != equal:
            yield found
