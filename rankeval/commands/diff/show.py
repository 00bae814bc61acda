"""The tables of the topics and documents in which two runs differ."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from operator import attrgetter
from typing import NamedTuple

from rankeval.base.wording import count, number, percent, signed
from rankeval.choices import Format
from rankeval.commands.compare.run_pairs import score_of
from rankeval.commands.diff.moved_documents import MovedDocument, TopicDifference
from rankeval.commands.diff.task import Difference
from rankeval.evaluation.results import RunResult
from rankeval.evaluation.shown_values import basis, deviation, spread
from rankeval.evaluation.text_cells import text_columns, topic_title
from rankeval.output import declared_columns as columns
from rankeval.output import escape
from rankeval.output.data_rows import Row
from rankeval.output.declared_columns import data, rows_of, table, text
from rankeval.output.printer import Printer
from rankeval.output.style import Style
from rankeval.output.tables import Block, Table

ABSENT, UNJUDGED = "-", "?"


def _of_seeds(run: RunResult, measure: str) -> list[float]:
    """Return the mean of each run of a system; none for one run."""
    return [seed.aggregate for seed in score_of(run, measure).seeds]


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
    spreads = [
        spread(deviation(_of_seeds(run, difference.measure)), style.decimals)
        for run in (difference.a, difference.b)
    ]
    yield (
        f"{difference.measure}{less}: {number(s.baseline_mean, style.decimals)}{spreads[0]} (A, "
        f"{difference.a.name}), {number(s.candidate_mean, style.decimals)}{spreads[1]} (B, "
        f"{difference.b.name}); B - A is {signed(s.difference, style.decimals)} "
        f"({percent(s.relative_difference)}); B wins {s.wins}, ties {s.ties} and loses {s.losses} "
        f"of {count(s.n_topics, 'topic')}."
    )
    for topic in difference.topics:
        yield from _blocks_of_topic(topic, difference, style)
    if difference.holes:
        title = f"Unjudged documents among the first {difference.top}"
        yield table(title, HOLES, difference.holes, style)
    unjudged = " and ".join(
        f"{found} ({label})" for found, label in zip(difference.unjudged, "AB", strict=True)
    )
    yield ""
    new_in_b = any(topic.entered for topic in difference.topics)
    new = f", and unjudged ones ({UNJUDGED}) that are new in B" if new_in_b else ""
    shares = (
        ""
        if all(topic.rest is None for topic in difference.topics)
        else (
            " Share: what a document adds to the value of B minus what it adds to that of A; rest: "
            "all other documents."
        )
    )
    yield (
        f"Judged documents among the first {difference.top} of either run{new}; {ABSENT} not "
        f"retrieved. Unjudged in all topics: {unjudged}.{shares}"
    )
    if firsts := [run.seeds[0].path for run in (difference.a, difference.b) if run.seeds]:
        yield f"Values are means over seeds; documents are those of {' and '.join(firsts)}."


def _blocks_of_topic(
    topic: TopicDifference, difference: Difference, style: Style
) -> Iterator[Block]:
    """Yield the table of a topic's documents, and sentences about those that are not in it."""
    named = f"topic {topic_title(topic.topic, difference.texts.queries)}"
    if topic.difference is not None:
        ends = f"{number(topic.a, style.decimals)} to {number(topic.b, style.decimals)}"
        named += f": {ends} ({signed(topic.difference, style.decimals)})"
    if topic.contrast is not None:
        named += f"; {difference.contrast} {number(topic.contrast, style.decimals)}"
    yield _documents(named, topic, difference, style)
    for label, only, holes in (
        ("A", topic.only_a, topic.holes_a),
        ("B", topic.only_b, topic.holes_b),
    ):
        if only:
            yield f"Relevant and only in {label}: {_listed(only)}."
        if holes:
            yield f"Unjudged in {label} above its last relevant document: {_listed(holes)}."


LISTED = 5
"""Documents that are named in a sentence."""


