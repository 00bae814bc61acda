"""Measure how often each paired test rejects a true null hypothesis, and with what power.

    python benchmarks/type_one_error.py [PAIRS]

Pairs of equal systems (20,000 unless given) at several numbers of topics; values are
beta-distributed around each topic's difficulty, once as they are and once rounded to tenths as P@10
is. Rejections at alpha = 0.05, two-sided, in percent; then the power of each test where the t test
has 80 %.
"""

import sys
import time

import numpy as np

from rankeval.stats import TestName, paired_tests, smallest_difference

ALPHA = 0.05
RESAMPLES = 5000
SEED = 1


def values(rng: np.random.Generator, n_topics: int, pairs: int) -> np.ndarray:
    """Draw values of one system: columns are experiments."""
    difficulty = np.linspace(1.0, 4.0, n_topics)[:, np.newaxis]
    return rng.beta(difficulty, 3.0, size=(n_topics, pairs))


def rejected(differences: np.ndarray, test: TestName) -> float:
    """Return the share of columns in which the test rejects."""
    outcomes = paired_tests(differences, test=test, resamples=RESAMPLES, seed=SEED)
    return float(np.mean([outcome.p_value <= ALPHA for outcome in outcomes]))


def main(pairs: int) -> None:
    """Print one line per setting."""
    print(f"{pairs:,} pairs, {RESAMPLES:,} resamples, rejections in %")
    print(f"{'topics':>6}  {'values':10}" + "".join(f"{test:>15}" for test in TestName))
    for n_topics in (10, 30, 50, 100, 250):
        rng = np.random.default_rng(SEED)
        one, other = values(rng, n_topics, pairs), values(rng, n_topics, pairs)
        deviation = float((other - one).std())
        visible = smallest_difference(n_topics, deviation, alpha=ALPHA, power=0.8)
        settings = {
            "smooth": other - one,
            "tenths": np.round(np.round(other, 1) - np.round(one, 1), 1),
            "power": other - one + visible,
        }
        for name, differences in settings.items():
            start = time.perf_counter()
            rates = [100 * rejected(differences, test) for test in TestName]
            seconds = time.perf_counter() - start
            cells = "".join(f"{rate:15.2f}" for rate in rates)
            print(f"{n_topics:6}  {name:10}{cells}   {seconds:.0f} s", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20_000)
