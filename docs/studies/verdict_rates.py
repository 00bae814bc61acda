"""Measure how often verdicts of the gate are wrong, and whether its planning figures hold.

    python -m docs.studies.verdict_rates [--repetitions N] [--seed N]

Prints tables for docs/statistics/verdicts.md, in percent: candidates that truly lose the limit and
are called "not worse", or fail each policy; equal candidates that are called worse, and losing
ones; what each bound shows of equal ones; limits relative to a baseline; and verdicts at the
planned numbers of topics.
"""

import math
from collections.abc import Callable, Iterator, Mapping
from functools import partial

import numpy as np
import numpy.typing as npt

from docs.studies.differences import SHAPES, Floats, Shape, normal, sparse
from docs.studies.rate_table import Table, print_tables
from rankeval.stats import Bound, equivalence_verdict, excess_p_values, gate_verdict
from rankeval.stats.confidence_bounds import LEAST_CHANGED

ALPHA = 0.05
POWER = 0.8
TOPICS = (10, 25, 50, 100)
LIMITS = (0.01, 0.03, 0.045)
MANY_TOPICS = (*TOPICS, 1_000, 10_000)
BATCH = 2_000
MOST_VALUES = 2_000_000  # of a batch
FULL = 1_000  # topics up to which there are as many repetitions as asked for
POPULATIONS: Mapping[str, Shape] = {
    **SHAPES,
    # Where every topic differs a little, so that nothing in few topics tells of losses.
    "sparse, noisy": partial(sparse, jitter=0.01),
}
Booleans = npt.NDArray[np.bool_]


def not_worse(gains: Floats, limit: float, bound: Bound) -> Booleans:
    """Which candidates the gate calls not worse, by gains (repetitions, n) of a measure to 1."""
    shown = excess_p_values((gains + limit).T, limit - 1.0, bound) <= ALPHA
    return shown if bound is Bound.BETTING else shown & _changed_enough(gains)


def beyond(gains: Floats, limit: float, bound: Bound) -> Booleans:
    """Which candidates are shown to lose more than the limit."""
    shown = excess_p_values((-gains - limit).T, -1.0 - limit, bound) < ALPHA
    return shown if bound is Bound.BETTING else shown & _changed_enough(gains)


def worse(gains: Floats, limit: float, bound: Bound = Bound.STUDENT_T) -> Booleans:
    """Which candidates are called worse: by more than the limit, and more than chance."""
    lost: Booleans = gains.mean(axis=1) < -limit - 1e-12
    return lost & beyond(gains, 0.0, bound)


def _changed_enough(gains: Floats) -> Booleans:
    return (gains != 0).sum(axis=1) >= LEAST_CHANGED


