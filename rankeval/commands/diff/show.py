"""The topics and documents in which two runs differ, in every format."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING

from rankeval.base.numbers import number, p_value, percent, signed
from rankeval.base.wording import count
from rankeval.choices import Format
from rankeval.commands.diff.task import Difference, TopicDifference
from rankeval.output import escape
from rankeval.output.data_rows import Row, Written, exact
from rankeval.output.document_form import Document, headed, plain
from rankeval.output.printer import Printer
from rankeval.output.style import Style
from rankeval.output.tables import Block, Column, Table, numbers
from rankeval.output.values import basis

if TYPE_CHECKING:
    from rankeval.output.looks import Look

SCHEMA = "rankeval-diff/1"


def document(difference: Difference) -> Document:
    """Return the difference of the means, the topics that moved most, and the cases of holes."""
    facts = _facts(difference)
    if difference.further:
        facts["further"] = [_facts(one) for one in difference.further]
    return headed(SCHEMA, facts)


def _facts(difference: Difference) -> Document:
    return {
        **_overall(difference),
        "topics": [plain(asdict(topic)) for topic in difference.topics],
        "holes": [plain(asdict(case)) for case in difference.holes],
    }


def _overall(difference: Difference) -> Document:
    summary = plain(asdict(difference.summary))
    return {
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
        "unjudged": dict(zip("ab", difference.unjudged, strict=True)),
    }


ABSENT, UNJUDGED = "-", "?"


def blocks(differences: Difference, style: Style) -> Iterator[Block]:
    """Yield the sentences and tables, measure by measure."""
    for at, difference in enumerate(differences.by_measure):
        if at:
            yield ""
        yield from _blocks_of_measure(difference, style)
    yield from basis([differences.a, differences.b])


def _blocks_of_measure(difference: Difference, style: Style) -> Iterator[Block]:
    s = difference.summary
    less = " (less is better)" if difference.loss else ""
    yield (
        f"{difference.measure}{less}: {number(s.baseline_mean, style.decimals)} (A, "
        f"{difference.a.name}), {number(s.candidate_mean, style.decimals)} (B, "
        f"{difference.b.name}); B - A is {signed(s.difference, style.decimals)} "
        f"({percent(s.relative_difference)}); B wins {s.wins}, ties {s.ties} and loses {s.losses} "
        f"of {count(s.n_topics, 'topic')}."
    )
    for topic in difference.topics:
        ends = f"{number(topic.a, style.decimals)} to {number(topic.b, style.decimals)}"
        change = signed(topic.difference, style.decimals)
        yield _documents(f"topic {topic.topic}: {ends} ({change})", topic)
    if difference.holes:
        yield _holes(difference, style)
    unjudged = " and ".join(
        f"{found} ({label})" for found, label in zip(difference.unjudged, "AB", strict=True)
    )
    yield ""
    new = f", and unjudged ones ({UNJUDGED}) that are new in B" if _has_new(difference) else ""
    yield (
        f"Judged documents among the first {difference.top} of either run{new}; {ABSENT} not "
        f"retrieved. Unjudged in all topics: {unjudged}."
    )


def _has_new(difference: Difference) -> bool:
    return any(topic.entered for topic in difference.topics)


def _documents(title: str, topic: TopicDifference) -> Table:
    layout = [Column("document", 12), *numbers(["grade", "rank in A", "rank in B"])]
    rows = [
        [
            one.docno,
            UNJUDGED if one.grade is None else f"{one.grade:g}",
            _rank(one.rank_a),
            _rank(one.rank_b),
        ]
        for one in (*topic.judged, *topic.entered)
    ]
    return Table(title, layout, rows)


def _rank(rank: int | None) -> str:
    return ABSENT if rank is None else str(rank)


def _holes(difference: Difference, style: Style) -> Table:
    layout = [Column("assumed to be"), *numbers(["A", "B", "B - A", "p"]), Column("")]
    rows = [
        [
            one.case,
            number(one.a, style.decimals),
            number(one.b, style.decimals),
            signed(one.difference, style.decimals),
            p_value(one.p_value),
            "the verdict flips" if one.flips else "",
        ]
        for one in difference.holes
    ]
    return Table(f"Unjudged documents among the first {difference.top}", layout, rows)


HEADS = ("topic", "a", "b", "difference", "docno", "grade", "rank_a", "rank_b", "measure")
HOLE_HEADS = ("case", "a", "b", "difference", "p", "flips", "measure")


def rows(difference: Difference, _style: Style) -> Iterator[Row]:
    """Yield the cases of holes if there are any, else the documents of the topics that moved."""
    if difference.holes:
        yield HOLE_HEADS
        for found in difference.by_measure:
            for case in found.holes:
                flips = Written(case.flips, str(int(case.flips)))
                ends = case.a, case.b, case.difference
                yield [case.case, *ends, case.p_value, flips, found.measure]
        return
    yield HEADS
    for found in difference.by_measure:
        for topic in found.topics:
            for moved in (*topic.judged, *topic.entered):
                ranks = map(exact, (moved.grade, moved.rank_a, moved.rank_b))
                values = topic.topic, topic.a, topic.b, topic.difference
                yield [*values, moved.docno, *ranks, found.measure]


def pool(difference: Difference, _style: Style) -> Iterator[str]:
    """Print a line of topic and docno for each document to be judged."""
    for topic, docno in difference.pool:
        yield f"{escape.trec(topic)} {escape.trec(docno)}\n"


DIFFERENCE = Printer[Difference](
    document=lambda difference, _: document(difference),
    rows=rows,
    blocks=blocks,
)
POOL = Printer[Difference](
    document=lambda difference, _: document(difference),
    drawings={Format.TREC: pool},
)
"""The lines of documents to be judged."""


def look() -> "Look":
    """Return how a difference shows itself, with the warnings of both runs."""
    from rankeval.output.looks import Look, in_html, nothing

    return Look(
        DIFFERENCE, in_html(blocks), runs=lambda found: (found.a, found.b), warnings=nothing
    )
