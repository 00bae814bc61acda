"""Time the randomization test: many measures here against one measure in scipy.

    python benchmarks/permutations.py

The promise: 100,000 permutations of 500 topics for 20 measures take under 5 times as long as
`scipy.stats.permutation_test` takes for one of these measures. Exits with 1 if it does not hold.
"""

import sys
import time
from collections.abc import Callable
from typing import TypeVar

import numpy as np
import scipy.stats

from rankeval.stats import paired_tests

PERMUTATIONS, N_TOPICS, N_MEASURES = 100_000, 500, 20
REPEATS = 3
PROMISED_RATIO = 5.0

Result = TypeVar("Result")


def best_of(call: Callable[[], Result]) -> tuple[float, Result]:
    """Return the shortest time of some calls, in seconds, and the result."""
    times = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        result = call()
        times.append(time.perf_counter() - start)
    return min(times), result


def main() -> int:
    """Print both times and their ratio."""
    rng = np.random.default_rng(0)
    differences = rng.normal(0.01, 0.15, size=(N_TOPICS, N_MEASURES))

    ours, outcomes = best_of(
        lambda: paired_tests(differences, test="randomization", resamples=PERMUTATIONS)
    )
    # Of the batch sizes from 100 to 100,000, about this one is scipy's fastest.
    theirs, reference = best_of(
        lambda: scipy.stats.permutation_test(
            (differences[:, 0],),
            np.mean,
            permutation_type="samples",
            vectorized=True,
            n_resamples=PERMUTATIONS,
            batch=1000,
            random_state=np.random.default_rng(0),
        )
    )
    ratio = ours / theirs
    print(f"{PERMUTATIONS:,} permutations, {N_TOPICS} topics, best of {REPEATS}")
    print(
        f"rankeval, {N_MEASURES} measures  {ours:7.3f} s  p of the first {outcomes[0].p_value:.4f}"
    )
    print(f"scipy, 1 measure       {theirs:7.3f} s  p of the first {reference.pvalue:.4f}")
    print(f"ratio {ratio:.3f} (promised: under {PROMISED_RATIO:g})")
    return 0 if ratio < PROMISED_RATIO else 1


if __name__ == "__main__":
    sys.exit(main())
