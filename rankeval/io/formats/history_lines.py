"""The history of gates: JSON Lines that `rankeval gate --append` wrote."""

from __future__ import annotations

import json
import math
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from rankeval.base.frozen import frozen
from rankeval.base.wording import count, quoted
from rankeval.errors import InputError
from rankeval.io.formats.json_lines import load_line
from rankeval.io.sources.atomic import atomic_bytes, write_errors
from rankeval.io.sources.blocks import (
    compression,
    display_name,
    first_bytes,
    pieces,
    reading_errors,
    whole_lines,
)
from rankeval.io.sources.locks import held
from rankeval.io.sources.parts import STDIN, is_remote

SCHEMA = "rankeval-gate-history/1"
BEGINNING = f'{{"schema": "{SCHEMA}"'
EXPECTED = f"a line that rankeval gate --append wrote, which begins with {BEGINNING}"
REMEDY = "drop the line"
DROPPED = ".dropped"
"""The suffix of the file for the lines that a repair takes from a history."""

CONFLICT = re.compile(rb"(<{7}|\|{7}|={7}|>{7})( |$)")
"""The marks of git in a file that it cannot merge, at the beginning of a line."""

SEARCHED = 1_000
"""Damaged lines after which a file without a gate is taken for another kind of file."""

SPANS = 8
"""Stretches of lines that an error names."""

ON = " on "
COSTS = ("max-cost", "max-cost-value")
"""The kinds of rules whose means are costs."""
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
    cost       True if it is a cost, of which less is better
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
    cost: bool = False
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

    A last line that was cut off, as by a crash, is left out with a warning. InputError names all
    other lines of a file that are damaged.
    """
    known: set[bytes] = set()
    found, warnings = [], []
    for path in paths:
        name = display_name(path)
        empty = True
        damaged: list[tuple[int, InputError]] = []
        cut = False
        last = 0
        for last, line in _lines(path):
            if line in known:
                empty = False
                continue
            try:
                found.append(_gate(line, f"{name}:{last}"))
            except InputError as error:
                damaged.append((last, error))
                cut = _is_beginning(line)
                if empty and len(damaged) == SEARCHED:
                    break
                continue
            known.add(line)
            empty = False
        if damaged and damaged[-1][0] == last and cut:
            damaged.pop()
            warnings.append(f"{name}:{last}: the last line is cut off, and left out")
        if damaged:
            raise _damage(damaged, path, empty=empty)
        if empty:
            raise InputError("holds no gate", place=name, expected=EXPECTED)
    return found, warnings


def _gate(line: bytes, place: str) -> HistoryLine:
    """Return the gate of a line."""
    if CONFLICT.match(line):
        raise _error("this is a mark of git, which could not merge two histories", place)
    try:
        record = load_line(line, place, EXPECTED)
    except InputError as error:
        error.remedy = REMEDY
        raise
    return line_of(record, place)


def _is_beginning(line: bytes) -> bool:
    """Return True for the beginning of a line, and not for a whole one with wrong values."""
    if not (line.startswith(BEGINNING.encode()) or BEGINNING.encode().startswith(line)):
        return False
    try:
        load_line(line, "", "")
    except InputError:
        return True
    return False


def _damage(
    damaged: Sequence[tuple[int, InputError]], path: str, *, empty: bool = False
) -> InputError:
    """Return the error of the first line that is damaged, which names the others."""
    first = damaged[0][1]
    if of_another := next((one for _, one in damaged if isinstance(one, _OtherVersionError)), None):
        return of_another
    if empty:  # another kind of file
        return first
    if others := [number for number, _ in damaged[1:]]:
        is_are = "is" if len(others) == 1 else "are"
        first.problem += f"; {count(len(others), 'more line')} {is_are} damaged: {spans(others)}"
    if path != STDIN:
        what = "them" if len(damaged) > 1 else "it"
        first.remedy = (
            f"drop the {'lines' if len(damaged) > 1 else 'line'}, or let rankeval trend --repair "
            f"move {what} to {display_name(path)}{DROPPED}"
        )
    return first


def spans(numbers: Sequence[int]) -> str:
    """Return rising numbers in words: 3, 7-9; the first few stretches of many."""
    stretches: list[list[int]] = []
    for number in numbers:
        if stretches and stretches[-1][-1] == number - 1:
            stretches[-1][1:] = [number]
        else:
            stretches.append([number])
    words = ["-".join(map(str, stretch)) for stretch in stretches[:SPANS]]
    return ", ".join([*words, *(["..."] if len(stretches) > SPANS else [])])


@frozen
class Repair:
    """The lines that a repair moved from a history.

    ======= ============================================================================
    history the file
    dropped the file that has them now
    numbers of the lines, as they were
    kept    number of lines that the history still has
    ======= ============================================================================
    """

    history: str
    dropped: str
    numbers: tuple[int, ...]
    kept: int


def repair_history(path: str) -> Repair:
    """Move the damaged lines of a history to the end of FILE.dropped, in the same folder.

    The file is locked meanwhile, and replaced as a whole; lines in FILE.dropped stay. Where no line
    is damaged, nothing is written. InputError for a file without a single gate, for lines of
    another version, and for what cannot be replaced: standard input and compressed files.
    """
    name = display_name(path)
    if path == STDIN or is_remote(path) or compression(path):
        raise InputError(
            "cannot be repaired where it is",
            place=name,
            expected="a history in a file that is not compressed",
        )
    first_bytes(path, 1)  # words the error of a file that cannot be read
    with held(path):
        with reading_errors(name):
            lines = Path(path).read_bytes().split(b"\n")
        kept: list[bytes] = []
        dropped: list[bytes] = []
        damaged: list[tuple[int, InputError]] = []
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                _gate(line.strip(), f"{name}:{number}")
            except InputError as error:
                damaged.append((number, error))
                dropped.append(line + b"\n")
            else:
                kept.append(line + b"\n")
        if damaged and (not kept or any(isinstance(one, _OtherVersionError) for _, one in damaged)):
            raise _damage(damaged, path, empty=True)
        dropped_path = path + DROPPED
        if damaged:
            with write_errors(dropped_path), Path(dropped_path).open("ab") as stream:
                stream.writelines(dropped)
                stream.flush()
                os.fsync(stream.fileno())
            with atomic_bytes(path) as whole:
                whole.writelines(kept)
    return Repair(path, dropped_path, tuple(number for number, _ in damaged), len(kept))


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


def _lines(path: str) -> Iterator[tuple[int, bytes]]:
    for block, first_line in whole_lines(pieces(path, may_grow=True), path):
        for number, line in enumerate(block.split(b"\n"), first_line):
            if stripped := line.strip():
                yield number, stripped


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
        cost=text.partition(" ")[0] in COSTS,
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


class _OtherVersionError(InputError):
    """A line that another version of rankeval wrote, which is not damaged."""


def _of_another_schema(schema: object, place: str) -> InputError:
    if isinstance(schema, str) and schema.startswith("rankeval-gate-history/"):
        return _OtherVersionError(
            f"the line has the schema {quoted(schema.encode('utf-8', 'surrogateescape'))}",
            place=place,
            expected=SCHEMA,
            remedy="read it with the version of rankeval that wrote it, or with a newer one",
        )
    what = "no schema" if schema is None else "the schema of something else"
    return _error(f"the object has {what}", place)


def _error(problem: str, place: str) -> InputError:
    return InputError(problem, place=place, expected=EXPECTED, remedy=REMEDY)
