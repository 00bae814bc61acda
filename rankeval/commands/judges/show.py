"""The tables of the agreement of judges."""

from collections.abc import Iterator
from dataclasses import asdict
from operator import attrgetter

from rankeval.base import wording
from rankeval.commands.judges.grades import scale_text
from rankeval.commands.judges.judge_agreement import LEAST_TOPICS, TwoJudges
from rankeval.commands.judges.task import JudgesReport
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
from rankeval.output.tables import Block, Note, Table
from rankeval.output.text import MORE

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
AGREEMENT = [
    text("statistic", "", get=lambda pair: STATISTICS[pair[0]]),
    number("value", get=lambda pair: pair[1].value),
    number("low", get=lambda pair: pair[1].low),
    number("high", get=lambda pair: pair[1].high),
]
EVERY_TWO = [
    name("first"),
    name("second"),
    count("both"),
    count("only_first", "only 1st"),
    count("only_second", "only 2nd"),
    count("same"),
    count("higher"),
    count("lower"),
    signed("shift"),
]


def blocks(report: JudgesReport, style: Style) -> Iterator[Block]:
    """Yield how far judges agree; with -v also on what, and how they rank the runs."""
    two = len(report.judges) == 2
    shown = {
        each: found
        for each, found in report.agreement.items()
        if two or not each.startswith("kappa")
    }
    yield _headline(report)
    yield table("Agreement", AGREEMENT, shown.items(), style)
    yield _intervals(report)
    ranked = [pair for pair in report.pairs if pair.measures]
    for pair in ranked:
        yield _orders_in_brief(pair)
    if style.verbose:
        yield from _judgments(report)
        if two:
            yield from _confusion(report.pairs[0], style)
        else:
            title = "Every two judges: documents, and the grades of the second against the first's"
            yield table(title, EVERY_TWO, report.pairs, style)
    if style.verbose or style.per_topic:
        yield _topics(report, style)
    if report.texts and report.differing:
        title = "Documents whose grades are farthest apart"
        yield table(title, _differing(report), report.differing, style, long=True)
    if style.verbose:
        for pair in ranked:
            yield _orders(pair, report, style)
            for change in pair.measures:
                yield table(change.measure, _moves(pair), change.runs, style)
    yield from conventions_sentence(words for run in report.runs for words in run.conventions)
    if not style.verbose:
        yield Note(MORE)


def _headline(report: JudgesReport) -> str:
    raw, kappa = (report.agreement[each].value for each in ("raw", "kappa.plain"))
    share = wording.percent(raw).lstrip("+")
    documents = wording.count(report.both, "document")
    if len(report.judges) > 2:
        return (
            f"{share} of the grades that {len(report.judges)} judges gave to the same document are "
            f"equal, over {documents} that two or more judged."
        )
    pair = report.pairs[0]
    return (
        f"{pair.first} and {pair.second} gave {share} of {documents} that both judged the same "
        f"grade; kappa {wording.number(kappa, 2)}."
    )


def _intervals(report: JudgesReport) -> str:
    topics = wording.count(report.n_topics, "topic")
    if report.n_topics < LEAST_TOPICS:
        return (
            f"No intervals: {topics} with a document judged twice; at least {LEAST_TOPICS} are "
            "needed."
        )
    return f"Intervals: {100 * report.level:g}%, over {topics}, by the jackknife."


def _orders_in_brief(pair: TwoJudges) -> str:
    runs = wording.count(len(pair.measures[0].runs), "run")
    taus = []
    for change in pair.measures:
        tau = wording.number(change.orders.tau, 2)
        if change.intervals.tau:
            low, high = (wording.number(end, 2) for end in change.intervals.tau)
            tau += f" [{low}, {high}]"
        taus.append(f"{tau} for {change.measure}")
    return f"Order of {runs} by {pair.first} and by {pair.second}: tau {'; '.join(taus)}."


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


def _confusion(pair: TwoJudges, style: Style) -> Iterator[Block]:
    counts = {
        (f"{one:g}", f"{other:g}"): times
        for one, row in pair.confusion.items()
        for other, times in row.items()
    }
    title = f"Documents by the grade of {pair.first} (rows) and of {pair.second} (columns)"
    grades = dict.fromkeys(other for _, other in counts)
    yield grid(title, text("grade", least=0), grades, counts, count, style)
    mean = (
        "" if pair.shift is None else f", on average {wording.signed(pair.shift, style.decimals)}"
    )
    yield (
        f"{pair.second} gave {pair.higher:,} documents a higher grade than {pair.first}, "
        f"{pair.same:,} the same and {pair.lower:,} a lower one{mean}. Only {pair.first} judged "
        f"{pair.only_first:,}, only {pair.second} {pair.only_second:,}."
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

    return [
        text("topic", get=lambda one: topic_title(one.topic, report.texts.queries)),
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
    measures = [one.measure for one in pair.measures]
    title = f"Order of the runs by {pair.first} and by {pair.second}"
    return grid(title, name(""), measures, cells, written, style)


def _moves(pair: TwoJudges) -> list[Declared]:
    return [
        name("run"),
        number("first", pair.first),
        count("first_rank", "rank"),
        number("second", pair.second),
        count("second_rank", "rank"),
    ]


def rows(report: JudgesReport, _: Style) -> Iterator[Row]:
    """Yield the agreement, the sizes of the sets, every two judges, and the topics."""
    yield ["first", "second", "topic", "measure", "statistic", "value", "low", "high"]
    yield [None, None, None, None, "both", report.both, None, None]
    for statistic, found in report.agreement.items():
        yield [None, None, None, None, statistic, found.value, found.low, found.high]
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
    for fact in ("both", "only_first", "only_second"):
        yield [*names, None, fact, getattr(pair, fact), None, None]
    for one, row in pair.confusion.items():
        for other, times in row.items():
            yield [*names, None, f"confusion {one:g} {other:g}", times, None, None]
    for change in pair.measures:
        for statistic, value in asdict(change.orders).items():
            ends = getattr(change.intervals, statistic, None) or (None, None)
            yield [*names, change.measure, statistic, value, *ends]


PRINTER = Printer[JudgesReport](blocks, rows)
