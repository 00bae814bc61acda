"""MS MARCO's formats: a run of topic, docno and rank, and judgments that may lack the grade."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rankeval.io.formats import trec
from rankeval.io.formats.file_format import (
    Beginning,
    FileFormat,
    Form,
    LaidOutLines,
    Limits,
    NameRule,
)
from rankeval.io.parsers.column_names import ContentGuess
from rankeval.io.parsers.columns import Columns, Layout
from rankeval.io.sources.blocks import whole_lines

RUN = Layout(
    what="run",
    fields=("topic", "docno", "rank"),
    value=2,
    value_name="rank",
    docno=1,
    ranked=True,
    kept=(("rank", 2),),
)
"""The score of a document is its rank below zero."""

QRELS = Layout(
    what="qrels",
    fields=("topic", "docno"),
    value=None,
    value_name="grade",
    docno=1,
)
"""A line means the grade 1. Four columns are TREC's."""


def read(path: str, begun: Beginning, form: Form) -> LaidOutLines:
    """Lay out the lines of a file."""
    trec.refuse_features(begun.line, path)
    counted = form.detected and form.what == "run"
    return LaidOutLines(_layout(begun.line, form), whole_lines(begun.whole, path), counted=counted)


def _layout(line: bytes, form: Form) -> Layout:
    if form.what == "run":
        return form.with_ranks(RUN)
    if form.what == "qrels" and len(line.split()) == len(QRELS.fields):
        return QRELS
    return trec.layout(line, form)


def write(what: str, parts: Iterator[Columns]) -> Iterator[bytes]:
    """Yield lines of a run, by ranks from 1, or judgments in TREC's four columns."""
    from rankeval.io.formats.text_rows import every_rows, lines_of_fields

    fields = RUN.fields if what == "run" else trec.LAYOUTS[what].fields
    first: dict[bytes, bytes] = {}
    for rows in every_rows(what, parts):
        if what == "run":
            topics, ranks = rows["topic"], rows["rank"]
            first = dict(zip(reversed(topics), reversed(ranks), strict=True)) | first
            if b"0" in first.values():
                rows["rank"] = [
                    b"%d" % (int(rank) + 1) if first[topic] == b"0" and rank.isdigit() else rank
                    for topic, rank in zip(topics, ranks, strict=True)
                ]
        ordered = _in_order_of_ranks(rows) if what == "run" else rows
        yield lines_of_fields(fields, b"\t", ordered, trec.CONSTANTS)


def _in_order_of_ranks(rows: dict[str, Any]) -> dict[str, Any]:
    """Return the rows with those of a topic by rank; as they are where a rank is no integer."""
    topics, ranks = rows["topic"], rows["rank"]
    if not all(rank.isdigit() for rank in ranks):
        return rows
    place = {topic: i for i, topic in enumerate(dict.fromkeys(topics))}
    order = sorted(range(len(ranks)), key=lambda i: (place[topics[i]], int(ranks[i])))
    return {name: [column[i] for i in order] for name, column in rows.items()}


def recognises(line: bytes, form: Form) -> bool:
    """Return True for MS MARCO's columns that are not TREC's."""
    return _is_line_of(form.what, line.split())


def guess(begun: Beginning, _path: str, _given: Mapping[str, str]) -> ContentGuess | None:
    """Tell runs and judgments by their number of columns."""
    fields = begun.line.split()
    for what in ("qrels", "run"):
        if _is_line_of(what, fields):
            return ContentGuess(what, certain=True)
    return None


def _is_line_of(what: str, fields: Sequence[bytes]) -> bool:
    if what == "run":
        return len(fields) == len(RUN.fields) and fields[2].isdigit()
    return what == "qrels" and len(fields) == len(QRELS.fields)


MSMARCO = FileFormat(
    "msmarco",
    Limits(
        NameRule.WORDS,
        kinds=("run", "qrels"),
        roles=frozenset({"rank", "iteration"}),
        required=frozenset({"rank", "iteration"}),
        scores=False,
        whole_grades=True,
    ),
    read,
    write,
    recognises=recognises,
    guess=guess,
    read_as={"qrels": "trec"},
)
