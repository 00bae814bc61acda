"""Data by run: distributions, means with intervals, and mean ranks."""

from collections.abc import Iterator

import numpy as np

from rankeval.base.frozen import frozen
from rankeval.base.numbers import finite
from rankeval.errors import UsageError
from rankeval.evaluation.results import Results
from rankeval.plots.selection import Row, chosen_measure, long_rows, score_of, table_of
from rankeval.stats import Nemenyi, confidence_intervals, nemenyi
from rankeval.stats.checked_arrays import Floats

WHISKER = 1.5
"""The whiskers reach to the last value within so many interquartile ranges of the box."""


@frozen(eq=False)
class Box:
    """The distribution of one run's values over topics.

    ========= ======================================================================================
    run       name
    n_topics  topics with a value
    mean      None without topics, as are the next five
    low, high ends of the whiskers: the last values within 1.5 interquartile ranges of the box
    first, median, third  quartiles, interpolated linearly between two values
    outliers  values beyond the whiskers, increasing
    ========= ======================================================================================
    """

    run: str
    n_topics: int
    mean: float | None
    low: float | None
    first: float | None
    median: float | None
    third: float | None
    high: float | None
    outliers: Floats


@frozen(eq=False)
class Boxes:
    """The distributions of all runs: the measure, its range or None, and one box per run."""

    measure: str
    span: tuple[float, float] | None
    boxes: tuple[Box, ...]

    def rows(self) -> Iterator[Row]:
        """Yield a row per run."""
        for box in self.boxes:
            yield {
                "run": box.run,
                "measure": self.measure,
                "topics": box.n_topics,
                "mean": box.mean,
                "low": box.low,
                "first_quartile": box.first,
                "median": box.median,
                "third_quartile": box.third,
                "high": box.high,
                "outliers": len(box.outliers),
            }


@frozen(eq=False)
class Means:
    """Means with confidence intervals, the best run first.

    ========= ======================================================================================
    measure   canonical name
    loss      True when smaller is better
    level     of the intervals
    runs      names, the best mean first
    mean      shape (runs,)
    low, high ends of Student's interval, shape (runs,); NaN with fewer than two topics
    ========= ======================================================================================
    """

    measure: str
    loss: bool
    level: float
    runs: tuple[str, ...]
    mean: Floats
    low: Floats
    high: Floats

    def rows(self) -> Iterator[Row]:
        """Yield a row per run."""
        columns = {"mean": self.mean, "low": self.low, "high": self.high}
        for row in long_rows(self.runs, **columns):
            numbers = {name: finite(row[name]) for name in columns}
            yield {"run": row["run"], "measure": self.measure, "level": self.level, **numbers}


@frozen(eq=False)
class MeanRanks:
    """Mean ranks of the runs, and the groups of runs that cannot be told apart.

    ======== =======================================================================================
    measure  canonical name
    test     Nemenyi's test, with Friedman's; its columns are the runs in the order of the results
    runs     names, the best mean rank first
    ranks    mean ranks, shape (runs,)
    groups   (first, last) places of runs whose mean ranks differ by no more than the critical
             difference; no group is a part of another one
    ======== =======================================================================================
    """

    measure: str
    test: Nemenyi
    runs: tuple[str, ...]
    ranks: Floats
    groups: tuple[tuple[int, int], ...]

    def rows(self) -> Iterator[Row]:
        """Yield a row per run, with the letters of its groups."""
        for i, run in enumerate(self.runs):
            yield {
                "run": run,
                "measure": self.measure,
                "mean_rank": float(self.ranks[i]),
                "groups": " ".join(
                    str(n) for n, (a, b) in enumerate(self.groups, 1) if a <= i <= b
                ),
                "critical_difference": self.test.critical_difference,
                "alpha": self.test.alpha,
                "topics": self.test.friedman.n_topics,
                "friedman_p": self.test.friedman.p_f,
            }


def box_data(results: Results, measure: str | None = None) -> Boxes:
    """Return quartiles, whiskers and outliers of each run's values over topics.

    Source: Tukey, Exploratory Data Analysis, 1977; whiskers to 1.5 interquartile ranges.
    """
    name = chosen_measure(results, measure)
    scores = [score_of(run, name) for run in results.runs]
    return Boxes(
        measure=name,
        span=scores[0].span,
        boxes=tuple(
            _box(run.name, score.values) for run, score in zip(results.runs, scores, strict=True)
        ),
    )


def ci_data(results: Results, measure: str | None = None, *, level: float = 0.95) -> Means:
    """Return the mean of each run with Student's confidence interval, the best run first.

    The intervals are those of single means. Two that overlap say nothing of the difference of the
    two runs on the same topics, which `rankeval compare` tests.

    Edge cases
        - A topic without a value is left out of the run's mean.
        - No value at all: NaN, last.
    """
    name = chosen_measure(results, measure)
    scores = [score_of(run, name) for run in results.runs]
    loss = scores[0].loss
    means = np.array([_mean(score.values) for score in scores])
    ends = [confidence_intervals(score.values, level=level)[0] for score in scores]
    order = np.argsort(means if loss else -means, kind="stable")
    low, high = (
        np.array([np.nan if end is None else end for end in found])
        for found in ([one.low for one in ends], [one.high for one in ends])
    )
    return Means(
        measure=name,
        loss=loss,
        level=level,
        runs=tuple(results.runs[i].name for i in order),
        mean=means[order],
        low=low[order],
        high=high[order],
    )


def ranks_data(results: Results, measure: str | None = None, *, alpha: float = 0.05) -> MeanRanks:
    """Return mean ranks, Nemenyi's critical difference, and the groups that it leaves together.

    Source: Demsar, "Statistical comparisons of classifiers over multiple data sets", JMLR 7, 2006.
    """
    table = table_of(results, measure, least_runs=2)
    test = nemenyi(-table.values if table.loss else table.values, alpha=alpha)
    if test.friedman.mean_ranks is None or test.critical_difference is None:
        raise UsageError(f"{table.measure} is defined for all runs on no topic")
    ranks = np.array(test.friedman.mean_ranks)
    order = np.argsort(ranks, kind="stable")
    return MeanRanks(
        measure=table.measure,
        test=test,
        runs=tuple(table.runs[i] for i in order),
        ranks=ranks[order],
        groups=groups_within(ranks[order], test.critical_difference),
    )


def groups_within(increasing: Floats, width: float) -> tuple[tuple[int, int], ...]:
    """Return (first, last) places of the largest groups of two or more that `width` spans."""
    last = np.searchsorted(increasing, increasing + width, side="right") - 1
    groups: list[tuple[int, int]] = []
    for i, j in enumerate(last.tolist()):
        if j > i and (not groups or j > groups[-1][1]):
            groups.append((i, j))
    return tuple(groups)


def _box(run: str, values: Floats) -> Box:
    defined = np.sort(values[~np.isnan(values)])
    if not defined.size:
        return Box(run, 0, None, None, None, None, None, None, defined)
    first, median, third = np.quantile(defined, [0.25, 0.5, 0.75]).tolist()
    reach = WHISKER * (third - first)
    inside = defined[(defined >= first - reach) & (defined <= third + reach)]
    low, high = min(inside[0], first), max(inside[-1], third)
    return Box(
        run=run,
        n_topics=len(defined),
        mean=float(defined.mean()),
        low=float(low),
        first=first,
        median=median,
        third=third,
        high=float(high),
        outliers=defined[(defined < low) | (defined > high)],
    )


def _mean(values: Floats) -> float:
    defined = values[~np.isnan(values)]
    return float(defined.mean()) if defined.size else np.nan
