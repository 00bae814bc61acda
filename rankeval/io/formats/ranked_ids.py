"""Objects of a topic with two lists, as tools for retrieval-augmented generation write them.

`expected_ids` are judgments of grade 1, and `retrieved_ids` a run, the best document first.
"""

import json
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from rankeval.errors import InputError
from rankeval.io.formats.file_format import Form
from rankeval.io.formats.json_lines import as_bytes, load, load_line
from rankeval.io.parsers.column_names import TOPIC, plain_name
from rankeval.io.parsers.columns import Columns
from rankeval.io.parsers.line_errors import LineError
from rankeval.io.parsers.plain_parser import PlainDocnos
from rankeval.io.sources.blocks import display_name, whole_lines

LISTS = {"qrels": "expected_ids", "run": "retrieved_ids"}
"""The list of each kind of file."""

EXPECTED = '{"query_id": "1", "expected_ids": ["d1"], "retrieved_ids": ["d2", "d1"]}, one per line'


def lists_in(record: object) -> list[str]:
    """Return the kinds of files that an object holds lists of: judgments, a run, or both."""
    if not isinstance(record, dict) or _topic_key(record) is None:
        return []
    return [what for what, key in LISTS.items() if isinstance(record.get(key), list)]


def kinds_of(line: bytes) -> list[str]:
    """Return the kinds of files that a line of JSON holds lists of."""
    if b"_ids" not in line:
        return []
    try:
        return lists_in(load(line))
    except ValueError:
        return []


def _topic_key(record: dict[str, Any]) -> str | None:
    names = {plain_name(key): key for key in record}
    return next((names[name] for name in TOPIC if name in names), None)


def columns_of_lines(pieces: Iterator[bytes], form: Form, path: str) -> Iterator[Columns]:
    """Yield the documents of each line; LineError names one that is wrong."""
    name = display_name(path)
    for block, first_line in whole_lines(pieces, path):
        for number, line in enumerate(block.split(b"\n"), first_line):
            if line.strip():
                yield from _right(line, number, form, name)


def columns_of_records(records: Iterable[object], form: Form, name: str) -> Iterator[Columns]:
    """Yield the documents of each object of a list, whose numbers count from 1."""
    for number, record in enumerate(records, 1):
        yield from _right(json.dumps(record).encode(), number, form, name)


def _right(line: bytes, number: int, form: Form, name: str) -> Iterator[Columns]:
    """Yield the documents of an object, if there are any; a wrong one is left out or refused."""
    try:
        topic, docnos = _topic_and_docnos(load_line(line, f"{name}:{number}", EXPECTED), form.what)
    except InputError as error:
        wrong = LineError(
            error.problem, kind="wrong lists of ids", name=name, line=number, expected=EXPECTED
        )
        if form.problems is None:
            raise wrong from None
        form.problems.add([wrong])
        return
    if not docnos:
        return
    ranks = np.arange(1.0, len(docnos) + 1)
    is_run = form.what == "run"
    yield Columns(
        topics=(topic,),
        starts=np.array([0, len(docnos)]),
        docnos=PlainDocnos(docnos),
        values=0.0 - ranks if is_run else np.ones(len(docnos)),
        lines=[number] * len(docnos),
        ranks=ranks if is_run and form.ranks else None,
    )


def _topic_and_docnos(record: object, what: str) -> tuple[bytes, list[bytes]]:
    key = LISTS[what]
    found = record.get(key) if isinstance(record, dict) else None
    if not isinstance(record, dict) or not isinstance(found, list):
        raise InputError(f'this is no object with a list "{key}"')
    topic = record.get(_topic_key(record) or "")
    for value in (topic, *found):
        if isinstance(value, bool) or not isinstance(value, str | int) or value == "":
            raise InputError(f"{json.dumps(value)[:60]} is no name of a topic or a document")
    return as_bytes(topic), [as_bytes(docno) for docno in found]
