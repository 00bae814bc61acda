"""The runs, topics and values that a plot draws."""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np

from rankeval.base.arrays import Floats, Integers
from rankeval.base.frozen import frozen
from rankeval.base.wording import finite, number
from rankeval.errors import MeasureError, UsageError
from rankeval.evaluation.results import Results, RunResult, Score
from rankeval.evaluation.sorting import in_order
from rankeval.measures import parse_measure
from rankeval.stats import confidence_intervals
from rankeval.stats.mean_tests import seeds_test

Panel = TypeVar("Panel")


@frozen(eq=False)
class MeasureValues:
    """The values of one measure on the topics that all runs have.

    ======= ==================================================================================
    measure canonical name
    loss    True when smaller is better
    span    least and greatest value that a topic can have; None where that is not known
    runs    names, in the order of the results
    topics  names, in the order of the first run
    values  shape (topics, runs); NaN where undefined
    ======= ==================================================================================
    """

    measure: str
    loss: bool
    span: tuple[float, float] | None
    runs: tuple[str, ...]
    topics: tuple[str, ...]
    values: Floats


def measure_names(results: Results) -> tuple[str, ...]:
    """Return the canonical names of the measures of the results, each once."""
    return tuple(dict.fromkeys(score.measure for score in _scores_of_topics(results)))


def _scores_of_topics(results: Results) -> list[Score]:
    """Return the scores that have values of topics; UsageError if there is none."""
    found = [score for score in results.runs[0].scores if score.has_topics]
    if not found:
        raise UsageError(
            "each measure of the results is one number for a whole run",
            expected="a measure of topics, such as nDCG@10",
        )
    return found


def chosen_measure(results: Results, measure: str | None = None) -> str:
    """Return the canonical name of a measure of the results, by default of the first.

    Raise UsageError if the results do not hold it.
    """
    scores = _scores_of_topics(results)
    if measure is None:
        return scores[0].measure
    for score in scores:
        if measure in (score.measure, score.as_given):
            return score.measure
    try:
        canonical = str(parse_measure(measure))
    except MeasureError:
        canonical = measure
    if canonical not in measure_names(results):
        raise UsageError(
            f"the results hold no values of {measure}",
            expected=f"one of {', '.join(measure_names(results)[:10])}",
            remedy="evaluate the runs with this measure",
        )
    return canonical


def score_of(run: RunResult, measure: str) -> Score:
    """Return the score of a measure that the run has, by canonical name."""
    return next(score for score in run.scores if score.measure == measure)


def with_measures(results: Results, measures: Collection[str]) -> Results:
    """Return the results without other measures."""
    runs = (
        replace(run, scores=tuple(score for score in run.scores if score.measure in measures))
        for run in results.runs
    )
    return replace(results, runs=tuple(runs))


def table_of(results: Results, measure: str | None = None, *, least_runs: int = 1) -> MeasureValues:
    """Return the values of a measure on the topics that all runs have.

    Raise UsageError if there are fewer runs than a plot needs, or no common topic.
    """
    require_runs(results, least_runs)
    name = chosen_measure(results, measure)
    first, *others = results.runs
    common = set(first.topics).intersection(*(run.topics for run in others))
    topics = tuple(topic for topic in first.topics if topic in common)
    if not topics:
        raise UsageError("no topic that all runs have", remedy="evaluate with --topics judged")
    columns = []
    for run in results.runs:
        place = {topic: i for i, topic in enumerate(run.topics)}
        columns.append(score_of(run, name).values[[place[topic] for topic in topics]])
    score = score_of(first, name)
    return MeasureValues(
        measure=name,
        loss=score.loss,
        span=score.span,
        runs=tuple(run.name for run in results.runs),
        topics=topics,
        values=np.column_stack(columns),
    )


def require_runs(results: Results, least: int) -> None:
    """Raise UsageError if the results have fewer runs."""
    if len(results.runs) < least:
        raise UsageError(f"found {len(results.runs)} run to draw", expected=f"{least} runs or more")


def against_baseline(
    results: Results,
    measure: str | None,
    baseline: str | None,
    panel: Callable[[MeasureValues, int, int], Panel],
) -> tuple[Panel, ...]:
    """Return a panel for each run but the baseline, by default the first run.

    `panel` takes the values and the places of the baseline and the run. UsageError if the baseline
    is no run.
    """
    table = table_of(results, measure, least_runs=2)
    at = place_of(table.runs, baseline)
    return tuple(panel(table, at, i) for i in range(len(table.runs)) if i != at)


def by_measure(results: Results, data: Callable[..., Any], **options: Any) -> Iterator[Any]:
    """Yield the data of each measure of the results."""
    for measure in measure_names(results):
        yield data(results, measure, **options)


