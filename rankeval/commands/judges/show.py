"""Agreement of judges in every format, and its schema."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict

from rankeval.base.wording import count, number, percent, signed
from rankeval.commands.judges.grades import scale_text
from rankeval.commands.judges.judge_agreement import LEAST_TOPICS, AgreementInterval
from rankeval.commands.judges.judged_systems import OrderChange
from rankeval.commands.judges.task import JudgesReport, TwoJudges
from rankeval.evaluation.shown_values import conventions_sentence
from rankeval.evaluation.text_cells import (
    cells_of_texts,
    columns_of_texts,
    query_document,
    text_document,
    topic_title,
)
from rankeval.output.data_rows import Row, TopicName
from rankeval.output.document_form import Document, fields_of, headed, plain
from rankeval.output.printer import Printer
from rankeval.output.style import Style
from rankeval.output.tables import NAME, Block, Cell, Column, Table, numbers

SCHEMA = "rankeval-judges/1"


def document(report: JudgesReport) -> Document:
    """Return the agreement of all judges; of two, with all facts on the pair."""
    facts = _overall(report)
    if len(report.judges) == 2:
        (pair,) = report.pairs
        facts |= {**_overlap_document(pair), "kappa": facts["kappa"], "measures": _measures(pair)}
    facts["topics"] = {
        topic.topic: fields_of(topic, "both", "raw", "kappa", "shift") for topic in report.topics
    }
    if report.texts:
        facts["differing"] = [
            {
                "topic": found.topic,
                **query_document(report.texts, found.topic),
                **fields_of(found, "docno", "grades"),
                **text_document(report.texts, found.topic, found.docno),
            }
            for found in report.differing
        ]
    if len(report.judges) > 2:
        facts["pairs"] = [
            {
                **fields_of(pair, "first", "second"),
                **_overlap_document(pair),
                "measures": _measures(pair),
            }
            for pair in report.pairs
        ]
    facts["warnings"] = report.warnings
    return headed(SCHEMA, plain(facts))


def _overall(report: JudgesReport) -> Document:
    found = report.agreement
    kappa = {name: found.intervals.get(f"kappa.{name}", (None, None)) for name in found.kappa}
    return {
        "judges": [asdict(judge) for judge in report.judges],
        **fields_of(report, "unjudged_grade", "grades"),
        **fields_of(found, "both", "raw", "kappa", "ac", "alpha"),
        "intervals": {
            "level": report.level,
            "topics": found.topics,
            "raw": found.intervals["raw"],
            "kappa": kappa,
            "ac": {name: found.intervals[f"ac.{name}"] for name in found.ac},
            "alpha": {name: found.intervals[f"alpha.{name}"] for name in found.alpha},
        },
    }


def _overlap_document(pair: TwoJudges) -> Document:
    found = pair.overlap
    return {
        **asdict(found),
        "confusion": {
            f"{one:g}": {f"{other:g}": number for other, number in row.items()}
            for one, row in found.confusion.items()
        },
    }


def _measures(pair: TwoJudges) -> dict[str, Document]:
    return {
        change.measure: {
            **asdict(change.orders),
            "intervals": asdict(change.intervals),
            "rise": None if change.rise is None else change.rise.run,
            "fall": None if change.fall is None else change.fall.run,
            "runs": [asdict(run) for run in change.runs],
        }
        for change in pair.measures
    }


ORDERS = {
    "tau": "tau (Kendall)",
    "tau_b": "tau-b",
    "tau_ap": "tau-AP",
    "tau_ap_reverse": "tau-AP, second as truth",
    "spearman": "rho (Spearman)",
    "rbo": "RBO",
}
KAPPAS = {
    "plain": "kappa (Cohen)",
    "quadratic": "kappa (Cohen), quadratic",
}
TOPICS_SHOWN = 10


def blocks(report: JudgesReport, style: Style) -> Iterator[Block]:
    """Yield the sentences and tables."""
    *first, last = (
        f"{judge.name} ({count(judge.judgments, 'judgment')}, {count(judge.topics, 'topic')})"
        for judge in report.judges
    )
    yield f"Judgments: {', '.join(first)} and {last}."
    yield from _left_out(report)
    if report.grades is not None:
        yield f"Scale of grades: {scale_text(report.grades)}."
    if len(report.pairs) == 1:
        yield _overlap(report.pairs[0])
    yield _agreement(report, style)
    yield _intervals(report)
    if len(report.pairs) == 1:
        yield _confusion(report.pairs[0])
        yield _shift(report.pairs[0], style)
    else:
        yield _every_two(report.pairs, style)
    yield _topics(report, style)
    if report.texts and report.differing:
        yield _differing(report)
    for pair in report.pairs:
        if pair.measures:
            yield from _orders(pair, report, style)
    yield from conventions_sentence(words for run in report.runs for words in run.conventions)


def _left_out(report: JudgesReport) -> Iterator[str]:
    """Say how many documents of each set are not judged."""
    found = [f"{judge.name} {judge.unjudged:,}" for judge in report.judges if judge.unjudged]
    if found and report.unjudged_grade is not None:
        yield (f"Left out as unjudged, with grade {report.unjudged_grade:g}: {', '.join(found)}.")


def _intervals(report: JudgesReport) -> str:
    level = percent(report.level).lstrip("+").replace(".0%", "%")
    topics = report.agreement.topics
    if topics < LEAST_TOPICS:
        return (
            f"No intervals: {count(topics, 'topic')} with a document judged twice; at least "
            f"{LEAST_TOPICS} are needed."
        )
    return f"Intervals: {level}, over {count(topics, 'topic')}, by the jackknife."


def _overlap(pair: TwoJudges) -> str:
    found = pair.overlap
    return (
        f"{pair.first} and {pair.second}: both judged {count(found.both, 'document')}, only "
        f"{pair.first} {found.only_first:,}, only {pair.second} {found.only_second:,}."
    )


def _agreement(report: JudgesReport, style: Style) -> Table:
    found = report.agreement
    rows = [["equal grades", *_with_interval(found.raw, found.intervals["raw"], style)]]
    for name, value in found.kappa.items():
        if len(report.judges) == 2:
            ends = found.intervals.get(f"kappa.{name}")
            rows.append([KAPPAS[name], *_with_interval(value, ends, style)])
    ac = _with_interval(found.ac["plain"], found.intervals["ac.plain"], style)
    rows.append(["AC1 (Gwet)", *ac])
    for name, value in found.alpha.items():
        ends = found.intervals[f"alpha.{name}"]
        rows.append([f"alpha (Krippendorff), {name}", *_with_interval(value, ends, style)])
    title = f"Agreement over {count(found.both, 'document')}"
    return Table(title, [Column("", NAME), *numbers(["value", "low", "high"])], rows)


def _with_interval(value: float | None, ends: AgreementInterval | None, style: Style) -> list[str]:
    return [number(one, style.decimals) for one in (value, *(ends or (None, None)))]


def _confusion(pair: TwoJudges) -> Table:
    found = pair.overlap.confusion
    heads = [f"{grade:g}" for grade in found]
    rows = [[f"{grade:g}", *map(str, row.values())] for grade, row in found.items()]
    title = f"Documents by the grade of {pair.first} (rows) and of {pair.second} (columns)"
    return Table(title, [Column("grade"), *numbers(heads)], rows)


def _shift(pair: TwoJudges, style: Style) -> str:
    found = pair.overlap.shift
    mean = "" if found.mean is None else f"; on average {signed(found.mean, style.decimals)}"
    return (
        f"{pair.second} gave a higher grade {count(found.higher, 'time')}, the same "
        f"{count(found.same, 'time')} and a lower one {count(found.lower, 'time')}{mean}."
    )


def _every_two(pairs: Sequence[TwoJudges], style: Style) -> Table:
    """Return a row for every two judges; the formats of data have their confusion matrices."""
    rows = [
        [
            pair.first,
            pair.second,
            *(f"{value:,}" for value in (overlap.both, overlap.only_first, overlap.only_second)),
            *(f"{value:,}" for value in (shift.same, shift.higher, shift.lower)),
            "-" if shift.mean is None else signed(shift.mean, style.decimals),
        ]
        for pair in pairs
        for overlap, shift in ((pair.overlap, pair.overlap.shift),)
    ]
    heads = ["both", "only 1st", "only 2nd", "same", "higher", "lower", "shift"]
    title = "Every two judges: documents, and the grades of the second against the first's"
    return Table(title, [Column("first", NAME), Column("second", NAME), *numbers(heads)], rows)


def _topics(report: JudgesReport, style: Style) -> Table:
    shown = report.topics if style.per_topic else report.topics[:TOPICS_SHOWN]
    rows = [
        [
            one.topic,
            str(one.both),
            number(one.raw, style.decimals),
            number(one.kappa, style.decimals),
            *([signed(one.shift, style.decimals)] if len(report.judges) == 2 else []),
        ]
        for one in shown
    ]
    heads = ["both", "equal", "kappa", *(["shift"] if len(report.judges) == 2 else [])]
    more = "" if len(shown) == len(report.topics) else f", {len(shown)} of {len(report.topics)}"
    title = f"Topics, the lowest agreement first{more}"
    return Table(title, [Column("topic", 12), *numbers(heads)], rows, long=True)


def _differing(report: JudgesReport) -> Table:
    texts = report.texts
    rows: list[list[str | Cell]] = [
        [
            topic_title(found.topic, texts.queries),
            found.docno,
            *("-" if grade is None else f"{grade:g}" for grade in found.grades),
            *cells_of_texts(texts, found.topic, found.docno),
        ]
        for found in report.differing
    ]
    columns = [
        *(Column("topic", 12), Column("document", 12)),
        *numbers(judge.name for judge in report.judges),
        *columns_of_texts(texts),
    ]
    return Table("Documents whose grades are farthest apart", columns, rows, long=True)


def _orders(pair: TwoJudges, report: JudgesReport, style: Style) -> Iterator[Block]:
    measures = [measure.measure for measure in pair.measures]
    rows = [
        row
        for name, words in ORDERS.items()
        for row in _agreement_of_orders(name, words, pair, report, style)
    ]
    yield Table(
        f"Order of {count(len(pair.measures[0].runs), 'run')} by {pair.first} and by {pair.second}",
        [Column("", NAME), *numbers(measures)],
        rows,
    )
    for change in pair.measures:
        yield from _moves(change, pair, style)


def _agreement_of_orders(
    name: str, words: str, pair: TwoJudges, report: JudgesReport, style: Style
) -> Iterator[list[str]]:
    """Yield the row of a correlation, and the one of its intervals below it, if it has some."""
    found = pair.measures
    yield [words, *(number(getattr(one.orders, name), style.decimals) for one in found)]
    intervals = [getattr(one.intervals, name, None) for one in found]
    if any(intervals):
        ends = [[number(end, style.decimals) for end in each or ()] for each in intervals]
        shown = [f"[{', '.join(each)}]" if each else "-" for each in ends]
        yield [f"{words}, {100 * report.level:g}%", *shown]


def _moves(change: OrderChange, pair: TwoJudges, style: Style) -> Iterator[Block]:
    heads = [pair.first, "rank", pair.second, "rank"]
    rows = [
        [
            run.run,
            number(run.first, style.decimals),
            _rank(run.first_rank),
            number(run.second, style.decimals),
            _rank(run.second_rank),
        ]
        for run in change.runs
    ]
    yield Table(change.measure, [Column("run", NAME), *numbers(heads)], rows)
    moved = [
        f"{run.run} {verb} from rank {run.first_rank} to {run.second_rank}"
        for run, verb in ((change.rise, "rises"), (change.fall, "falls"))
        if run is not None
    ]
    if moved:
        yield f"Largest moves: {'; '.join(moved)}."


def _rank(rank: int | None) -> str:
    return "-" if rank is None else str(rank)


HEADS = ("first", "second", "topic", "measure", "statistic", "value", "low", "high")


def rows(report: JudgesReport, _style: Style) -> Iterator[Row]:
    """Yield the agreement, the sizes of the sets, every two judges, and the topics."""
    yield HEADS
    found = report.agreement
    values: dict[str, float | None] = {"both": found.both, "raw": found.raw}
    values |= {f"kappa.{name}": value for name, value in found.kappa.items()}
    values |= {f"ac.{name}": value for name, value in found.ac.items()}
    values |= {f"alpha.{name}": value for name, value in found.alpha.items()}
    for name, value in values.items():
        yield [None, None, None, None, name, value, *found.intervals.get(name, (None, None))]
    for judge in report.judges:
        for name in ("judgments", "unjudged"):
            yield [judge.name, None, None, None, name, getattr(judge, name), None, None]
    for pair in report.pairs:
        ends = {
            (change.measure, name): interval
            for change in pair.measures
            for name, interval in asdict(change.intervals).items()
        }
        for (measure, statistic), value in _facts(pair).items():
            low, high = ends.get((measure, statistic)) or (None, None)
            yield [pair.first, pair.second, None, measure or None, statistic, value, low, high]
    for topic in report.topics:
        for name in ("both", "raw", "kappa", "shift"):
            shown = getattr(topic, name)
            yield [None, None, TopicName(topic.topic), None, name, shown, None, None]


def _facts(pair: TwoJudges) -> dict[tuple[str, str], float | None]:
    """Return the numbers of two judges, by measure or "", and by statistic."""
    found: dict[tuple[str, str], float | None] = {
        ("", name): getattr(pair.overlap, name) for name in ("both", "only_first", "only_second")
    }
    for one, row in pair.overlap.confusion.items():
        found |= {("", f"confusion {one:g} {other:g}"): times for other, times in row.items()}
    for change in pair.measures:
        found |= {(change.measure, name): one for name, one in asdict(change.orders).items()}
    return found


PRINTER = Printer[JudgesReport](
    document=lambda report, _: document(report),
    rows=rows,
    blocks=blocks,
)
