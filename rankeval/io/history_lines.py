"""The history of gates: JSON Lines that `rankeval gate --append` wrote."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from datetime import UTC, datetime
from typing import Any

from rankeval.errors import InputError
from rankeval.io.blocks import display_name, pieces, whole_lines
from rankeval.io.json_lines import load_line
from rankeval.support.frozen import frozen
from rankeval.support.wording import quoted

SCHEMA = "rankeval-gate-history/1"
BEGINNING = f'{{"schema": "{SCHEMA}"'
EXPECTED = f"a line that rankeval gate --append wrote, which begins with {BEGINNING}"
REMEDY = "drop the line"
ON = " on "
GOLDEN = "max-drift"
"""The kind of rules whose baseline is the golden one."""


@frozen
class HistoryMeans:
    """The means of one measure that a gate had for a candidate.

    ========== =========================================================================
    run        name of the candidate
    measure    name of the measure
    group      group of topics; "" for all topics
    baseline   mean of the baseline; None where it is undefined
    candidate  mean of the candidate, likewise
    collection the collection, "macro mean" or "worst collection"; "" for none
    golden     True if the baseline is the golden one
    passed     True if the candidate kept the rule; None for a measure without a rule
    verdict    verdict of the test; "" without one
    ========== =========================================================================
    """

    run: str
    measure: str
    group: str
    baseline: float | None
    candidate: float | None
    collection: str = ""
    golden: bool = False
    passed: bool | None = None
    verdict: str = ""


@frozen
class HistoryLine:
    """A gate in the history.

    ========== =========================================================================
    time       when it ended, in UTC
    commit     the commit; "" for none
    suite      name of the suite; "" for none
    passed     True if every candidate kept every rule
    judged     False if it could not judge; then only the fields above are known
    baseline   name of the baseline
    candidates names of the candidates
    qrels      digest of the judgments
    runs       digest of the values of each run
    means      the means of each candidate and measure
    ========== =========================================================================
    """

    time: datetime
    commit: str
    suite: str
    passed: bool
    judged: bool
    baseline: str = ""
    candidates: tuple[str, ...] = ()
    qrels: str = ""
    runs: Mapping[str, str] = field(default_factory=dict)
    means: tuple[HistoryMeans, ...] = ()


def read_history(paths: Sequence[str]) -> tuple[list[HistoryLine], list[str]]:
    """Read the gates of some files, and warnings; a line that several files have counts once.

    A last line that was cut off, as by a crash, is left out with a warning. InputError tells any
    other line that is wrong.
    """
    known: set[bytes] = set()
    found, warnings = [], []
    for path in paths:
        name = display_name(path)
        empty = True
        cut: tuple[str, InputError] | None = None
        for place, line in _lines(path, name):
            if cut is not None:
                raise cut[1]
            if line in known:
                empty = False
                continue
            try:
                record = load_line(line, place, EXPECTED)
            except InputError as error:
                error.remedy = REMEDY
                if not (line.startswith(BEGINNING.encode()) or BEGINNING.encode().startswith(line)):
                    raise
                cut = place, error
                continue
            known.add(line)
            empty = False
            found.append(line_of(record, place))
        if cut is not None:
            warnings.append(f"{cut[0]}: the last line is cut off, and left out")
        if empty:
            raise InputError("holds no gate", place=name, expected=EXPECTED)
    return found, warnings


def lines_of(records: Iterable[Any]) -> list[HistoryLine]:
    """Take gates as dictionaries, each as a line of a history."""
    return [line_of(one, f"record {i}") for i, one in enumerate(records, 1)]


def line_of(record: object, place: str) -> HistoryLine:
    """Return the gate of one object; InputError if it is none of the history's schema."""
    if not isinstance(record, Mapping):
        raise _error("this is not a JSON object", place)
    schema = record.get("schema")
    if schema != SCHEMA:
        raise _of_another_schema(schema, place)
    about = {
        "time": _time(_value(record, "time", str, place), place),
        "commit": _value(record, "commit", str, place),
        "suite": _value(record, "suite", str, place),
        "passed": _value(record, "passed", bool, place),
    }
    if "error" in record:
        return HistoryLine(**about, judged=False)
    digests = _value(record, "digests", Mapping, place)
    runs = _value(digests, "runs", Mapping, place)
    means = [_means(one, place, rule=True) for one in _value(record, "rules", list, place)]
    means += [_means(one, place, rule=False) for one in _value(record, "shown", list, place)]
    return HistoryLine(
        **about,
        judged=True,
        baseline=_value(record, "baseline", str, place),
        candidates=tuple(map(str, _value(record, "candidates", list, place))),
        qrels=_value(digests, "qrels", str, place),
        runs={name: _value(runs, name, str, place) for name in runs},
        means=tuple(means),
    )


