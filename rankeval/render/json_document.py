"""One JSON object with everything: the schema rankeval/1."""

import json
import math
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from rankeval.evaluation.results import Results, RunResult, Score
from rankeval.render.style import Style
from rankeval.render.values import bounds_by_topic, finite, measure_names
from rankeval.version import __version__

SCHEMA = "rankeval/1"


def json_document(results: Results, style: Style) -> Iterator[str]:
    """Print the object with full precision; an undefined value is null.

    `mean` is the value over all topics whatever the `rule` by which it was found, and is there
    with `--no-summary` too, because readers rely on it. `per_query` follows with `per_topic`,
    `groups` where topics are grouped, and `bounds` of each measure where they are known and were
    asked for.
    """
    document = {
        "schema": SCHEMA,
        "rankeval": __version__,
        "qrels": {**asdict(results.qrels), "dropped": dict(results.qrels.dropped)},
        "settings": {name: _number(value) for name, value in results.settings.items()},
        "runs": [_run(run, style) for run in results.runs],
    }
    # ASCII, because a name may hold half of a surrogate pair, which UTF-8 cannot write.
    yield from json.JSONEncoder(indent=2, ensure_ascii=True, allow_nan=False).iterencode(document)
    yield "\n"


def _number(value: str | float | None) -> str | float | None:
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _run(run: RunResult, style: Style) -> dict[str, Any]:
    names = measure_names(run.scores, style)
    facts: dict[str, Any] = {
        "name": run.name,
        "path": run.path,
        "topics": len(run.topics),
        "warnings": list(run.warnings),
        "measures": {
            name: _measure(score, run, style) for name, score in zip(names, run.scores, strict=True)
        },
    }
    facts["dropped"] = dict(run.dropped)
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


def _measure(score: Score, run: RunResult, style: Style) -> dict[str, Any]:
    facts: dict[str, Any] = {
        "mean": finite(score.aggregate),
        "rule": score.rule,
        "loss": score.loss,
        "signature": score.signature,
    }
    if score.bounds:
        facts["bounds"] = {
            "low": finite(score.bounds.least),
            "high": finite(score.bounds.greatest),
            "exact": score.bounds.exact,
        }
        if style.per_topic:
            pairs = ([*map(finite, pair)] for pair in bounds_by_topic(score))
            facts["bounds"]["per_query"] = dict(zip(run.topics, pairs, strict=True))
    if style.per_topic:
        values = map(finite, score.values.tolist())
        facts["per_query"] = dict(zip(run.topics, values, strict=True))
    return facts
