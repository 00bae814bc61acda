"""Measure how often the policies of a gate are wrong, for candidates with usual spreads.

    python -m docs.studies.policy_rates [--repetitions N] [--seed N]

Prints the table of docs/ci.md, in percent: equal candidates that fail by chance, and candidates
that lose three times the limit and pass. Differences of topics are normal, and tests are by t.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import partial

import numpy as np

from docs.studies.differences import Floats, normal
from docs.studies.rate_table import Table, print_tables
from docs.studies.verdict_rates import Booleans, beyond, not_worse, rate, worse
from rankeval.stats import Bound

LIMIT = 0.01
LOSS = 0.03
SPREADS = (0.05, 0.1, 0.2)
TOPICS = (10, 30, 50, 100)
FAILS: Mapping[str, Callable[[Floats], Booleans]] = {
    "observed": lambda gains: gains.mean(axis=1) < -LIMIT - 1e-12,
    "not-shown-worse": partial(worse, limit=LIMIT, bound=Bound.STUDENT_T),
    "not-shown-beyond-limit": partial(beyond, limit=LIMIT, bound=Bound.STUDENT_T),
    "shown-not-worse": lambda gains: ~not_worse(gains, LIMIT, Bound.STUDENT_T),
}
"""By policy, which candidates fail, by gains (repetitions, n)."""


def policies(repetitions: int, seed: int) -> Table:
    """Equal candidates that fail, and losing ones that pass, by policy."""
    rows = []
    for spread in SPREADS:
        for n in TOPICS:
            rates = []
            for mean in (0.0, -LOSS):
                for fails in FAILS.values():
                    rng = np.random.default_rng(seed)
                    draw = partial(_drawn, mean, n, spread, rng)
                    failed = rate(fails, draw, repetitions)
                    rates.append(failed if mean == 0.0 else 100.0 - failed)
            rows.append(((f"{spread:g}", str(n)), tuple(rates)))
    heads = (*FAILS, *(f"misses: {policy}" for policy in FAILS))
    title = f"Limit {LIMIT:g}: equal candidates that fail, and those that lose {LOSS:g} and pass"
    return Table(title, ("spread", "topics", *heads), tuple(rows))


def _drawn(mean: float, n: int, spread: float, rng: np.random.Generator, count: int) -> Floats:
    return normal(mean, count, n, rng, deviation=spread)


def tables(repetitions: int, seed: int) -> Iterator[Table]:
    """Yield the table."""
    yield policies(repetitions, seed)


if __name__ == "__main__":
    print_tables(__doc__, tables, repetitions=20_000, seed=1)