def _listed(documents: Sequence[MovedDocument]) -> str:
    named = [
        f"{moved.docno} ({'' if moved.grade is None else f'grade {moved.grade:g}, '}rank {rank})"
        for moved in documents[:LISTED]
        for rank in [moved.rank_b if moved.rank_a is None else moved.rank_a]
    ]
    more = len(documents) - len(named)
    return ", ".join(named) + (f" and {more:,} more" if more > 0 else "")


def _documents(title: str, topic: TopicDifference, difference: Difference, style: Style) -> Table:
    shares, texts = topic.rest is not None, difference.texts
    layout = [
        text("docno", "document"),
        columns.grade("grade", words=lambda grade, _: UNJUDGED if grade is None else f"{grade:g}"),
        columns.number("rank_a", "rank in A", words=_rank),
        columns.number("rank_b", "rank in B", words=_rank),
        columns.signed("share", words=_share, shown=shares),
        *text_columns(texts, lambda _: topic.topic, lambda moved: moved.docno),
    ]
    drawn = table(title, layout, [*topic.judged, *topic.entered], style)
    if not topic.rest:
        return drawn
    blank = [""] * (len(drawn.columns) - 5)
    rest = ["rest", "", "", "", signed(topic.rest, style.decimals), *blank]
    return replace(drawn, rows=[*drawn.rows, rest])


def _rank(rank: int | None, _: Style) -> str:
    return ABSENT if rank is None else str(rank)


def _share(share: float | None, style: Style) -> str:
    return signed(share, style.decimals) if share else ""


HOLES = [
    text("case", "assumed to be", least=0),
    columns.number("a", "A"),
    columns.number("b", "B"),
    columns.signed("difference", "B - A"),
    columns.p_value("p", get="p_value"),
    columns.flag("flips", "", words=lambda flips, _: "the verdict flips" if flips else "", least=0),
]


class _Listed(NamedTuple):
    """A document of a topic in a measure; without a name for all others together."""

    of: Difference
    topic: TopicDifference
    moved: MovedDocument


def rows(difference: Difference, _style: Style) -> Iterator[Row]:
    """Yield the cases of holes if there are any, else the documents of the topics that moved."""
    if difference.holes:
        for number_of, found in enumerate(difference.by_measure):
            heads, *cases = rows_of(HOLES, found.holes)
            yield from [] if number_of else [[*heads, "measure"]]
            yield from ([*case, found.measure] for case in cases)
        return
    layout = [
        data("topic", "topic.topic"),
        data("a", "topic.a"),
        data("b", "topic.b"),
        data("difference", "topic.difference"),
        data("docno", lambda one: one.moved.docno or None),
        columns.grade("grade", get="moved.grade", shown=False),
        columns.grade("rank_a", get="moved.rank_a", shown=False),
        columns.grade("rank_b", get="moved.rank_b", shown=False),
        data("measure", "of.measure"),
        data("adds_a", "moved.adds_a"),
        data("adds_b", "moved.adds_b"),
        data("share", "moved.share"),
        *text_columns(difference.texts, attrgetter("topic.topic"), lambda one: one.moved.docno),
    ]
    yield from rows_of(layout, _listed_documents(difference))


def _listed_documents(difference: Difference) -> Iterator[_Listed]:
    for found in difference.by_measure:
        for topic in found.topics:
            for moved in (*topic.judged, *topic.entered):
                yield _Listed(found, topic, moved)
            if topic.rest:
                yield _Listed(found, topic, MovedDocument("", None, None, None, share=topic.rest))


def pool(difference: Difference, _style: Style) -> Iterator[str]:
    """Print a line of topic and docno for each document to be judged."""
    for topic, docno in difference.pool:
        yield f"{escape.trec(topic)} {escape.trec(docno)}\n"


PRINTER = Printer[Difference](blocks, rows)
POOL = Printer[Difference](drawings={Format.TREC: pool})
"""The lines of documents to be judged."""
