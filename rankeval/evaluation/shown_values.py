"""Names of runs and measures, decimals, values one by one, and notices of several runs."""

import math
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from rankeval.base.wording import count
from rankeval.choices import ALL, Names
from rankeval.evaluation.conventions import averaged_topics
from rankeval.evaluation.results import (
    WHOLE_RUN,
    Notice,
    QrelsFacts,
    Results,
    RunResult,
    Score,
    notice_of_ranges,
)
from rankeval.evaluation.run_names import BY_TAG
from rankeval.output.document_form import plain
from rankeval.output.shown import Shown
from rankeval.output.style import USUAL_DECIMALS, Content

UNBOUNDED = (math.nan, math.nan)
NUMBER_OF_TOPICS = "NumQ"
"""A count that is 1 for every topic."""


def several_topics(group: str) -> str:
    """Return the name instead of a topic for a value over all topics, or over a group."""
    return f"{ALL}:{group}" if group else ALL


def judgments(facts: QrelsFacts, *, by_topic: bool = False) -> dict[str, Any]:
    """Return the facts about judgments as plain values, with the digests of topics if asked."""
    found: dict[str, Any] = plain(facts if by_topic else replace(facts, of_topics=None))
    return found


def adds_up(score: Score) -> bool:
    """Return True if a score is a count, such as a number of topics: none is the best."""
    return score.rule == "sum"


def decimals(score: Score, content: Content) -> int:
    """Return the decimals that a score is printed with: none if it is a count."""
    if not adds_up(score):
        return content.decimals
    values = [*score.values.tolist(), float(score.aggregate)]
    whole = all(value.is_integer() for value in values if math.isfinite(value))
    return 0 if whole else content.decimals


def decimal(value: float, digits: int, undefined: str) -> str:
    """Round to a number of decimals, without the sign of a negative zero."""
    return f"{value:z.{digits}f}" if math.isfinite(value) else undefined


def run_labels(runs: Sequence[RunResult]) -> list[str]:
    """Return a distinct label for each run: its name unless others have the name, too."""
    names = [run.name for run in runs]
    if len(set(names)) == len(names):
        return names
    return BY_TAG.names(names, [run.path for run in runs])


def measure_names(scores: Sequence[Score], content: Content) -> list[str]:
    """Return the names of the measures, canonical or in the user's words.

    A word of the user's that names several measures, or is the canonical name of another one, is
    replaced by the canonical name.
    """
    if content.names is Names.CANONICAL:
        return [score.measure for score in scores]
    meant: dict[str, set[str]] = {}
    for score in scores:
        meant.setdefault(score.as_given, set()).add(score.measure)
        meant.setdefault(score.measure, set()).add(score.measure)
    return [s.as_given if len(meant[s.as_given]) == 1 else s.measure for s in scores]


class Line(NamedTuple):
    """One value, with its run, measure and topic; the topic is None for several topics.

    `digits` are the decimals that it is printed with, where it is rounded, and `group` is the
    group of the topic or of the topics, "" for a topic without one and for all topics. `bounds`
    are the least and greatest value that judging could lead to, NaN if they are not known, and
    `deviation` is that of a value over topics over the runs of a system, NaN for one run.
    """

    run: str
    measure: str
    topic: str | None
    value: float
    digits: int
    score: Score
    group: str = ""
    bounds: tuple[float, float] = UNBOUNDED
    deviation: float = math.nan


def each_once(results: Results, content: Content) -> Results:
    """Return the results without repeated measures; one remains under each printed name."""
    return replace(results, runs=tuple(_each_once(run, content) for run in results.runs))


def _each_once(run: RunResult, content: Content) -> RunResult:
    places: dict[str, int] = {}
    for place, name in enumerate(measure_names(run.scores, content)):
        places.setdefault(name, place)
    if len(places) == len(run.scores):
        return run
    first = places.values()
    return replace(
        run,
        scores=tuple(run.scores[i] for i in first),
        groups=tuple(
            replace(group, aggregates=tuple(group.aggregates[i] for i in first))
            for group in run.groups
        ),
        seeds=tuple(_each_once(seed, content) for seed in run.seeds),
    )


