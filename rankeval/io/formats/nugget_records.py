"""Nuggets of topics as judgments: each is judged for its topic, by its importance."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from rankeval.errors import InputError
from rankeval.io.formats.json_lines import load, load_line
from rankeval.io.parsers.columns import Columns
from rankeval.io.parsers.plain_parser import PlainDocnos
from rankeval.io.sources.blocks import display_name, whole_lines

GRADES = {"vital": 2, "okay": 1}
"""The grade of a nugget by its importance; 0 for any other."""
EXPECTED = '{"qid": "q1", "nuggets": [{"text": "a fact", "importance": "vital"}]}, a topic per line'


def holds_nuggets(line: bytes) -> bool:
    """Return True for a line of JSON that has the nuggets of a topic, or an answer to it."""
    if b'"nuggets"' not in line and b'"answer"' not in line:
        return False
    try:
        record = load(line)
    except ValueError:
        return False
    lists = (record.get("nuggets"), record.get("answer")) if isinstance(record, dict) else ()
    return any(isinstance(each, list) for each in lists) and "qid" in record


def nugget_grades(nuggets: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    """Return {nugget: grade}: a nugget is called by its number, and its text if it has one.

    >>> nugget_grades([{"text": "a fact", "importance": "vital"}, {"importance": "okay"}])
    {'1 a fact': 2, '2': 1}
    """
    found = {}
    for number, nugget in enumerate(nuggets, 1):
        text = nugget.get("text")
        words = " ".join(text.split()) if isinstance(text, str) else ""
        importance = nugget.get("importance")
        grade = GRADES.get(importance, 0) if isinstance(importance, str) else 0
        found[f"{number} {words}".strip()] = grade
    return found


ANSWERED = {"answer": 1}
"""The judgments of a topic without nuggets, whose answers were judged by their citations."""


def judged_nuggets(pieces: Iterator[bytes], path: str) -> Iterator[Columns]:
    """Yield the nuggets of each line as judgments; InputError names the line that is wrong."""
    name = display_name(path)
    for block, first_line in whole_lines(pieces, path):
        for number, line in enumerate(block.splitlines(), first_line):
            if line.strip():
                place = f"{name}:{number}"
                yield _columns(load_line(line, place, EXPECTED), place, number)


def _columns(record: object, place: str, line: int) -> Columns:
    nuggets = record.get("nuggets") if isinstance(record, dict) else None
    without = (
        isinstance(record, dict) and nuggets is None and isinstance(record.get("answer"), list)
    )
    nuggets = [] if without else nuggets
    if not isinstance(nuggets, list) or not all(isinstance(nugget, dict) for nugget in nuggets):
        raise InputError('this is no object with a list "nuggets"', place=place, expected=EXPECTED)
    topic = record.get("qid") if isinstance(record, dict) else None
    if isinstance(topic, bool) or not isinstance(topic, str | int) or topic == "":
        shown = json.dumps(topic)[:60]
        raise InputError(f"the topic {shown} is no name", place=place, expected="text")
    grades = ANSWERED if without else nugget_grades(nuggets)
    return Columns(
        (str(topic).encode("utf-8", "surrogatepass"),),
        np.array([0, len(grades)]),
        PlainDocnos([nugget.encode("utf-8", "surrogatepass") for nugget in grades]),
        np.array([*grades.values()], dtype=np.float64),
        [line] * len(grades),
    )
