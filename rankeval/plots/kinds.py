"""The kinds of plots: the data that each draws of some results."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from rankeval.base.frozen import frozen
from rankeval.errors import UsageError
from rankeval.evaluation.results import Results
from rankeval.measures import parse_measure
from rankeval.plots.between_measures import agreement_data
from rankeval.plots.by_cost import tradeoff_data
from rankeval.plots.by_run import box_data, ci_data, ranks_data
from rankeval.plots.curves import cutoff_data, judged_data, pr_data, prg_data
from rankeval.plots.needed import require_kind
from rankeval.plots.selection import Row, measure_names
from rankeval.plots.topic_data import heatmap_data, scatter_data, topics_data


@frozen
class Choices:
    """Choices that some kinds depend on beside the results.

    ======== =======================================================================================
    baseline name of the run that others are compared with, by default the first
    alpha    risk: intervals have the level 1 - alpha, mean ranks the critical difference at alpha
    costs    cost of each run, by name or path
    cost     name of the cost
    ======== =======================================================================================
    """

    baseline: str | None = None
    alpha: float = 0.05
    costs: Mapping[str, float] | None = None
    cost: str = "cost"


USUAL = Choices()


def plot_data(kind: str, results: Results, choices: Choices = USUAL) -> tuple[Any, ...]:
    """Return the data of every panel of a plot: by measure, and by run where each has its own."""
    require_kind(kind)
    return tuple(_DATA[kind](results, choices))


def rows_of(panels: tuple[Any, ...]) -> Iterator[Row]:
    """Yield the numbers of all panels, row by row, with the same columns in each row.

    Curves of several measures have a column `measure` and a column `value`.
    """
    for panel in panels:
        for row in panel.rows():
            if len(panels) > 1 and "measure" not in row:
                *names, last = row
                yield {**{n: row[n] for n in names}, "measure": last, "value": row[last]}
            else:
                yield row


def _each(results: Results, data: Callable[..., Any], **options: Any) -> Iterator[Any]:
    for measure in measure_names(results):
        yield data(results, measure, **options)


def _by_cutoff(results: Results, _: Choices) -> Iterator[Any]:
    families: dict[object, str] = {}
    for name in measure_names(results):
        measure = parse_measure(name)
        given = tuple(pair for pair in measure.given if pair[0] != "cutoff")
        if measure.definition.at == "cutoff" and "cutoff" in dict(measure.given):
            families.setdefault((measure.name, given), name)
    if not families:
        yield cutoff_data(results)
    for name in families.values():
        yield cutoff_data(results, name)


def _tradeoffs(results: Results, choices: Choices) -> Iterator[Any]:
    if choices.costs is None:
        raise UsageError(
            "'tradeoff' needs the cost of each run",
            remedy="add --run-costs FILE: a header, then lines of run and number",
        )
    for measure in measure_names(results):
        yield tradeoff_data(results, choices.costs, measure, cost=choices.cost)


_DATA: Mapping[str, Callable[[Results, Choices], Any]] = {
    "pr": lambda results, _: [pr_data(results)],
    "prg": lambda results, _: [prg_data(results)],
    "cutoff": _by_cutoff,
    "topics": lambda results, choices: [
        one for panels in _each(results, topics_data, baseline=choices.baseline) for one in panels
    ],
    "scatter": lambda results, choices: [
        one for panels in _each(results, scatter_data, baseline=choices.baseline) for one in panels
    ],
    "box": lambda results, _: _each(results, box_data),
    "heatmap": lambda results, _: _each(results, heatmap_data),
    "ci": lambda results, choices: _each(results, ci_data, level=1.0 - choices.alpha),
    "ranks": lambda results, choices: _each(results, ranks_data, alpha=choices.alpha),
    "agreement": lambda results, _: [agreement_data(results)],
    "tradeoff": _tradeoffs,
    "judged": lambda results, _: [judged_data(results)],
}
