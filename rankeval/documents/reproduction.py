"""The document of a reproduction, the schema rankeval-reproduce/1, and its records."""

from collections.abc import Iterator
from dataclasses import asdict

from rankeval.documents.plain import Document, headed, plain
from rankeval.tasks.reproduce import ReproducedOrder, Reproduction

SCHEMA = "rankeval-reproduce/1"
ROLES = ("original_base", "original_advanced", "replicated_base", "replicated_advanced")


def document(found: Reproduction) -> Document:
    """Return each statistic by measure, and the overlap of rankings by cutoff.

    `ktu` and `rbo` are those of the largest cutoff.
    """
    by_measure = {one.measure: asdict(one) for one in found.measures}
    names = ("original", "replicated", "rmse", "p", "effect_ratio", "delta_ri")
    facts = {name: {m: one[name] for m, one in by_measure.items()} for name in names}
    deepest = _order(found.orders[-1]) if found.orders else {"ktu": None, "rbo": None}
    return headed(
        SCHEMA,
        plain(
            {
                **_overall(found),
                **facts,
                **deepest,
                "cutoffs": {str(one.cutoff): _order(one) for one in found.orders},
                "warnings": list(found.warnings),
            }
        ),
    )


def records(found: Reproduction) -> Iterator[Document]:
    """Yield the runs, then each measure, then each cutoff."""
    yield plain(_overall(found))
    yield from (plain(asdict(one)) for one in found.measures)
    yield from (plain({"cutoff": one.cutoff, **_order(one)}) for one in found.orders)


def _overall(found: Reproduction) -> Document:
    runs = zip(ROLES, found.runs, strict=True)
    return {
        "runs": {role: {"name": run.name, "path": run.path} for role, run in runs},
        "other_qrels": found.other_qrels,
    }


def _order(order: ReproducedOrder) -> Document:
    return {"ktu": asdict(order.ktu), "rbo": asdict(order.rbo)}
