"""The share of topics up to each value, by run."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from rich.text import Text

from rankeval.base.frozen import frozen
from rankeval.base.wording import visible
from rankeval.evaluation.results import Results
from rankeval.plots.canvas import Axis
from rankeval.plots.curves import MARKED, lines_of
from rankeval.plots.fewer_runs import FewerRuns, only_fields
from rankeval.plots.kinds import Drawing, PlotKind, Row, Screen, register
from rankeval.plots.look import curve_inches, identity, label
from rankeval.plots.selection import by_measure, chosen_measure, defined_values, score_of
from rankeval.stats.checked_arrays import Floats

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@frozen(eq=False)
class Distributions:
    """The empirical distribution functions of all runs.

    ======= ========================================================================================
    measure canonical name
    loss    True when smaller is better
    span    least and greatest value that a topic can have; None where that is not known
    runs    names
    values  of each run the values of its topics, each once and increasing
    shares  of each run the shares of its topics up to each of these values
    ======= ========================================================================================
    """

    measure: str
    loss: bool
    span: tuple[float, float] | None
    runs: tuple[str, ...]
    values: tuple[Floats, ...]
    shares: tuple[Floats, ...]

    def rows(self) -> Iterator[Row]:
        """Yield a row per run and value."""
        for run, values, shares in zip(self.runs, self.values, self.shares, strict=True):
            for value, share in zip(values.tolist(), shares.tolist(), strict=True):
                yield {"run": run, "measure": self.measure, "value": value, "share": share}

    @property
    def ends(self) -> tuple[float, float]:
        """The ends of the axis of values: those of the measure, or those that occur."""
        if self.span:
            return self.span
        found = [v for values in self.values for v in values.tolist()]
        return (min(found), max(found)) if found else (0.0, 1.0)


def ecdf_data(results: Results, measure: str | None = None) -> Distributions:
    r"""Return the share of topics up to each value that occurs, by run.

    .. math:: F(x) = \frac{1}{n} \sum_{t=1}^{n} [x_t \le x]

    with the values x of n topics. Where the curve of one run lies below that of another, it has
    more topics with higher values.

    Edge cases
        - Topics without a value are left out.
        - No topic with a value: an empty curve.
    """
    name = chosen_measure(results, measure)
    scores = [score_of(run, name) for run in results.runs]
    steps = [_steps(defined_values(score.values)) for score in scores]
    return Distributions(
        measure=name,
        loss=scores[0].loss,
        span=scores[0].span,
        runs=tuple(run.name for run in results.runs),
        values=tuple(values for values, _ in steps),
        shares=tuple(shares for _, shares in steps),
    )


def _steps(increasing: Floats) -> tuple[Floats, Floats]:
    values, counts = np.unique(increasing, return_counts=True)
    return values, np.cumsum(counts) / max(1, len(increasing))


def _draw(data: Distributions, ax: "Axes", _: float) -> None:
    """Draw a step function for each run."""
    low, high = data.ends
    for i, (values, shares) in enumerate(zip(data.values, data.shares, strict=True)):
        colour, dashes, marker = identity(i)
        step = max(1, len(values) // MARKED)
        ax.plot(
            [low, *values.tolist(), high],
            [0.0, *shares.tolist(), shares[-1] if len(shares) else np.nan],
            drawstyle="steps-post", color=colour, linestyle=dashes, marker=marker,
            markersize=3.0, markevery=(1 + i % step, step), gid=f"run{i}",
        )  # fmt: skip
    pad = 0.01 * ((high - low) or 1.0)
    ax.set_xlim(low - pad, high + pad)
    ax.set_ylim(0.0, 1.02)
    ax.set_xlabel(label(data.measure))
    ax.set_ylabel("share of topics")


def _in_terminal(data: Distributions, screen: Screen) -> list[Text]:
    x = np.linspace(*data.ends, 201)
    heights = [
        np.concatenate([[0.0], shares])[np.searchsorted(values, x, side="right")]
        for values, shares in zip(data.values, data.shares, strict=True)
    ]
    name = visible(data.measure)
    y_name = "share of topics up to a value"
    return lines_of(data.runs, x, np.array(heights), Axis(0.0, 1.0), screen, (name, y_name))


def _mean(values: Floats, shares: Floats) -> float:
    """Return the mean over topics, from their distribution; NaN without one."""
    return float(values @ np.diff(shares, prepend=0.0)) if values.size else np.nan


register(
    PlotKind(
        "ecdf",
        lambda results, _: by_measure(results, ecdf_data),
        Drawing(
            _draw,
            curve_inches,
            (2, 1),
            legend=lambda data: data.runs,
            fewer=FewerRuns(
                lambda data: list(map(_mean, data.values, data.shares)),
                only_fields("runs", "values", "shares"),
            ),
        ),
        _in_terminal,
        None,
        collections=True,
    )
)
