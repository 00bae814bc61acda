"""The document on systems, the schema rankeval-systems/1, and its records."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict

from rankeval.documents.plain import Document, headed, plain
from rankeval.tasks.systems.pool_bias import ByRun, LeftOut
from rankeval.tasks.systems.systems import SystemsReport

SCHEMA = "rankeval-systems/1"


def document(report: SystemsReport) -> Document:
    """Return agreement, discriminative power, swap rates and pool bias."""
    return headed(
        SCHEMA,
        plain(
            {
                **_overall(report),
                "agreement": [asdict(one) for one in report.agreement],
                "discriminative": {
                    name: {"share": one.share, "asl": one.asl}
                    for name, one in report.discriminative.items()
                },
                "swap_rate": {
                    name: [asdict(one) for one in rates] for name, rates in report.swap_rate.items()
                },
                "unique_relevant": report.unique_relevant,
                "leave_one_run_out": _by_run(report.leave_one_run_out),
                "leave_one_group_out": {
                    group: _by_run(found) for group, found in report.leave_one_group_out.items()
                },
                "warnings": report.warnings,
            }
        ),
    )


def records(report: SystemsReport) -> Iterator[Document]:
    """Yield the settings, then a line per statistic."""
    yield plain(_overall(report))
    yield from (plain(asdict(one)) for one in report.agreement)
    for measure, power in report.discriminative.items():
        yield plain({"measure": measure, "share": power.share, "asl": power.asl})
    for measure, rates in report.swap_rate.items():
        yield from (plain({"measure": measure, **asdict(one)}) for one in rates)
    for run, number in report.unique_relevant.items():
        yield {"run": run, "unique_relevant": number}
    for group, found in {"": report.leave_one_run_out, **report.leave_one_group_out}.items():
        of = {"group": group} if group else {}
        for run, measures in found.items():
            for measure, one in measures.items():
                yield plain({**of, "run": run, "measure": measure, **_left_out(one)})


def _overall(report: SystemsReport) -> Document:
    return {
        "digest": report.digest,
        "runs": [{"name": run.name, "path": run.path} for run in report.runs],
        "test": str(report.how.test),
        "correction": str(report.how.correction),
        "significance": report.how.alpha,
        "pool_depth": report.pool_depth,
    }


def _by_run(found: ByRun) -> Mapping[str, Mapping[str, Document]]:
    return {
        run: {measure: _left_out(one) for measure, one in measures.items()}
        for run, measures in found.items()
    }


def _left_out(one: LeftOut) -> Document:
    return {**asdict(one), "change": one.change}
