"""Names of measures, decimals, sentences about results, and notices of several runs."""

import math
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from rankeval.base.wording import count
from rankeval.choices import Names
from rankeval.evaluation.results import (
    WHOLE_RUN,
    Notice,
    QrelsFacts,
    Results,
    RunResult,
    Score,
    notice_of_ranges,
)
from rankeval.output.document_form import plain
from rankeval.output.shown import Shown
from rankeval.output.style import USUAL_DECIMALS, Style


def judgments(facts: QrelsFacts, *, by_topic: bool = False) -> dict[str, Any]:
    """Return the facts about judgments as plain values, with the digests of topics if asked."""
    found: dict[str, Any] = plain(facts if by_topic else replace(facts, of_topics=None))
    return found


def decimals(score: Score, content: Style) -> int:
    """Return the decimals that a score is printed with: none if it is a count."""
    if score.rule != "sum":
        return content.decimals
    values = [*score.values.tolist(), float(score.aggregate)]
    whole = all(value.is_integer() for value in values if math.isfinite(value))
    return 0 if whole else content.decimals


def decimal(value: float, digits: int, undefined: str) -> str:
    """Round to a number of decimals, without the sign of a negative zero."""
    return f"{value:z.{digits}f}" if math.isfinite(value) else undefined


def by_name(scores: Sequence[Score], content: Style) -> dict[str, Score]:
    """Return each measure once by its name: canonical, or in the user's words.

    A word of the user's that names several measures is replaced by their canonical names.
    """
    if content.names is Names.CANONICAL:
        return {score.measure: score for score in scores}
    often = Counter(name for name, _ in {(score.as_given, score.measure) for score in scores})
    return {s.as_given if often[s.as_given] == 1 else s.measure: s for s in scores}


def scores_of_group(run: RunResult, name: str) -> tuple[Score, ...]:
    """Return the scores with the values over a group of topics; over all topics for ""."""
    if not name:
        return run.scores
    group = run.group_by_name.get(name)
    values = group.aggregates if group else [math.nan] * len(run.scores)
    seeds = [scores_of_group(seed, name) for seed in run.seeds]
    return tuple(
        replace(score, aggregate=value, bounds=None, seeds=tuple(found[i] for found in seeds))
        for i, (score, value) in enumerate(zip(run.scores, values, strict=True))
    )


def topics_of(number: int, judged: int) -> str:
    """Return a number of topics, and of how many judged ones if these are more."""
    return count(number, "topic") if number >= judged else f"{number:,} of {count(judged, 'topic')}"


def averaged_topics(runs: Sequence[RunResult]) -> str:
    """Return how many of the judged topics were averaged: `47 of 50 topics`; "" for all of them."""
    judged = max((run.judged for run in runs), default=0)
    numbers = sorted({len(run.topics) for run in runs if run.topics})
    if not numbers or numbers[0] >= judged:
        return ""
    least = "" if len(numbers) == 1 else f"{numbers[0]:,} to "
    return least + topics_of(numbers[-1], judged)


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


def aggregation_lines(results: Results, content: Style) -> Iterator[str]:
    """Yield the aggregation that the user chose, and sums and measures of the whole run."""
    by_rule: dict[str, dict[str, None]] = {}
    for run in results.runs if content.summary else ():
        for name, score in by_name(run.scores, content).items():
            by_rule.setdefault(score.rule, {})[name] = None
    rule, weights = (results.settings.get(name) for name in ("aggregate", "weights"))
    if WHOLE_RUN in by_rule:
        yield f"of the {WHOLE_RUN}: {', '.join(by_rule[WHOLE_RUN])}"
    if weights or rule:
        yield f"means are weighted by {weights}" if weights else f"aggregate over topics: {rule}"
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

    In brief, only the one of a kind that has most of it is shown. Where numbers are printed with
    `digits` decimals, equal scores that change none of these are left out, and so are changes of
    the `hidden` measures.
    """
    runs = [single for run in runs for single in run.seeds or (run,)]
    kinds: dict[str, list[tuple[str, Notice]]] = {}
    for run in runs:
        for notice in run.warnings:
            if (seen := _shown(notice, digits, hidden)) is not None:
                kinds.setdefault(seen.kind or seen, []).append((run.name, seen))
    for found in kinds.values():
        alike: dict[str, list[str]] = {}
        for label, notice in found:
            alike.setdefault(notice, []).append(label)
        if len(alike) > 1 and brief:
            label, most = max(found, key=lambda labelled: labelled[1].size)
            alike = {most: [label]}
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
