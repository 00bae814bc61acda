"""Measure how often tests and intervals err, for three shapes of differences.

    python -m docs.studies.error_rates [--repetitions N] [--resampled N] [--seed N]

Prints the tables of docs/statistics.md: rejections of equal means, power, intervals
that miss the mean, what choosing a measure afterwards does, and wrong verdicts of the gate, all in
percent. Tests and intervals that resample have 999 samples.
"""

import argparse
import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt

from docs.studies import verdict_rates
from docs.studies.differences import DEVIATION, DROP, LOSING, SHAPES, Floats, Shape, sparse
from docs.studies.rate_table import Table
from rankeval.stats import (
    Alternative,
    IntervalMethod,
    TestName,
    confidence_intervals,
    paired_tests,
    smallest_difference,
)

ALPHA = 0.05
TOPICS = (10, 25, 50, 100)
RESAMPLES = 999
# Columns that share their resamples; the others have a seed of their own, so that an unlucky draw
# does not show in a whole cell.
SHARED = 200
MEASURES = (1, 2, 5, 10)
CORRELATION = 0.7  # between measures of the same topics


@dataclass(frozen=True)
class Effort:
    """How many repetitions a cell has, without and with resampling, and from which seed."""

    repetitions: int = 20_000
    resampled: int = 2_000
    seed: int = 1


Outcome = Callable[[Floats, int], npt.NDArray[np.bool_]]
"""From differences (n, repetitions) and a seed to: does the method call the mean other than 0?"""


def rejects(test: TestName, alternative: Alternative = Alternative.TWO_SIDED) -> Outcome:
    """Where the test rejects a mean difference of 0."""

    def speaks(differences: Floats, seed: int) -> npt.NDArray[np.bool_]:
        outcomes = paired_tests(
            differences, test=test, alternative=alternative, resamples=RESAMPLES, seed=seed
        )
        return np.array([one.p_value <= ALPHA for one in outcomes])

    return speaks


def misses(method: IntervalMethod) -> Outcome:
    """Where the interval lacks 0."""

    def speaks(differences: Floats, seed: int) -> npt.NDArray[np.bool_]:
        found = confidence_intervals(
            differences, method=method, level=1 - ALPHA, resamples=RESAMPLES, seed=seed
        )
        ends = np.array([(one.low, one.high) for one in found], dtype=np.float64)
        return (ends[:, 0] > 0) | (ends[:, 1] < 0)

    return speaks


DRAWING = {
    TestName.RANDOMIZATION,
    TestName.BOOTSTRAP,
    IntervalMethod.BCA,
}
TWO_SIDED = {str(test): (rejects(test), test in DRAWING) for test in TestName}
ONE_SIDED = {
    f"{test}, {side}": (rejects(test, side), test in DRAWING)
    for test in (TestName.STUDENT_T, TestName.RANDOMIZATION)
    for side in (Alternative.LESS, Alternative.GREATER)
}
INTERVALS = {str(method): (misses(method), method in DRAWING) for method in IntervalMethod}


def rates(
    title: str,
    methods: Mapping[str, tuple[Outcome, bool]],
    effort: Effort,
    shapes: Mapping[str, Shape] = SHAPES,
    mean: Callable[[int], float] = lambda _: 0.0,
) -> Table:
    """How often each method speaks, by shape and number of topics, from which the mean follows."""
    sizes = [effort.resampled if drawn else effort.repetitions for _, drawn in methods.values()]
    rows = []
    for place, (name, draw) in enumerate(shapes.items()):
        for n in TOPICS:
            rng = np.random.default_rng([effort.seed, place, n])
            differences = np.ascontiguousarray(draw(mean(n), max(sizes), n, rng).T)
            found = [
                _rate(speaks, differences[:, :size], SHARED if drawn else size, effort.seed)
                for (speaks, drawn), size in zip(methods.values(), sizes, strict=True)
            ]
            rows.append(((name, str(n)), tuple(found)))
    return Table(title, ("differences", "topics", *methods), tuple(rows), tuple(sizes))


