"""The tables of the agreement of judges."""

from collections.abc import Iterator
from dataclasses import asdict
from itertools import chain, groupby
from operator import attrgetter, itemgetter

from rankeval.base import wording
from rankeval.commands.judges.task import JudgesReport
from rankeval.evaluation.show import conventions_sentence
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
    number("value", get=itemgetter(1)),
]
ORDERS = [
    name("measure"),
    *(number(one, words, f"orders.{one}") for one, words in ORDER_WORDS.items()),
]
JUDGES = [name("name", "judge"), count("judgments"), count("topics"), count("unjudged")]
TOPICS = [topic("topic"), count("both"), number("raw", "equal")]
EVERY_TWO = [
    name("first"),
    name("second"),
    count("both"),
    count("only_first", "only 1st"),
    count("only_second", "only 2nd"),
    number("raw", "equal", get=lambda pair: pair.agreement["raw"]),
    number("kappa", get=lambda pair: pair.agreement["kappa.plain"]),
    signed("shift"),
]


def blocks(report: JudgesReport, style: Style) -> Iterator[Block]:
    """Yield how far judges agree; with -v also on what, and how they rank the runs."""
    yield _headline(report)
    title = f"Agreement over {wording.count(report.both, 'document')}"
    yield table(title, AGREEMENT, report.agreement.items(), style)
    if style.verbose:
        yield table("Judgments", JUDGES, report.judges, style)
        yield table("Pairs of judges", EVERY_TWO, report.pairs, style)
        if len(report.pairs) == 1:
            yield _confusion(report, style)
    if style.verbose or style.per_topic:
        shown = report.topics if style.per_topic else report.topics[:TOPICS_SHOWN]
        yield table("Topics with the lowest agreement", TOPICS, shown, style)
    if style.verbose and report.ranked:
        yield from _rankings(report, style)
    yield from conventions_sentence(words for run in report.runs for words in run.conventions)
    if not style.verbose:
        yield Note(MORE)


def _headline(report: JudgesReport) -> str:
    share = wording.percent(report.agreement["raw"]).lstrip("+")
    documents = wording.count(report.both, "document")
    first = report.pairs[0]
    if len(report.pairs) == 1:
        kappa = wording.number(first.agreement["kappa.plain"], 2)
        found = (
            f"{first.first} and {first.second} gave the same grade to {share} of the {documents} "
            f"that both judged; kappa {kappa}."
        )
        if first.measures:
            taus = [
                f"{wording.number(one.orders.tau, 2)} for {one.measure}" for one in first.measures
            ]
            runs = wording.count(len(report.ranked) // len(taus), "run")
            found += f" Order of {runs}: tau {', '.join(taus)}."
        return found
    return (
        f"{share} of the grades that {len(report.judges)} judges gave to the same document are "
        f"equal, over {documents} that two or more judged."
    )


def _confusion(report: JudgesReport, style: Style) -> Table:
    (pair,) = report.pairs
    counts = {
        (f"{one:g}", f"{other:g}"): times
        for one, row in pair.confusion.items()
        for other, times in row.items()
    }
    title = f"Documents by the grade of {pair.first} (rows) and of {pair.second} (columns)"
    grades = dict.fromkeys(other for _, other in counts)
    return grid(title, text("grade", least=0), grades, counts, count, style)


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
    yield ["first", "second", "topic", "measure", "statistic", "value"]
    yield [None, None, None, None, "both", report.both]
    for statistic, value in report.agreement.items():
        yield [None, None, None, None, statistic, value]
    for judge in report.judges:
        for fact in ("judgments", "unjudged"):
            yield [judge.name, None, None, None, fact, getattr(judge, fact)]
    for pair in report.pairs:
        facts = {fact: getattr(pair, fact) for fact in ("both", "only_first", "only_second")}
        for one, row in pair.confusion.items():
            facts |= {f"confusion {one:g} {other:g}": times for other, times in row.items()}
        of_measures = [(order.measure, asdict(order.orders)) for order in pair.measures]
        for measure, values in [(None, facts), *of_measures]:
            for fact, value in values.items():
                yield [pair.first, pair.second, None, measure, fact, value]
    for each in report.topics:
        for fact in ("both", "raw"):
            yield [None, None, TopicName(each.topic), None, fact, getattr(each, fact)]


PRINTER = Printer[JudgesReport](blocks, rows)
