"""Whether a file holds a run, judgments or preferences, where its place does not say it."""

import contextlib
import json
import re
from collections.abc import Mapping, Sequence

from rankeval.io import column_names, delimited, json_lines, trec
from rankeval.io.blocks import is_rereadable
from rankeval.io.detect_format import MAGIC, looks_like_msmarco
from rankeval.io.form import Beginning
from rankeval.io.plain_parser import is_number
from rankeval.support.frozen import frozen

KINDS = ("run", "qrels", "prefs")
_FIRST_NUMBER = re.compile(rb":\s*(-?[0-9.eE+-]+)\s*[,}]")
"""The first value in JSON that is a number."""


@frozen
class Kind:
    """What a file seems to hold, and whether it could hold nothing else."""

    what: str
    certain: bool


def kind_of(begun: Beginning | None, path: str, given: Mapping[str, str]) -> Kind:
    """Tell by the first line of data what a file holds.

    What could be both is judgments if its first number is a whole one without a point. `begun`
    is None for a data set of ir_datasets.
    """
    if begun is None:  # ir_datasets
        return Kind("qrels", certain=False)
    for magic, name in MAGIC.items():
        if begun.first.startswith(magic):
            return _of_table(name, path, given)
    line = begun.line.lstrip()
    if line[:1] in (b"{", b"["):
        return _of_json(b"".join(begun.head), given)
    for separator in (*delimited.SEPARATORS, b""):
        names = delimited.names_in(line, separator)
        if names and any(column_names.find_roles(names, what, given) for what in KINDS):
            return _of_names(names, _first_value(begun, names, separator, given), given)
    return _of_fields(line.split())


def _of_fields(fields: Sequence[bytes]) -> Kind:
    """What lines without a header hold."""
    width = len(fields)
    if width == len(trec.PREFS.fields):
        return _of_five(fields)
    if width == len(trec.QRELS.fields) or looks_like_msmarco(fields, "qrels"):
        return Kind("qrels", certain=True)
    certain = width >= len(trec.RUN.fields) or looks_like_msmarco(fields, "run")
    return Kind("run", certain=certain)


def _of_five(fields: Sequence[bytes]) -> Kind:
    """What five columns are: preferences, judgments from strata, or a run without tags.

    The fourth column is a docno, the number of a stratum, or a rank.
    """
    _, second, third, fourth, number = fields
    if not is_number(number):
        return Kind("run", certain=False)
    if not is_number(fourth):
        return Kind("prefs", certain=True)
    if second.lower() == b"q0" or not _is_whole(number.decode()):
        return Kind("run", certain=False)
    if is_number(third) and second != b"0":
        return Kind("prefs", certain=False)
    return Kind("qrels", certain=not is_number(third))


def _of_names(names: Sequence[str], value: str, given: Mapping[str, str]) -> Kind:
    """What columns of these names hold; `value` is the first of the numbers."""
    roles = {what: column_names.find_roles(names, what, given) for what in KINDS}
    if roles["prefs"] is not None:
        return Kind("prefs", certain=True)
    run, qrels = roles["run"], roles["qrels"]
    if run is None or qrels is None:
        return Kind("run" if qrels is None else "qrels", certain=True)
    if run.keys() & {"rank", "tag"}:
        return Kind("run", certain=True)
    if qrels["grade"] != run["score"] or "iteration" in qrels or "stratum" in qrels:
        return Kind("qrels", certain=True)
    return Kind("qrels" if _is_whole(value) else "run", certain=False)


def _first_value(
    begun: Beginning, names: Sequence[str], separator: bytes, given: Mapping[str, str]
) -> str:
    """The score or grade in the line below a header."""
    text = b"".join(begun.head).partition(begun.line)[2].lstrip().partition(b"\n")[0]
    fields = delimited.names_in(text, separator) or []
    roles = column_names.find_roles(names, "qrels", given) or {}
    place = roles.get("grade", len(fields))
    return fields[place] if place < len(fields) else ""


def _of_json(head: bytes, given: Mapping[str, str]) -> Kind:
    """What JSON holds: by the names of its first object, or by its first number."""
    record = head[head.find(b"{") :].partition(b"}")[0] + b"}"
    first: object = None
    with contextlib.suppress(ValueError):  # a topic's object inside another, or what is no JSON
        first = json_lines.load(record)
    if isinstance(first, dict) and any(
        column_names.find_roles(list(first), what, given) for what in KINDS
    ):
        place = column_names.find_roles(list(first), "qrels", given) or {}
        value = list(first.values())[place["grade"]] if place else ""
        return _of_names(list(first), json.dumps(value), given)
    number = _FIRST_NUMBER.search(head)
    whole = number is not None and _is_whole(number[1].decode())
    return Kind("qrels" if whole else "run", certain=False)


def _of_table(name: str, path: str, given: Mapping[str, str]) -> Kind:
    """What a table holds: by the names and types of its columns."""
    if not is_rereadable(path):
        return Kind("run", certain=False)
    from rankeval.io import tables

    schema = tables.schema_of(name, path)
    if not schema:
        return Kind("run", certain=False)
    place = column_names.find_roles(list(schema), "qrels", given) or {}
    whole = "int" in list(schema.values())[place["grade"]] if place else False
    return _of_names(list(schema), "1" if whole else "1.0", given)


def _is_whole(text: str) -> bool:
    return text.strip().lstrip("+-").isdigit()