def _rate(speaks: Outcome, differences: Floats, together: int, seed: int) -> float:
    parts = [
        speaks(differences[:, start : start + together], seed + start)
        for start in range(0, differences.shape[1], together)
    ]
    return 100.0 * float(np.concatenate(parts).mean())


def chosen_afterwards(effort: Effort) -> Table:
    """How often the best of several measures is called significant where all are equal."""
    rows = []
    for n in TOPICS:
        rng = np.random.default_rng([effort.seed, len(SHAPES), n])
        common = rng.normal(size=(effort.repetitions, 1, n))
        own = rng.normal(size=(effort.repetitions, max(MEASURES), n))
        values = np.sqrt(CORRELATION) * common + np.sqrt(1 - CORRELATION) * own
        significant = rejects(TestName.STUDENT_T)(values.reshape(-1, n).T, effort.seed)
        of_measures = significant.reshape(effort.repetitions, max(MEASURES))
        found = tuple(100.0 * float(of_measures[:, :m].any(axis=1).mean()) for m in MEASURES)
        rows.append(((str(n),), found))
    heads = tuple("1 measure" if m == 1 else f"best of {m}" for m in MEASURES)
    title = f"Some measure significant, all being equal (t, correlation {CORRELATION:g})"
    return Table(title, ("topics", *heads), tuple(rows), (effort.repetitions,) * len(heads))


def planned_by_formula(effort: Effort) -> Table:
    """How often t finds the difference that the formula for normal ones says it finds in 80%."""
    populations = {
        "normal": (SHAPES["normal"], DEVIATION),
        "sparse": (partial(sparse, drop=DROP), DROP * math.sqrt(LOSING * (1.0 - LOSING))),
        "skewed": (SHAPES["skewed"], DEVIATION),
    }
    speaks, rows = rejects(TestName.STUDENT_T), []
    for place, (name, (draw, deviation)) in enumerate(populations.items()):
        for n in (*TOPICS, 250, 1000):
            difference = smallest_difference(n, deviation, alpha=ALPHA, power=0.8) or 0.0
            found = []
            for mean in (difference, -difference):
                rng = np.random.default_rng([effort.seed, place, n])
                found.append(
                    100.0 * float(speaks(draw(mean, effort.repetitions, n, rng).T, 0).mean())
                )
            rows.append(((name, str(n)), tuple(found)))
    title = "Difference found that normal ones would show in 80%, two-sided t, alpha 5%"
    heads = ("differences", "topics", "better", "worse")
    return Table(title, heads, tuple(rows), (effort.repetitions,) * 2)


def tables(effort: Effort) -> Iterator[Table]:
    """The tables on tests and intervals."""
    yield rates("Equal means rejected, two-sided, alpha 5%", TWO_SIDED, effort)
    yield rates("Equal means rejected, one-sided, alpha 5%", ONE_SIDED, effort)
    yield rates(
        "Difference found that the t test finds 80% of the time, two-sided, alpha 5%",
        TWO_SIDED,
        effort,
        {"normal": SHAPES["normal"]},
        _shown_by_t,
    )
    yield planned_by_formula(effort)
    yield rates("Mean outside the 95% interval", INTERVALS, effort)
    yield chosen_afterwards(effort)


def _shown_by_t(n: int) -> float:
    return smallest_difference(n, DEVIATION, alpha=ALPHA, power=0.8) or 0.0


def main(arguments: Sequence[str] | None = None) -> None:
    """Print every table."""
    usual = Effort()
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repetitions", type=int, default=usual.repetitions)
    parser.add_argument("--resampled", type=int, default=usual.resampled)
    parser.add_argument("--seed", type=int, default=usual.seed)
    given = parser.parse_args(arguments)
    effort = Effort(given.repetitions, given.resampled, given.seed)
    start = time.perf_counter()
    for table in tables(effort):
        print(table.markdown(), flush=True)
    for verdicts in verdict_rates.tables(effort.repetitions, effort.seed):
        print(verdicts.markdown(), flush=True)
    print(f"{time.perf_counter() - start:.0f} s")


if __name__ == "__main__":
    main()
