"""The document of the agreement of judges, from which its schema is made."""

from dataclasses import asdict

from rankeval.commands.judges.task import JudgesReport, TwoJudges
from rankeval.output.document_form import Document, fields_of, headed, plain
from rankeval.output.text_cells import query_document, text_document

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
