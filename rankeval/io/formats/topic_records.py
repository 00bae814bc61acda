"""JSON Lines with an object for each topic: nuggets, or ids that are expected and were retrieved.

Nuggets are judged by their importance. `expected_ids` are judgments of grade 1, and `retrieved_ids`
a run, the best document first, as tools for retrieval-augmented generation write them.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from rankeval.errors import InputError
from rankeval.io.formats.file_format import Form
from rankeval.io.formats.json_values import as_bytes, load, load_line
from rankeval.io.parsers.column_names import TOPIC, plain_name
from rankeval.io.parsers.columns import Columns, PlainDocnos
from rankeval.io.parsers.line_errors import LineError
from rankeval.io.sources.blocks import display_name, whole_lines

NUGGETS = "nuggets"
IDS = {"qrels": "expected_ids", "run": "retrieved_ids"}
"""The list of ids of each kind of file."""

EXPECTED = {
    NUGGETS: '{"qid": "q1", "nuggets": [{"text": "a fact", "importance": "vital"}]}, one per line',
    **dict.fromkeys(
        IDS.values(),
        '{"query_id": "1", "expected_ids": ["d1"], "retrieved_ids": ["d2", "d1"]}, one per line',
    ),
}
GRADES = {"vital": 2, "okay": 1}
"""The grade of a nugget by its importance; 0 for any other."""

ANSWERED = {"answer": 1}
"""The judgments of a topic without nuggets, whose answers were judged by their citations."""


def kinds_of(record: object) -> dict[str, str]:
    """Return the kinds of files that an object may belong to, and the list that it has for each."""
    if not isinstance(record, dict):
        return {}
    if "qid" in record and any(isinstance(record.get(key), list) for key in (NUGGETS, "answer")):
        return {"qrels": NUGGETS}
    if _topic_of(record) is None:
        return {}
    return {what: key for what, key in IDS.items() if isinstance(record.get(key), list)}


def kinds_of_line(line: bytes) -> dict[str, str]:
    """Return what `kinds_of` does, for a line of JSON."""
    if not any(name in line for name in (b'"nuggets"', b'"answer"', b'_ids"')):
        return {}
    try:
        return kinds_of(load(line))
    except ValueError:
        return {}


def _topic_of(record: Mapping[str, Any]) -> Any:
    names = {plain_name(key): key for key in record}
    return next((record[names[name]] for name in TOPIC if name in names), None)


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


def columns_of_lines(pieces: Iterator[bytes], form: Form, key: str, path: str) -> Iterator[Columns]:
    """Yield the documents of each line under a key; LineError names one that is wrong."""
    name = display_name(path)
    for block, first_line in whole_lines(pieces, path):
        for number, line in enumerate(block.split(b"\n"), first_line):
            if line.strip():
                yield from _right(line, number, form, key, name)


def columns_of_records(
    records: Iterable[object], form: Form, key: str, name: str
) -> Iterator[Columns]:
    """Yield the documents of each object of a list, whose numbers count from 1."""
    for number, record in enumerate(records, 1):
        yield from _right(json.dumps(record).encode(), number, form, key, name)


def _right(line: bytes, number: int, form: Form, key: str, name: str) -> Iterator[Columns]:
    """Yield the documents of an object, if there are any; a wrong one is left out or refused."""
    try:
        topic, docnos, values = _parsed(load_line(line, f"{name}:{number}", ""), key)
    except InputError as error:
        kind, expected = f"wrong list of {key}", EXPECTED[key]
        wrong = LineError(error.problem, kind=kind, name=name, line=number, expected=expected)
        if form.problems is None:
            raise wrong from None
        form.problems.add([wrong])
        return
    if docnos:
        yield Columns(
            topics=(topic,),
            starts=np.array([0, len(docnos)]),
            docnos=PlainDocnos(docnos),
            values=np.array(values, dtype=np.float64),
            lines=[number] * len(docnos),
            ranks=np.arange(1.0, len(docnos) + 1) if form.what == "run" and form.ranks else None,
        )


def _parsed(record: Any, key: str) -> tuple[bytes, list[bytes], Sequence[float]]:
    """Return a topic, its documents, and their scores or grades; InputError for another record."""
    record = record if isinstance(record, dict) else {}
    found = _nuggets(record) if key == NUGGETS else record.get(key)
    if not isinstance(found, dict if key == NUGGETS else list):
        raise InputError(f'this is no object with a list "{key}"')
    topic = record.get("qid") if key == NUGGETS else _topic_of(record)
    for name in (topic, *found):
        if isinstance(name, bool) or not isinstance(name, str | int) or name == "":
            raise InputError(f"{json.dumps(name)[:60]} is not a name of a topic or a document")
    values = [1] * len(found) if key == IDS["qrels"] else range(-1, -1 - len(found), -1)
    if isinstance(found, dict):
        values = [*found.values()]
    return as_bytes(topic), [*map(as_bytes, found)], values


def _nuggets(record: Mapping[str, Any]) -> dict[str, int] | None:
    """Return the grades of the nuggets of a topic; None for another object."""
    nuggets = record.get(NUGGETS)
    if nuggets is None and isinstance(record.get("answer"), list):
        return ANSWERED
    if not isinstance(nuggets, list) or not all(isinstance(nugget, dict) for nugget in nuggets):
        return None
    return nugget_grades(nuggets)
