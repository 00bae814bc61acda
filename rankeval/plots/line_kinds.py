"""Precision by recall, gain curves, measures by cutoff, and distributions: a line for each run."""

from collections.abc import Mapping, Sequence

import numpy as np

from rankeval.base.arrays import Floats
from rankeval.base.frozen import frozen
from rankeval.errors import UsageError
from rankeval.evaluation.results import Results
from rankeval.measures import parse_measure
from rankeval.plots.kinds import KINDS, Choices
from rankeval.plots.lines import Line, Lines
from rankeval.plots.selection import mean_of, score_of

F_GAINS = (0.2, 0.4, 0.6, 0.8)
"""The F gains whose isometrics are drawn."""


@frozen(eq=False)
class Swept:
    """A measure at several places.

    ======= ========================================================================================
    measure without its place
    places  increasing
    values  of the topics, by run and then by place
    ======= ========================================================================================
    """

    measure: str
    places: Floats
    values: Sequence[Sequence[Floats]]

    @property
    def means(self) -> Floats:
        """Means over topics, shape (runs, places); NaN where undefined for all topics."""
        return np.array([[mean_of(values) for values in run] for run in self.values])


def swept(results: Results, kind: str, *names: str) -> tuple[Swept, ...]:
    """Return the measures of results that differ in nothing but the place that a kind sweeps.

    Of a kind with measures of its own, `names` are those wanted; UsageError where one is missing.
    """
    at, families = KINDS[kind].over, dict[str, dict[float, str]]()
    for score in results.runs[0].scores:
        measure = parse_measure(score.measure)
        given = dict(measure.given)
        place = given.pop(at, None)
        if measure.definition.at == at and isinstance(place, int | float):
            parameters = ", ".join(f"{k}={v}" for k, v in given.items())
            family = f"{measure.name}({parameters})" if parameters else measure.name
            if not names or measure.name in names:
                families.setdefault(family, {})[place] = score.measure
    held = {family.partition("(")[0] for family in families}
    if not families or held != {*(names or held)}:
        raise UsageError(
            f"the results lack the measures that '{kind}' draws",
            remedy=f"evaluate the runs with rankeval.plots.measures('{kind}')",
        )
    return tuple(_swept(results, family, places) for family, places in families.items())


def _swept(results: Results, family: str, places: Mapping[float, str]) -> Swept:
    ordered = sorted(places)
    by_run = [{score.measure: score.values for score in run.scores} for run in results.runs]
    values = [[found[places[place]] for place in ordered] for found in by_run]
    return Swept(family, np.array(ordered), values)


def lines_of(
    results: Results, columns: tuple[str, str], x: Floats, y: Sequence[Floats] | Floats
) -> dict[str, Line]:
    """Return lines over the same places; `y` has a row for each run."""
    return {
        run.name: Line(dict(zip(columns, (x, heights), strict=True)))
        for run, heights in zip(results.runs, y, strict=True)
    }


def pr(results: Results, _: str, __: Choices) -> Lines:
    """Return interpolated precision at levels of recall, averaged over topics.

    Source: Salton and McGill, Introduction to Modern Information Retrieval, 1983, chapter 5.
    """
    (found,) = swept(results, "pr", "IPrec")
    lines = lines_of(results, ("recall", found.measure), found.places, found.means)
    names = ("recall", "interpolated precision")
    return Lines(found.measure, names, lines, ends=(0.0, 1.0), limits=(0.0, 1.0))


def cutoff(results: Results, _: str, __: Choices) -> tuple[Lines, ...]:
    """Return measures at several cutoffs, averaged over topics."""
    return tuple(
        Lines(
            found.measure,
            ("cutoff k", f"mean {found.measure}@k"),
            lines_of(results, ("cutoff", found.measure), found.places, found.means),
            logarithmic=True,
        )
        for found in swept(results, "cutoff")
    )


def judged(results: Results, _: str, __: Choices) -> Lines:
    """Return the share of unjudged documents among the first k, over all topics.

    k times Unjudged@k is the number of unjudged documents, and NumRet@k that of all.

    Edge cases
        - A topic with fewer than k documents: those that it has count.
        - No topic has a document: NaN.
    """
    found = {one.measure: one for one in swept(results, "judged", "Unjudged", "NumRet")}
    unjudged, there = (
        np.array([[np.sum(values) for values in run] for run in found[name].values])
        for name in ("Unjudged", "NumRet")
    )
    places = found["Unjudged"].places
    share = np.where(there > 0, unjudged * places / np.maximum(there, 1.0), np.nan)
    known = share[~np.isnan(share)]
    lines = lines_of(results, ("cutoff", "unjudged"), places, share)
    limits = (0.0, float(known.max()) if known.any() else 1.0)
    return Lines("unjudged", ("k", "share unjudged in the top k"), lines, limits=limits)


def prg(results: Results, _: str, __: Choices) -> Lines:
    """Return precision-recall-gain curves averaged over topics, with area and convex hull.

    Precision and recall gain are rescaled harmonically, so that the classifier that calls every
    judged document relevant has precision gain 0. F gain is then a weighted mean of the two, and
    its isometrics are straight lines; the hull holds the operating points that are best for
    some weight. The mean is taken over topics at each recall gain, so that its area is the mean
    AUPRG.

    Edge cases
        - Topics without relevant or without nonrelevant documents are left out of the mean.

    Source: Flach and Kull, "Precision-recall-gain curves: PR analysis done right", NeurIPS 2015.
    """
    (found,) = swept(results, "prg", "PRG")
    area_name = next(s.measure for s in results.runs[0].scores if s.measure.startswith("AUPRG"))
    lines = {}
    for run, heights in zip(results.runs, found.means, strict=True):
        area = mean_of(score_of(run, area_name).values)
        numbers = {
            "recall_gain": found.places,
            "precision_gain": heights,
            "hull": upper_hull(found.places, heights),
            "area": np.full(len(heights), area),
        }
        lines[run.name] = Line(numbers, f"  area {area:.3f}")
    return Lines(
        *("", ("recall gain", "precision gain"), lines),
        ends=(0.0, 1.0),
        limits=(float(np.nanmin(found.means, initial=0.0)), 1.0),
        behind=[isometric(level) for level in F_GAINS],
        grey=f"F gain of {', '.join(map(str, F_GAINS))}",
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


def isometric(f_gain: float) -> tuple[Floats, Floats]:
    """Return the ends of the line of equal F gain: recall gains 0 and 1, and precision gains.

    FG = (precG + recG) / 2, which is solved for precG.
    """
    recall = np.array([0.0, 1.0])
    return recall, 2 * f_gain - recall


def ecdf(results: Results, measure: str, _: Choices) -> Lines:
    r"""Return the share of topics up to each value that occurs, by run.

    .. math:: F(x) = \frac{1}{n} \sum_{t=1}^{n} [x_t \le x]

    with the values x of n topics. Where the curve of one run lies below that of another, it has
    more topics with higher values.

    Edge cases
        - Topics without a value are left out.
        - No topic with a value: an empty curve.
    """
    lines = {}
    for run in results.runs:
        increasing = np.sort(score_of(run, measure).values)
        increasing = increasing[~np.isnan(increasing)]
        values, counts = np.unique(increasing, return_counts=True)
        share = np.cumsum(counts) / max(1, len(increasing))
        lines[run.name] = Line({"value": values, "share": share})
    return Lines(
        *(measure, (measure, "share of topics"), lines),
        ends=score_of(results.runs[0], measure).span,
        limits=(0.0, 1.0),
        steps=True,
        in_rows=True,
    )
