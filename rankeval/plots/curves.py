"""Curves of runs: precision by recall, and a measure or unjudged documents by cutoff."""

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from rich.text import Text

from rankeval.base.frozen import frozen
from rankeval.base.wording import finite, visible
from rankeval.errors import UsageError
from rankeval.evaluation.results import Results
from rankeval.measures import Measure, parse_measure
from rankeval.plots.canvas import Axis, canvas_beside, colour, framed, legend, letter
from rankeval.plots.fewer_runs import FewerRuns, only_fields
from rankeval.plots.kinds import (
    Choices,
    Drawing,
    InReports,
    Numbers,
    PlotKind,
    Row,
    Screen,
    register,
)
from rankeval.plots.look import curve_inches, identity, label
from rankeval.plots.needed import LEVELS, RANKS, at_place, only_measure
from rankeval.plots.selection import chosen_measure, mean_of, measure_names, score_of, short_number
from rankeval.stats.checked_arrays import Floats

if TYPE_CHECKING:
    from matplotlib.axes import Axes


ELEVEN = tuple(level / 10 for level in range(11))
"""The usual levels of recall."""


UNJUDGED = "unjudged"
"""The value of curves of unjudged documents."""

MARKED = 10
"""About this many places of a curve have a marker."""


@frozen(eq=False)
class Curves:
    """One curve for each run, over the same places.

    ======= ==================================================================================
    measure what is drawn, such as IPrec or nDCG
    axis    name of the places: recall or cutoff
    runs    names
    x       places, shape (places,), increasing
    y       means over topics, shape (runs, places); NaN where undefined for all topics
    loss    True when smaller is better
    ======= ==================================================================================
    """

    measure: str
    axis: str
    runs: tuple[str, ...]
    x: Floats
    y: Floats
    loss: bool = False

    @property
    def drawn(self) -> slice:
        """The places from the first to the last that is defined for some run."""
        there = np.flatnonzero(~np.isnan(self.y).all(axis=0))
        return slice(int(there[0]), int(there[-1]) + 1) if there.size else slice(None)

    def rows(self) -> Iterator[Row]:
        """Yield a row per run and place."""
        places = self.x.tolist() if self.axis == "recall" else self.x.astype(int).tolist()
        for run, heights in zip(self.runs, self.y, strict=True):
            for place, height in zip(places, heights, strict=True):
                yield {"run": run, self.axis: place, self.measure: finite(height)}


def pr_data(results: Results) -> Curves:
    """Return interpolated precision at levels of recall, averaged over topics.

    The results hold IPrec at the levels, as `rankeval.evaluate(qrels, runs, measures("pr"))` gives.

    Source: Salton and McGill, Introduction to Modern Information Retrieval, 1983, chapter 5.
    """
    return _curves(results, "IPrec", "recall", "pr")


def cutoff_data(results: Results, measure: str | None = None) -> Curves:
    """Return a measure at several cutoffs, averaged over topics.

    The results hold the measure at the cutoffs, as `measures("cutoff", "nDCG@10")` names them.
    `measure` is one of them, at any cutoff, by default the first with a cutoff.
    """
    name = None if measure is None else parse_measure(measure).name
    return _curves(results, name, "cutoff", "cutoff", like=measure)


def judged_data(results: Results) -> Curves:
    """Return the share of unjudged documents among the first k, over all topics.

    The results hold Unjudged@k and NumRet@k, as `measures("judged")` names them: k times Unjudged@k
    is the number of unjudged documents, and NumRet@k that of all.

    Edge cases
        - A topic with fewer than k documents: those that it has count.
        - No topic has a document: NaN.
    """
    unjudged = swept(results, "Unjudged", "cutoff", "judged")
    retrieved = swept(results, "NumRet", "cutoff", "judged")
    if unjudged.places != retrieved.places:
        raise lacking("judged")
    cutoffs = np.array(unjudged.places)
    counts = np.array([[np.sum(values) for values in run] for run in unjudged.values]) * cutoffs
    there = np.array([[np.sum(values) for values in run] for run in retrieved.values])
    share = np.where(there > 0, counts / np.maximum(there, 1.0), np.nan)
    return Curves(UNJUDGED, "cutoff", unjudged.runs, cutoffs, share, unjudged.loss)


@frozen(eq=False)
class Swept:
    """The values of one measure at several places, by run and then by place."""

    measure: str
    runs: tuple[str, ...]
    places: tuple[float, ...]
    values: Sequence[Sequence[Floats]]
    loss: bool


def _curves(
    results: Results, name: str | None, at: str, kind: str, like: str | None = None
) -> Curves:
    found = swept(results, name, at, kind, like)
    heights = np.array([[mean_of(values) for values in run] for run in found.values])
    x = np.array(found.places, dtype=float)
    return Curves(found.measure, at, found.runs, x, heights, found.loss)


