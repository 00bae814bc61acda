"""Data of curves: precision by recall, gains, a measure by cutoff, unjudged documents by rank."""

from collections.abc import Iterator, Sequence

import numpy as np

from rankeval.base.frozen import frozen
from rankeval.base.numbers import finite
from rankeval.errors import UsageError
from rankeval.evaluation.results import Results
from rankeval.measures import parse_measure
from rankeval.plots.selection import Row, chosen_measure, score_of
from rankeval.stats.checked_arrays import Floats

ELEVEN = tuple(level / 10 for level in range(11))
"""The usual levels of recall."""


@frozen(eq=False)
class Curves:
    """One curve for each run, over the same places.

    ======= ==================================================================================
    measure what is drawn, such as IPrec or nDCG
    axis    name of the places: recall, cutoff or rank
    runs    names
    x       places, shape (places,), increasing
    y       means over topics, shape (runs, places); NaN where undefined for all topics
    ======= ==================================================================================
    """

    measure: str
    axis: str
    runs: tuple[str, ...]
    x: Floats
    y: Floats

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


@frozen(eq=False)
class GainCurves:
    """Precision-recall-gain curves, their areas and convex hulls.

    ============== ===========================================================================
    runs           names
    recall_gain    shape (places,), from 0 to 1
    precision_gain means over topics, shape (runs, places)
    area           mean area under the curves of the topics, shape (runs,)
    hull           height of the convex hull of the mean curve, shape (runs, places)
    ============== ===========================================================================
    """

    runs: tuple[str, ...]
    recall_gain: Floats
    precision_gain: Floats
    area: Floats
    hull: Floats

    def rows(self) -> Iterator[Row]:
        """Yield a row per run and recall gain."""
        for i, run in enumerate(self.runs):
            heights = zip(
                self.recall_gain.tolist(), self.precision_gain[i], self.hull[i], strict=True
            )
            for recall, precision, hull in heights:
                yield {
                    "run": run,
                    "recall_gain": recall,
                    "precision_gain": finite(precision),
                    "hull": finite(hull),
                    "area": finite(self.area[i]),
                }


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
    """Return the share of unjudged documents among those at a rank, over all topics.

    The results hold Unjudged@k and NumRet@k for successive k, as `measures("judged")` names them:
    the number of unjudged documents down to a rank is k times Unjudged@k.

    Edge cases
        - No topic has a document at a rank: NaN.
    """
    unjudged = _swept(results, "Unjudged", "cutoff", "judged")
    retrieved = _swept(results, "NumRet", "cutoff", "judged")
    ranks = np.array(unjudged.places)
    if unjudged.places != retrieved.places or (ranks != np.arange(1, len(ranks) + 1)).any():
        raise _lacking("judged")
    counts = np.array(
        [[np.sum(v * k) for k, v in zip(ranks, run, strict=True)] for run in unjudged.values]
    )
    there = np.array([[np.sum(values) for values in run] for run in retrieved.values])
    # Differences of products such as 3 * (1/3): whole numbers but for rounding.
    at_rank = np.rint(np.diff(counts, axis=1, prepend=0.0))
    documents = np.rint(np.diff(there, axis=1, prepend=0.0))
    share = np.where(documents > 0, at_rank / np.maximum(documents, 1.0), np.nan)
    return Curves("unjudged", "rank", unjudged.runs, ranks.astype(float), share)


def prg_data(results: Results) -> GainCurves:
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
    swept = _swept(results, "PRG", "level", "prg")
    area = next(
        (s.measure for s in results.runs[0].scores if parse_measure(s.measure).name == "AUPRG"), ""
    )
    if not area:
        raise _lacking("prg")
    levels = np.array(swept.places, dtype=float)
    heights = np.array([[_mean(values) for values in run] for run in swept.values])
    return GainCurves(
        runs=swept.runs,
        recall_gain=levels,
        precision_gain=heights,
        area=np.array([_mean(score_of(run, area).values) for run in results.runs]),
        hull=np.array([upper_hull(levels, run) for run in heights]),
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


@frozen(eq=False)
class _Swept:
    """The values of one measure at several places, by run and then by place."""

    measure: str
    runs: tuple[str, ...]
    places: tuple[float, ...]
    values: Sequence[Sequence[Floats]]


def _curves(
    results: Results, name: str | None, at: str, kind: str, like: str | None = None
) -> Curves:
    swept = _swept(results, name, at, kind, like)
    heights = np.array([[_mean(values) for values in run] for run in swept.values])
    x = np.array(swept.places, dtype=float)
    return Curves(swept.measure, "recall" if at == "recall" else at, swept.runs, x, heights)


def _swept(
    results: Results, name: str | None, at: str, kind: str, like: str | None = None
) -> _Swept:
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
        raise _lacking(kind)
    ordered = sorted(places)
    return _Swept(
        measure=family,
        runs=tuple(run.name for run in results.runs),
        places=tuple(ordered),
        values=[
            [values[places[place]] for place in ordered]
            for values in ({s.measure: s.values for s in run.scores} for run in results.runs)
        ],
    )


def _mean(values: Floats) -> float:
    defined = values[~np.isnan(values)]
    return float(defined.mean()) if defined.size else np.nan


def _lacking(kind: str) -> UsageError:
    return UsageError(
        f"the results lack the measures that '{kind}' draws",
        remedy=f"evaluate the runs with rankeval.plots.measures('{kind}')",
    )
