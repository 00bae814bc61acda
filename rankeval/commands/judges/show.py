"""The tables of the agreement of judges."""

from collections.abc import Iterator
from dataclasses import asdict
from operator import attrgetter
from typing import NamedTuple

from rankeval.base import wording
from rankeval.commands.judges.grades import scale_text
from rankeval.commands.judges.judge_agreement import LEAST_TOPICS, DifferingDocument
from rankeval.commands.judges.judged_systems import OrderChange
from rankeval.commands.judges.task import JudgesReport, TwoJudges
from rankeval.evaluation.shown_values import conventions_sentence
from rankeval.evaluation.text_cells import text_columns, topic_title
from rankeval.output.data_rows import Row, TopicName
from rankeval.output.declared_columns import (
    Declared,
    count,
    grade,
    grid,
    name,
    number,
    signed,
    table,
    text,
    topic,
    written,
)
from rankeval.output.printer import Printer
from rankeval.output.style import Style
from rankeval.output.tables import Block, Table

STATISTICS = {
    "raw": "equal grades",
    "kappa.plain": "kappa (Cohen)",
    "kappa.quadratic": "kappa (Cohen), quadratic",
    "ac.plain": "AC1 (Gwet)",
    "alpha.nominal": "alpha (Krippendorff), nominal",
    "alpha.ordinal": "alpha (Krippendorff), ordinal",
}
ORDERS = {
    "tau": "tau (Kendall)",
    "tau_b": "tau-b",
    "tau_ap": "tau-AP",
    "tau_ap_reverse": "tau-AP, second as truth",
    "spearman": "rho (Spearman)",
    "rbo": "RBO",
}
TOPICS_SHOWN = 10


class Statistic(NamedTuple):
    """The agreement by a statistic, with its interval."""

    name: str
    value: float | None
    low: float | None
    high: float | None


def _statistics(report: JudgesReport) -> Iterator[Statistic]:
    agreed = report.agreement
    values: dict[str, float | None] = {"both": agreed.both, "raw": agreed.raw}
    for of in ("kappa", "ac", "alpha"):
        values |= {f"{of}.{kind}": value for kind, value in getattr(agreed, of).items()}
    for statistic, value in values.items():
        yield Statistic(statistic, value, *agreed.intervals.get(statistic, (None, None)))


AGREEMENT = [
    name("name", "", words=lambda statistic, _: STATISTICS[statistic]),
    number("value"),
    number("low"),
    number("high"),
]
EVERY_TWO = [
    name("first"),
    name("second"),
    count("both", get="overlap.both"),
    count("only_first", "only 1st", "overlap.only_first"),
    count("only_second", "only 2nd", "overlap.only_second"),
    count("same", get="overlap.shift.same"),
    count("higher", get="overlap.shift.higher"),
    count("lower", get="overlap.shift.lower"),
    signed("shift", get="overlap.shift.mean"),
]


def blocks(report: JudgesReport, style: Style) -> Iterator[Block]:
    """Yield the sentences and tables."""
    two = len(report.judges) == 2
    first = report.pairs[0]
    yield from _judgments(report)
    if two:
        only = [f"{one:,}" for one in _documents(first)[1:]]
        yield (
            f"{first.first} and {first.second}: both judged "
            f"{wording.count(first.overlap.both, 'document')}, only {first.first} {only[0]}, only "
            f"{first.second} {only[1]}."
        )
    title = f"Agreement over {wording.count(report.agreement.both, 'document')}"
    shown = [one for one in _statistics(report) if one.name in STATISTICS]
    shown = [one for one in shown if two or not one.name.startswith("kappa")]
    yield table(title, AGREEMENT, shown, style)
    yield _intervals(report)
    if two:
        yield _confusion(first, style)
        yield _shift(first, style)
    else:
        title = "Every two judges: documents, and the grades of the second against the first's"
        yield table(title, EVERY_TWO, report.pairs, style)
    yield _topics(report, style)
    if report.texts and report.differing:
        title = "Documents whose grades are farthest apart"
        yield table(title, _differing(report), report.differing, style, long=True)
    for pair in report.pairs:
        if pair.measures:
            yield _orders(pair, report, style)
            for change in pair.measures:
                yield table(change.measure, _moves(pair), change.runs, style)
                yield from _largest_moves(change)
    yield from conventions_sentence(words for run in report.runs for words in run.conventions)


def _judgments(report: JudgesReport) -> Iterator[str]:
    """Say which judgments there are, and how many documents of each set are not judged."""
    *first, last = (
        f"{judge.name} ({wording.count(judge.judgments, 'judgment')}, "
        f"{wording.count(judge.topics, 'topic')})"
        for judge in report.judges
    )
    yield f"Judgments: {', '.join(first)} and {last}."
    unjudged = [f"{judge.name} {judge.unjudged:,}" for judge in report.judges if judge.unjudged]
    if unjudged and report.unjudged_grade is not None:
        left_out = ", ".join(unjudged)
        yield f"Left out as unjudged, with grade {report.unjudged_grade:g}: {left_out}."
    if report.grades is not None:
        yield f"Scale of grades: {scale_text(report.grades)}."


_documents = attrgetter("overlap.both", "overlap.only_first", "overlap.only_second")


