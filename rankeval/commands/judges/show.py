"""Agreement of judges in every format, and its schema."""

from collections.abc import Iterator
from dataclasses import asdict

from rankeval.base.numbers import number, percent, signed
from rankeval.base.wording import count
from rankeval.commands.judges.grades import scale_text
from rankeval.commands.judges.judge_agreement import LEAST_TOPICS, AgreementInterval
from rankeval.commands.judges.judged_systems import OrderChange, RunPair
from rankeval.commands.judges.task import JudgesReport, TwoJudges
from rankeval.output.data_rows import Row, TopicName
from rankeval.output.document_form import Document, headed, plain
from rankeval.output.printer import Printer
from rankeval.output.style import Style
from rankeval.output.tables import NAME, Block, Column, Table, numbers
from rankeval.output.values import conventions_sentence

SCHEMA = "rankeval-judges/1"


def document(report: JudgesReport) -> Document:
    """Return the agreement of all judges; of two, with all facts on the pair."""
    facts = _overall(report)
    if len(report.judges) == 2:
        (pair,) = report.pairs
        facts |= {**_overlap_document(pair), "kappa": facts["kappa"], "measures": _measures(pair)}
    facts["topics"] = {
        one.topic: {"both": one.both, "raw": one.raw, "kappa": one.kappa, "shift": one.shift}
        for one in report.topics
    }
    if len(report.judges) > 2:
        facts["pairs"] = [
            {
                "first": pair.first,
                "second": pair.second,
                **_overlap_document(pair),
                "measures": _measures(pair),
            }
            for pair in report.pairs
        ]
    facts["warnings"] = list(report.warnings)
    return headed(SCHEMA, plain(facts))


def _overall(report: JudgesReport) -> Document:
    found = report.agreement
    kappa = {name: found.intervals.get(f"kappa.{name}", (None, None)) for name in found.kappa}
    return {
        "judges": [asdict(judge) for judge in report.judges],
        "unjudged_grade": report.unjudged_grade,
        "grades": None if report.grades is None else list(report.grades),
        "both": found.both,
        "raw": found.raw,
        "kappa": dict(found.kappa),
        "alpha": dict(found.alpha),
        "intervals": {
            "level": report.level,
            "topics": found.topics,
            "raw": list(found.intervals["raw"]),
            "kappa": {name: list(ends) for name, ends in kappa.items()},
            "alpha": {name: list(found.intervals[f"alpha.{name}"]) for name in found.alpha},
        },
        "test": str(report.how.test),
        "correction": str(report.how.correction),
        "significance": report.how.alpha,
    }


def _overlap_document(pair: TwoJudges) -> Document:
    found = pair.overlap
    return {
        "both": found.both,
        "only_first": found.only_first,
        "only_second": found.only_second,
        "raw": found.raw,
        "kappa": dict(found.kappa),
        "confusion": {
            f"{one:g}": {f"{other:g}": number for other, number in row.items()}
            for one, row in found.confusion.items()
        },
        "shift": asdict(found.shift),
    }


def _measures(pair: TwoJudges) -> dict[str, Document]:
    return {one.measure: _order(one) for one in pair.measures}


def _order(change: OrderChange) -> Document:
    return {
        **asdict(change.orders),
        "appeared": len(change.appeared),
        "vanished": len(change.vanished),
        "turned": len(change.turned),
        "pairs": {
            "appeared": change.appeared,
            "vanished": change.vanished,
            "turned": change.turned,
        },
        "rise": None if change.rise is None else change.rise.run,
        "fall": None if change.fall is None else change.fall.run,
        "runs": [asdict(run) for run in change.runs],
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
    "linear": "kappa (Cohen), linear",
    "quadratic": "kappa (Cohen), quadratic",
    "fleiss": "kappa (Fleiss)",
}
CHANGES = ("appeared", "vanished", "turned")
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
    yield from map(_overlap, report.pairs)
    yield _agreement(report, style)
    yield _intervals(report)
    for pair in report.pairs:
        yield _confusion(pair)
        yield _shift(pair, style)
    yield _topics(report, style)
    for pair in report.pairs:
        if pair.measures:
            yield from _orders(pair, report, style)
    yield from conventions_sentence(words for run in report.runs for words in run.conventions)


def _left_out(report: JudgesReport) -> Iterator[str]:
    """Say how many documents of each set are not judged."""
    found = [f"{one.name} {one.unjudged:,}" for one in report.judges if one.unjudged]
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
        f"{pair.first} {found.only_first}, only {pair.second} {found.only_second}."
    )


def _agreement(report: JudgesReport, style: Style) -> Table:
    found = report.agreement
    rows = [["equal grades", *_with_interval(found.raw, found.intervals["raw"], style)]]
    for name, value in found.kappa.items():
        if name == "fleiss" or len(report.judges) == 2:
            ends = found.intervals.get(f"kappa.{name}")
            rows.append([KAPPAS[name], *_with_interval(value, ends, style)])
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


def _orders(pair: TwoJudges, report: JudgesReport, style: Style) -> Iterator[Block]:
    measures = [one.measure for one in pair.measures]
    rows = [
        [words, *(number(getattr(one.orders, name), style.decimals) for one in pair.measures)]
        for name, words in ORDERS.items()
    ]
    rows += [
        [f"differences {name}", *(str(len(getattr(one, name))) for one in pair.measures)]
        for name in CHANGES
    ]
    yield Table(
        f"Order of {count(len(pair.measures[0].runs), 'run')} by {pair.first} and by {pair.second}",
        [Column("", NAME), *numbers(measures)],
        rows,
    )
    yield (
        f"Differences: {report.how.test} test in pairs, correction {report.how.correction}, alpha "
        f"{report.how.alpha:g}. Appeared: only by {pair.second}; vanished: only by {pair.first}; "
        "turned: by both, in opposite ways."
    )
    for change in pair.measures:
        yield from _moves(change, pair, style)


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
    for name in CHANGES:
        pairs: tuple[RunPair, ...] = getattr(change, name)
        if pairs:
            yield f"{name.capitalize()}: {'; '.join(f'{a} > {b}' for a, b in pairs)}."


def _rank(rank: int | None) -> str:
    return "-" if rank is None else str(rank)


HEADS = ("first", "second", "topic", "measure", "statistic", "value", "low", "high")


def rows(report: JudgesReport, _style: Style) -> Iterator[Row]:
    """Yield the agreement, the sizes of the sets, every two judges, and the topics."""
    yield HEADS
    found = report.agreement
    values: dict[str, float | None] = {"both": found.both, "raw": found.raw}
    values |= {f"kappa.{name}": value for name, value in found.kappa.items()}
    values |= {f"alpha.{name}": value for name, value in found.alpha.items()}
    for name, value in values.items():
        yield [None, None, None, None, name, value, *found.intervals.get(name, (None, None))]
    for judge in report.judges:
        for name in ("judgments", "unjudged"):
            yield [judge.name, None, None, None, name, getattr(judge, name), None, None]
    for pair in report.pairs:
        for (measure, statistic), value in _facts(pair).items():
            yield [pair.first, pair.second, None, measure or None, statistic, value, None, None]
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
        found |= {(change.measure, name): len(getattr(change, name)) for name in CHANGES}
    return found


JUDGES = Printer[JudgesReport](
    document=lambda report, _: document(report),
    rows=rows,
    blocks=blocks,
)
