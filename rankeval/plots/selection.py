"""The measures that a kind of plot draws, and the runs, topics and values of results."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib import import_module
from typing import Any

import numpy as np

from rankeval.base.arrays import Floats
from rankeval.base.frozen import record, replace
from rankeval.choices import RunOrder
from rankeval.errors import UsageError
from rankeval.evaluation.comparable_runs import over_common_topics, score_of
from rankeval.evaluation.results import Results, RunResult, Score, Span, in_order
from rankeval.measures import Measure, parse_measure, parse_measures
from rankeval.plots.kinds import CHOICES, USUAL, Choices, Form, Row, kind_named
from rankeval.stats import confidence_intervals
from rankeval.stats.checked_arrays import Ends
from rankeval.stats.mean_tests import seeds_test

LEVELS = tuple(level / 100 for level in range(101))
"""Levels of recall and of recall gain, with the usual eleven among them."""

CUTOFFS = (*range(1, 21), *range(25, 51, 5), *range(60, 101, 10))
RANKS = tuple(range(1, 101))


def measures(kind: str, asked: str | Iterable[str] | None = None) -> list[str]:
    """Return the names of the measures to evaluate for a kind of plot.

    `asked` are the measures to draw, by default usual ones; of "cutoff" they may have cutoffs.
    Raise UsageError for a kind that does not exist, or measures that a kind cannot draw.

    >>> measures("box"), measures("cutoff", "P@1,10")
    (['nDCG@10'], ['P@1', 'P@10'])
    """
    record = kind_named(kind)
    has_own = bool(record.over) and record.measures != USUAL
    if has_own and asked is not None:
        raise UsageError(f"'{kind}' draws measures of its own", remedy="drop -m")
    joined = asked if isinstance(asked, str) or asked is None else " ".join(asked)
    found = [named.measure for named in parse_measures(joined or record.measures)]
    if not record.over:
        return list(dict.fromkeys(map(str, found)))
    usual = CUTOFFS if not has_own else RANKS if record.over == "cutoff" else LEVELS

    def moved(measure: Measure, place: float) -> str:
        return str(measure.definition.measure({**dict(measure.given), record.over: place}))

    names, swept = [], dict[str, tuple[Measure, set[Any]]]()
    for measure in found:
        if measure.definition.at == record.over:
            _, given = swept.setdefault(moved(measure, usual[0]), (measure, set()))
            given |= {measure.parameters[record.over]} - {None}
        elif has_own:
            names.append(str(measure))
        else:
            raise UsageError(
                f"{measure} has no cutoff to draw it over",
                expected="a measure such as nDCG, or P@1,5,10 for these cutoffs",
            )
    for measure, given in swept.values():
        places = usual if has_own or len(given) < 2 else sorted(given)
        names += [moved(measure, place) for place in places]
    return list(dict.fromkeys(names))


@record
class MeasureValues:
    """The values of one measure on the topics that all runs have.

    ======= ==================================================================================
    loss    True when smaller is better
    span    least and greatest value that a topic can have; None where that is not known
    runs    names, in the order of the results
    topics  names, in the order of the first run
    values  shape (topics, runs); NaN where undefined
    ======= ==================================================================================
    """

    loss: bool
    span: Span
    runs: tuple[str, ...]
    topics: tuple[str, ...]
    values: Floats


def measure_names(results: Results) -> tuple[str, ...]:
    """Return the canonical names of the measures of topics; UsageError if there is none."""
    names = dict.fromkeys(score.measure for score in results.runs[0].scores if score.has_topics)
    if not names:
        raise UsageError(
            "each measure of the results is one number for a whole run",
            expected="a measure of topics, such as nDCG@10",
        )
    return tuple(names)


def table_of(results: Results, measure: str, *, least_runs: int = 1) -> MeasureValues:
    """Return the values of a measure on the topics that all runs have.

    Raise UsageError if there are fewer runs than a plot needs, or no common topic.
    """
    require_runs(results, least_runs)
    runs = over_common_topics(results.runs)
    scores = [score_of(run, measure) for run in runs]
    return MeasureValues(
        loss=scores[0].loss,
        span=scores[0].span,
        runs=tuple(run.name for run in runs),
        topics=runs[0].topics,
        values=np.column_stack([score.values for score in scores]),
    )


def require_runs(results: Results, least: int) -> None:
    """Raise UsageError if the results have fewer runs."""
    if len(results.runs) < least:
        raise UsageError(f"found {len(results.runs)} run to draw", expected=f"{least} runs or more")


def in_bins(values: Floats, n_bins: int) -> Floats:
    """Return the means of successive values, or rows, in bins; with more bins, values repeat.

    Bins differ by at most one value. One that is undefined does not count; NaN for a bin of none.
    """
    first = np.arange(n_bins) * len(values) // n_bins
    if n_bins >= len(values):
        return values[first]
    defined = ~np.isnan(values)
    totals = np.add.reduceat(np.where(defined, values, 0.0), first, axis=0)
    n_defined = np.add.reduceat(defined.astype(int), first, axis=0)
    return np.where(n_defined > 0, totals / np.maximum(n_defined, 1), np.nan)


def ends_of_mean(score: Score, level: float) -> Ends:
    """Return the ends of the interval of a mean; (None, None) with fewer than two topics.

    They are those of Student's t; of a system of several runs, with the variance of topics and
    that of runs.
    """
    if not score.seeds:
        found = confidence_intervals(score.values, level=level)[0]
        return found.low, found.high
    by_run = np.stack([seed.values for seed in score.seeds], axis=1)
    return seeds_test(np.zeros((len(by_run), 1)), by_run, level=level)[1] or (None, None)


def mean_of(values: Floats) -> float:
    """Return the mean of the values that are defined; NaN if none is."""
    defined = values[~np.isnan(values)]
    return float(defined.mean()) if defined.size else np.nan


def best_runs(results: Results, top: int | None) -> Results:
    """Return the results of the best runs by the first measure, and of the first run, the baseline.

    Of a curve, they are those with the best mean over its places.
    """
    kept = [run.name for run in in_drawing_order(results, "value")[:top]]
    if results.runs[0].name not in kept:
        kept[-1] = results.runs[0].name
    return replace(results, runs=tuple(run for run in results.runs if run.name in kept))


def in_drawing_order(results: Results, sort: RunOrder) -> list[RunResult]:
    """Return the runs by value, the best first and those without one last, by name or as given."""
    runs = list(results.runs)
    if sort == "value":
        return [runs[i] for i in np.argsort([-_gain(run) for run in runs], kind="stable")]
    return in_order(runs, "name") if sort == "name" else runs


def _gain(run: RunResult) -> float:
    """Return the value by which runs are sorted, more being better."""
    first = parse_measure(run.scores[0].measure).name
    same = [score for score in run.scores if parse_measure(score.measure).name == first]
    scores = same if len(same) > 2 else run.scores[:1]
    defined = [score.aggregate for score in scores if not np.isnan(score.aggregate)]
    if not defined:
        return -np.inf
    return float(np.mean(defined)) * (-1.0 if run.scores[0].loss else 1.0)


def plot_data(kind: str, results: Results, choices: Choices = CHOICES) -> tuple[Form, ...]:
    """Return every panel of a plot: by measure, and by run where each run has its own."""
    record = kind_named(kind)
    function: Callable[..., Form | tuple[Form, ...]]
    function = getattr(import_module(record.module), kind)
    panels: list[Form] = []
    for measure in [""] if record.together or record.over else measure_names(results):
        found = function(results, measure, choices)
        panels += found if isinstance(found, tuple) else [found]
    return tuple(panels)


def arranged(panels: Sequence[Form], order: Sequence[str]) -> tuple[Form, ...]:
    """Return the panels with their runs in an order; those of a run follow it for each measure."""
    measures = list(dict.fromkeys(panel.measure for panel in panels))

    def place(panel: Form) -> tuple[int, int]:
        alone = len(panel.runs) == 1
        return measures.index(panel.measure), order.index(panel.runs[0]) if alone else 0

    return tuple(sorted((panel.only(order) for panel in panels), key=place))


def rows_of(panels: Sequence[Form]) -> Iterator[Row]:
    """Yield the numbers of all panels, row by row, with the same columns in each row.

    Curves of several measures have a column `measure` and a column `value`.
    """
    for panel in panels:
        for row in panel.records:
            if len(panels) > 1 and "measure" not in row:
                *names, last = row
                yield {**{n: row[n] for n in names}, "measure": last, "value": row[last]}
            else:
                yield row
