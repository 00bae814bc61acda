"""The document of an evaluation, and its rows."""

import math
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from rankeval.base.wording import finite
from rankeval.evaluation.notice_lines import notice_lines
from rankeval.evaluation.results import Results, RunResult, Score
from rankeval.evaluation.shown_values import (
    Line,
    bounded,
    bounds_by_topic,
    each_once,
    grouped,
    judgments,
    lines,
    measure_names,
    several_topics,
)
from rankeval.output.declared_columns import Row, TopicName, Value
from rankeval.output.document_form import Document, headed, plain
from rankeval.output.style import Content, Style

SCHEMA = "rankeval/1"


def document(results: Results, content: Content) -> Document:
    """Return everything that is known of an evaluation.

    `mean` is the value over all topics whatever the `rule` by which it was found, and is there
    without `summary` too, because readers rely on it. With `content.per_topic`, `per_topic`
    follows for measures that have values of topics, `groups` where topics are grouped, and
    `bounds` of each measure where they are known and were asked for.
    """
    results = each_once(results, content)
    facts: dict[str, Any] = {
        "qrels": plain(judgments(results.qrels, by_topic=content.per_topic)),
        "settings": plain(results.settings),
        "runs": [_run(run, content) for run in results.runs],
    }
    if results.failed:
        facts["failed"] = [asdict(run) for run in results.failed]
    return headed(SCHEMA, facts)


def _run(run: RunResult, content: Content) -> dict[str, Any]:
    names = measure_names(run.scores, content)
    facts: dict[str, Any] = {
        "name": run.name,
        "path": run.path,
        "topics": len(run.topics),
        "warnings": plain(run.warnings) if not run.seeds else [*notice_lines([run])],
        "measures": {
            name: _measure(score, run, content)
            for name, score in zip(names, run.scores, strict=True)
        },
    }
    facts["dropped"] = plain(run.dropped)
    if run.groups:
        facts["groups"] = {
            group.name: {
                "topics": group.topics,
                "measures": {
                    name: {"mean": finite(value)}
                    for name, value in zip(names, group.aggregates, strict=True)
                },
            }
            for group in run.groups
        }
    if run.seeds:
        facts["seeds"] = [{"name": seed.name, "path": seed.path} for seed in run.seeds]
    return facts


def _measure(score: Score, run: RunResult, content: Content) -> dict[str, Any]:
    facts: dict[str, Any] = {
        "mean": finite(score.aggregate),
        "rule": str(score.rule),
        "loss": score.loss,
        "signature": score.signature,
    }
    if score.bounds:
        facts["bounds"] = {
            "low": finite(score.bounds.least),
            "high": finite(score.bounds.greatest),
            "exact": score.bounds.exact,
        }
        if content.per_topic:
            pairs = ([*map(finite, pair)] for pair in bounds_by_topic(score))
            facts["bounds"]["per_topic"] = dict(zip(run.topics, pairs, strict=True))
    by_topic = content.per_topic and score.has_topics
    if by_topic:
        facts["per_topic"] = _per_topic(score, run)
    if score.seeds:
        facts["deviation"] = finite(score.deviation)
        facts["seeds"] = [
            {"mean": finite(seed.aggregate)}
            | ({"per_topic": _per_topic(seed, run)} if by_topic else {})
            for seed in score.seeds
        ]
    return facts


def _per_topic(score: Score, run: RunResult) -> dict[str, float | None]:
    return dict(zip(run.topics, map(finite, score.values.tolist()), strict=True))


def value_rows(results: Results, style: Style) -> Iterator[Row]:
    """Yield a value in each row."""
    has_groups, has_bounds = grouped(results), bounded(results)
    has_seeds = any(run.seeds for run in results.runs)
    more = {"group": has_groups, "low": has_bounds, "high": has_bounds, "deviation": has_seeds}
    wanted = [*(name for name, there in more.items() if there), *["signature"] * style.signature]
    yield ["run", "measure", "topic", "value", *wanted]
    for line in lines(results, style):
        low, high = (_number(line, bound) for bound in line.bounds)
        further = {"group": line.group or None, "low": low, "high": high}
        further["deviation"] = finite(line.deviation)
        further["signature"] = line.score.signature
        facts = line.run, line.measure, _topic(line), _number(line, line.value)
        yield [*facts, *(further[name] for name in wanted)]


def _number(line: Line, value: float) -> Value:
    """Return a number, a count as an integer, and None for an undefined one."""
    if not math.isfinite(value):
        return None
    return value if line.digits else int(value)


def _topic(line: Line) -> str:
    return several_topics(line.group) if line.topic is None else TopicName(line.topic)
