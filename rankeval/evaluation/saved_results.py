"""The document of an evaluation, its rows, and results read back from JSON that rankeval wrote."""

import contextlib
import json
import math
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from rankeval.base.arrays import Floats
from rankeval.base.checked import checked
from rankeval.base.wording import finite
from rankeval.errors import InputError
from rankeval.evaluation.conventions import conventions_in_words, measure_of
from rankeval.evaluation.results import (
    WHOLE_RUN,
    GroupResult,
    Notice,
    QrelsFacts,
    Results,
    RunResult,
    Score,
    ScoreBounds,
    TopicDigests,
)
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
from rankeval.io.sources.blocks import display_name, whole
from rankeval.io.sources.parts import STDIN, unchanged
from rankeval.output.declared_columns import Row, TopicName, Value
from rankeval.output.document_form import Document, headed, plain
from rankeval.output.style import Content, Style

SCHEMA = "rankeval/1"
LARGEST, PART = 256 << 20, 1 << 20
"""Bytes of a file of results, and bytes that are read at once."""
HEAD = 4096
"""Bytes at the beginning of a file in which its schema is looked for."""
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
"""Half of a character beyond the first 65,536, which JSON may have without the other half."""
_DIGEST = re.compile("[0-9a-f]{8}")
REMEDY = "write it anew: rankeval eval QRELS RUN -q -o FILE.json"


def is_results_path(path: object) -> bool:
    """Return True if a path names saved results: its suffix is .json."""
    if not isinstance(path, str | os.PathLike):
        return False
    name = os.fspath(path)
    return name != STDIN and name.lower().endswith(".json")


def results_of(run: Any) -> Any:
    """Read the results that a path names; return anything else, such as a run, unchanged."""
    return load(run) if is_results_path(run) and _says_its_schema(run) else run


def _says_its_schema(path: str | os.PathLike[str]) -> bool:
    """Return True if a file begins like saved results, or can be read only once."""
    try:
        if not Path(path).is_file():
            return Path(path).exists()
        with Path(path).open("rb") as stream:
            return b'"schema"' in stream.read(HEAD)
    except OSError:
        return False


def production_of(path: str) -> str:
    """Return the file of the run that results are of, or a run's own; "" if it is not there."""
    if is_results_path(path) and os.path.isfile(path):  # noqa: PTH113  a pipe is empty now
        path = str(json.loads(Path(path).read_bytes())["runs"][0].get("path", ""))
    return path if os.path.isfile(path) else ""  # noqa: PTH113  it takes any text


@checked
def load(path: str | os.PathLike[str]) -> Results:
    """Read results that `Results.save` or `rankeval eval -q -o FILE.json` wrote.

    Warnings and values by group are left out, because they refer to files that may be gone.
    InputError for any other file.

    >>> import rankeval
    >>> results = rankeval.evaluate({"q1": {"d1": 1}}, {"bm25": {"q1": {"d1": 2}}}, "map")
    >>> results.save("results.json")
    >>> rankeval.load("results.json")["bm25"]["map"].mean
    1.0
    """
    path = os.fspath(path)
    name = display_name(path)
    try:
        with unchanged(path), Path(path).open("rb") as stream:
            parts = iter(partial(stream.read, PART), b"")
            text = whole(parts, name, "results", LARGEST).decode()
        document = json.loads(text, object_pairs_hook=_without_repetition)
        if _SURROGATE.search(text):
            # Bytes of names that are no text are written so; all else is half of a character.
            json.dumps(document, ensure_ascii=False).encode("utf-8", "surrogateescape")
    except OSError as error:
        reason = error.strerror or str(error)
        raise InputError(f"cannot read: {reason[:1].lower()}{reason[1:]}", place=name) from error
    except (ValueError, RecursionError) as error:
        raise InputError(
            f"is not JSON: {error}",
            place=name,
            expected="JSON that rankeval eval -q wrote",
            remedy=REMEDY,
        ) from error
    return _Reader(name).results(document)