def rate(
    speaks: Callable[[Floats], Booleans], draw: Callable[..., Floats], repetitions: int
) -> float:
    """In percent, how often it speaks; drawn in batches, for the sake of memory."""
    done, found, batch = 0, 0, BATCH
    while done < repetitions:
        gains = draw(min(batch, repetitions - done))
        now, batch = len(gains), max(1, min(BATCH, MOST_VALUES // gains.shape[1]))
        found += int(np.count_nonzero(speaks(gains)))
        done += now
    return 100.0 * found / done


def _cells() -> Iterator[tuple[str, int]]:
    return ((shape, n) for shape in POPULATIONS for n in TOPICS)


def _drawing(
    shape: Shape, mean: float, n: int, seed: int | np.random.Generator
) -> Callable[[int], Floats]:
    rng = np.random.default_rng(seed)
    return lambda repetitions: shape(mean, repetitions, n, rng)


def _not_worse(limit: float, bound: Bound) -> Callable[[Floats], Booleans]:
    return lambda gains: not_worse(gains, limit, bound)


def _beyond(limit: float, bound: Bound) -> Callable[[Floats], Booleans]:
    return lambda gains: beyond(gains, limit, bound)


def _worse(
    limit: float, bound: Bound = Bound.STUDENT_T, *, sign: float = 1.0
) -> Callable[[Floats], Booleans]:
    return lambda gains: worse(sign * gains, limit, bound)


def _fewer(repetitions: int, n: int) -> int:
    """Return the repetitions that many topics have, for the sake of time."""
    return max(1, min(repetitions, repetitions * FULL // n))


def wrongly_not_worse(repetitions: int, seed: int) -> Table:
    """Candidates that truly lose the limit and are called not worse."""
    rows = []
    for shape, n in _cells():
        for limit in LIMITS:
            draw = partial(_drawing, POPULATIONS[shape], -limit, n, seed)
            rates = tuple(rate(_not_worse(limit, bound), draw(), repetitions) for bound in Bound)
            rows.append(((shape, str(n), f"{limit:g}"), rates))
    heads = ("differences", "topics", "limit", *Bound)
    return Table("Candidates that lose the limit and are called not worse", heads, tuple(rows))


def closed(repetitions: int, seed: int) -> Table:
    """How often each policy closes on candidates that truly lose the limit, 0.03.

    Mirrored, few topics gain much and most lose a little.
    """
    limit, rows = 0.03, []

    def observed(gains: Floats) -> Booleans:
        found: Booleans = gains.mean(axis=1) < -limit - 1e-12
        return found

    policies: dict[str, Callable[[Floats], Booleans]] = {
        "observed": observed,
        "not-shown-worse, t": _worse(limit),
        "not-shown-worse, betting": _worse(limit, Bound.BETTING),
        "not-shown-beyond-limit, t": _beyond(limit, Bound.STUDENT_T),
        "not-shown-beyond-limit, betting": _beyond(limit, Bound.BETTING),
    }
    turned = (
        "observed",
        "not-shown-worse, t",
        "not-shown-worse, betting",
        "not-shown-beyond-limit, betting",
    )
    for shape, n in _cells():
        draw = partial(_drawing, POPULATIONS[shape], -limit, n, seed)
        rates = [rate(closes, draw(), repetitions) for closes in policies.values()]
        mirrored = _mirrored(POPULATIONS[shape], -limit, n, seed)
        rates += [rate(policies[name], mirrored(), repetitions) for name in turned]
        rows.append(((shape, str(n)), tuple(rates)))
    title = "Gates that close on a candidate that loses just the limit, 0.03, by policy"
    heads = ("differences", "topics", *policies, *(f"{name}, mirrored" for name in turned))
    return Table(title, heads, tuple(rows))


def _mirrored(shape: Shape, mean: float, n: int, seed: int) -> Callable[[], Callable[..., Floats]]:
    """Return what draws gains of this mean whose deviations from it have their signs turned."""

    def drawing() -> Callable[..., Floats]:
        draw = _drawing(shape, -mean, n, seed)
        return lambda repetitions: -draw(repetitions)

    return drawing


def equal_called_worse(repetitions: int, seed: int) -> Table:
    """Equal candidates that are called worse; also with the signs of gains turned."""
    rows = []
    ways = [
        _worse(0.0, bound, sign=sign)
        for bound in (Bound.STUDENT_T, Bound.BETTING)
        for sign in (1.0, -1.0)
    ]
    for shape in POPULATIONS:
        for n in MANY_TOPICS:
            draw = partial(_drawing, POPULATIONS[shape], 0.0, n, seed)
            drawn = _fewer(repetitions, n)
            rows.append(((shape, str(n)), tuple(rate(way, draw(), drawn) for way in ways)))
    heads = ("differences", "topics", "t", "t, mirrored", "betting", "betting, mirrored")
    return Table("Equal candidates that are called worse, limit 0", heads, tuple(rows))


def losses_found(repetitions: int, seed: int) -> Table:
    """Candidates that lose and are called worse: what each test sees of normal differences."""
    rows = []
    for n in MANY_TOPICS:
        rates = []
        for loss in (0.01, 0.02, 0.05, 0.1):
            draw = partial(_drawing, normal, -loss, n, seed)
            drawn = _fewer(repetitions, n)
            rates += [rate(_worse(0.0, one), draw(), drawn) for one in KINDS]
        rows.append(((str(n),), tuple(rates)))
    heads = [f"{loss}, {one}" for loss in ("0.01", "0.02", "0.05", "0.1") for one in KINDS]
    title = "Candidates that lose and are called worse, normal differences of deviation 0.1"
    return Table(title, ("topics", *heads), tuple(rows))


KINDS = (Bound.STUDENT_T, Bound.BETTING)


def price(repetitions: int, seed: int) -> Table:
    """Equal candidates that are called not worse: what each bound sees of normal differences."""
    rows = []
    for n in (25, 50, 100, 250, 500):
        for limit in (0.02, 0.05, 0.1):
            draw = partial(_drawing, normal, 0.0, n, seed)
            rates = tuple(rate(_not_worse(limit, bound), draw(), repetitions) for bound in Bound)
            rows.append(((str(n), f"{limit:g}"), rates))
    title = "Equal candidates that are called not worse, normal differences of deviation 0.1"
    return Table(title, ("topics", "limit", *Bound), tuple(rows))


def relative_limits(repetitions: int, seed: int) -> Table:
    """Candidates that lose 10% of the baseline's mean, 0.5, by 0.1 on the half that is hard."""
    share, rows = 0.1, []
    for n in TOPICS:
        rng = np.random.default_rng((seed, n))
        found = np.zeros(3)
        for _ in range(0, repetitions, BATCH):
            hard = rng.random((BATCH, n)) < 0.5
            baseline = np.where(hard, 0.2, 0.8) + rng.uniform(-0.05, 0.05, hard.shape)
            gains = np.where(hard, -0.1, 0.0) + np.clip(
                rng.normal(0.0, 0.02, hard.shape), -0.05, 0.05
            )
            constant = share * baseline.mean(axis=1, keepdims=True)
            excess = (gains + constant).T, (gains + share * baseline).T
            found += [
                np.count_nonzero(excess_p_values(excess[0], -1.0, Bound.STUDENT_T) <= ALPHA),
                np.count_nonzero(excess_p_values(excess[1], -1.0, Bound.STUDENT_T) <= ALPHA),
                np.count_nonzero(excess_p_values(excess[1], share - 1.0) <= ALPHA),
            ]
        done = BATCH * -(-repetitions // BATCH)
        rows.append(((str(n),), tuple((100 * found / done).tolist())))
    heads = ("topics", "t, mean as a constant", "t, topic by topic", "betting, topic by topic")
    title = (
        "Candidates that lose 10% of the baseline's mean, on hard topics, and are called not worse"
    )
    return Table(title, heads, tuple(rows))


def planned(repetitions: int, seed: int) -> Table:
    """Power of verdicts at planned numbers of topics, minus the power that was planned.

    Each row has a pilot of n topics. The verdicts are on candidates whose differences are drawn
    from those of the pilot, as the plan supposes, with the mean 0.
    """
    limit, rows = 0.03, []
    for place, (shape, n) in enumerate(_cells()):
        rng = np.random.default_rng([seed, place])
        seen = pilot(POPULATIONS[shape], n, rng)
        runs = 0.5 - seen / 2, 0.5 + seen / 2
        centred = (seen - seen.mean()) * np.sqrt(n / (n - 1))
        gap = partial(_gap, spread=centred, repetitions=repetitions, rng=rng)
        rates = []
        for bound in Bound:
            plan = gate_verdict(*runs, limit=limit, bound=bound, power=POWER)
            rates.append(gap(_not_worse(limit, bound), plan.topics_needed))
        both = equivalence_verdict(*runs, margin=limit, power=POWER)
        rates.append(gap(_equivalent(limit), both.topics_needed))
        rows.append(((shape, str(n)), tuple(rates)))
    heads = (
        *("differences", "pilot"),
        *(f"not worse, {bound}" for bound in Bound),
        "equivalent, betting",
    )
    return Table("Power of verdicts minus what was planned, in points", heads, tuple(rows))


def _gap(
    speaks: Callable[[Floats], Booleans],
    topics: int | None,
    *,
    spread: Floats,
    repetitions: int,
    rng: np.random.Generator,
) -> float:
    """Power minus what was planned, in points; NaN where nothing was."""
    if topics is None:
        return math.nan

    def draw(now: int) -> Floats:
        return np.clip(spread[rng.integers(0, spread.size, (now, topics))], -1.0, 1.0)

    return rate(speaks, draw, repetitions) - 100.0 * POWER


def pilot(shape: Shape, n: int, rng: np.random.Generator) -> Floats:
    """Topics of which not all differ by the same, for nothing can be planned from such."""
    while np.ptp(found := shape(0.0, 1, n, rng)[0]) <= 1e-12:
        pass
    return found


def _equivalent(margin: float) -> Callable[[Floats], Booleans]:
    def speaks(gains: Floats) -> Booleans:
        found: Booleans = not_worse(gains, margin, Bound.BETTING)
        return found & not_worse(-gains, margin, Bound.BETTING)

    return speaks


def tables(repetitions: int = 20_000, seed: int = 1) -> Iterator[Table]:
    """All tables, one after the other."""
    yield wrongly_not_worse(repetitions, seed)
    yield closed(repetitions, seed)
    yield equal_called_worse(repetitions, seed)
    yield losses_found(repetitions, seed)
    yield price(repetitions, seed)
    yield relative_limits(repetitions, seed)
    yield planned(repetitions, seed)


if __name__ == "__main__":
    print_tables(__doc__, tables, repetitions=20_000, seed=1)