def swept(results: Results, name: str | None, at: str, kind: str, like: str | None = None) -> Swept:
    """Find the scores of a measure that differ in nothing but the place after @."""
    wanted = parse_measure(like) if like else None
    places: dict[float, str] = {}
    family = ""
    for score in results.runs[0].scores:
        measure = parse_measure(score.measure)
        given = dict(measure.given)
        place = given.pop(at, None)
        if name not in (None, measure.name) or measure.definition.at != at or place is None:
            continue
        if wanted and {k: v for k, v in wanted.given if k != at} != given:
            continue
        this = measure.name + (
            f"({', '.join(f'{k}={v}' for k, v in given.items())})" if given else ""
        )
        if this == (family or this) and isinstance(place, int | float):
            family = this
            places[place] = score.measure
    if not places:
        if like is not None:
            chosen_measure(results, like)
        raise lacking(kind)
    ordered = sorted(places)
    return Swept(
        measure=family,
        runs=tuple(run.name for run in results.runs),
        places=tuple(ordered),
        values=[
            [values[places[place]] for place in ordered]
            for values in ({s.measure: s.values for s in run.scores} for run in results.runs)
        ],
        loss=score_of(results.runs[0], places[ordered[0]]).loss,
    )


def lacking(kind: str) -> UsageError:
    """Return the error for results without the measures of a kind."""
    return UsageError(
        f"the results lack the measures that '{kind}' draws",
        remedy=f"evaluate the runs with rankeval.plots.measures('{kind}')",
    )


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


def _draw_pr(data: Curves, ax: "Axes", _: float) -> None:
    """Draw interpolated precision by recall, with markers at the usual eleven levels."""
    for i in range(len(data.runs)):
        curve(ax, i, data.x, data.y[i], marked_places(data, i))
    ax.set_xlim(-0.01, 1.01)
    ax.set_ylim(0.0, 1.02)
    ax.set_xlabel("recall")
    ax.set_ylabel("interpolated precision")


def _draw_cutoff(data: Curves, ax: "Axes", _: float) -> None:
    """Draw a measure by cutoff, on a logarithmic axis."""
    from matplotlib.ticker import FixedLocator, NullLocator, StrMethodFormatter

    _by_place(data, ax)
    first, last = data.x[data.drawn][[0, -1]].tolist()
    ax.set_xscale("log")
    ax.set_xlim(first / 1.04, last * 1.04)
    inside = [tick for tick in ROUND_CUTOFFS if first <= tick <= last]
    ticks = inside if len(inside) > 1 else sorted({first, last})
    ax.xaxis.set_major_locator(FixedLocator(ticks))
    ax.xaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
    ax.xaxis.set_minor_locator(NullLocator())
    ax.set_xlabel("cutoff k")
    ax.set_ylabel(f"mean {label(data.measure)}@k")


def _draw_judged(data: Curves, ax: "Axes", _: float) -> None:
    """Draw the share of unjudged documents among the first k."""
    _by_place(data, ax)
    known = data.y[~np.isnan(data.y)]
    most = float(known.max()) if known.any() else 1.0
    ax.set_ylim(0.0, min(1.02, 1.08 * most))
    ax.set_xlabel("k")
    ax.set_ylabel("share unjudged in the top k")


ROUND_CUTOFFS = [digit * 10**power for power in range(7) for digit in (1, 2, 5)]
"""Cutoffs that an axis names."""


def _by_place(data: Curves, ax: "Axes") -> None:
    for i in range(len(data.runs)):
        curve(ax, i, data.x, data.y[i], marked_places(data, i))
    first, last = data.x[data.drawn][[0, -1]].tolist()
    ax.set_xlim(first - 0.01 * (last - first) - 0.1, last + 0.01 * (last - first) + 0.1)


def curve(ax: "Axes", place: int, x: Floats, y: Floats, marked: Sequence[int]) -> None:
    """Draw the line of a run, with markers at some places."""
    colour, dashes, marker = identity(place)
    ax.plot(
        x,
        y,
        color=colour,
        linestyle=dashes,
        marker=marker,
        markevery=list(marked),
        markersize=3.0,
        gid=f"run{place}",
    )


