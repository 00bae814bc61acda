"""Precision by recall, gain curves, measures by cutoff, and distributions: a line for each run."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from rankeval.base.frozen import frozen
from rankeval.errors import UsageError
from rankeval.evaluation.results import Results
from rankeval.measures import Measure, parse_measure
from rankeval.plots.kinds import Choices, InReports
from rankeval.plots.line_form import ELEVEN, Line, Lines, draw, numbers_at, register_lines
from rankeval.plots.look import identity, rule
from rankeval.plots.needed import LEVELS, RANKS, at_place, only_measure
from rankeval.plots.selection import (
    by_measure,
    chosen_measure,
    defined_values,
    mean_of,
    measure_names,
    score_of,
)
from rankeval.stats.checked_arrays import Floats

if TYPE_CHECKING:
    from matplotlib.axes import Axes

F_GAINS = (0.2, 0.4, 0.6, 0.8)
"""The F gains whose isometrics are drawn."""

MOST_HULLS = 8
"""The hulls of more runs would hide the curves."""

TABLED = (1, 2, 3, 5, 10, 20, 30, 50, 100)
"""The cutoffs in tables of reports."""


@frozen(eq=False)
class Swept:
    """A measure at several places.

    ======= ========================================================================================
    measure without its place
    loss    True when smaller is better
    places  increasing
    values  of the topics, by run and then by place
    ======= ========================================================================================
    """

    measure: str
    loss: bool
    places: Floats
    values: Sequence[Sequence[Floats]]

    @property
    def means(self) -> Floats:
        """Means over topics, shape (runs, places); NaN where undefined for all topics."""
        return np.array([[mean_of(values) for values in run] for run in self.values])


def _swept(
    results: Results, name: str | None, at: str, kind: str, like: str | None = None
) -> Swept:
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
        parameters = ", ".join(f"{k}={v}" for k, v in given.items())
        this = f"{measure.name}({parameters})" if parameters else measure.name
        if this == (family or this) and isinstance(place, int | float):
            family = this
            places[place] = score.measure
    if not places:
        if like is not None:
            chosen_measure(results, like)
        raise _lacking(kind)
    ordered = sorted(places)
    by_run = [{score.measure: score.values for score in run.scores} for run in results.runs]
    return Swept(
        measure=family,
        loss=score_of(results.runs[0], places[ordered[0]]).loss,
        places=np.array(ordered),
        values=[[values[places[place]] for place in ordered] for values in by_run],
    )


def _lacking(kind: str) -> UsageError:
    return UsageError(
        f"the results lack the measures that '{kind}' draws",
        remedy=f"evaluate the runs with rankeval.plots.measures('{kind}')",
    )


def _lines(results: Results, columns: tuple[str, str], x: Floats, y: Floats) -> tuple[Line, ...]:
    """Return lines over the same places; `y` has a row for each run."""
    return tuple(
        Line(run.name, dict(zip(columns, (x, heights), strict=True)), mean_of(heights))
        for run, heights in zip(results.runs, y, strict=True)
    )


def pr_data(results: Results) -> Lines:
    """Return interpolated precision at levels of recall, averaged over topics.

    The results hold IPrec at the levels, as `rankeval.evaluate(qrels, runs, measures("pr"))` gives.

    Source: Salton and McGill, Introduction to Modern Information Retrieval, 1983, chapter 5.
    """
    found = _swept(results, "IPrec", "recall", "pr")
    return Lines(
        found.measure,
        found.loss,
        ("recall", "interpolated precision"),
        _lines(results, ("recall", found.measure), found.places, found.means),
        ends=(0.0, 1.0),
        limits=(0.0, 1.0),
    )


def cutoff_data(results: Results, measure: str | None = None) -> Lines:
    """Return a measure at several cutoffs, averaged over topics.

    The results hold the measure at the cutoffs, as `measures("cutoff", "nDCG@10")` names them.
    `measure` is one of them, at any cutoff, by default the first with a cutoff.
    """
    name = None if measure is None else parse_measure(measure).name
    found = _swept(results, name, "cutoff", "cutoff", like=measure)
    return Lines(
        found.measure,
        found.loss,
        ("cutoff k", f"mean {found.measure}@k"),
        _lines(results, ("cutoff", found.measure), found.places, found.means),
        logarithmic=True,
    )


def _by_cutoff(results: Results, _: Choices) -> Iterator[Lines]:
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


def judged_data(results: Results) -> Lines:
    """Return the share of unjudged documents among the first k, over all topics.

    The results hold Unjudged@k and NumRet@k, as `measures("judged")` names them: k times Unjudged@k
    is the number of unjudged documents, and NumRet@k that of all.

    Edge cases
        - A topic with fewer than k documents: those that it has count.
        - No topic has a document: NaN.
    """
    unjudged = _swept(results, "Unjudged", "cutoff", "judged")
    retrieved = _swept(results, "NumRet", "cutoff", "judged")
    if unjudged.places.tolist() != retrieved.places.tolist():
        raise _lacking("judged")
    sums = [
        np.array([[np.sum(values) for values in run] for run in found.values])
        for found in (unjudged, retrieved)
    ]
    counts, there = sums[0] * unjudged.places, sums[1]
    share = np.where(there > 0, counts / np.maximum(there, 1.0), np.nan)
    known = share[~np.isnan(share)]
    return Lines(
        "unjudged",
        unjudged.loss,
        ("k", "share unjudged in the top k"),
        _lines(results, ("cutoff", "unjudged"), unjudged.places, share),
        limits=(0.0, float(known.max()) if known.any() else 1.0),
    )


def prg_data(results: Results) -> Lines:
    """Return precision-recall-gain curves averaged over topics, with area and convex hull.

    Precision and recall gain are rescaled harmonically, so that the classifier that calls every
    judged document relevant has precision gain 0. F gain is then a weighted mean of the two, and
    its isometrics are straight lines; the hull holds the operating points that are best for
    some weight. The mean is taken over topics at each recall gain, so that its area is the mean
    AUPRG. The results hold AUPRG and PRG at recall gains from 0 to 1, as `measures("prg")` names
    them.

    Edge cases
        - Topics without relevant or without nonrelevant documents are left out of the mean.

    Source: Flach and Kull, "Precision-recall-gain curves: PR analysis done right", NeurIPS 2015.
    """
    found = _swept(results, "PRG", "level", "prg")
    names = (score.measure for score in results.runs[0].scores)
    area_name = next((name for name in names if parse_measure(name).name == "AUPRG"), "")
    if not area_name:
        raise _lacking("prg")
    lines = []
    for run, heights in zip(results.runs, found.means, strict=True):
        area = mean_of(score_of(run, area_name).values)
        numbers = {
            "recall_gain": found.places,
            "precision_gain": heights,
            "hull": upper_hull(found.places, heights),
            "area": np.full(len(heights), area),
        }
        lines.append(Line(run.name, numbers, area, f"  area {area:.3f}"))
    lowest = float(np.nanmin(found.means, initial=0.0))
    return Lines(
        "",
        loss=False,
        names=("recall gain", "precision gain"),
        lines=tuple(lines),
        ends=(0.0, 1.0),
        limits=(lowest, 1.0),
    )


def upper_hull(x: Floats, y: Floats) -> Floats:
    """Return the height of the upper convex hull of points at each x, which increases.

    NaN where any height is NaN.
    """
    if np.isnan(y).any():
        return np.full(len(x), np.nan)
    kept: list[int] = []
    for i in range(len(x)):
        while len(kept) >= 2:
            a, b = kept[-2], kept[-1]
            if (y[b] - y[a]) * (x[i] - x[a]) > (y[i] - y[a]) * (x[b] - x[a]):
                break
            kept.pop()
        kept.append(i)
    return np.interp(x, x[kept], y[kept])


def isometric(f_gain: float, beta: float = 1.0) -> tuple[Floats, Floats]:
    """Return the ends of the line of equal F gain: recall gains 0 and 1, and precision gains.

    FG = (precG + β²·recG) / (1 + β²), which is solved for precG.
    """
    recall = np.array([0.0, 1.0])
    return recall, (1.0 + beta**2) * f_gain - beta**2 * recall


def _draw_gains(data: Lines, ax: "Axes", share: float) -> None:
    """Draw gain curves with their convex hulls, on the lines of equal F gain."""
    for level in F_GAINS:
        ax.plot(*isometric(level), color=rule(), linewidth=0.6, zorder=0)
    draw(data, ax, share)
    for i, line in enumerate(data.lines[:MOST_HULLS] if len(data.lines) <= MOST_HULLS else ()):
        hull, colour = line.numbers["hull"], identity(i).colour
        ax.plot(line.x, hull, color=colour, linewidth=0.5, alpha=0.8, gid=f"hull{i}")
    levels = ", ".join(f"{level:g}" for level in F_GAINS)
    ax.set_xlabel(f"recall gain\n(grey: F gain of {levels})")


def ecdf_data(results: Results, measure: str | None = None) -> Lines:
    r"""Return the share of topics up to each value that occurs, by run.

    .. math:: F(x) = \frac{1}{n} \sum_{t=1}^{n} [x_t \le x]

    with the values x of n topics. Where the curve of one run lies below that of another, it has
    more topics with higher values.

    Edge cases
        - Topics without a value are left out.
        - No topic with a value: an empty curve.
    """
    name = chosen_measure(results, measure)
    lines = []
    for run in results.runs:
        increasing = defined_values(score_of(run, name).values)
        values, counts = np.unique(increasing, return_counts=True)
        numbers = {"value": values, "share": np.cumsum(counts) / max(1, len(increasing))}
        lines.append(Line(run.name, numbers, mean_of(increasing)))
    score = score_of(results.runs[0], name)
    return Lines(
        name,
        score.loss,
        (name, "share of topics"),
        tuple(lines),
        ends=score.span,
        limits=(0.0, 1.0),
        steps=True,
        in_rows=True,
    )


def _over_recall(found: Sequence[Measure], _: Sequence[int]) -> list[str]:
    one = only_measure(found, "pr", "IPrec")
    return [at_place(one, "recall", level) for level in LEVELS]


def _over_gains(found: Sequence[Measure], _: Sequence[int]) -> list[str]:
    one = only_measure(found, "prg", "AUPRG", "PRG")
    given = ",".join(
        f"{name}={value!r}" for name, value in one.given if name in ("rel", "universe")
    )
    inside = f"({given})" if given else ""
    return [f"AUPRG{inside}", *(f"PRG{inside}@{level}" for level in LEVELS)]


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


register_lines(
    "pr",
    lambda results, _: [pr_data(results)],
    InReports(
        5,
        "Precision and recall",
        "Interpolated precision at levels of recall, averaged over topics.",
        numbers_at(ELEVEN, "Interpolated precision by recall"),
    ),
    sweep=_over_recall,
)
register_lines(
    "prg",
    lambda results, _: [prg_data(results)],
    InReports(
        6,
        "Precision gain and recall gain",
        "Gain curves averaged over topics, with lines of equal F gain.",
        numbers_at(ELEVEN, "Precision gain by recall gain, and the area under the curve", "area"),
    ),
    _draw_gains,
    sweep=_over_gains,
)
register_lines(
    "cutoff",
    _by_cutoff,
    InReports(
        8,
        "Values by cutoff",
        "The measure at other cutoffs, averaged over topics.",
        numbers_at(TABLED, "{measure} by cutoff"),
    ),
    columns=(2, 1),
    sweep=_over_cutoffs,
    option="--cutoffs",
)
register_lines(
    "judged",
    lambda results, _: [judged_data(results)],
    InReports(
        9,
        "Unjudged documents",
        "Share of the first k documents that are unjudged, over all topics.",
        numbers_at(TABLED, "Share of unjudged documents by cutoff"),
    ),
    sweep=_over_ranks,
)
register_lines(
    "ecdf", lambda results, _: by_measure(results, ecdf_data), columns=(2, 1), collections=True
)
