"""The document of an evaluation, and its rows."""

import math
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from typing import Any

from rankeval.base.wording import finite
from rankeval.evaluation.results import GroupResult, Results, RunResult, Score, ScoreBounds
from rankeval.evaluation.shown_values import (
    Line,
    bounded,
    bounds_by_topic,
    each_once,
    grouped,
    judgments,
    lines,
    measure_names,
    notice_lines,
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

    ======== ============================ ==========================================================
    qrels    QrelsFacts                   the judgments
    settings _settings                    the conventions of the evaluation
    runs     list[_run]                   one object for each run
    failed   NotRequired[list[FailedRun]] runs that could not be evaluated, if there are some
    ======== ============================ ==========================================================
    """
    results = each_once(results, content)
    facts: dict[str, Any] = {
        "qrels": plain(judgments(results.qrels, by_topic=content.per_topic)),
        "settings": _settings(results),
        "runs": [_run(run, content) for run in results.runs],
    }
    if results.failed:
        facts["failed"] = [asdict(run) for run in results.failed]
    return headed(SCHEMA, facts)


def _settings(results: Results) -> Document:
    """Return the conventions of an evaluation, by name.

    ============= ============================= ====================================================
    **settings    Settings
    defaults      Never
    weights       str | None                    path of the weights of topics; "given" in memory
    groups        str | None                    path of the groups of topics; "given" in memory
    group_by      str | None                    column of the groups in their table
    qrels_format  Never
    run_format    Never
    columns       Never
    train         NotRequired[str | None]       path of the training interactions; "given" in
                                                memory. Only if there is any input of recommenders,
                                                as for the next three
    exclude_seen  NotRequired[bool]             True if items that a topic has interactions with are
                                                dropped
    catalog       NotRequired[int | str | None] number of items, or path of their file
    item_features NotRequired[str | None]       path of the features of items
    ============= ============================= ====================================================
    """
    found: Document = plain(results.settings)
    return found


def _run(run: RunResult, content: Content) -> Document:
    """Return what is known of a run.

    ======== ===================================================== =================================
    name     str                                                   name of the run
    path     str                                                   its path; "" for a run in memory
    topics   int                                                   number of evaluated topics
    warnings list[str]                                             a sentence each
    measures dict[str, _measure]                                   values over all topics, by
                                                                   measure
    dropped  dict[str, int]                                        lines left out, by kind
    groups   NotRequired[dict[str, _group]]                        values by group of topics
    seeds    NotRequired[list[dict[Literal["name", "path"], str]]] runs of a system of several
    ======== ===================================================== =================================
    """
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
        facts["groups"] = {group.name: _group(group, names) for group in run.groups}
    if run.seeds:
        facts["seeds"] = [{"name": seed.name, "path": seed.path} for seed in run.seeds]
    return facts


def _group(group: GroupResult, names: Iterable[str]) -> Document:
    """Return the values over a group of topics.

    ======== ============================================== ========================================
    topics   int                                            number of topics in the group
    measures dict[str, dict[Literal["mean"], float | None]] values over the group, by measure
    ======== ============================================== ========================================
    """
    means = {name: {"mean": finite(one)} for name, one in zip(names, group.aggregates, strict=True)}
    return {"topics": group.topics, "measures": means}


def _measure(score: Score, run: RunResult, content: Content) -> Document:
    """Return the values of a measure.

    ========= ==================================== =================================================
    mean      float | None                         value over all topics, by whatever rule; None if
                                                   it is undefined
    rule      str                                  rule that made it of the values of topics; "whole
                                                   run" if there are none
    loss      bool                                 True when smaller is better
    signature str                                  the conventions behind the number
    bounds    NotRequired[_bounds]                 range of values that judging the unjudged
                                                   documents could lead to
    per_topic NotRequired[dict[str, float | None]] value of each topic; None if it is undefined
    deviation NotRequired[float | None]            standard deviation over the runs of a system
    seeds     NotRequired[list[_seed]]             values of each of these runs
    ========= ==================================== =================================================
    """
    facts: dict[str, Any] = {
        "mean": finite(score.aggregate),
        "rule": str(score.rule),
        "loss": score.loss,
        "signature": score.signature,
    }
    if score.bounds:
        facts["bounds"] = _bounds(score, score.bounds, run, content)
    by_topic = content.per_topic and score.has_topics
    if by_topic:
        facts["per_topic"] = _per_topic(score, run)
    if score.seeds:
        facts["deviation"] = finite(score.deviation)
        facts["seeds"] = [_seed(seed, run, by_topic=by_topic) for seed in score.seeds]
    return facts


def _bounds(score: Score, bounds: ScoreBounds, run: RunResult, content: Content) -> Document:
    """Return the range of values that judging the unjudged documents could lead to.

    ========= ========================================================= ============================
    low       float | None                                              least value
    high      float | None                                              greatest value
    exact     bool                                                      False if no judging may
                                                                        reach them
    per_topic NotRequired[dict[str, tuple[float | None, float | None]]] both, by topic
    ========= ========================================================= ============================
    """
    low, high = finite(bounds.least), finite(bounds.greatest)
    facts: Document = {"low": low, "high": high, "exact": bounds.exact}
    if content.per_topic:
        pairs = ([*map(finite, pair)] for pair in bounds_by_topic(score))
        facts["per_topic"] = dict(zip(run.topics, pairs, strict=True))
    return facts


def _seed(seed: Score, run: RunResult, *, by_topic: bool) -> Document:
    """Return the values of one run of a system.

    ========= ==================================== =================================================
    mean      float | None                         value over all topics
    per_topic NotRequired[dict[str, float | None]] value of each topic
    ========= ==================================== =================================================
    """
    by_name = {"per_topic": _per_topic(seed, run)} if by_topic else {}
    return {"mean": finite(seed.aggregate), **by_name}


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
