"""The tables of the topics and documents in which two runs differ."""

from collections.abc import Iterator
from operator import attrgetter
from typing import NamedTuple

from rankeval.base.frozen import replace
from rankeval.base.wording import count, number, percent, signed
from rankeval.commands.diff.task import (
    Difference,
    MeasuredDifference,
    MovedDocument,
    TopicDifference,
)
from rankeval.evaluation.show import basis, spread
from rankeval.evaluation.shown_texts import text_columns, topic_title
from rankeval.output import declared_columns as columns
from rankeval.output.declared_columns import Row, data, rows_of, table, text
from rankeval.output.output_formats import Printer
from rankeval.output.style import Style
from rankeval.output.tables import Block, Table

ABSENT, UNJUDGED = "-", "?"
SCREEN, FEW = 11, 3
"""Documents that are shown of a single topic, and of each of several; -v shows all."""


def blocks(difference: Difference, style: Style) -> Iterator[Block]:
    """Yield the sentences and tables, measure by measure."""
    for at, measured in enumerate(difference.measures):
        if at:
            yield ""
        yield _headline(difference, measured, at, style)
        one_topic = len(measured.topics) == 1 and len(difference.measures) == 1
        most = None if style.verbose else SCREEN if one_topic else FEW
        for topic in measured.topics:
            yield _documents(topic, difference, style, most)
    in_a, in_b = difference.unjudged
    unjudged = f"{in_a:,} (A), {in_b:,} (B) in the first {difference.top}"
    yield f"share: its part of B - A; {UNJUDGED} unjudged: {unjudged}"
    if firsts := [run.seeds[0].path for run in (difference.a, difference.b) if run.seeds]:
        yield f"Values are means over seeds; documents are those of {' and '.join(firsts)}."
    yield from basis([difference.a, difference.b])


def _headline(difference: Difference, found: MeasuredDifference, at: int, style: Style) -> str:
    s, a, b = found.summary, difference.a, difference.b
    less = " (less is better)" if found.loss else ""
    spreads = [spread(run.scores[at].deviation, style.decimals) for run in (a, b)]
    return (
        f"{found.measure}{less}: {number(s.baseline_mean, style.decimals)}{spreads[0]} (A, "
        f"{a.name}), {number(s.run_mean, style.decimals)}{spreads[1]} (B, "
        f"{b.name}); B - A is {signed(s.difference, style.decimals)} "
        f"({percent(s.relative_difference)}); B wins {s.wins}, ties {s.ties} and loses {s.losses} "
        f"of {count(s.n_topics, 'topic')}."
    )


def _documents(
    topic: TopicDifference, difference: Difference, style: Style, most: int | None
) -> Table:
    """Return the table of a topic's documents: those with the largest shares, or all."""
    title = f"topic {topic_title(topic.topic, difference.texts.queries)}"
    if topic.difference is not None:
        ends = f"{number(topic.a, style.decimals)} to {number(topic.b, style.decimals)}"
        title += f": {ends} ({signed(topic.difference, style.decimals)})"
    shown, rest = topic.documents, topic.rest
    if most is not None and len(shown) > most:
        by_share = sorted(shown, key=lambda one: -abs(one.share or 0.0))
        shown, others = tuple(by_share[:most]), by_share[most:]
        rest = None if rest is None else rest + sum(one.share or 0.0 for one in others)
    layout = [
        text("docno", "document", least=0),
        columns.grade(
            "grade", words=lambda grade, _: UNJUDGED if grade is None else f"{grade:g}", spare=True
        ),
        columns.number("rank_a", "rank A", words=_rank),
        columns.number("rank_b", "rank B", words=_rank),
        columns.signed("share", words=_share, shown=topic.rest is not None, spare=True),
        *text_columns(difference.texts, lambda _: topic.topic, lambda moved: moved.docno),
    ]
    drawn = table(title, layout, shown, style)
    n_others = len(topic.documents) - len(shown)
    if not (rest or n_others):
        return drawn
    name = f"{n_others} more (-v)" if n_others else "rest"
    cells = [name, "", "", "", *([signed(rest, style.decimals)] if rest is not None else [])]
    blank = [""] * (len(drawn.columns) - len(cells))
    return replace(drawn, rows=[*drawn.rows, [*cells, *blank]])


def _rank(rank: int | None, _: Style) -> str:
    return ABSENT if rank is None else str(rank)


def _share(share: float | None, style: Style) -> str:
    return signed(share, style.decimals) if share else ""


class _Listed(NamedTuple):
    """A document of a topic in a measure; without a name for all others together."""

    measure: str
    topic: TopicDifference
    moved: MovedDocument


def rows(difference: Difference, _style: Style) -> Iterator[Row]:
    """Yield the documents of the topics that differ."""
    layout = [
        data("topic", "topic.topic"),
        data("a", "topic.a"),
        data("b", "topic.b"),
        data("difference", "topic.difference"),
        data("docno", lambda one: one.moved.docno or None),
        columns.grade("grade", get="moved.grade", shown=False),
        columns.grade("rank_a", get="moved.rank_a", shown=False),
        columns.grade("rank_b", get="moved.rank_b", shown=False),
        data("measure"),
        data("adds_a", "moved.adds_a"),
        data("adds_b", "moved.adds_b"),
        data("share", "moved.share"),
        *text_columns(difference.texts, attrgetter("topic.topic"), lambda one: one.moved.docno),
    ]
    yield from rows_of(layout, _listed_documents(difference))


def _listed_documents(difference: Difference) -> Iterator[_Listed]:
    for found in difference.measures:
        for topic in found.topics:
            rest = MovedDocument("", None, None, None, share=topic.rest)
            for moved in (*topic.documents, *([rest] if topic.rest else [])):
                yield _Listed(found.measure, topic, moved)


PRINTER = Printer[Difference](blocks, rows)