def marked_places(data: Curves, run: int) -> Sequence[int]:
    """Return the places of a run's curve that have a marker."""
    if data.axis == "recall":
        return [int(np.abs(data.x - level).argmin()) for level in ELEVEN]
    # Neighbours have their markers at different places.
    step = max(1, len(data.x) // MARKED)
    return range(run % step, len(data.x), step)


def _in_terminal(data: Curves, screen: Screen) -> list[Text]:
    of_judged = data.measure == UNJUDGED
    least = (0.0, 1.0) if data.axis == "recall" else (0.0,) if of_judged else ()
    y = Axis.over(data.y.ravel(), least=least)
    name = "share unjudged in the top k" if of_judged else f"mean {visible(data.measure)}"
    logarithmic = data.axis == "cutoff" and not of_judged
    place = "cutoff, logarithmic" if logarithmic else "k" if of_judged else data.axis
    drawn = data.drawn
    return lines_of(
        data.runs,
        data.x[drawn],
        data.y[:, drawn],
        y,
        screen,
        (place, name),
        logarithmic=logarithmic,
    )


def lines_of(
    runs: Sequence[str],
    x: Floats,
    y: Floats,
    axis: Axis,
    screen: Screen,
    axis_names: tuple[str, str],
    notes: Sequence[str] = (),
    *,
    logarithmic: bool = False,
) -> list[Text]:
    """Draw a line for each run, with its letter on it at several places.

    `axis` is that of y, and `axis_names` are those of x and y; `logarithmic` is about x.
    """
    names = legend(runs, screen.width, notes=notes)
    across = np.log(x) if logarithmic else x
    canvas = canvas_beside(screen, Axis.over(across), axis, len(names))
    for i, heights in enumerate(y):
        canvas.line(across, heights, colour(i))
    marks = max(2, canvas.width // 24)
    for i, heights in enumerate(y):
        for k in range(marks):
            share = (k + (i + 0.5) / len(y)) / marks
            at = canvas.x.low + share * (canvas.x.high - canvas.x.low)
            height = float(np.interp(at, across, heights))
            canvas.mark(at, height, letter(i), f"bold {colour(i)}")
    canvas.x = Axis.over(x)
    return [*framed(canvas, *axis_names, unicode=screen.unicode), *names]


def _numbers(data: Curves) -> Iterator[Numbers]:
    chosen = np.flatnonzero(np.isin(data.x, _places(data.axis)))
    titles = {"IPrec": "Interpolated precision", UNJUDGED: "Share of unjudged documents"}
    yield Numbers(
        f"{titles.get(data.measure, data.measure)} by {data.axis}",
        ("Run", *(f"{place:g}" for place in data.x[chosen])),
        tuple(
            (run, *map(short_number, heights[chosen]))
            for run, heights in zip(data.runs, data.y, strict=True)
        ),
    )


def _places(axis: str) -> tuple[float, ...]:
    """Return the places of a curve that its table shows."""
    return ELEVEN if axis == "recall" else (1, 2, 3, 5, 10, 20, 30, 50, 100)


def _over_recall(found: Sequence[Measure], _: Sequence[int]) -> list[str]:
    one = only_measure(found, "pr", "IPrec")
    return [at_place(one, "recall", level) for level in LEVELS]


def _over_cutoffs(found: Sequence[Measure], cutoffs: Sequence[int]) -> list[str]:
    for one in found:
        if one.definition.at != "cutoff":
            raise UsageError(
                f"{one} has no cutoff to draw it over", expected="a measure such as nDCG@10 or P@5"
            )
    return [at_place(one, "cutoff", cutoff) for one in found for cutoff in cutoffs]


def _over_ranks(found: Sequence[Measure], _: Sequence[int]) -> list[str]:
    only_measure(found, "judged", "Unjudged")
    return [f"{name}@{rank}" for rank in RANKS for name in ("Unjudged", "NumRet")]


def _register(
    name: str,
    data: Callable[[Results, Choices], Any],
    draw: Callable[[Curves, "Axes", float], None],
    report: InReports,
    sweep: Callable[[Sequence[Measure], Sequence[int]], list[str]],
    **more: Any,
) -> None:
    columns = (2, 1) if name == "cutoff" else (1, 1)
    drawing = Drawing(
        draw,
        curve_inches,
        columns,
        legend=lambda data: data.runs,
        fewer=FewerRuns(
            lambda data: list(map(mean_of, data.y)), only_fields("runs", by_row=("y",))
        ),
    )
    register(PlotKind(name, data, drawing, _in_terminal, report, sweep=sweep, **more))


_register(
    "pr",
    lambda results, _: [pr_data(results)],
    _draw_pr,
    InReports(
        5,
        "Precision and recall",
        "Interpolated precision at levels of recall, averaged over topics.",
        _numbers,
    ),
    _over_recall,
)
_register(
    "cutoff",
    _by_cutoff,
    _draw_cutoff,
    InReports(
        8,
        "Values by cutoff",
        "The measure at other cutoffs, averaged over topics.",
        _numbers,
    ),
    _over_cutoffs,
    option="--cutoffs",
)
_register(
    "judged",
    lambda results, _: [judged_data(results)],
    _draw_judged,
    InReports(
        9,
        "Unjudged documents",
        "Share of the first k documents that are unjudged, over all topics.",
        _numbers,
    ),
    _over_ranks,
)
