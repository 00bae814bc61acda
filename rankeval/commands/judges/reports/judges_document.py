"""The document of the agreement of judges, from which its schema is made."""

from dataclasses import asdict

from rankeval.commands.judges.judged_systems import OrderChange
from rankeval.commands.judges.task import JudgesReport, TwoJudges
from rankeval.output.document_form import Document, headed, plain
from rankeval.output.text_cells import query_document, text_document

SCHEMA = "rankeval-judges/1"


def document(report: JudgesReport) -> Document:
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
        "rise": None if change.rise is None else change.rise.run,
        "fall": None if change.fall is None else change.fall.run,
        "runs": [asdict(run) for run in change.runs],
    }