def scores_of_group(run: RunResult, name: str) -> tuple[Score, ...]:
    """Return the scores with the values over a group of topics in place of those over all."""
    group = run.group_by_name.get(name)
    values = group.aggregates if group else [math.nan] * len(run.scores)
    seeds = [scores_of_group(seed, name) for seed in run.seeds]
    return tuple(
        replace(score, aggregate=value, bounds=None, seeds=tuple(found[i] for found in seeds))
        for i, (score, value) in enumerate(zip(run.scores, values, strict=True))
    )


def bounded(results: Results) -> bool:
    """Return True if any score has bounds."""
    return any(score.bounds for run in results.runs for score in run.scores)


def bounds_over_all(score: Score) -> tuple[float, float]:
    """Return the least and greatest value over all topics; NaN if they are not known."""
    return (score.bounds.least, score.bounds.greatest) if score.bounds else UNBOUNDED


def bounds_by_topic(score: Score) -> list[tuple[float, float]]:
    """Return the least and greatest value of each topic; NaN if they are not known."""
    if score.bounds is None:
        return [UNBOUNDED] * len(score.values)
    return list(zip(score.bounds.low.tolist(), score.bounds.high.tolist(), strict=True))


def grouped(results: Results) -> bool:
    """Return True if topics are in groups."""
    return any(run.groups for run in results.runs)


def lines(results: Results, content: Content) -> Iterator[Line]:
    """Yield the values run by run as trec_eval does: topic by topic, then over all topics.

    Values over a group of topics come before those over all.
    """
    for label, run in zip(run_labels(results.runs), results.runs, strict=True):
        names = measure_names(run.scores, content)
        digits = [decimals(score, content) for score in run.scores]
        columns = [
            (name, places, score, score.values.tolist(), bounds_by_topic(score))
            for name, places, score in zip(names, digits, run.scores, strict=True)
            if content.per_topic and score.has_topics
        ]
        groups = run.labels or ("",) * len(run.topics)
        for at, (topic, group) in enumerate(zip(run.topics, groups, strict=True)):
            for name, places, score, values, bounds in columns:
                yield Line(label, name, topic, values[at], places, score, group, bounds[at])
        if content.summary:
            over = [(group.name, scores_of_group(run, group.name)) for group in run.groups]
            for group, scores in [*over, ("", run.scores)]:
                for name, places, score in zip(names, digits, scores, strict=True):
                    ends, spread = bounds_over_all(score), score.deviation
                    whole = (None, score.aggregate, places, score, group, ends, spread)
                    yield Line(label, name, *whole)


def signatures(results: Results, content: Content) -> Iterator[tuple[str, str]]:
    """Yield each measure with its signature, and with the runs if they differ in it."""
    found: dict[str, dict[str, list[str]]] = {}
    for label, run in zip(run_labels(results.runs), results.runs, strict=True):
        for name, score in zip(measure_names(run.scores, content), run.scores, strict=True):
            found.setdefault(name, {}).setdefault(score.signature, []).append(label)
    for name, runs in found.items():
        for signature, labels in runs.items():
            yield (name if len(runs) == 1 else f"{name}, {', '.join(labels)}"), signature


def qrels_line(results: Results) -> str:
    """Return the judgments in a line: topics, judgments and digest."""
    facts = results.qrels
    topics = averaged_topics(results.runs) or count(facts.topics, results.unit)
    return f"{topics}, {count(facts.judgments, 'judgment')}, digest {facts.digest}"


def basis(runs: Sequence[RunResult]) -> list[str]:
    """Return sentences on the basis of values, if it is not the usual one."""
    topics = averaged_topics(runs)
    said = [f"Averaged: {topics}."] if topics else []
    said += seeds_sentence(runs)
    return [*said, *conventions_sentence([words for run in runs for words in run.conventions])]


def conventions_sentence(words: Iterable[str]) -> list[str]:
    """Return the sentence that names conventions, each once; none for the default ones."""
    named = "; ".join(dict.fromkeys(words))
    return [f"Conventions: {named}."] if named else []


def seeds_sentence(runs: Iterable[RunResult]) -> list[str]:
    """Return the sentence that explains ±; none if no system has several runs."""
    sizes = sorted({len(run.seeds) for run in runs if run.seeds})
    if not sizes:
        return []
    number = f"{sizes[0]} to {sizes[-1]}" if len(sizes) > 1 else f"{sizes[0]}"
    return [f"±: sample standard deviation over {number} seeds."]


