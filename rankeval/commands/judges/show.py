"""The tables of the agreement of judges."""

from collections.abc import Iterator
from dataclasses import asdict
from itertools import chain, groupby
from operator import attrgetter, itemgetter

from rankeval.base import wording
from rankeval.commands.judges.judge_agreement import LEAST_TOPICS, TwoJudges
from rankeval.commands.judges.task import JudgesReport
from rankeval.evaluation.shown_values import conventions_sentence
from rankeval.evaluation.text_cells import text_columns, topic_title
from rankeval.output.declared_columns import (
    Declared,
    Row,
    TopicName,
    count,
    grade,
    grid,
    name,
    number,
    signed,
    table,
    text,
    topic,
)
from rankeval.output.output_formats import Printer
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
ORDER_WORDS = {
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
ORDERS = [
    text("measure", get=itemgetter(0)),
    text("statistic", "", get=lambda one: ORDER_WORDS[one[1]]),
    number("value", get=itemgetter(2)),
    number("low", get=itemgetter(3)),
    number("high", get=itemgetter(4)),
]
JUDGES = [name("name", "judge"), count("judgments"), count("topics"), count("unjudged")]
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
    found = {
        each: found
        for each, found in report.agreement.items()
        if two or not each.startswith("kappa")
    }
    yield _headline(report)
    title = f"Agreement over {wording.count(report.both, 'document')}"
    yield table(title, AGREEMENT, found.items(), style)
    yield _intervals(report)
    if style.verbose:
        yield table("Judgments", JUDGES, report.judges, style)
        title = "Pairs of judges: documents, and grades of the second against the first's"
        yield table(title, EVERY_TWO, report.pairs, style)
        if two:
            yield _confusion(report.pairs[0], style)
    if style.verbose or style.per_topic:
        yield _topics(report, style)
    if report.texts and report.differing:
        title = "Documents whose grades are farthest apart"
        yield table(title, _differing(report), report.differing, style, long=True)
    if style.verbose and report.ranked:
        yield from _rankings(report, style)
    yield from conventions_sentence(words for run in report.runs for words in run.conventions)
    if not style.verbose:
        yield Note(MORE)


def _headline(report: JudgesReport) -> str:
    raw, kappa = (report.agreement[each].value for each in ("raw", "kappa.plain"))
    share = wording.percent(raw).lstrip("+")
    documents = wording.count(report.both, "document")
    first = report.pairs[0]
    if len(report.pairs) == 1:
        found = (
            f"{first.first} and {first.second} gave the same grade to {share} of the {documents} "
            f"that both judged; kappa {wording.number(kappa, 2)}."
        )
    else:
        found = (
            f"{share} of the grades that {len(report.judges)} judges gave to the same document are "
            f"equal, over {documents} that two or more judged."
        )
    taus: dict[str, list[str]] = {}
    for pair in report.pairs:
        for one in pair.measures:
            taus.setdefault(one.measure, []).append(wording.number(one.orders.tau, 2))
    if taus:
        ends = {measure: sorted({min(each), max(each)}) for measure, each in taus.items()}
        found += f" Order of {wording.count(len(report.ranked) // len(taus), 'run')}: tau "
        found += ", ".join(f"{' to '.join(both)} for {measure}" for measure, both in ends.items())
        found += "."
    return found


def _intervals(report: JudgesReport) -> str:
    topics = wording.count(report.n_topics, "topic")
    if report.n_topics < LEAST_TOPICS:
        return (
            f"No intervals: {topics} with a document judged twice; at least {LEAST_TOPICS} are "
            "needed."
        )
    return f"Intervals: {100 * report.level:g}%, over {topics}, by the jackknife."


def _confusion(pair: TwoJudges, style: Style) -> Table:
    counts = {
        (f"{one:g}", f"{other:g}"): times
        for one, row in pair.confusion.items()
        for other, times in row.items()
    }
    title = f"Documents by the grade of {pair.first} (rows) and of {pair.second} (columns)"
    grades = dict.fromkeys(other for _, other in counts)
    return grid(title, text("grade", least=0), grades, counts, count, style)


def _topics(report: JudgesReport, style: Style) -> Table:
    columns = [topic("topic"), count("both"), number("raw", "equal"), number("kappa")]
    columns += [signed("shift")] * (len(report.judges) == 2)
    shown = report.topics if style.per_topic else report.topics[:TOPICS_SHOWN]
    more = "" if len(shown) == len(report.topics) else f", {len(shown)} of {len(report.topics)}"
    return table(f"Topics with the lowest agreement{more}", columns, shown, style, long=True)


def _differing(report: JudgesReport) -> list[Declared]:
    def given_by(place: int) -> Declared:
        return grade(report.judges[place].name, get=lambda one: one.grades[place])

    return [
        text("topic", get=lambda one: topic_title(one.topic, report.texts.queries)),
        text("docno", "document", least=0),
        *map(given_by, range(len(report.judges))),
        *text_columns(report.texts, attrgetter("topic"), attrgetter("docno")),
    ]


def _rankings(report: JudgesReport, style: Style) -> Iterator[Table]:
    """Yield how alike the orders of the runs are, and the runs under each set of judgments."""
    for pair in report.pairs:
        title = f"Order of the runs by {pair.first} and by {pair.second}"
        yield table(title, ORDERS, _orders(pair), style)

    def under(place: int) -> list[Declared]:
        return [
            number(report.judges[place].name, get=lambda one: one.values[place]),
            count("rank", get=lambda one: one.ranks[place]),
        ]

    columns = [name("run"), *chain.from_iterable(map(under, range(len(report.judges))))]
    for measure, runs in groupby(report.ranked, attrgetter("measure")):
        yield table(measure, columns, runs, style)


def _orders(pair: TwoJudges) -> Iterator[tuple[str, str, float | None, float | None, float | None]]:
    """Yield the statistics of each measure, with their intervals."""
    for one in pair.measures:
        for statistic, value in asdict(one.orders).items():
            low, high = getattr(one.intervals, statistic, None) or (None, None)
            yield one.measure, statistic, value, low, high


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
    for each in report.topics:
        for fact in ("both", "raw", "kappa", "shift"):
            yield [None, None, TopicName(each.topic), None, fact, getattr(each, fact), None, None]


def _rows_of_pair(pair: TwoJudges) -> Iterator[Row]:
    names = pair.first, pair.second, None
    for fact in ("both", "only_first", "only_second"):
        yield [*names, None, fact, getattr(pair, fact), None, None]
    for one, row in pair.confusion.items():
        for other, times in row.items():
            yield [*names, None, f"confusion {one:g} {other:g}", times, None, None]
    for order in _orders(pair):
        yield [*names, *order]


PRINTER = Printer[JudgesReport](blocks, rows)