def panels_by_measure(
    results: Results, data: Callable[..., tuple[Any, ...]], baseline: str | None
) -> Iterator[Any]:
    """Yield the panels of all runs but the baseline, measure by measure."""
    for panels in by_measure(results, data, baseline=baseline):
        yield from panels


def named_topics(topics: tuple[str, ...], order: Integers) -> tuple[str, ...]:
    """Return the names of topics in an order."""
    return tuple(topics[i] for i in order.tolist())


def in_bins(values: Floats, n_bins: int) -> Floats:
    """Return the means of successive values, or rows, in bins; with more bins, values repeat.

    Bins differ by at most one value. One that is undefined does not count; NaN for a bin of none.
    """
    if n_bins >= len(values):
        return values[np.arange(n_bins) * len(values) // n_bins]
    first = np.arange(n_bins) * len(values) // n_bins
    defined = ~np.isnan(values)
    totals = np.add.reduceat(np.where(defined, values, 0.0), first, axis=0)
    n_defined = np.add.reduceat(defined.astype(int), first, axis=0)
    return np.where(n_defined > 0, totals / np.maximum(n_defined, 1), np.nan)


def short_number(value: float | None) -> str:
    """Return a number with four decimals, as tables of pictures have it."""
    return number(None if value is None else finite(value), 4)


def ends_of_mean(score: Score, level: float) -> tuple[float | None, float | None]:
    """Return the ends of the interval of a mean; (None, None) with fewer than two topics.

    They are those of Student's t; of a system of several runs, with the variance of topics and
    that of runs.
    """
    if not score.seeds:
        found = confidence_intervals(score.values, level=level)[0]
        return found.low, found.high
    by_run = np.stack([seed.values for seed in score.seeds], axis=1)
    return seeds_test(np.zeros((len(by_run), 1)), by_run, level=level)[1] or (None, None)


def seed_values(score: Score) -> Floats:
    """Return the value of each run of a system; none for one run."""
    return np.array([seed.aggregate for seed in score.seeds])


def mean_of(values: Floats) -> float:
    """Return the mean of the values that are defined; NaN if none is."""
    defined = values[~np.isnan(values)]
    return float(defined.mean()) if defined.size else np.nan


def values_by_seed(results: Results, table: MeasureValues, place: int) -> Floats:
    """Return the values of a run on the topics of a table, shape (topics, k) for k seeds."""
    run = results.runs[place]
    seeds = score_of(run, table.measure).seeds
    if not seeds:
        return table.values[:, [place]]
    at = {topic: i for i, topic in enumerate(run.topics)}
    chosen = [at[topic] for topic in table.topics]
    return np.stack([seed.values[chosen] for seed in seeds], axis=1)


def place_of(runs: tuple[str, ...], baseline: str | None) -> int:
    """Return the place of the baseline, by default the first; UsageError if it is no run."""
    if baseline is None:
        return 0
    if baseline not in runs:
        raise UsageError(
            f"the baseline '{baseline}' is not among the runs",
            expected=f"one of {', '.join(runs)}",
        )
    return runs.index(baseline)


def defined_values(values: Floats) -> Floats:
    """Return the values that are defined, in increasing order."""
    return np.sort(values[~np.isnan(values)])


def drawn_names(
    results: Results, baseline: str, sort: str | None = None, top: int | None = None
) -> list[str]:
    """Return the names of the runs that are drawn, in the order `value`, `name` or as given.

    With `top`, they are the best ones by the first measure, and the baseline; of a curve, those
    with the best mean over its places. Runs without a value come last.
    """
    runs = list(results.runs)
    by_value = [runs[i] for i in np.argsort([-_gain(run) for run in runs], kind="stable")]
    kept = [run.name for run in by_value[:top]]
    if baseline not in kept:
        kept[-1] = baseline
    orders = {"value": by_value, "name": in_order(runs, "name")}
    return [run.name for run in orders.get(sort or "", runs) if run.name in kept]


def with_runs(results: Results, names: Sequence[str]) -> Results:
    """Return the results of some runs, in the order of their names."""
    by_name = {run.name: run for run in results.runs}
    return replace(results, runs=tuple(by_name[name] for name in names))


def _gain(run: RunResult) -> float:
    """Return the value by which runs are sorted, more being better."""
    first = parse_measure(run.scores[0].measure).name
    same = [score for score in run.scores if parse_measure(score.measure).name == first]
    scores = same if len(same) > 2 else run.scores[:1]
    defined = [score.aggregate for score in scores if not np.isnan(score.aggregate)]
    if not defined:
        return -np.inf
    return float(np.mean(defined)) * (-1.0 if run.scores[0].loss else 1.0)