def spread(deviation: float | None, digits: int) -> str:
    """Return the deviation over seeds, as in ` ± 0.0123`; "" without one."""
    return f" ± {deviation:.{digits}f}" if deviation is not None and deviation >= 0 else ""


def deviation(values: Sequence[float]) -> float | None:
    """Return the sample standard deviation of the values of seeds; None for fewer than two."""
    if len(values) < 2:
        return None
    import numpy as np  # a run without seeds needs none of it

    return float(np.std(values, ddof=1))


def aggregation_lines(results: Results, content: Content) -> Iterator[str]:
    """Yield the aggregation that the user chose, and sums and measures of the whole run."""
    by_rule: dict[str, dict[str, None]] = {}
    for run in results.runs if content.summary else ():
        for name, score in zip(measure_names(run.scores, content), run.scores, strict=True):
            if score.measure != NUMBER_OF_TOPICS:
                by_rule.setdefault(score.rule, {})[name] = None
    if WHOLE_RUN in by_rule:
        yield f"of the {WHOLE_RUN}: {', '.join(by_rule[WHOLE_RUN])}"
    rule = results.settings.get("aggregate")
    if results.settings.get("weights"):
        yield f"means are weighted by {results.settings['weights']}"
    elif rule:
        yield f"aggregate over topics: {rule}"
    if "sum" in by_rule and rule != "sum":
        yield f"sum over topics: {', '.join(by_rule['sum'])}"


class OfRuns(Shown):
    """A result of runs, whose notices are among its warnings."""

    def _runs(self) -> "Sequence[RunResult]":
        runs: Sequence[RunResult] = self.runs  # type: ignore[attr-defined]
        return runs

    def _doubts(self) -> Sequence[str]:
        return [*notice_lines(self._runs(), USUAL_DECIMALS), *super()._doubts()]


MANY, FEW = 6, 3
"""The most runs that a line names all of, and how many it names of more."""


def notice_lines(
    runs: Sequence[RunResult],
    digits: int | None = None,
    hidden: Collection[str] = (),
    *,
    brief: bool = False,
) -> Iterator[str]:
    """Yield each notice, and name its runs unless it holds for all.

    In brief, and of many runs, only the one of a kind that has most of it is shown; the document
    of each run has its own. Where numbers are printed with `digits` decimals, equal scores that
    change none of these are left out, and so are changes of the `hidden` measures. Names are as
    given: the writer of a format shows unprintable characters.
    """
    runs = [single for run in runs for single in run.seeds or (run,)]
    kinds: dict[str, list[tuple[str, Notice]]] = {}
    for label, run in zip(run_labels(runs), runs, strict=True):
        for notice in run.warnings:
            if (seen := _shown(notice, digits, hidden)) is not None:
                kinds.setdefault(seen.kind or seen, []).append((label, seen))
    for found in kinds.values():
        alike: dict[str, list[str]] = {}
        for label, notice in found:
            alike.setdefault(notice, []).append(label)
        if len(alike) > 1 and (brief or len(runs) > MANY):
            label, most = max(found, key=lambda labelled: labelled[1].size)
            alike = {most if brief else f"{most} (the most of {len(found)} runs)": [label]}
        for text, labels in alike.items():
            yield text if len(labels) == len(runs) else f"{_names(labels)}: {text}"


def _shown(notice: Notice, digits: int | None, hidden: Collection[str]) -> Notice | None:
    """Return a notice of the ranges that are not hidden, and show with a decimal; None of none."""
    ranges = {
        name: (least, greatest)
        for name, (least, greatest) in notice.ranges.items()
        if name not in hidden
        and (digits is None or f"{least:.{digits}f}" != f"{greatest:.{digits}f}")
    }
    if len(ranges) == len(notice.ranges):
        return notice
    where = notice.rpartition(": ")[0]
    return notice_of_ranges(where, ranges) if ranges else None


def _names(labels: Sequence[str]) -> str:
    """Return the names of runs; of many, the first few."""
    if len(labels) <= MANY:
        return ", ".join(labels)
    return f"{', '.join(labels[:FEW])} and {len(labels) - FEW} more runs"
