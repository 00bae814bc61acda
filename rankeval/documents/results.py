"""The document of an evaluation, the schema rankeval/1, and its values one by one."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from rankeval.documents.content import Content
from rankeval.documents.plain import Document, headed, plain
from rankeval.documents.values import (
    bounded,
    bounds_by_topic,
    each_once,
    grouped,
    judgments,
    lines,
    measure_names,
    several_topics,
)
from rankeval.evaluation.results import Results, RunResult, Score
from rankeval.support.numbers import finite

SCHEMA = "rankeval/1"


def document(results: Results, content: Content) -> Document:
    """Return everything that is known of an evaluation.

    `mean` is the value over all topics whatever the `rule` by which it was found, and is there
    without `summary` too, because readers rely on it. With `per_topic`, `per_query` follows for
    measures that have values of topics, `groups` where topics are grouped, and `bounds` of each
    measure where they are known and were asked for.
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
        "warnings": plain(run.warnings),
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
            facts["bounds"]["per_query"] = dict(zip(run.topics, pairs, strict=True))
    if content.per_topic and score.has_topics:
        values = map(finite, score.values.tolist())
        facts["per_query"] = dict(zip(run.topics, values, strict=True))
    return facts


def records(results: Results, content: Content) -> Iterator[Document]:
    """Yield run, measure, query and value of each value.

    The value over all topics has the query "all" and, unlike a topic of that name, a `rule`; so
    has that over a group, with the query "all:GROUP". Where topics are grouped, `group` holds
    the group of every topic, too, and None where there is none. `low` and `high` are the values
    that judging could lead to, where these were asked for, and None where they are not known.
    """
    results = each_once(results, content)
    has_groups = grouped(results)
    has_bounds = bounded(results)
    for line in lines(results, content):
        facts = {
            "run": line.run,
            "measure": line.measure,
            "query": several_topics(line.group) if line.topic is None else line.topic,
            "value": finite(line.value),
        }
        if has_groups:
            facts["group"] = line.group or None
        if has_bounds:
            facts["low"], facts["high"] = map(finite, line.bounds)
        if line.topic is None:
            facts["rule"] = str(line.score.rule)
        if content.signature:
            facts["signature"] = line.score.signature
        yield facts