def _without_repetition(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Build an object; ValueError for a repeated name, such as a bad merge leaves."""
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise ValueError(f"{json.dumps(name)} is there twice")
        found[name] = value
    return found


class _Reader:
    """Converts a document into Results; every error names the file and the key."""

    def __init__(self, name: str) -> None:
        self._name = name

    def results(self, document: object) -> Results:
        top = self._object(document, "the file")
        schema, runs = top.get("schema"), top.get("runs")
        if schema != SCHEMA:
            self._refuse(f"has the schema {json.dumps(schema)}", f'"{SCHEMA}"')
        if not isinstance(runs, list) or not runs:
            self._refuse("has no runs", 'a list "runs"')
        qrels = self._object(top.get("qrels"), "qrels")
        settings = self._object(top.get("settings", {}), "settings")
        facts = QrelsFacts(
            path=self._text(qrels, "path"),
            topics=int(self._number(qrels.get("topics"), "topics") or 0),
            judgments=int(self._number(qrels.get("judgments"), "judgments") or 0),
            digest=self._text(qrels, "digest"),
            of_topics=self._digests(qrels),
        )
        kept = {
            key: value
            for key, value in settings.items()
            if value is None or isinstance(value, str | int | float)
        }
        found = (self._run(self._object(run, "a run")) for run in top["runs"])
        said = conventions_in_words(kept)
        return Results(
            qrels=facts,
            settings=kept,
            runs=tuple(replace(run, judged=facts.topics, conventions=said) for run in found),
        )

    def _digests(self, qrels: Mapping[str, Any]) -> TopicDigests | None:
        """Read the digests of topics; None for results that were written without them."""
        if "by_topic" not in qrels:
            return None
        found = self._object(qrels["by_topic"], "by_topic of qrels")
        for topic, digest in found.items():
            if not (isinstance(digest, str) and _DIGEST.fullmatch(digest)):
                self._refuse(f"has no digest for topic {topic}", "eight hexadecimal digits")
        topics = tuple(topic.encode("utf-8", "surrogateescape") for topic in found)
        return TopicDigests(topics, np.array([int(text, 16) for text in found.values()], dtype=int))

    def _run(self, run: Mapping[str, Any]) -> RunResult:
        measures = self._object(run.get("measures"), "measures")
        if not measures:
            self._refuse("has no measures", "one measure or more")
        found = {name: self._object(facts, name) for name, facts in measures.items()}
        by_topic = (facts.get("per_topic") for facts in found.values())
        topics = next((tuple(one) for one in by_topic if isinstance(one, dict) and one), ())
        scores = tuple(self._score(facts, name, topics) for name, facts in found.items())
        warnings = run.get("warnings")
        numbers = {len(score.seeds) for score in scores if score.has_topics}
        if len(numbers) > 1:
            self._refuse("has other numbers of seeds for some measures", "as many for each")
        of_seeds = zip(*(score.seeds for score in scores if score.seeds), strict=True)
        return RunResult(
            name=self._text(run, "name"),
            path=self._name,
            topics=topics,
            scores=scores,
            warnings=tuple(map(Notice, map(str, warnings))) if isinstance(warnings, list) else (),
            seeds=tuple(
                RunResult(f"seed {number}", self._name, topics, of_seed, ())
                for number, of_seed in enumerate(of_seeds, 1)
            ),
        )

    def _score(self, facts: Mapping[str, Any], as_given: str, topics: tuple[str, ...]) -> Score:
        """Read a measure; one of the whole run has no values of topics."""
        rule = str(facts.get("rule", "mean"))
        if rule == WHOLE_RUN:
            topics = ()
        elif "per_topic" not in facts:
            self._refuse("has no values by topic", "results written with --per-topic (-q)")
        signature = self._text(facts, "signature")
        wanted = f"true or false for loss of {as_given}"
        values, of_all = self._values(facts, as_given, topics)
        score = Score(
            measure=measure_of(signature) or as_given,
            as_given=as_given,
            values=values,
            aggregate=of_all,
            rule=rule,
            loss=self._typed(facts.get("loss", False), bool, wanted),
            signature=signature,
            topics=topics,
        )
        seeds = self._typed(facts.get("seeds", []), list, f"list of seeds for {as_given}")
        if len(seeds) == 1:
            self._refuse(f"has one seed for {as_given}", "two seeds or more")
        found = (self._object(seed, f"a seed of {as_given}") for seed in seeds)
        each = (self._values(seed, as_given, topics) for seed in found)
        return replace(
            score, seeds=tuple(replace(score, values=own, aggregate=mean) for own, mean in each)
        )

    def _values(
        self, facts: Mapping[str, Any], as_given: str, topics: Sequence[str]
    ) -> tuple[Floats, float]:
        """Read the values of topics, and the one over all."""
        values = self._object(facts.get("per_topic", {}), f"per_topic of {as_given}")
        if topics and values.keys() != set(topics):
            self._refuse(f"has other topics for {as_given}", "the same topics for all measures")
        numbers = [self._number(values[topic], f"{as_given}, {topic}") for topic in topics]
        of_all = self._number(facts.get("mean"), f"mean of {as_given}")
        found = np.array([math.nan if n is None else n for n in numbers], dtype=float)
        return found, math.nan if of_all is None else of_all

    def _object(self, value: object, key: str) -> Mapping[str, Any]:
        found: Mapping[str, Any] = self._typed(value, dict, f"object for {key}")
        return found

    def _text(self, mapping: Mapping[str, Any], key: str) -> str:
        return str(self._typed(mapping.get(key), str, f"text for {key}"))

    def _typed(self, value: Any, kind: type, what: str) -> Any:
        if not isinstance(value, kind):
            self._refuse(f"has no {what}", "JSON that rankeval eval -q wrote")
        return value

    def _number(self, value: object, key: str) -> float | None:
        if value is None:
            return None
        number = math.inf
        if isinstance(value, int | float) and not isinstance(value, bool):
            with contextlib.suppress(OverflowError):  # an integer of hundreds of digits
                number = float(value)
        if not math.isfinite(number):
            self._refuse(f"has no number for {key}", "a finite number, or null")
        return number

    def _refuse(self, problem: str, expected: str) -> NoReturn:
        raise InputError(problem, place=self._name, expected=expected, remedy=REMEDY)


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
