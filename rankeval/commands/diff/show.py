"""The topics and documents in which two runs differ, in every format."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Literal, NotRequired, TypedDict

from rankeval.base.wording import count, finite, number, p_value, percent, signed
from rankeval.choices import Format
from rankeval.commands.diff.task import Difference, TopicDifference
from rankeval.evaluation.results import RunResult
from rankeval.output import escape
from rankeval.output.data_rows import Row, Written, exact
from rankeval.output.document_form import (
    Count,
    Document,
    Headed,
    NotNegative,
    Positive,
    Share,
    headed,
    plain,
)
from rankeval.output.printer import Printer
from rankeval.output.style import Style
from rankeval.output.tables import Block, Column, Table, numbers
from rankeval.output.values import basis, deviation, spread

if TYPE_CHECKING:
    from rankeval.output.looks import Look

SCHEMA = "rankeval-diff/1"


class DiffRun(TypedDict):
    """Run.

    ===== =========================================================================
    name  Name of the run.
    path  Path of the run; "" for a run in memory.
    seeds Mean of each run of a system of several; only there.
    ===== =========================================================================
    """

    name: str
    path: str
    seeds: NotRequired[list[float | None]]


class DiffSummary(TypedDict):
    """Summary of differences.

    =================== ===========================================================================
    a                   Mean of A; null without topics.
    b                   Mean of B; null without topics.
    n_topics            Topics that count.
    n_excluded          Topics left out because a value is undefined.
    difference          Mean difference, B minus A; null without topics.
    relative_difference The difference as a share of the mean of A; null if that is 0 or undefined.
    median              Median of the differences by topic; null without topics.
    standard_deviation  Standard deviation of the differences, with n - 1; null with fewer than two
                        topics.
    wins                Topics on which B is better.
    ties                Topics with equal values.
    losses              Topics on which B is worse.
    =================== ===========================================================================
    """

    a: float | None
    b: float | None
    n_topics: Count
    n_excluded: Count
    difference: float | None
    relative_difference: float | None
    median: float | None
    standard_deviation: NotNegative | None
    wins: Count
    ties: Count
    losses: Count


class DiffUnjudged(TypedDict):
    """Unjudged.

    = =====
    a Of A.
    b Of B.
    = =====
    """

    a: Count
    b: Count


class DiffMovedDocument(TypedDict):
    """Document.

    ====== =================================================
    docno  Name of the document.
    grade  Its grade; null if it is unjudged.
    rank_a Its rank in A; null if it is not retrieved there.
    rank_b Its rank in B; null if it is not retrieved there.
    ====== =================================================
    """

    docno: str
    grade: float | None
    rank_a: Positive | None
    rank_b: Positive | None


class DiffTopic(TypedDict):
    """Change of a topic.

    ========== ===========================================================
    topic      Name of the topic.
    a          Value of A.
    b          Value of B.
    difference Value of B minus value of A.
    judged     Judged documents among the first `top` ranks of either run.
    entered    Unjudged documents among the first `top` ranks of B only.
    ========== ===========================================================
    """

    topic: str
    a: float
    b: float
    difference: float
    judged: list[DiffMovedDocument]
    entered: list[DiffMovedDocument]


class DiffHole(TypedDict):
    """Case of unjudged documents.

    ========== ========================================================================
    case       Assumption about the unjudged documents in the first ranks.
    a          Mean of A; null if no topic has a value.
    b          Mean of B; null likewise.
    difference Mean difference, B minus A; null likewise.
    p_value    p-value of the paired t test.
    flips      True if the difference has another sign than under the usual assumption.
    ========== ========================================================================
    """

    case: Literal[
        "not relevant", "relevant", "removed", "relevant if higher in A", "relevant if higher in B"
    ]
    a: float | None
    b: float | None
    difference: float | None
    p_value: Share
    flips: bool


class DiffDifference(TypedDict):
    """Difference in one measure.

    ========= =================================================================================
    measure   Canonical name of the measure.
    loss      True when smaller values are better.
    signature Conventions behind the number: measure, parameters, settings and version.
    a         Run A.
    b         Run B.
    top       Number of ranks in which documents are compared.
    summary   The values and their difference.
    unjudged  Number of unjudged documents in the first `top` ranks, over all topics.
    topics    Topics that changed most, the largest changes first.
    holes     The comparison under assumptions about unjudged documents; empty without --holes.
    ========= =================================================================================
    """

    measure: str
    loss: bool
    signature: str
    a: DiffRun
    b: DiffRun
    top: Positive
    summary: DiffSummary
    unjudged: DiffUnjudged
    topics: list[DiffTopic]
    holes: list[DiffHole]


class DiffDocument(Headed, DiffDifference):
    """Difference of two runs.

    Document that `rankeval diff -f json` writes.

    ======= ==============================================
    further The other measures, if several were asked for.
    ======= ==============================================
    """

    schema: Literal["rankeval-diff/1"]
    further: NotRequired[Annotated[list[DiffDifference], ("minItems", 1)]]


def document(difference: Difference) -> DiffDocument:
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
        "a": _run(difference.a, difference.measure),
        "b": _run(difference.b, difference.measure),
        "top": difference.top,
        "summary": {
            "a": summary.pop("baseline_mean"),
            "b": summary.pop("candidate_mean"),
            **summary,
        },
        "unjudged": dict(zip("ab", difference.unjudged, strict=True)),
    }


def _run(run: RunResult, measure: str) -> Document:
    facts: Document = {"name": run.name, "path": run.path}
    if run.seeds:
        facts["seeds"] = [finite(value) for value in _of_seeds(run, measure)]
    return facts


def _of_seeds(run: RunResult, measure: str) -> list[float]:
    """Return the mean of each run of a system; none for one run."""
    score = next(score for score in run.scores if score.measure == measure)
    return [seed.aggregate for seed in score.seeds]


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
    if firsts := [run.seeds[0].path for run in (difference.a, difference.b) if run.seeds]:
        yield f"Values are means over seeds; documents are those of {' and '.join(firsts)}."


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
