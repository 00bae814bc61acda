"""The tables of the agreement of judges."""

from collections.abc import Iterator
from dataclasses import asdict
from itertools import chain, groupby
from operator import attrgetter

from rankeval.base import wording
from rankeval.commands.judges.judge_agreement import LEAST_TOPICS, TwoJudges
from rankeval.commands.judges.task import JudgesReport
from rankeval.evaluation.shown_values import conventions_sentence
from rankeval.output.declared_columns import (
    Declared,
    Row,
    TopicName,
    count,
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
    "tau": "tau",
    "tau_b": "tau-b",
    "tau_ap": "tau-AP",
    "tau_ap_reverse": "tau-AP, 2nd as truth",
    "spearman": "rho",
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
    name("measure"),
    *(number(each, words, f"orders.{each}") for each, words in ORDER_WORDS.items()),
]
JUDGES = [name("name", "judge"), count("judgments"), count("topics"), count("unjudged")]
EVERY_TWO = [
    name("first"),
    name("second"),
    count("both"),
    count("only_first", "only 1st"),
    count("only_second", "only 2nd"),
    number("raw", "equal"),
    number("kappa", get=lambda pair: pair.kappa["plain"]),
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
        yield table("Pairs of judges", EVERY_TWO, report.pairs, style)
        if two:
            yield _confusion(report.pairs[0], style)
    if style.verbose or style.per_topic:
        yield _topics(report, style)
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


def _rankings(report: JudgesReport, style: Style) -> Iterator[Table]:
    """Yield how alike the orders of the runs are, and the runs under each set of judgments."""
    for pair in report.pairs:
        title = f"Order of the runs by {pair.first} and by {pair.second}"
        yield table(title, ORDERS, pair.measures, style)

    def under(place: int) -> list[Declared]:
        return [
            number(report.judges[place].name, get=lambda one: one.values[place]),
            count("rank", get=lambda one: one.ranks[place]),
        ]

    columns = [name("run"), *chain.from_iterable(map(under, range(len(report.judges))))]
    for measure, runs in groupby(report.ranked, attrgetter("measure")):
        yield table(measure, columns, runs, style)


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
        facts = {fact: getattr(pair, fact) for fact in ("both", "only_first", "only_second")}
        for one, row in pair.confusion.items():
            facts |= {f"confusion {one:g} {other:g}": times for other, times in row.items()}
        of_measures = [(order.measure, asdict(order.orders)) for order in pair.measures]
        for measure, values in [(None, facts), *of_measures]:
            for fact, value in values.items():
                yield [pair.first, pair.second, None, measure, fact, value, None, None]
    for each in report.topics:
        for fact in ("both", "raw", "kappa", "shift"):
            yield [None, None, TopicName(each.topic), None, fact, getattr(each, fact), None, None]


PRINTER = Printer[JudgesReport](blocks, rows)
