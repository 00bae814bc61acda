"""The document of an evaluation, and results read back from JSON that rankeval wrote."""

import json
import math
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from rankeval.base.arrays import Floats
from rankeval.base.checked import checked
from rankeval.base.frozen import replace
from rankeval.base.wording import finite
from rankeval.errors import InputError, MeasureError
from rankeval.evaluation.results import (
    WHOLE_RUN,
    GroupResult,
    Notice,
    QrelsFacts,
    Results,
    RunResult,
    Score,
    ScoreBounds,
    by_name,
    notice_lines,
    scores_of_group,
)
from rankeval.evaluation.settings import conventions_in_words, parts_of
from rankeval.io.blocks import display_name, pieces, whole
from rankeval.io.files import StrPath
from rankeval.measures import parse_measure
from rankeval.output.document_form import Document, fields_of, headed, plain
from rankeval.output.style import Style

SCHEMA = "rankeval/1"
LARGEST, HEAD = 256 << 20, 4096
"""Bytes of a file of results, and bytes at its beginning in which its schema is looked for."""
EXPECTED = "JSON that rankeval eval -q wrote"
REMEDY = "write it anew: rankeval eval QRELS RUN -q -o FILE.json"
KINDS = {dict: "object", list: "list", str: "text", bool: "true or false"}


def is_results_path(path: object) -> bool:
    """Return True if a path names saved results: its suffix is .json."""
    return isinstance(path, str | os.PathLike) and os.fspath(path).lower().endswith(".json")


def results_of(run: Any) -> Any:
    """Read the results that a path names; return anything else, such as a run, unchanged."""
    if not is_results_path(run) or not os.path.exists(run):  # noqa: PTH110  it takes any text
        return run
    is_file = os.path.isfile(run)  # noqa: PTH113  a pipe can be read only once
    head = next(pieces(os.fspath(run), HEAD), b"") if is_file else b'"schema"'
    return load(run) if b'"schema"' in head else run


def production_of(path: str) -> str:
    """Return the file of the run that results are of, or a run's own; "" if it is not there."""
    is_file = os.path.isfile(path)  # noqa: PTH113  a pipe is empty now
    if is_file and results_of(path) is not path:
        path = str(json.loads(Path(path).read_bytes())["runs"][0].get("path", ""))
    return path if os.path.isfile(path) else ""  # noqa: PTH113  it takes any text


@checked
def load(path: StrPath) -> Results:
    """Read results that `Results.save` or `rankeval eval -q -o FILE.json` wrote.

    Values by group are left out, because they refer to files that may be gone. InputError for any
    other file.

    >>> import rankeval
    >>> results = rankeval.evaluate({"q1": {"d1": 1}}, {"bm25": {"q1": {"d1": 2}}}, "map")
    >>> results.save("results.json")
    >>> rankeval.load("results.json")["bm25"]["map"].mean
    1.0
    """
    reader = _Reader(display_name(os.fspath(path)))
    try:
        text = whole(pieces(os.fspath(path)), reader.name, "results", LARGEST)
        document = json.loads(text)
        if b"\\ud" in text or b"\\uD" in text:
            # Bytes of names that are no text are written so; all else is half of a character.
            json.dumps(document, ensure_ascii=False).encode("utf-8", "surrogateescape")
    except (ValueError, RecursionError) as error:
        reader.refuse(f"is not JSON: {error}")
    return reader.results(document)


