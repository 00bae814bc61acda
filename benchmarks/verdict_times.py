"""Measure the CPU time of a gate's verdict, its planning figures included.

    python -m benchmarks.verdict_times

Prints, for each number of topics, the median and the largest of the times by kind of differences,
bound, and kind of limit; each of these times is the median of nine calls.
"""

import time
from itertools import product
from statistics import median

import numpy as np

from docs.studies.differences import Floats, Shape, normal, skewed, sparse
from docs.studies.rate_table import Table
from rankeval.stats import Bound, gate_verdict

TOPICS = (10, 25, 50, 100, 250, 1_000, 7_000)
CALLS = 9


def equal(
    mean: float,  # noqa: ARG001  as a Shape has it
    repetitions: int,
    n: int,
    seed: int | np.random.Generator,  # noqa: ARG001
) -> Floats:
    """Draw no differences at all."""
    return np.zeros((repetitions, n))


SHAPES: tuple[Shape, ...] = (normal, sparse, skewed, equal)


def milliseconds(n: int, bound: Bound) -> list[float]:
    """Time verdicts on differences of each shape, with a limit in points and a relative one."""
    found = []
    for shape, relative in product(SHAPES, (False, True)):
        generator = np.random.default_rng(n)
        old = generator.beta(2.0, 3.0, n)
        new = np.clip(old + shape(0.0, 1, n, 1)[0], 0.0, 1.0)
        limit = 0.05 if relative else 0.02
        times = []
        for _ in range(CALLS):
            start = time.process_time()
            gate_verdict(old, new, limit=limit, share=relative, bound=bound)
            times.append(time.process_time() - start)
        found.append(1e3 * median(times))
    return found


def table() -> Table:
    """Return the times of every number of topics."""
    rows = []
    for n in TOPICS:
        taken = [milliseconds(n, bound) for bound in Bound]
        every = [one for times in taken for one in times]
        rows.append(((str(n),), (*map(median, taken), max(every))))
    return Table(
        "CPU time of a verdict, in milliseconds",
        ("topics", *(f"{bound.value}, median" for bound in Bound), "largest"),
        tuple(rows),
    )


if __name__ == "__main__":
    print(table().markdown())
