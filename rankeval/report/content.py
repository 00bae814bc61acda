"""The content of a report: values of runs and topics, tests, pictures, settings and warnings."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from rankeval.alignment.inputs import QrelsLike, RunLike
from rankeval.documents.notices import notice_lines
from rankeval.errors import UsageError
from rankeval.evaluation.evaluate import evaluate
from rankeval.evaluation.prepare import CostsLike, judgments_of
from rankeval.evaluation.reading import AS_FOUND, Reading
from rankeval.evaluation.results import Results, Score
from rankeval.evaluation.run_names import BY_TAG, RunNames
from rankeval.evaluation.settings import Settings
from rankeval.measures import MeasuresLike, measure_names, parse_measures
from rankeval.plots import measures as needed
from rankeval.plots import plot_data
from rankeval.report.svg import inline_svg
from rankeval.stats import confidence_intervals
from rankeval.support.frozen import frozen
from rankeval.tasks.compare.compare import Comparison, compare
from rankeval.version import __version__

USUAL = "nDCG@10 AP RR R@100"
"""Measures of a report where none is named."""

SHADES = 10
"""Shades of the heat map, from the least to the greatest value of a measure."""


@frozen
class Value:
    """A value of a run: over all topics with its interval and test, or of one topic.

    ========== ===============================================================================
    value      None where undefined
    low, high  ends of the 95% interval of a mean; None without one
    difference from the baseline; None for the baseline itself, and where it is undefined
    p_value    of the paired t test against the baseline, corrected over the report; None without
    best       True for the best value of the measure
    shade      of a topic's value, from 0 to 9; None where undefined
    ========== ===============================================================================
    """

    value: float | None
    low: float | None = None
    high: float | None = None
    difference: float | None = None
    p_value: float | None = None
    best: bool = False
    shade: int | None = None


@frozen
class TopicRow:
    """The values of all runs on one topic."""

    topic: str
    values: tuple[Value, ...]


@frozen
class MeasureSection:
    """One measure: its signature, the values over all topics by run, and those of every topic."""

    name: str
    loss: bool
    signature: str
    summary: tuple[Value, ...]
    topics: tuple[TopicRow, ...]


@frozen
class Picture:
    """A plot as an SVG element, with its title and what it shows."""

    kind: str
    title: str
    words: str
    svg: str


@frozen
class Report:
    """Everything that the page shows.

    ======== =====================================================================================
    qrels    path, numbers and digest of the judgments
    runs     names and paths, the baseline first
    sections one for each measure
    pictures plots of the first measure, and of curves
    settings conventions that were set, by name
    warnings what a reader of the numbers must know
    command  makes the report again
    version  of rankeval
    ======== =====================================================================================
    """

    qrels: Mapping[str, object]
    runs: tuple[tuple[str, str], ...]
    sections: tuple[MeasureSection, ...]
    pictures: tuple[Picture, ...]
    settings: Mapping[str, object]
    warnings: tuple[str, ...]
    command: str
    version: str = __version__


PICTURES: Mapping[str, tuple[str, str]] = {
    "ci": (
        "Means",
        "Means with 95% intervals; intervals that overlap do not tell that runs are equal.",
    ),
    "box": (
        "Distributions",
        "Distributions over topics: quartiles, median (line), mean (diamond) and outliers.",
    ),
    "topics": (
        "Differences",
        "Differences from the baseline by topic, the best topics for the run first.",
    ),
    "pr": (
        "Precision and recall",
        "Interpolated precision at levels of recall, averaged over topics.",
    ),
    "judged": ("Unjudged documents", "Share of the documents at a rank that are unjudged."),
}
"""The plots of a report: titles and explanations."""


def report(
    qrels: QrelsLike,
    runs: Sequence[RunLike],
    measures: MeasuresLike | None = None,
    settings: Settings | None = None,
    *,
    command: str = "",
    costs: CostsLike | None = None,
    reading: Reading = AS_FOUND,
    run_names: RunNames = BY_TAG,
    jobs: int | None = None,
) -> Report:
    """Evaluate runs, the first of which is the baseline, and return what a report shows.

    `command` is the command line that makes it again. Other arguments are as in `evaluate`.
    UsageError if a measure is no mean over topics.
    """
    asked = USUAL if measures is None else measures
    joined = measure_names(asked)
    names = [str(named.measure) for named in parse_measures(joined)]
    curves = [*needed("pr"), *needed("judged")]
    judgments = judgments_of(qrels, joined, reading)
    every = evaluate(  # once, as a pipe can be read once only
        judgments,
        runs,
        list(dict.fromkeys([*names, *curves])),
        settings,
        costs=costs,
        reading=reading,
        run_names=run_names,
        jobs=jobs,
    )
    results, drawn = _with_measures(every, names), _with_measures(every, curves)
    compared = None
    if len(results.runs) > 1:
        alone = [replace(results, runs=(run,)) for run in results.runs]
        compared = compare(judgments, alone[0], alone[1:], names, settings, costs=costs)
    sections = tuple(_section(results, i, compared) for i in range(len(results.runs[0].scores)))
    warnings = [*notice_lines(results.runs), *(compared.warnings if compared else ())]
    facts = results.qrels
    return Report(
        qrels={
            "path": facts.path,
            "topics": facts.topics,
            "judgments": facts.judgments,
            "digest": facts.digest,
        },
        runs=tuple((run.name, run.path) for run in results.runs),
        sections=sections,
        pictures=tuple(_pictures(results, drawn)),
        settings={name: value for name, value in results.settings.items() if value is not None},
        warnings=tuple(warnings),
        command=command,
    )


def _with_measures(results: Results, names: Sequence[str]) -> Results:
    """Return the results of some of the measures."""
    runs = (
        replace(run, scores=tuple(score for score in run.scores if score.measure in names))
        for run in results.runs
    )
    return replace(results, runs=tuple(runs))


def _section(results: Results, place: int, compared: Comparison | None) -> MeasureSection:
    scores = [run.scores[place] for run in results.runs]
    first = scores[0]
    if first.rule == "sum":
        raise UsageError(
            f"{first.measure} is a sum over topics, and reports show means",
            remedy=f"leave {first.measure} out",
        )
    every = compared.pairs if compared else ()
    pairs = {pair.run: pair for pair in every if pair.measure == first.measure}
    known = [score.aggregate for score in scores if not np.isnan(score.aggregate)]
    best = (min if first.loss else max)(known, default=np.nan)
    summary = []
    for run, score in zip(results.runs, scores, strict=True):
        interval = confidence_intervals(score.values)[0]
        pair = pairs.get(run.name)
        summary.append(
            Value(
                value=_number(score.aggregate),
                low=interval.low,
                high=interval.high,
                difference=pair.summary.difference if pair else None,
                p_value=pair.p_value if pair else None,
                best=bool(score.aggregate == best),
            )
        )
    return MeasureSection(
        name=first.measure,
        loss=first.loss,
        signature=first.signature,
        summary=tuple(summary),
        topics=_topics(results, scores),
    )


def _topics(results: Results, scores: Sequence[Score]) -> tuple[TopicRow, ...]:
    """Return the values of every topic that some run has; each run may lack some."""
    topics = dict.fromkeys(topic for run in results.runs for topic in run.topics)
    places = [{topic: i for i, topic in enumerate(run.topics)} for run in results.runs]
    every = np.concatenate([score.values for score in scores])
    known = every[~np.isnan(every)]
    span = scores[0].span or (
        (float(known.min()), float(known.max())) if known.size else (0.0, 1.0)
    )

    def value(run: int, topic: str) -> Value:
        place = places[run].get(topic)
        found = None if place is None else _number(scores[run].values[place])
        return Value(found, shade=None if found is None else shade(found, span))

    return tuple(
        TopicRow(topic, tuple(value(i, topic) for i in range(len(scores)))) for topic in topics
    )


def shade(value: float, span: tuple[float, float]) -> int:
    """Return the shade of a value, from 0 at the low end to 9 at the high end."""
    low, high = span
    if not high > low:
        return 0
    return min(SHADES - 1, max(0, int((value - low) / (high - low) * SHADES)))


def _pictures(results: Results, drawn: Results) -> Iterable[Picture]:
    first = replace(
        results, runs=tuple(replace(run, scores=run.scores[:1]) for run in results.runs)
    )
    measure = results.runs[0].scores[0].measure
    for kind, (title, words) in PICTURES.items():
        if kind == "topics" and len(results.runs) < 2:
            continue
        of_curve = kind in ("pr", "judged")
        heading = title if of_curve else f"{title}: {measure}"
        panels = plot_data(kind, drawn if of_curve else first)
        yield Picture(kind, heading, words, inline_svg(kind, panels, heading, kind))


def _number(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