class _Reader:
    """Converts a document into Results; every error names the file and the key."""

    def __init__(self, name: str) -> None:
        self.name = name

    def results(self, document: Any) -> Results:
        schema = document.get("schema") if isinstance(document, dict) else None
        if schema != SCHEMA:
            self.refuse(f"has the schema {json.dumps(schema)}", f'"{SCHEMA}"')
        qrels, settings = self._of(document, "qrels", dict), self._of(document, "settings", dict)
        facts = QrelsFacts(
            path=self._of(qrels, "path", str),
            topics=int(self._number(qrels, "topics")),
            judgments=int(self._number(qrels, "judgments")),
            digest=self._of(qrels, "digest", str),
            by_topic=self._of(qrels, "by_topic", dict, {}) or None,
        )
        kept = {k: v for k, v in settings.items() if isinstance(v, str | int | float | None)}
        conventions = conventions_in_words(kept)
        every = self._of(document, "runs", list)
        if not every:
            self.refuse("has no runs")
        return Results(facts, kept, tuple(self._run(run, facts, conventions) for run in every))

    def _run(self, run: Any, qrels: QrelsFacts, conventions: tuple[str, ...]) -> RunResult:
        measures = self._of(run, "measures", dict)
        every = {name: self._of(measures, name, dict) for name in measures}
        by_topic = (self._of(facts, "per_topic", dict, {}) for facts in every.values())
        topics = next((tuple(values) for values in by_topic if values), ())
        scores = tuple(self._score(facts, name, topics) for name, facts in every.items())
        if not scores:
            self.refuse("has no measures")
        of_seeds = zip(*(score.seeds for score in scores if score.has_topics), strict=False)
        return RunResult(
            name=self._of(run, "name", str),
            path=self.name,
            topics=topics,
            scores=scores,
            warnings=tuple(Notice(str(line)) for line in self._of(run, "warnings", list, [])),
            judged=qrels.topics,
            conventions=conventions,
            seeds=tuple(
                RunResult(f"seed {number}", self.name, topics, of_seed, ())
                for number, of_seed in enumerate(of_seeds, 1)
            ),
        )

    def _score(self, facts: Any, as_given: str, topics: tuple[str, ...]) -> Score:
        """Read a measure; one of the whole run has no values of topics."""
        rule = self._of(facts, "rule", str)
        if rule == WHOLE_RUN:
            topics = ()
        elif "per_topic" not in facts:
            self.refuse("has no values by topic", "results written with --per-topic (-q)")
        signature = self._of(facts, "signature", str)
        measure, span = parts_of(signature).get("measure", as_given), None
        with suppress(MeasureError):  # of a plugin that is not loaded
            span = parse_measure(measure).range
        score = Score(
            measure=measure,
            as_given=as_given,
            values=self._values(facts, topics),
            aggregate=self._number(facts, "mean"),
            rule=rule,
            loss=self._of(facts, "loss", bool),
            signature=signature,
            span=span if span and all(map(math.isfinite, span)) else None,
            topics=topics,
        )
        seeds = tuple(
            replace(score, values=self._values(seed, topics), aggregate=self._number(seed, "mean"))
            for seed in self._of(facts, "seeds", list, [])
        )
        return replace(score, seeds=seeds)

    def _values(self, facts: Any, topics: Sequence[str]) -> Floats:
        values = self._of(facts, "per_topic", dict, {})
        if topics and values.keys() != set(topics):
            self.refuse("has other topics for some measures")
        return np.array([self._number(values, topic) for topic in topics], dtype=float)

    def _of(self, facts: Any, key: str, kind: type, default: Any = None) -> Any:
        """Return a value of a kind; the default where it is left out, if there is one."""
        value = facts.get(key, default) if isinstance(facts, dict) else None
        if not isinstance(value, kind):
            self.refuse(f"has no {KINDS[kind]} for {key}")
        return value

    def _number(self, facts: Any, key: str) -> float:
        """Return a finite number; NaN for null."""
        value: Any = facts.get(key, "") if isinstance(facts, dict) else ""
        if value is None:
            return math.nan
        if type(value) not in (int, float) or not abs(value) <= sys.float_info.max:
            self.refuse(f"has no number for {key}", "a finite number, or null")
        return float(value)

    def refuse(self, problem: str, expected: str = EXPECTED) -> NoReturn:
        raise InputError(problem, place=self.name, expected=expected, remedy=REMEDY)


def document(results: Results, content: Style) -> Document:
    """Return everything that is known of an evaluation.

    `mean` is the value over all topics whatever the `rule` by which it was found, and is there
    without `summary` too, because readers rely on it. With `content.per_topic`, `per_topic`
    follows for measures that have values of topics, `groups` where topics are grouped, and
    `bounds` of each measure where they are known and were asked for.

    ======== ========== ============================================================================
    qrels    QrelsFacts the judgments
    settings _settings  the conventions of the evaluation
    runs     list[_run] one object for each run
    ======== ========== ============================================================================
    """
    qrels = results.qrels if content.per_topic else replace(results.qrels, by_topic=None)
    runs = [_run(run, content) for run in results.runs]
    return headed(SCHEMA, {"qrels": plain(qrels), "settings": _settings(results), "runs": runs})


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
    return plain(results.settings)


def _run(run: RunResult, content: Style) -> Document:
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
    facts: dict[str, Any] = {
        "name": run.name,
        "path": run.path,
        "topics": len(run.topics),
        "warnings": plain([*notice_lines([run], brief=True)] if run.seeds else run.warnings),
        "measures": {
            name: _measure(score, content) for name, score in by_name(run.scores, content).items()
        },
        "dropped": plain(run.dropped),
    }
    if run.groups:
        facts["groups"] = {group.name: _group(run, group, content) for group in run.groups}
    if run.seeds:
        facts["seeds"] = [fields_of(seed, "name", "path") for seed in run.seeds]
    return facts


def _group(run: RunResult, group: GroupResult, content: Style) -> Document:
    """Return the values over a group of topics.

    ======== ============================================== ========================================
    topics   int                                            number of topics in the group
    measures dict[str, dict[Literal["mean"], float | None]] values over the group, by measure
    ======== ============================================== ========================================
    """
    scores = by_name(scores_of_group(run, group.name), content)
    means = {name: {"mean": finite(one.aggregate)} for name, one in scores.items()}
    return {"topics": group.topics, "measures": means}


def _measure(score: Score, content: Style) -> Document:
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
        facts["bounds"] = _bounds(score.bounds, score.topics, content)
    if content.per_topic and score.has_topics:
        facts["per_topic"] = {topic: finite(value) for topic, value in score.per_topic.items()}
    if score.seeds:
        facts["deviation"] = finite(score.deviation)
        facts["seeds"] = [_seed(seed, content) for seed in score.seeds]
    return facts


def _bounds(bounds: ScoreBounds, topics: Sequence[str], content: Style) -> Document:
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
        pairs = np.stack([bounds.low, bounds.high], axis=1).tolist()
        facts["per_topic"] = dict(zip(topics, plain(pairs), strict=True))
    return facts


def _seed(seed: Score, content: Style) -> Document:
    """Return the values of one run of a system.

    ========= ==================================== =================================================
    mean      float | None                         value over all topics
    per_topic NotRequired[dict[str, float | None]] value of each topic
    ========= ==================================== =================================================
    """
    kept = ("mean", "per_topic")
    return {name: value for name, value in _measure(seed, content).items() if name in kept}
