"""Results read back from the JSON that `rankeval eval -q -o FILE.json` wrote."""

import json
import math
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from rankeval.errors import InputError
from rankeval.io.source import STDIN, display_name
from rankeval.results import Notice, QrelsFacts, Results, RunResult, Score
from rankeval.signatures import measure_of

SCHEMA = "rankeval/1"
HEAD = 4096
"""Bytes at the beginning of a file in which its schema is looked for."""
REMEDY = "write it anew: rankeval eval QRELS RUN -q -o FILE.json"


def is_results_path(path: object) -> bool:
    """Whether a path names results and not a run: its suffix is .json."""
    if not isinstance(path, str | os.PathLike):
        return False
    name = os.fspath(path)
    return name != STDIN and name.lower().endswith(".json")


def results_of(run: Any) -> Any:
    """The results that a path names, else what was given; other JSON may hold a run."""
    return read_results(run) if is_results_path(run) and _says_its_schema(run) else run


def _says_its_schema(path: str | os.PathLike[str]) -> bool:
    """Whether a file begins as `rankeval eval` begins it."""
    try:
        with Path(path).open("rb") as stream:
            return b'"schema"' in stream.read(HEAD)
    except OSError:
        return False


def read_results(path: str | os.PathLike[str]) -> Results:
    """Read an evaluation with its values by topic; InputError for what is not one.

    Warnings and values by group are not taken over: they speak of files that may be gone.
    """
    name = display_name(os.fspath(path))
    try:
        with Path(path).open(encoding="utf-8") as stream:
            document = json.load(stream, parse_constant=_refuse_constant)
    except OSError as error:
        reason = error.strerror or str(error)
        raise InputError(f"cannot read: {reason[:1].lower()}{reason[1:]}", place=name) from error
    except (ValueError, RecursionError) as error:
        raise InputError(
            f"is no JSON: {error}",
            place=name,
            expected="what rankeval eval wrote",
            remedy=REMEDY,
        ) from error
    return _Reader(name).results(document)


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number in JSON")


class _Reader:
    """Takes apart a document; every complaint names the file and the key."""

    def __init__(self, name: str) -> None:
        self._name = name

    def results(self, document: object) -> Results:
        top = self._object(document, "the file")
        schema = top.get("schema")
        if schema != SCHEMA:
            self._refuse(f"has the schema {json.dumps(schema)}", f'"{SCHEMA}"')
        qrels = self._object(top.get("qrels"), "qrels")
        settings = self._object(top.get("settings", {}), "settings")
        runs = top.get("runs")
        if not isinstance(runs, list) or not runs:
            self._refuse("holds no run", 'a list "runs"')
        return Results(
            qrels=QrelsFacts(
                path=self._text(qrels, "path"),
                topics=int(self._number(qrels.get("topics"), "topics") or 0),
                judgments=int(self._number(qrels.get("judgments"), "judgments") or 0),
                digest=self._text(qrels, "digest"),
            ),
            settings={
                key: value
                for key, value in settings.items()
                if value is None or isinstance(value, str | int | float)
            },
            runs=tuple(self._run(self._object(run, "a run")) for run in runs),
        )

    def _run(self, run: Mapping[str, Any]) -> RunResult:
        measures = self._object(run.get("measures"), "measures")
        if not measures:
            self._refuse("holds no measure", "one measure or more")
        topics: tuple[str, ...] | None = None
        scores = []
        for as_given, value in measures.items():
            facts = self._object(value, as_given)
            if "per_query" not in facts:
                self._refuse("holds no values by topic", "results written with --per-query (-q)")
            values = self._object(facts["per_query"], f"per_query of {as_given}")
            topics = topics or tuple(values)
            if values.keys() != set(topics):
                self._refuse(f"has other topics for {as_given}", "the same topics for all measures")
            numbers = [self._number(values[topic], f"{as_given}, {topic}") for topic in topics]
            mean = self._number(facts.get("mean"), f"mean of {as_given}")
            signature = self._text(facts, "signature")
            scores.append(
                Score(
                    measure=measure_of(signature) or as_given,
                    as_given=as_given,
                    values=np.array([math.nan if n is None else n for n in numbers], dtype=float),
                    aggregate=math.nan if mean is None else mean,
                    rule=str(facts.get("rule", "mean")),
                    loss=facts.get("loss") is True,
                    signature=signature,
                )
            )
        warnings = run.get("warnings")
        return RunResult(
            name=self._text(run, "name"),
            path=self._name,
            topics=topics or (),
            scores=tuple(scores),
            warnings=tuple(Notice(str(text)) for text in warnings)
            if isinstance(warnings, list)
            else (),
        )

    def _object(self, value: object, key: str) -> Mapping[str, Any]:
        if not isinstance(value, dict):
            self._refuse(f"has no object for {key}", "what rankeval eval wrote")
        return value

    def _text(self, mapping: Mapping[str, Any], key: str) -> str:
        value = mapping.get(key)
        if not isinstance(value, str):
            self._refuse(f"has no text for {key}", "what rankeval eval wrote")
        return value

    def _number(self, value: object, key: str) -> float | None:
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int | float) or abs(value) == math.inf:
            self._refuse(f"has no number for {key}", "a finite number, or null")
        return float(value)

    def _refuse(self, problem: str, expected: str) -> NoReturn:
        raise InputError(problem, place=self._name, expected=expected, remedy=REMEDY)
