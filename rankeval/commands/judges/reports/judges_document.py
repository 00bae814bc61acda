"""The document of the agreement of judges, from which its schema is made."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Literal, NotRequired, TypedDict

from rankeval.commands.judges.consensus import JudgesConsensus
from rankeval.commands.judges.judged_systems import OrderChange
from rankeval.commands.judges.task import JudgesReport, TwoJudges
from rankeval.output.document_form import Count, Document, Headed, headed, plain
from rankeval.output.text_cells import query_document, text_document

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
    intervals      Low and high of tau, tau_ap and rbo over topics; null if undefined.
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
    are at the top.

    ============== ==========================================================================
    judges         The sets of judgments, as given.
    unjudged_grade Grade of documents that are not judged; null if every grade is a judgment.
    grades         Scale of the grades, in ascending order; null if none was given.
    both           Pairs of topic and docno that at least two of them judged.
    raw            Share of equal grades; of several judges, of all pairs of grades.
    kappa          Agreement beyond chance.
    ac             Gwet's agreement coefficients.
    alpha          Krippendorff's alpha.
    intervals      Intervals over topics by the jackknife; null if undefined.
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
