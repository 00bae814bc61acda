"""Data by topic: differences from the baseline, pairs of values, and all values in a table."""

from collections.abc import Iterator

import numpy as np

from rankeval.base.arrays import Integers
from rankeval.base.frozen import frozen
from rankeval.base.numbers import finite
from rankeval.evaluation.results import Results
from rankeval.plots.selection import MeasureValues, Row, baseline_index, table_of
from rankeval.stats.checked_arrays import NOISE, Floats


@frozen(eq=False)
class TopicDifferences:
    """Differences of one run from the baseline by topic, the best for the run first.

    ================== ============================================================================
    measure            canonical name
    loss               True when smaller is better
    baseline, run      names
    topics             names, those with the largest improvement first
    differences        run - baseline, shape (topics,)
    wins, ties, losses numbers of topics on which the run is better, equal and worse
    undefined          topics without a value for one of the two, left out
    ================== ============================================================================
    """

    measure: str
    loss: bool
    baseline: str
    run: str
    topics: tuple[str, ...]
    differences: Floats
    wins: int
    ties: int
    losses: int
    undefined: int

    def rows(self) -> Iterator[Row]:
        """Yield a row per topic."""
        for topic, difference in zip(self.topics, self.differences.tolist(), strict=True):
            yield {
                "baseline": self.baseline,
                "run": self.run,
                "measure": self.measure,
                "topic": topic,
                "difference": difference,
            }


@frozen(eq=False)
class TopicPairs:
    """The values of the baseline and of one run on the same topics.

    ============= ==================================================================================
    measure       canonical name
    span          least and greatest value that a topic can have; None where that is not known
    baseline, run names
    topics        names
    x, y          values of the baseline and of the run, shape (topics,)
    undefined     topics without a value for one of the two, left out
    ============= ==================================================================================
    """

    measure: str
    span: tuple[float, float] | None
    baseline: str
    run: str
    topics: tuple[str, ...]
    x: Floats
    y: Floats
    undefined: int

    def rows(self) -> Iterator[Row]:
        """Yield a row per topic."""
        for topic, x, y in zip(self.topics, self.x.tolist(), self.y.tolist(), strict=True):
            yield {
                "baseline": self.baseline,
                "run": self.run,
                "measure": self.measure,
                "topic": topic,
                "baseline_value": x,
                "run_value": y,
            }


@frozen(eq=False)
class TopicValues:
    """The values of all runs on all topics, the topics with the highest mean first.

    ======= ========================================================================================
    measure canonical name
    loss    True when smaller is better
    span    least and greatest value that a topic can have; None where that is not known
    runs    names
    topics  names
    values  shape (topics, runs); NaN where undefined
    item    the word for a topic, such as "collection"
    ======= ========================================================================================
    """

    measure: str
    loss: bool
    span: tuple[float, float] | None
    runs: tuple[str, ...]
    topics: tuple[str, ...]
    values: Floats
    item: str = "topic"

    def rows(self) -> Iterator[Row]:
        """Yield a row per topic and run."""
        for topic, values in zip(self.topics, self.values, strict=True):
            for run, value in zip(self.runs, values, strict=True):
                yield {
                    "topic": topic,
                    "run": run,
                    "measure": self.measure,
                    "value": finite(value),
                }


def topics_data(
    results: Results, measure: str | None = None, *, baseline: str | None = None
) -> tuple[TopicDifferences, ...]:
    """Return the differences of each other run from the baseline, by default the first run.

    Differences below rounding noise are ties and count as 0. Topics with equal differences stay in
    the order of the results.
    """
    table = table_of(results, measure, least_runs=2)
    at = baseline_index(table.runs, baseline)
    return tuple(_differences(table, at, i) for i in range(len(table.runs)) if i != at)


def scatter_data(
    results: Results, measure: str | None = None, *, baseline: str | None = None
) -> tuple[TopicPairs, ...]:
    """Return the values of each other run beside those of the baseline, topic by topic."""
    table = table_of(results, measure, least_runs=2)
    at = baseline_index(table.runs, baseline)
    return tuple(_pairs(table, at, i) for i in range(len(table.runs)) if i != at)


def heatmap_data(results: Results, measure: str | None = None) -> TopicValues:
    """Return the values of all runs on all topics, the topics with the highest mean first.

    Topics without any value come last.
    """
    table = table_of(results, measure)
    defined = ~np.isnan(table.values)
    count = defined.sum(axis=1)
    total = np.where(defined, table.values, 0.0).sum(axis=1)
    means = np.where(count > 0, total / np.maximum(count, 1), -np.inf)
    order = np.argsort(-means, kind="stable")
    return TopicValues(
        measure=table.measure,
        loss=table.loss,
        span=table.span,
        runs=table.runs,
        topics=_named(table.topics, order),
        values=table.values[order],
    )


def _differences(table: MeasureValues, baseline: int, run: int) -> TopicDifferences:
    exact = table.values[:, run] - table.values[:, baseline]
    defined = np.flatnonzero(~np.isnan(exact))
    differences = np.where(np.abs(exact) <= NOISE, 0.0, exact)[defined]
    gains = -differences if table.loss else differences
    order = np.argsort(-gains, kind="stable")
    return TopicDifferences(
        measure=table.measure,
        loss=table.loss,
        baseline=table.runs[baseline],
        run=table.runs[run],
        topics=_named(table.topics, defined[order]),
        differences=differences[order],
        wins=int((gains > 0).sum()),
        ties=int((gains == 0).sum()),
        losses=int((gains < 0).sum()),
        undefined=len(exact) - len(defined),
    )


def _pairs(table: MeasureValues, baseline: int, run: int) -> TopicPairs:
    x, y = table.values[:, baseline], table.values[:, run]
    defined = np.flatnonzero(~np.isnan(x) & ~np.isnan(y))
    return TopicPairs(
        measure=table.measure,
        span=table.span,
        baseline=table.runs[baseline],
        run=table.runs[run],
        topics=_named(table.topics, defined),
        x=x[defined],
        y=y[defined],
        undefined=len(x) - len(defined),
    )


def _named(topics: tuple[str, ...], order: Integers) -> tuple[str, ...]:
    return tuple(topics[i] for i in order.tolist())
