"""The document of a comparison of judgments, the schema rankeval-judges/1, and its records."""

from collections.abc import Iterator
from dataclasses import asdict

from rankeval.documents.plain import Document, headed, plain
from rankeval.tasks.judges.judges import JudgesReport, TwoJudges
from rankeval.tasks.judges.systems import OrderChange

SCHEMA = "rankeval-judges/1"


def document(report: JudgesReport) -> Document:
    """Return the agreement of all judges; of two, with all facts on the pair."""
    facts = _overall(report)
    if len(report.judges) == 2:
        (pair,) = report.pairs
        facts |= {**_overlap(pair), "kappa": facts["kappa"], "measures": _measures(pair)}
    facts["topics"] = {
        one.topic: {"both": one.both, "raw": one.raw, "kappa": one.kappa, "shift": one.shift}
        for one in report.topics
    }
    if len(report.judges) > 2:
        facts["pairs"] = [
            {
                "first": pair.first,
                "second": pair.second,
                **_overlap(pair),
                "measures": _measures(pair),
            }
            for pair in report.pairs
        ]
    facts["warnings"] = list(report.warnings)
    return headed(SCHEMA, plain(facts))


def records(report: JudgesReport) -> Iterator[Document]:
    """Yield the agreement, then every two judges, their measures, and the topics."""
    yield plain(_overall(report))
    for pair in report.pairs:
        names = {"first": pair.first, "second": pair.second}
        yield plain({**names, **_overlap(pair)})
        for measure, facts in _measures(pair).items():
            yield plain({**names, "measure": measure, **facts})
    for topic in report.topics:
        yield plain(asdict(topic))


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


def _overlap(pair: TwoJudges) -> Document:
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
