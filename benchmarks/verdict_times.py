"""Measure the CPU time of a gate's verdict, its planning figures included.

    python -m benchmarks.verdict_times

Prints, for each number of topics, the median and the largest of the times by kind of differences,
bound, and kind of limit; each of these times is the median of nine calls. "13 x 50" is the macro
mean over 13 collections of 50 topics each.
"""

import time
from collections.abc import Callable, Sequence
from functools import partial
from itertools import product
from statistics import median

import numpy as np

from docs.studies.differences import Floats, Shape, normal, skewed, sparse
from docs.studies.rate_table import Table
from rankeval.stats import Bound, gate_verdict, macro_verdict

TOPICS = (10, 25, 50, 100, 250, 1_000, 7_000)
COLLECTIONS = ((13, 10), (13, 50), (13, 500))
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


def milliseconds(sizes: Sequence[int], bound: Bound) -> list[float]:
    """Time verdicts on differences of each shape, with a limit in points and a relative one.

    `sizes` are the numbers of topics of the collections, whose macro mean is judged if several.
    """
    found = []
    for shape, relative in product(SHAPES, (False, True)):
        generator = np.random.default_rng(sum(sizes))
        old = [generator.beta(2.0, 3.0, n) for n in sizes]
        new = [
            np.clip(one + shape(0.0, 1, len(one), seed)[0], 0.0, 1.0)
            for seed, one in enumerate(old, 1)
        ]
        how = {"limit": 0.05 if relative else 0.02, "share": relative, "bound": bound}
        call: Callable[[], object] = partial(macro_verdict, old, new, **how)
        if len(sizes) == 1:
            call = partial(gate_verdict, old[0], new[0], **how)
        times = []
        for _ in range(CALLS):
            start = time.process_time()
            call()
            times.append(time.process_time() - start)
        found.append(1e3 * median(times))
    return found


def table() -> Table:
    """Return the times of every number of topics, and of several collections."""
    rows = []
    named = [*((str(n), [n]) for n in TOPICS), *((f"{c} x {n}", [n] * c) for c, n in COLLECTIONS)]
    for name, sizes in named:
        taken = [milliseconds(sizes, bound) for bound in Bound]
        every = [one for times in taken for one in times]
        rows.append(((name,), (*map(median, taken), max(every))))
    return Table(
        "CPU time of a verdict, in milliseconds",
        ("topics", *(f"{bound.value}, median" for bound in Bound), "largest"),
        tuple(rows),
    )


if __name__ == "__main__":
    print(table().markdown())
