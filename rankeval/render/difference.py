"""What makes two runs differ: text for the terminal, TSV, JSON, and the pool to be judged."""

import json
import math
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from rankeval import __version__
from rankeval.difference import Difference, MovedDocument, TopicDifference
from rankeval.render import escape
from rankeval.render.comparison import number, p_value, percent, signed
from rankeval.render.style import Style
from rankeval.render.text import Column, bold, columns, paragraph
from rankeval.wording import count

SCHEMA = "rankeval-diff/1"
ABSENT, UNJUDGED = "-", "?"


def table(difference: Difference, style: Style) -> Iterator[str]:
    """Print the difference, the topics that moved most, and their documents."""
    s = difference.summary
    a, b = escape.visible(difference.a.name), escape.visible(difference.b.name)
    less = " (less is better)" if difference.loss else ""
    head = (
        f"{escape.visible(difference.measure)}{less}: {number(s.baseline_mean, style.digits)} (A, "
        f"{a}), {number(s.candidate_mean, style.digits)} (B, {b}); B - A is "
        f"{signed(s.difference, style.digits)} ({percent(s.relative_difference)}); B wins "
        f"{s.wins}, ties {s.ties} and loses {s.losses} of {count(s.n_topics, 'topic')}."
    )
    yield paragraph(head, style) + "\n"
    for topic in difference.topics:
        yield "\n" + bold(_heading(topic, style), style) + "\n"
        yield from _documents(topic, style)
    yield from _holes(difference, style)
    unjudged = " and ".join(
        f"{found} ({label})" for found, label in zip(difference.unjudged, "AB", strict=True)
    )
    yield "\n"
    yield (
        paragraph(
            f"Documents among the first {difference.top}; {UNJUDGED} unjudged, {ABSENT} not among "
            f"them or not found. Unjudged in all topics: {unjudged}.",
            style,
        )
        + "\n"
    )


def _heading(topic: TopicDifference, style: Style) -> str:
    ends = f"{number(topic.a, style.digits)} to {number(topic.b, style.digits)}"
    change = signed(topic.difference, style.digits)
    return f"topic {escape.visible(topic.topic)}: {ends} ({change})"


def _documents(topic: TopicDifference, style: Style) -> Iterator[str]:
    layout = [
        Column("document", 12),
        Column("grade", right=True),
        Column("rank in A", right=True),
        Column("rank in B", right=True),
    ]
    rows = [
        [
            escape.visible(one.docno),
            UNJUDGED if one.grade is None else f"{one.grade:g}",
            _rank(one.rank_a),
            _rank(one.rank_b),
        ]
        for one in (*topic.judged, *topic.entered)
    ]
    yield from columns(layout, rows, style)


def _rank(rank: int | None) -> str:
    return ABSENT if rank is None else str(rank)


def _holes(difference: Difference, style: Style) -> Iterator[str]:
    if not difference.holes:
        return
    yield "\n" + bold(f"Unjudged documents among the first {difference.top}, if", style) + "\n"
    layout = [
        Column("they were"),
        Column("A", right=True),
        Column("B", right=True),
        Column("B - A", right=True),
        Column("p", right=True),
        Column(""),
    ]
    rows = [
        [
            one.case,
            number(one.a, style.digits),
            number(one.b, style.digits),
            signed(one.difference, style.digits),
            p_value(one.p_value),
            "the verdict flips" if one.flips else "",
        ]
        for one in difference.holes
    ]
    yield from columns(layout, rows, style)


HEADS = ("topic", "a", "b", "difference", "docno", "grade", "rank_a", "rank_b")


def tsv(difference: Difference, style: Style) -> Iterator[str]:
    """Print a line per document of the topics that moved most."""
    yield "\t".join(HEADS) + "\n"
    for topic in difference.topics:
        values = [f"{value:z.{style.digits}f}" for value in (topic.a, topic.b, topic.difference)]
        for one in (*topic.judged, *topic.entered):
            yield "\t".join([escape.tsv(topic.topic), *values, *_fields(one)]) + "\n"


def _fields(one: MovedDocument) -> list[str]:
    numbers = ("" if n is None else f"{n:g}" for n in (one.grade, one.rank_a, one.rank_b))
    return [escape.tsv(one.docno), *numbers]


def json_document(difference: Difference, _style: Style) -> Iterator[str]:
    """Print one object with full precision."""
    summary = asdict(difference.summary)
    document = {
        "schema": SCHEMA,
        "rankeval": __version__,
        "measure": difference.measure,
        "loss": difference.loss,
        "signature": difference.signature,
        "a": {"name": difference.a.name, "path": difference.a.path},
        "b": {"name": difference.b.name, "path": difference.b.path},
        "top": difference.top,
        "summary": {
            "a": summary.pop("baseline_mean"),
            "b": summary.pop("candidate_mean"),
            **summary,
        },
        "topics": [asdict(topic) for topic in difference.topics],
        "holes": [asdict(case) for case in difference.holes],
        "unjudged": dict(zip("ab", difference.unjudged, strict=True)),
    }
    yield from json.JSONEncoder(indent=2, ensure_ascii=True, allow_nan=False).iterencode(
        _finite(document)
    )
    yield "\n"


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _finite(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(one) for one in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def pool(difference: Difference, _style: Style) -> Iterator[str]:
    """Print a line of topic and docno for each document to be judged."""
    for topic, docno in difference.pool:
        yield f"{escape.trec(topic)} {escape.trec(docno)}\n"
