"""Draw results on matplotlib's axes: one function for each kind of plot."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from rankeval.errors import UsageError
from rankeval.evaluation.results import Results
from rankeval.plots.between_measures import agreement_data
from rankeval.plots.by_cost import tradeoff_data
from rankeval.plots.by_run import box_data, ci_data, ranks_data
from rankeval.plots.curves import cutoff_data, judged_data, pr_data, prg_data
from rankeval.plots.kinds_drawn import DRAWINGS
from rankeval.plots.look import WIDTHS, folded, letters_of, look, require_matplotlib, width_of
from rankeval.plots.topic_data import heatmap_data, scatter_data, topics_data
from rankeval.plots.whole_figure import legend_handles, name_entries

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def pr(results: Results, ax: "Axes | None" = None) -> "Axes":
    """Draw interpolated precision by recall, averaged over topics.

    The results hold the measures that `rankeval.plots.measures("pr")` names. Without `ax`, this and
    all functions here make a figure. UsageError if matplotlib is not installed.
    """
    return _drawn("pr", pr_data(results), ax)


def prg(results: Results, ax: "Axes | None" = None) -> "Axes":
    """Draw precision-recall-gain curves with convex hulls, on lines of equal F gain.

    The results hold the measures that `rankeval.plots.measures("prg")` names.
    """
    return _drawn("prg", prg_data(results), ax)


def cutoff(results: Results, ax: "Axes | None" = None, measure: str | None = None) -> "Axes":
    """Draw a measure by cutoff.

    The results hold the measures that `rankeval.plots.measures("cutoff", measure)` names.
    """
    return _drawn("cutoff", cutoff_data(results, measure), ax)


def topics(
    results: Results,
    ax: "Axes | None" = None,
    measure: str | None = None,
    *,
    baseline: str | None = None,
    run: str | None = None,
) -> "Axes":
    """Draw a run's differences from the baseline by topic, as sorted bars.

    The baseline is by default the first run, and the run the first other one.
    """
    return _drawn("topics", _of_run(topics_data(results, measure, baseline=baseline), run), ax)


def scatter(
    results: Results,
    ax: "Axes | None" = None,
    measure: str | None = None,
    *,
    baseline: str | None = None,
    run: str | None = None,
) -> "Axes":
    """Draw a run's values against those of the baseline, topic by topic.

    The baseline is by default the first run, and the run the first other one.
    """
    return _drawn("scatter", _of_run(scatter_data(results, measure, baseline=baseline), run), ax)


def box(results: Results, ax: "Axes | None" = None, measure: str | None = None) -> "Axes":
    """Draw the distribution of each run's values over topics."""
    return _drawn("box", box_data(results, measure), ax)


def heatmap(results: Results, ax: "Axes | None" = None, measure: str | None = None) -> "Axes":
    """Draw the values of all runs on all topics as shades."""
    return _drawn("heatmap", heatmap_data(results, measure), ax)


def ci(
    results: Results,
    ax: "Axes | None" = None,
    measure: str | None = None,
    *,
    level: float = 0.95,
) -> "Axes":
    """Draw the mean of each run with its confidence interval, the best run at the top."""
    return _drawn("ci", ci_data(results, measure, level=level), ax)


def ranks(
    results: Results,
    ax: "Axes | None" = None,
    measure: str | None = None,
    *,
    alpha: float = 0.05,
) -> "Axes":
    """Draw a critical-difference diagram of mean ranks."""
    return _drawn("ranks", ranks_data(results, measure, alpha=alpha), ax)


def agreement(results: Results, ax: "Axes | None" = None, *, statistic: str = "tau") -> "Axes":
    """Draw Kendall's `tau`, or `tau_ap`, between the measures of the results."""
    if statistic not in ("tau", "tau_ap"):
        raise UsageError(f"there is no statistic '{statistic}'", expected="tau or tau_ap")
    return _drawn("agreement", (agreement_data(results), statistic), ax)


def tradeoff(
    results: Results,
    costs: Mapping[str, float],
    ax: "Axes | None" = None,
    measure: str | None = None,
    *,
    cost: str = "cost",
) -> "Axes":
    """Draw value against cost of each run; runs on the Pareto front are filled and joined."""
    return _drawn("tradeoff", tradeoff_data(results, costs, measure, cost=cost), ax)


def judged(results: Results, ax: "Axes | None" = None) -> "Axes":
    """Draw the share of unjudged documents by rank.

    The results hold the measures that `rankeval.plots.measures("judged")` names.
    """
    return _drawn("judged", judged_data(results), ax)


def _of_run(panels: tuple[Any, ...], run: str | None) -> Any:
    """Return the panel of a run, by default the first."""
    for panel in panels:
        if run in (None, panel.run):
            return panel
    raise UsageError(
        f"'{run}' is not among the runs beside the baseline",
        expected=f"one of {', '.join(panel.run for panel in panels)}",
    )


def _drawn(kind: str, data: Any, ax: "Axes | None") -> "Axes":
    """Draw on the axes, or on those of a new figure."""
    require_matplotlib()
    drawing = DRAWINGS[kind]
    if ax is None:
        from matplotlib import pyplot as plt

        with look():
            width = WIDTHS["page"]
            size = (width, drawing.panel_inches(data, width, alone=True))
            made = plt.figure(figsize=size, layout="constrained").subplots()
            drawing.draw(data, made, 1.0)
            _legend(kind, data, made)
            return made
    drawing.draw(data, ax, float(ax.get_position().width))
    _legend(kind, data, ax)
    return ax


def _legend(kind: str, data: Any, ax: "Axes") -> None:
    drawing = DRAWINGS[kind]
    if drawing.legend is None:
        return
    letters = letters_of(width_of(ax), 0.4)
    entries = [folded(name, letters) for name in drawing.legend(data)]
    legend = ax.legend(
        *legend_handles(len(entries), markers=drawing.markers), handlelength=2.8, loc="best"
    )
    name_entries(legend, entries)