def _intervals(report: JudgesReport) -> str:
    level = wording.percent(report.level).lstrip("+").replace(".0%", "%")
    topics = wording.count(report.agreement.topics, "topic")
    if report.agreement.topics < LEAST_TOPICS:
        return (
            f"No intervals: {topics} with a document judged twice; at least {LEAST_TOPICS} are "
            "needed."
        )
    return f"Intervals: {level}, over {topics}, by the jackknife."


def _confusion(pair: TwoJudges, style: Style) -> Table:
    counts = {
        (f"{one:g}", f"{other:g}"): times
        for one, row in pair.overlap.confusion.items()
        for other, times in row.items()
    }
    title = f"Documents by the grade of {pair.first} (rows) and of {pair.second} (columns)"
    grades = dict.fromkeys(other for _, other in counts)
    return grid(title, text("grade", least=0), grades, counts, count, style)


def _shift(pair: TwoJudges, style: Style) -> str:
    shift = pair.overlap.shift
    mean = f"; on average {wording.signed(shift.mean, style.decimals)}"
    return (
        f"{pair.second} gave a higher grade {wording.count(shift.higher, 'time')}, the same "
        f"{wording.count(shift.same, 'time')} and a lower one "
        f"{wording.count(shift.lower, 'time')}{'' if shift.mean is None else mean}."
    )


def _topics(report: JudgesReport, style: Style) -> Table:
    columns = [topic("topic"), count("both"), number("raw", "equal"), number("kappa")]
    columns += [signed("shift")] * (len(report.judges) == 2)
    shown = report.topics if style.per_topic else report.topics[:TOPICS_SHOWN]
    more = "" if len(shown) == len(report.topics) else f", {len(shown)} of {len(report.topics)}"
    return table(f"Topics, the lowest agreement first{more}", columns, shown, style, long=True)


def _differing(report: JudgesReport) -> list[Declared]:
    def given_by(place: int) -> Declared:
        return grade(report.judges[place].name, get=lambda one: one.grades[place])

    def title(document: DifferingDocument) -> str:
        return topic_title(document.topic, report.texts.queries)

    return [
        text("topic", get=title),
        text("docno", "document"),
        *map(given_by, range(len(report.judges))),
        *text_columns(report.texts, attrgetter("topic"), attrgetter("docno")),
    ]


def _orders(pair: TwoJudges, report: JudgesReport, style: Style) -> Table:
    """Return the correlations of the orders by measure, each with the row of its intervals."""
    cells: dict[tuple[str, str], str] = {}
    for statistic, words in ORDERS.items():
        ends = {one.measure: getattr(one.intervals, statistic, None) for one in pair.measures}
        for one in pair.measures:
            value = getattr(one.orders, statistic)
            cells[words, one.measure] = wording.number(value, style.decimals)
        for measure, both in ends.items() if any(ends.values()) else ():
            shown = ", ".join(wording.number(end, style.decimals) for end in both or ())
            cells[f"{words}, {100 * report.level:g}%", measure] = f"[{shown}]" if both else "-"
    runs = wording.count(len(pair.measures[0].runs), "run")
    measures = [one.measure for one in pair.measures]
    title = f"Order of {runs} by {pair.first} and by {pair.second}"
    return grid(title, name(""), measures, cells, written, style)


def _moves(pair: TwoJudges) -> list[Declared]:
    return [
        name("run"),
        number("first", pair.first),
        count("first_rank", "rank"),
        number("second", pair.second),
        count("second_rank", "rank"),
    ]


def _largest_moves(change: OrderChange) -> Iterator[str]:
    moved = [
        f"{run.run} {verb} from rank {run.first_rank} to {run.second_rank}"
        for run, verb in ((change.rise, "rises"), (change.fall, "falls"))
        if run is not None
    ]
    if moved:
        yield f"Largest moves: {'; '.join(moved)}."


def rows(report: JudgesReport, _style: Style) -> Iterator[Row]:
    """Yield the agreement, the sizes of the sets, every two judges, and the topics."""
    yield ["first", "second", "topic", "measure", "statistic", "value", "low", "high"]
    for statistic in _statistics(report):
        yield [None, None, None, None, *statistic]
    for judge in report.judges:
        for fact in ("judgments", "unjudged"):
            yield [judge.name, None, None, None, fact, getattr(judge, fact), None, None]
    for pair in report.pairs:
        yield from _rows_of_pair(pair)
    for one in report.topics:
        for fact in ("both", "raw", "kappa", "shift"):
            yield [None, None, TopicName(one.topic), None, fact, getattr(one, fact), None, None]


def _rows_of_pair(pair: TwoJudges) -> Iterator[Row]:
    names = pair.first, pair.second, None
    for fact, number_of in zip(
        ("both", "only_first", "only_second"), _documents(pair), strict=True
    ):
        yield [*names, None, fact, number_of, None, None]
    for one, row in pair.overlap.confusion.items():
        for other, times in row.items():
            yield [*names, None, f"confusion {one:g} {other:g}", times, None, None]
    for change in pair.measures:
        for statistic, value in asdict(change.orders).items():
            ends = getattr(change.intervals, statistic, None) or (None, None)
            yield [*names, change.measure, statistic, value, *ends]


PRINTER = Printer[JudgesReport](blocks, rows)
