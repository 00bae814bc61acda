"""The topics and documents in which two runs differ, in every format."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict

from rankeval.base.wording import count, finite, number, p_value, percent, signed
from rankeval.choices import Format
from rankeval.commands.compare.run_pairs import score_of
from rankeval.commands.diff.moved_documents import MovedDocument, TopicDifference
from rankeval.commands.diff.task import Difference
from rankeval.evaluation.results import RunResult
from rankeval.evaluation.shown_texts import ShownTexts
from rankeval.evaluation.shown_values import basis, deviation, spread
from rankeval.evaluation.text_cells import (
    cells_of_texts,
    columns_of_texts,
    heads_of_texts,
    query_document,
    topic_title,
    values_of_texts,
    with_texts,
)
from rankeval.output import escape
from rankeval.output.data_rows import Row, Written, exact
from rankeval.output.document_form import Document, fields_of, headed, plain
from rankeval.output.printer import Printer
from rankeval.output.style import Style
from rankeval.output.tables import Block, Cell, Column, Table, numbers

SCHEMA = "rankeval-diff/1"


def document(difference: Difference) -> Document:
    """Return the difference of the means, the topics that moved most, and the cases of holes."""
    facts = _facts(difference)
    if difference.further:
        facts["further"] = [_facts(one) for one in difference.further]
    return headed(SCHEMA, facts)


def _facts(difference: Difference) -> Document:
    summary = plain(asdict(difference.summary))
    return {
        **fields_of(difference, "measure", "loss", "signature"),
        "a": _run(difference.a, difference.measure),
        "b": _run(difference.b, difference.measure),
        "top": difference.top,
        "summary": {
            "a": summary.pop("baseline_mean"),
            "b": summary.pop("candidate_mean"),
            **summary,
        },
        "unjudged": dict(zip("ab", difference.unjudged, strict=True)),
        "contrast": difference.contrast,
        "topics": [_topic(topic, difference.texts) for topic in difference.topics],
        "holes": [plain(asdict(case)) for case in difference.holes],
    }


def _topic(topic: TopicDifference, texts: ShownTexts) -> Document:
    facts = {**plain(asdict(topic)), **query_document(texts, topic.topic)}
    for group in GROUPS:
        facts[group] = with_texts(facts[group], texts, topic.topic)
    return facts


GROUPS = ("judged", "entered", "only_a", "only_b", "holes_a", "holes_b")
"""The lists of documents of a topic."""


def _run(run: RunResult, measure: str) -> Document:
    facts = fields_of(run, "name", "path")
    if run.seeds:
        facts["seeds"] = [finite(value) for value in _of_seeds(run, measure)]
    return facts


def _of_seeds(run: RunResult, measure: str) -> list[float]:
    """Return the mean of each run of a system; none for one run."""
    return [seed.aggregate for seed in score_of(run, measure).seeds]


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
        yield _holes(difference, style)
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
    yield _documents(named, topic, difference.texts, style)
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


def _documents(title: str, topic: TopicDifference, texts: ShownTexts, style: Style) -> Table:
    shares = topic.rest is not None
    heads = ["grade", "rank in A", "rank in B", *(["share"] if shares else [])]
    layout = [Column("document", 12), *numbers(heads), *columns_of_texts(texts)]
    rows: list[list[str | Cell]] = [
        [
            moved.docno,
            UNJUDGED if moved.grade is None else f"{moved.grade:g}",
            _rank(moved.rank_a),
            _rank(moved.rank_b),
            *([signed(moved.share, style.decimals) if moved.share else ""] if shares else []),
            *cells_of_texts(texts, topic.topic, moved.docno),
        ]
        for moved in (*topic.judged, *topic.entered)
    ]
    if topic.rest:
        rest = signed(topic.rest, style.decimals)
        rows.append(["rest", "", "", "", rest, *[""] * texts.has_docs])
    return Table(title, layout, rows)


def _rank(rank: int | None) -> str:
    return ABSENT if rank is None else str(rank)


def _holes(difference: Difference, style: Style) -> Table:
    layout = [Column("assumed to be"), *numbers(["A", "B", "B - A", "p"]), Column("")]
    rows = [
        [
            hole.case,
            number(hole.a, style.decimals),
            number(hole.b, style.decimals),
            signed(hole.difference, style.decimals),
            p_value(hole.p_value),
            "the verdict flips" if hole.flips else "",
        ]
        for hole in difference.holes
    ]
    return Table(f"Unjudged documents among the first {difference.top}", layout, rows)


HEADS = (
    *("topic", "a", "b", "difference", "docno", "grade", "rank_a", "rank_b", "measure"),
    *("adds_a", "adds_b", "share"),
)
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
    texts = difference.texts
    yield [*HEADS, *heads_of_texts(texts)]
    for found in difference.by_measure:
        for topic in found.topics:
            values = topic.topic, topic.a, topic.b, topic.difference
            for moved in (*topic.judged, *topic.entered):
                ranks = map(exact, (moved.grade, moved.rank_a, moved.rank_b))
                adds = moved.adds_a, moved.adds_b, moved.share
                said = values_of_texts(texts, topic.topic, moved.docno)
                yield [*values, moved.docno, *ranks, found.measure, *adds, *said]
            if topic.rest:
                nothing = [None] * 4
                said = values_of_texts(texts, topic.topic)
                yield [*values, *nothing, found.measure, None, None, topic.rest, *said]


def pool(difference: Difference, _style: Style) -> Iterator[str]:
    """Print a line of topic and docno for each document to be judged."""
    for topic, docno in difference.pool:
        yield f"{escape.trec(topic)} {escape.trec(docno)}\n"


PRINTER = Printer[Difference](
    document=lambda difference, _: document(difference),
    rows=rows,
    blocks=blocks,
)
POOL = Printer[Difference](
    document=lambda difference, _: document(difference),
    drawings={Format.TREC: pool},
)
"""The lines of documents to be judged."""
