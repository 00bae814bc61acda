"""Merge results of parts of the topics into those of one evaluation, to the last bit."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from zlib import crc32

import numpy as np

from rankeval.base.arrays import Floats, Integers, short_digest
from rankeval.base.wording import count, listed
from rankeval.errors import RankevalError, UsageError
from rankeval.evaluation.aggregation import indices_by_name
from rankeval.evaluation.conventions import changes, with_judgments
from rankeval.evaluation.prepared import judgments_of
from rankeval.evaluation.results import (
    GroupResult,
    QrelsFacts,
    Results,
    RunResult,
    Score,
    ScoreBounds,
    TopicDigests,
)
from rankeval.measures.declare.aggregates import BY_VALUES_ALONE
from rankeval.ranking.qrels import Qrels, QrelsLike

JUDGMENTS = "qrels"
"""The name of the judgments among the conventions of a signature."""

NO_WEIGHT = "|weight:None|"
"""The part of a signature of measures that can weigh topics, and do not."""

CLOSE = 1e-9
"""Tolerance between a value over all topics and the one computed from its topics."""


def merge(parts: Iterable[Results], qrels: QrelsLike | None = None) -> Results:
    """Merge results of the same runs over different topics into those of one evaluation.

    ===== ==================================================================================
    parts results of the same runs, measures and settings over different topics
    qrels all judgments, for the digest in signatures; by default the files that parts name
    ===== ==================================================================================

    Topics are put into the order of one evaluation, and values over all topics are computed anew,
    so that they are those of one evaluation to the last bit. UsageError for parts that share a
    topic, that differ in runs, measures or settings, and for measures whose value over all topics
    needs more than those of the topics.

    >>> import rankeval
    >>> qrels = {"q1": {"d1": 1}, "q2": {"d2": 1}}
    >>> evaluator = rankeval.Evaluator(qrels, "map", rankeval.options.Settings(topics="both"))
    >>> parts = [evaluator.evaluate({topic: {"d1": 2, "d2": 1}}) for topic in qrels]
    >>> rankeval.merge(parts).to_dict()
    {'run': {'map': 0.75}}
    """
    parts = list(parts)
    for part in parts:
        _require_results(part)
    if not parts:
        raise UsageError("no results to merge", expected="one part or more")
    if len(parts) == 1:
        return parts[0]
    first = parts[0]
    for number, part in enumerate(parts[1:], 2):
        _require_alike(first, part, number)
    facts = _judgments(parts, qrels)
    runs = tuple(
        _merged_runs([part.runs[i] for part in parts], facts.digest) for i in range(len(first.runs))
    )
    runs = tuple(replace(run, judged=facts.topics) for run in runs)
    return replace(first, qrels=facts, runs=runs)


def _require_results(part: object) -> None:
    """Raise UsageError for anything else, such as the runs of one Results."""
    if not isinstance(part, Results):
        raise UsageError(
            f"{part!r}, of the type {type(part).__name__}, is no Results",
            expected="several Results, as in merge([first, second])",
        )


def _require_alike(first: Results, part: Results, number: int) -> None:
    """Raise UsageError if a part has other runs, measures or settings than the first."""
    if part.failed or first.failed:
        raise UsageError("a part has a run that failed", expected="parts that are complete")
    if any(run.seeds for run in (*first.runs, *part.runs)):
        raise UsageError("a part has a system of several runs", expected="parts of single runs")
    a, b = _called(first, 1), _called(part, number)
    names = [[run.name for run in results.runs] for results in (first, part)]
    if names[0] != names[1]:
        raise UsageError(
            f"{a} has the runs {', '.join(names[0])}, and {b} has {', '.join(names[1])}",
            expected="the same runs in every part",
            remedy="name the runs of the parts alike, as in {'bm25': run}",
        )
    for key in {**first.settings, **part.settings}:
        values = first.settings.get(key), part.settings.get(key)
        if values[0] != values[1]:
            raise UsageError(
                f"the setting {key} is {values[0]} in {a} and {values[1]} in {b}",
                expected="parts that were evaluated in one way",
            )
    for run, other in zip(first.runs, part.runs, strict=True):
        measures = [[score.as_given for score in found.scores] for found in (run, other)]
        if measures[0] != measures[1]:
            raise UsageError(
                f"{a} has {', '.join(measures[0])}, and {b} has {', '.join(measures[1])}",
                expected="the same measures in every part",
            )
        for score, beside in zip(run.scores, other.scores, strict=True):
            _require_one_definition(score, beside, a, b)


def _require_one_definition(score: Score, other: Score, a: str, b: str) -> None:
    """Raise UsageError if two scores differ in more than their judgments."""
    of = _rule(score)
    followed = of is not None and all(
        math.isclose(of(found.values), found.aggregate, rel_tol=CLOSE, abs_tol=CLOSE)
        or (math.isnan(of(found.values)) and math.isnan(found.aggregate))
        for found in (score, other)
    )
    if not followed:
        raise UsageError(
            f"the {score.rule} of {score.as_given} does not follow from the values of topics alone",
            expected=f"one of {', '.join(BY_VALUES_ALONE)}",
            remedy="evaluate all topics at once, or leave the measure out",
        )
    differences = [
        f"{change.name} is {change.before} in {a} and {change.after} in {b}"
        for change in changes(score.signature, other.signature)
        if change.name != JUDGMENTS
    ]
    if score.rule != other.rule:
        differences.append(f"{a} has the {score.rule}, {b} the {other.rule}")
    if differences:
        raise UsageError(
            f"{score.as_given} is not defined in the same way: {'; '.join(differences)}",
            expected="parts that were evaluated in one way",
        )


def _rule(score: Score) -> Callable[[Floats], float] | None:
    """Return the rule of a score; None if it needs more than the values of topics."""
    if NO_WEIGHT in score.signature:
        return BY_VALUES_ALONE["mean"]
    return BY_VALUES_ALONE.get(score.rule)


def _called(part: Results, number: int) -> str:
    """Return the name of a part in messages: its file, or its number."""
    path = part.runs[0].path if part.runs else ""
    return path or f"part {number}"


def _merged_runs(parts: Sequence[RunResult], digest: str) -> RunResult:
    """Merge the parts of one run."""
    every = [topic for part in parts for topic in part.topics]
    if len(set(every)) < len(every):
        seen: set[str] = set()
        twice = [topic for topic in every if topic in seen or seen.add(topic)]  # type: ignore[func-returns-value]  # add gives None
        raise UsageError(
            f"{count(len(twice), 'topic')} of {parts[0].name} in more than one part: "
            f"{listed([_encoded(topic) for topic in twice])}",
            expected="each topic in one part",
            remedy="evaluate each part with topics='both' (--topics both), so that judged topics "
            "of other parts are left out",
        )
    order = np.array(sorted(range(len(every)), key=lambda i: _encoded(every[i])), dtype=np.int64)
    topics = tuple(every[i] for i in order.tolist())
    scores = tuple(
        _merged_scores([part.scores[i] for part in parts], order, topics, digest)
        for i in range(len(parts[0].scores))
    )
    labels = [label for part in parts for label in part.labels or ("",) * len(part.topics)]
    labels = [labels[i] for i in order.tolist()] if any(labels) else []
    return replace(
        parts[0],
        topics=topics,
        scores=scores,
        warnings=tuple(dict.fromkeys(text for part in parts for text in part.warnings)),
        groups=tuple(_groups(parts, labels, scores)),
        labels=tuple(labels),
        missing=tuple(sorted((t for part in parts for t in part.missing), key=_encoded)),
        tied=sum(part.tied for part in parts),
        dropped=_summed([part.dropped for part in parts]),
    )


def _merged_scores(
    parts: Sequence[Score], order: Integers, topics: tuple[str, ...], digest: str
) -> Score:
    of = _rule(parts[0])
    assert of is not None  # noqa: S101  `_require_alike` has refused such scores
    values = np.concatenate([part.values for part in parts])[order]
    bounds = [part.bounds for part in parts if part.bounds is not None]
    return replace(
        parts[0],
        values=values,
        aggregate=of(values),
        topics=topics,
        signature=with_judgments(parts[0].signature, digest),
        bounds=_bounds(bounds, order, of) if len(bounds) == len(parts) else None,
    )


def _bounds(
    parts: Sequence[ScoreBounds], order: Integers, of: Callable[[Floats], float]
) -> ScoreBounds:
    low = np.concatenate([part.low for part in parts])[order]
    high = np.concatenate([part.high for part in parts])[order]
    return ScoreBounds(low, high, of(low), of(high), all(part.exact for part in parts))


def _groups(
    parts: Sequence[RunResult], labels: Sequence[str], scores: Sequence[Score]
) -> Iterator[GroupResult]:
    """Aggregate each group anew; groups are in the order of the parts."""
    members, none = indices_by_name(labels), np.zeros(0, dtype=np.int64)
    for name in dict.fromkeys(group.name for part in parts for group in part.groups):
        chosen = members.get(name, none)
        yield GroupResult(
            name=name,
            topics=len(chosen),
            aggregates=tuple(of(s.values[chosen]) for s in scores if (of := _rule(s))),
        )


def _judgments(parts: Sequence[Results], qrels: QrelsLike | None) -> QrelsFacts:
    """Return the facts of all judgments together."""
    first = parts[0].qrels
    if qrels is None and all(part.qrels.digest == first.digest for part in parts):
        return first
    every = [judgments_of(qrels)] if qrels is not None else [_judgments_again(p) for p in parts]
    by_topic: dict[bytes, tuple[bytes, int]] = {}
    for judgments in every:
        sizes = np.diff(judgments.offsets).tolist()
        for topic, lines, size in zip(
            judgments.topics, judgments.sorted_text(), sizes, strict=True
        ):
            if by_topic.setdefault(topic, (lines, size))[0] != lines:
                raise UsageError(
                    f"the parts have different judgments of topic {listed([topic])}",
                    expected="the same judgments, or those of different topics",
                )
    if qrels is not None:
        _require_all(parts, every[0])
    return QrelsFacts(
        path=every[0].path if qrels is not None else first.path,
        topics=len(by_topic),
        judgments=sum(size for _, size in by_topic.values()),
        digest=short_digest(by_topic[topic][0] for topic in sorted(by_topic)),
        dropped=_summed([part.qrels.dropped for part in parts]),
        of_topics=TopicDigests(
            tuple(by_topic), np.array([crc32(lines) for lines, _ in by_topic.values()])
        ),
    )


def _judgments_again(part: Results) -> Qrels:
    """Read the judgments of a part again; UsageError if they are not there, or others."""
    remedy = "name all judgments: --qrels QRELS, or qrels= of merge"
    try:
        found = judgments_of(os.fspath(part.qrels.path))
    except RankevalError as error:
        raise UsageError(
            "the parts have judgments of their own, whose digest together needs their text: "
            f"{error.problem}",
            place=part.qrels.path,
            remedy=remedy,
        ) from error
    if found.digest != part.qrels.digest:
        raise UsageError(
            "has other judgments now than when the part was evaluated",
            place=part.qrels.path,
            expected=f"the digest {part.qrels.digest}",
            remedy=remedy,
        )
    return found


def _require_all(parts: Sequence[Results], qrels: Qrels) -> None:
    """Raise UsageError if judgments are not those of the parts together."""
    topics = {topic for part in parts for run in part.runs for topic in run.topics}
    lacking = sorted({_encoded(topic) for topic in topics} - set(qrels.topics))
    if lacking:
        raise UsageError(
            f"lacks {count(len(lacking), 'topic')} of the parts: {listed(lacking)}",
            place=qrels.path,
            expected="the judgments of all parts together",
        )
    whole = {part.qrels.digest for part in parts}
    n_judgments = sum({part.qrels.digest: part.qrels.judgments for part in parts}.values())
    if whole != {qrels.digest} and n_judgments != len(qrels.grade):
        raise UsageError(
            f"holds {count(len(qrels.grade), 'judgment')}, and the parts {n_judgments:,}",
            place=qrels.path,
            expected="the judgments of all parts together",
        )


def _summed(counts: Sequence[Mapping[str, int]]) -> dict[str, int]:
    kinds = dict.fromkeys(kind for kinds_of in counts for kind in kinds_of)
    return {kind: sum(kinds_of.get(kind, 0) for kinds_of in counts) for kind in kinds}


def _encoded(topic: str) -> bytes:
    return topic.encode("utf-8", "surrogateescape")