def _lines(path: str, name: str) -> Iterator[tuple[str, bytes]]:
    for block, first_line in whole_lines(pieces(path, may_grow=True), path):
        for number, line in enumerate(block.split(b"\n"), first_line):
            if stripped := line.strip():
                yield f"{name}:{number}", stripped


def _means(one: object, place: str, *, rule: bool) -> HistoryMeans:
    if not isinstance(one, Mapping):
        raise _error(f'"{"rules" if rule else "shown"}" holds what is not an object', place)
    text = _value(one, "rule", str, place) if rule else ""
    # Measures without a rule have the collection behind their name.
    measure, _, shown = _value(one, "measure", str, place).partition(ON)
    verdict, collection = one.get("verdict"), one.get("collection", shown)
    if not isinstance(collection, str):
        raise _error('"collection" is not text', place)
    return HistoryMeans(
        run=_value(one, "run", str, place),
        measure=measure,
        group=_value(one, "group", str, place) if rule else "",
        baseline=_mean(one, "baseline", place),
        candidate=_mean(one, "candidate", place),
        collection=collection,  # which lines of earlier versions lack
        golden=text.partition(" ")[0] == GOLDEN,
        passed=_value(one, "passed", bool, place) if rule else None,
        verdict=verdict if isinstance(verdict, str) else "",
    )


WORDS: Mapping[Any, str] = {
    str: "text",
    bool: "true or false",
    list: "a list",
    Mapping: "an object",
}


def _value(record: Mapping[str, Any], key: str, kind: Any, place: str) -> Any:
    if key not in record:
        raise _error(f"the object has no {json.dumps(key)}", place)
    if not isinstance(record[key], kind):
        raise _error(f"{json.dumps(key)} is not {WORDS[kind]}", place)
    return record[key]


def _mean(record: Mapping[str, Any], key: str, place: str) -> float | None:
    if key not in record:
        raise _error(f"the object has no {json.dumps(key)}", place)
    value = record[key]
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise _error(f"{json.dumps(key)} is not a number", place)
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise _error(f"{json.dumps(key)} is not finite", place)
    return number


def _time(text: str, place: str) -> datetime:
    try:
        found = datetime.fromisoformat(text)
        return (found if found.tzinfo else found.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        shown = quoted(text.encode("utf-8", "surrogateescape"))
        raise InputError(
            f"the time {shown} is none",
            place=place,
            expected="ISO 8601, such as 2026-11-22T03:00:00+00:00",
            remedy=REMEDY,
        ) from None


def _of_another_schema(schema: object, place: str) -> InputError:
    if isinstance(schema, str) and schema.startswith("rankeval-gate-history/"):
        return InputError(
            f"the line has the schema {quoted(schema.encode('utf-8', 'surrogateescape'))}",
            place=place,
            expected=SCHEMA,
            remedy="read it with the version of rankeval that wrote it, or with a newer one",
        )
    what = "no schema" if schema is None else "the schema of something else"
    return _error(f"the object has {what}", place)


def _error(problem: str, place: str) -> InputError:
    return InputError(problem, place=place, expected=EXPECTED, remedy=REMEDY)
