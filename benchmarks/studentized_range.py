"""Compare two computations of the studentized range distribution: scipy's, and the package's.

    python -m benchmarks.studentized_range [--values N]

Prints the largest difference of N p-values (by default 1,000) for 3 to 30 means and 10 to 1,000
degrees of freedom, the time of each value, and the error of both for two means, where the
distribution is that of Student's t and so known.
"""

import argparse
import time
import warnings
from collections.abc import Callable

import numpy as np
from scipy.special import stdtr
from scipy.stats import studentized_range

from rankeval.stats.systems_tests import quantile, survival

MEANS = (3, 5, 10, 20, 30)
DEGREES = (10, 30, 100, 300, 1000)
LEAST, GREATEST = 0.5, 8.0

Survival = Callable[[float, int, int], float]


def of_scipy(q: float, n_means: int, degrees: int) -> float:
    """Return P(Q > q) as scipy computes it."""
    return float(studentized_range.sf(q, n_means, degrees))


def of_student(q: float, degrees: int) -> float:
    """Return P(Q > q) for two means: Q is |T| times the square root of 2."""
    return float(2.0 * stdtr(degrees, -q / np.sqrt(2.0)))


def cases(n_values: int, means: tuple[int, ...] = MEANS) -> list[tuple[float, int, int]]:
    """List about so many (q, number of means, degrees of freedom), spread evenly."""
    each = max(1, n_values // (len(means) * len(DEGREES)))
    grid = np.linspace(LEAST, GREATEST, each).tolist()
    return [(q, n_means, degrees) for n_means in means for degrees in DEGREES for q in grid]


def timed(function: Survival, asked: list[tuple[float, int, int]]) -> tuple[np.ndarray, float]:
    """Return the values of a function, and its milliseconds for each."""
    start = time.perf_counter()
    values = np.array([function(*case) for case in asked])
    return values, 1000.0 * (time.perf_counter() - start) / len(asked)


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--values", type=int, default=1000)
    asked = cases(parser.parse_args().values)
    with warnings.catch_warnings(record=True) as slow:
        warnings.simplefilter("always")
        theirs, their_time = timed(of_scipy, asked)
    ours, our_time = timed(survival, asked)
    print(f"{len(asked)} p-values, {MEANS} means, {DEGREES} degrees of freedom")
    print(f"largest difference  {np.abs(ours - theirs).max():.1e}")
    print(f"rankeval            {our_time:8.2f} ms for each value")
    print(f"scipy               {their_time:8.2f} ms for each value, {len(slow)} warnings")
    pairs = cases(200, means=(2,))
    exact = np.array([of_student(q, degrees) for q, _, degrees in pairs])
    for name, function in (("rankeval", survival), ("scipy", of_scipy)):
        values, _ = timed(function, pairs)
        print(f"{name:8} error with 2 means  {np.abs(values - exact).max():.1e}")
    for name, find in (("rankeval", quantile.__wrapped__), ("scipy", studentized_range.ppf)):
        start = time.perf_counter()
        found = float(find(0.95, 10, 441))
        took = 1000.0 * (time.perf_counter() - start)
        print(f"{name:8} quantile of 10 means, 50 topics  {found:.9f} in {took:.0f} ms")


if __name__ == "__main__":
    main()
