"""Agreement of judges in every format, and its schema."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Literal, NotRequired, TypedDict

from rankeval.base.wording import count, number, percent, signed
from rankeval.commands.judges.consensus import JudgesConsensus
from rankeval.commands.judges.grades import scale_text
from rankeval.commands.judges.judge_agreement import LEAST_TOPICS, AgreementInterval
from rankeval.commands.judges.judged_systems import OrderChange, RunPair
from rankeval.commands.judges.task import JudgesReport, TwoJudges
from rankeval.output.data_rows import Row, TopicName
from rankeval.output.document_form import Count, Document, Headed, headed, plain
from rankeval.output.printer import Printer
from rankeval.output.style import Style
from rankeval.output.tables import NAME, Block, Cell, Column, Table, numbers
from rankeval.output.text_cells import (
    cells_of_texts,
    columns_of_texts,
    query_document,
    text_document,
    topic_title,
)
from rankeval.output.values import conventions_sentence

if TYPE_CHECKING:
    from rankeval.output.looks import Look

SCHEMA = "rankeval-judges/1"


class JudgesJudge(TypedDict):
    """A set of judgments.

    ========= ==============================================================
    name      Name.
    path      Path of the file.
    digest    Digest of the judgments.
    judgments Number of judgments, unjudged documents left out.
    topics    Number of topics with a judgment.
    unjudged  Documents with the grade of unjudged ones, which are left out.
    ========= ==============================================================
    """

    name: str
    path: str
    digest: str
    judgments: Count
    topics: Count
    unjudged: Count


class JudgesKappa(TypedDict):
    """Agreement beyond chance.

    ========= ===================================================
    plain     Cohen's, of two judges.
    linear    The same, weighted by the difference of the grades.
    quadratic The same, weighted by its square.
    fleiss    Fleiss', over pairs that all judged.
    ========= ===================================================
    """

    plain: float | None
    linear: float | None
    quadratic: float | None
    fleiss: float | None


class JudgesGwet(TypedDict):
    """Gwet's agreement coefficients.

    ========= ===========================================
    plain     AC1.
    linear    AC2, by the difference of the grades.
    quadratic AC2, by its square.
    ========= ===========================================
    """

    plain: float | None
    linear: float | None
    quadratic: float | None


class JudgesAlpha(TypedDict):
    """Krippendorff's alpha.

    ======== ========================
    nominal  Grades are equal or not.
    ordinal  Grades are in an order.
    interval Grades have distances.
    ======== ========================
    """

    nominal: float | None
    ordinal: float | None
    interval: float | None


JudgesEnds = tuple[float | None, float | None]
"""ends."""


class JudgesIntervalsKappa(TypedDict):
    """Kappa.

    ========= =============
    plain     Of plain.
    linear    Of linear.
    quadratic Of quadratic.
    fleiss    Of fleiss.
    ========= =============
    """

    plain: JudgesEnds
    linear: JudgesEnds
    quadratic: JudgesEnds
    fleiss: JudgesEnds


class JudgesIntervalsGwet(TypedDict):
    """Gwet's coefficients.

    ========= =============
    plain     Of plain.
    linear    Of linear.
    quadratic Of quadratic.
    ========= =============
    """

    plain: JudgesEnds
    linear: JudgesEnds
    quadratic: JudgesEnds


class JudgesIntervalsAlpha(TypedDict):
    """Alpha.

    ======== ============
    nominal  Of nominal.
    ordinal  Of ordinal.
    interval Of interval.
    ======== ============
    """

    nominal: JudgesEnds
    ordinal: JudgesEnds
    interval: JudgesEnds


class JudgesIntervals(TypedDict):
    """Intervals.

    ====== ===================================================================================
    level  Confidence.
    topics Topics with a document that at least two judged; below five there are no intervals.
    raw    Of `raw`.
    kappa  Of the kappas.
    ac     Of Gwet's coefficients.
    alpha  Of the alphas.
    ====== ===================================================================================
    """

    level: float
    topics: Count
    raw: JudgesEnds
    kappa: JudgesIntervalsKappa
    ac: JudgesIntervalsGwet
    alpha: JudgesIntervalsAlpha


class JudgesConsensusFound(TypedDict):
    """Grades that all judges together point to.

    ========== ==============================================================================
    prevalence Share of each grade.
    confusion  By judge and true grade, the probability of each grade that the judge may give.
    ========== ==============================================================================
    """

    prevalence: dict[str, float]
    confusion: dict[str, dict[str, dict[str, float]]]


class JudgesShift(TypedDict):
    """Shift of grades.

    ====== ==============================
    mean   Mean of second minus first.
    higher Documents with a higher grade.
    same   Documents with the same grade.
    lower  Documents with a lower grade.
    ====== ==============================
    """

    mean: float | None
    higher: Count
    same: Count
    lower: Count


class JudgesPairs(TypedDict):
    """Pairs.

    ======== ==============================================
    appeared The pairs of `appeared`, the better run first.
    vanished The pairs of `vanished`, the better run first.
    turned   The pairs of `turned`, the better run first.
    ======== ==============================================
    """

    appeared: list[list[str]]
    vanished: list[list[str]]
    turned: list[list[str]]


class JudgesMovedRun(TypedDict):
    """A run by both.

    =========== ====================
    run         Name.
    first       Value by the first.
    second      Value by the second.
    first_rank  Rank by the first.
    second_rank Rank by the second.
    =========== ====================
    """

    run: str
    first: float | None
    second: float | None
    first_rank: int | None
    second_rank: int | None


class JudgesOrderIntervals(TypedDict):
    """Intervals of the agreement of two orders, over topics.

    ====== ===========================================================
    tau    Of Kendall's tau: low and high.
    tau_ap Of AP correlation, the first order as the true one.
    rbo    Of rank-biased overlap.
    ====== ===========================================================
    """

    tau: list[float] | None
    tau_ap: list[float] | None
    rbo: list[float] | None


class JudgesOrder(TypedDict):
    """Order of the runs by a measure.

    ============== ===========================================================
    tau            Kendall's tau.
    tau_b          Kendall's tau-b.
    tau_ap         AP correlation, the first order as the true one.
    tau_ap_reverse AP correlation, the second order as the true one.
    spearman       Spearman's rank correlation.
    rbo            Rank-biased overlap, p 0.9, extrapolated.
    intervals      Low and high of tau, tau_ap and rbo over topics; null where there is none.
    appeared       Pairs of runs that differ significantly only by the second.
    vanished       Pairs that differ significantly only by the first.
    turned         Pairs that differ by both, in opposite ways.
    pairs          The pairs of runs.
    rise           Run that gains most ranks.
    fall           Run that loses most ranks.
    runs           The runs as given.
    ============== ===========================================================
    """

    tau: float | None
    tau_b: float | None
    tau_ap: float | None
    tau_ap_reverse: float | None
    spearman: float | None
    rbo: float | None
    intervals: JudgesOrderIntervals
    appeared: Count
    vanished: Count
    turned: Count
    pairs: JudgesPairs
    rise: str | None
    fall: str | None
    runs: list[JudgesMovedRun]


class JudgesTopic(TypedDict):
    """Agreement on a topic.

    ===== ==================================================================
    both  Documents that both judged.
    raw   Share of equal grades.
    kappa Cohen's plain kappa; of several judges, Fleiss'.
    shift Mean grade of the second minus the first; null for several judges.
    ===== ==================================================================
    """

    both: Count
    raw: float | None
    kappa: float | None
    shift: float | None


class JudgesCohen(TypedDict):
    """Cohen's kappa.

    ========= =========================================
    plain     Unweighted.
    linear    Weighted by the difference of the grades.
    quadratic Weighted by its square.
    ========= =========================================
    """

    plain: float | None
    linear: float | None
    quadratic: float | None


class JudgesPair(TypedDict):
    """Two sets of judgments.

    =========== ================================================
    first       Name of the first set.
    second      Name of the second set.
    both        Documents that both judged.
    only_first  Documents that only the first judged.
    only_second Documents that only the second judged.
    raw         Share of equal grades.
    kappa       Cohen's kappa.
    confusion   Documents by the grade of the first.
    shift       Grades of the second against those of the first.
    measures    The order of the runs, by measure.
    =========== ================================================
    """

    first: str
    second: str
    both: Count
    only_first: Count
    only_second: Count
    raw: float | None
    kappa: JudgesCohen
    confusion: dict[str, dict[str, Count]]
    shift: JudgesShift
    measures: dict[str, JudgesOrder]


class JudgesDiffering(TypedDict):
    """A document to which judges gave different grades.

    ====== ======================================================================
    topic  Name of the topic.
    query  Its query, with --queries; null if it has none.
    docno  Name of the document.
    grades Its grade by each judge; null if that judged it not.
    title  Its title, with --docs; null if they lack it.
    text   Its text around the words of the query, with --docs; null if they lack it.
    ====== ======================================================================
    """

    topic: str
    query: NotRequired[str | None]
    docno: str
    grades: list[float | None]
    title: NotRequired[str | None]
    text: NotRequired[str | None]


class JudgesDocument(Headed):
    """Comparison of judgments.

    Document that `rankeval judges -f json` writes. With two sets of judgments, all facts on the two
    stand at the top.

    ============== ==========================================================================
    judges         The sets of judgments, as given.
    unjudged_grade Grade of documents that are not judged; null if every grade is a judgment.
    grades         Scale of the grades, in ascending order; null if none was given.
    both           Pairs of topic and docno that at least two of them judged.
    raw            Share of equal grades; of several judges, of all pairs of grades.
    kappa          Agreement beyond chance.
    ac             Gwet's agreement coefficients.
    alpha          Krippendorff's alpha.
    intervals      Intervals over topics by the jackknife; null where there is none.
    consensus      The grades that all judges together point to; null without --consensus.
    test           Paired test of differences between runs.
    correction     Correction of its p-values over the pairs of runs of a measure.
    significance   Level below which a p-value is significant.
    only_first     Documents that only the first judged.
    only_second    Documents that only the second judged.
    confusion      Documents by the grade of the first.
    shift          Grades of the second against those of the first.
    measures       The order of the runs, by measure; of two sets.
    topics         Agreement by topic, the lowest first.
    differing      Documents whose grades are farthest apart, with --queries or --docs.
    pairs          Every two of three sets or more.
    warnings       Topics that some did not judge.
    ============== ==========================================================================
    """

    schema: Literal["rankeval-judges/1"]
    judges: list[JudgesJudge]
    unjudged_grade: float | None
    grades: list[float] | None
    both: Count
    raw: float | None
    kappa: JudgesKappa
    ac: JudgesGwet
    alpha: JudgesAlpha
    intervals: JudgesIntervals
    consensus: JudgesConsensusFound | None
    test: str
    correction: str
    significance: float
    only_first: NotRequired[Count]
    only_second: NotRequired[Count]
    confusion: NotRequired[dict[str, dict[str, Count]]]
    shift: NotRequired[JudgesShift]
    measures: NotRequired[dict[str, JudgesOrder]]
    topics: dict[str, JudgesTopic]
    differing: NotRequired[list[JudgesDiffering]]
    pairs: NotRequired[list[JudgesPair]]
    warnings: list[str]


def document(report: JudgesReport) -> JudgesDocument:
    """Return the agreement of all judges; of two, with all facts on the pair."""
    facts = _overall(report)
    if len(report.judges) == 2:
        (pair,) = report.pairs
        facts |= {**_overlap_document(pair), "kappa": facts["kappa"], "measures": _measures(pair)}
    facts["topics"] = {
        topic.topic: {
            "both": topic.both,
            "raw": topic.raw,
            "kappa": topic.kappa,
            "shift": topic.shift,
        }
        for topic in report.topics
    }
    if report.texts:
        facts["differing"] = [
            {
                "topic": found.topic,
                **query_document(report.texts, found.topic),
                "docno": found.docno,
                "grades": list(found.grades),
                **text_document(report.texts, found.topic, found.docno),
            }
            for found in report.differing
        ]
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
        "ac": dict(found.ac),
        "alpha": dict(found.alpha),
        "intervals": {
            "level": report.level,
            "topics": found.topics,
            "raw": list(found.intervals["raw"]),
            "kappa": {name: list(ends) for name, ends in kappa.items()},
            "ac": {name: list(found.intervals[f"ac.{name}"]) for name in found.ac},
            "alpha": {name: list(found.intervals[f"alpha.{name}"]) for name in found.alpha},
        },
        "consensus": _consensus_document(report.consensus),
        "test": str(report.how.test),
        "correction": str(report.how.correction),
        "significance": report.how.alpha,
    }


def _consensus_document(found: JudgesConsensus | None) -> Document | None:
    if found is None:
        return None

    def named(shares: Mapping[float, float]) -> dict[str, float]:
        return {f"{grade:g}": share for grade, share in shares.items()}

    return {
        "prevalence": named(found.prevalence),
        "confusion": {
            judge: {f"{true:g}": named(given) for true, given in matrix.items()}
            for judge, matrix in found.confusion.items()
        },
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
    return {measure.measure: _order(measure) for measure in pair.measures}


def _order(change: OrderChange) -> Document:
    return {
        **asdict(change.orders),
        "intervals": asdict(change.intervals),
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
GWET = {"plain": "AC1 (Gwet)", "linear": "AC2 (Gwet), linear", "quadratic": "AC2 (Gwet), quadratic"}
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
    if report.consensus is not None:
        for judge in report.judges:
            yield _errors(judge.name, report.consensus, style)
    yield _topics(report, style)
    if report.texts and report.differing:
        yield _differing(report)
    for pair in report.pairs:
        if pair.measures:
            yield from _orders(pair, report, style)
    yield from conventions_sentence(words for run in report.runs for words in run.conventions)


def _errors(judge: str, consensus: JudgesConsensus, style: Style) -> Table:
    """Return the confusion matrix of a judge against the consensus."""
    rows = [
        [
            f"{true:g}",
            number(consensus.prevalence[true], style.decimals),
            *(number(share, style.decimals) for share in given.values()),
        ]
        for true, given in consensus.confusion[judge].items()
    ]
    heads = ["share", *(f"gives {grade:g}" for grade in consensus.prevalence)]
    title = f"{judge} against the consensus: probability of each grade where another is true"
    return Table(title, [Column("true grade"), *numbers(heads)], rows)


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
        f"{pair.first} {found.only_first}, only {pair.second} {found.only_second}."
    )


def _agreement(report: JudgesReport, style: Style) -> Table:
    found = report.agreement
    rows = [["equal grades", *_with_interval(found.raw, found.intervals["raw"], style)]]
    for name, value in found.kappa.items():
        if name == "fleiss" or len(report.judges) == 2:
            ends = found.intervals.get(f"kappa.{name}")
            rows.append([KAPPAS[name], *_with_interval(value, ends, style)])
    for name, value in found.ac.items():
        rows.append([GWET[name], *_with_interval(value, found.intervals[f"ac.{name}"], style)])
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
        f"Differences: {report.how}. Appeared: only by {pair.second}; vanished: only by "
        f"{pair.first}; turned: by both, in opposite ways."
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
        found |= {(change.measure, name): len(getattr(change, name)) for name in CHANGES}
    return found


JUDGES = Printer[JudgesReport](
    document=lambda report, _: document(report),
    rows=rows,
    blocks=blocks,
)


def look() -> "Look":
    """Return how the result shows itself."""
    from rankeval.output.looks import Look, in_html

    return Look(JUDGES, in_html(blocks))
