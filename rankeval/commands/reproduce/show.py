"""The report on a reproduction in every format, and its schema."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Literal, TypedDict

from rankeval.base.wording import number, p_value, signed
from rankeval.commands.reproduce.task import BaseAndAdvanced, ReproducedOrder, Reproduction
from rankeval.output.data_rows import Row
from rankeval.output.document_form import Document, Headed, headed, plain
from rankeval.output.printer import Printer
from rankeval.output.style import Style
from rankeval.output.tables import NAME, Block, Column, Table, numbers
from rankeval.output.values import conventions_sentence

if TYPE_CHECKING:
    from rankeval.output.looks import Look

SCHEMA = "rankeval-reproduce/1"


class ReproduceRun(TypedDict):
    """A run.

    ==== =================
    name Name.
    path Path of the file.
    ==== =================
    """

    name: str
    path: str


class ReproduceRuns(TypedDict):
    """Runs.

    =================== ========================
    original_base       Original base run.
    original_advanced   Original advanced run.
    replicated_base     Replicated base run.
    replicated_advanced Replicated advanced run.
    =================== ========================
    """

    original_base: ReproduceRun
    original_advanced: ReproduceRun
    replicated_base: ReproduceRun
    replicated_advanced: ReproduceRun


class ReproduceBoth(TypedDict):
    """Baseline and advanced run.

    ======== ====================
    base     Of the baseline run.
    advanced Of the advanced run.
    ======== ====================
    """

    base: float | None
    advanced: float | None


class ReproduceOrder(TypedDict):
    """Overlap of rankings.

    === ==========================================================================================
    ktu Kendall's tau Union, mean over topics; null with other judgments.
    rbo Rank-biased overlap in its base form, p 0.95, mean over topics; null with other judgments.
    === ==========================================================================================
    """

    ktu: ReproduceBoth | None
    rbo: ReproduceBoth | None


class ReproduceDocument(Headed):
    """Reproduction of an experiment.

    Document that `rankeval reproduce -f json` writes.

    ============ ===============================================================================
    runs         The four runs.
    other_qrels  True if the replication has judgments of its own.
    original     Means of the original runs, by measure.
    replicated   Means of the replicated runs, by measure.
    rmse         Root mean square error over topics, by measure.
    p            p-value of original against replicated, by measure.
    effect_ratio Mean improvement of the replication divided by the original one, by measure.
    delta_ri     Relative improvement of the original minus that of the replication, by measure.
    ktu          Kendall's tau Union, mean over topics; null with other judgments.
    rbo          Rank-biased overlap in its base form, p 0.95, mean over topics; null with other
                 judgments.
    cutoffs      Overlap of the rankings, by cutoff.
    warnings     Sentences.
    ============ ===============================================================================
    """

    schema: Literal["rankeval-reproduce/1"]
    runs: ReproduceRuns
    other_qrels: bool
    original: dict[str, ReproduceBoth]
    replicated: dict[str, ReproduceBoth]
    rmse: dict[str, ReproduceBoth]
    p: dict[str, ReproduceBoth]
    effect_ratio: dict[str, float | None]
    delta_ri: dict[str, float | None]
    ktu: ReproduceBoth | None
    rbo: ReproduceBoth | None
    cutoffs: dict[str, ReproduceOrder]
    warnings: list[str]


ROLES = ("original_base", "original_advanced", "replicated_base", "replicated_advanced")


def document(found: Reproduction) -> ReproduceDocument:
    """Return each statistic by measure, and the overlap of rankings by cutoff.

    `ktu` and `rbo` are those of the largest cutoff.
    """
    by_measure = {measure.measure: asdict(measure) for measure in found.measures}
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
                "cutoffs": {str(order.cutoff): _order(order) for order in found.orders},
                "warnings": list(found.warnings),
            }
        ),
    )


def _overall(found: Reproduction) -> Document:
    runs = zip(ROLES, found.runs, strict=True)
    return {
        "runs": {role: {"name": run.name, "path": run.path} for role, run in runs},
        "other_qrels": found.other_qrels,
    }


def _order(order: ReproducedOrder) -> Document:
    return {"ktu": asdict(order.ktu), "rbo": asdict(order.rbo)}


def blocks(found: Reproduction, style: Style) -> Iterator[Block]:
    """Yield the sentences and tables."""
    base, advanced, other_base, other_advanced = (run.name for run in found.runs)
    on = " on other topics" if found.other_qrels else ""
    yield f"Original: {base} (base) and {advanced} (advanced)."
    yield f"Replicated{on}: {other_base} (base) and {other_advanced} (advanced)."
    yield _effects(found, style)
    yield (
        "Effect ratio: improvement of the replication divided by the original one, 1 is perfect. "
        "Delta RI: original minus replicated relative improvement, 0 is perfect."
    )
    yield _by_topic(found, style)
    if found.orders:
        yield _orders(found, style)
    yield from conventions_sentence(words for run in found.runs for words in run.conventions)


def _effects(found: Reproduction, style: Style) -> Table:
    heads = [
        *("original base", "original advanced", "replicated base", "replicated advanced"),
        *("effect ratio", "delta RI"),
    ]
    rows = [
        [
            measure.measure,
            *_both(measure.original, style),
            *_both(measure.replicated, style),
            number(measure.effect_ratio, style.decimals),
            "" if measure.delta_ri is None else signed(measure.delta_ri, style.decimals),
        ]
        for measure in found.measures
    ]
    return Table("Means and effects", [Column("measure", NAME), *numbers(heads)], rows)


def _by_topic(found: Reproduction, style: Style) -> Table:
    heads = ["p base", "p advanced"]
    rows = [
        [measure.measure, _p(measure.p.base), _p(measure.p.advanced)] for measure in found.measures
    ]
    if not found.other_qrels:
        heads = ["RMSE base", "RMSE advanced", *heads]
        rows = [
            [one.measure, *_both(one.rmse, style), *row[1:]]
            for one, row in zip(found.measures, rows, strict=True)
        ]
    kind = "Unpaired t tests" if found.other_qrels else "Errors over topics, and paired t tests"
    title = f"{kind} of original against replicated"
    return Table(title, [Column("measure", NAME), *numbers(heads)], rows)


def _p(value: float | None) -> str:
    return "-" if value is None else p_value(value)


def _orders(found: Reproduction, style: Style) -> Table:
    heads = ["tau Union base", "tau Union advanced", "RBO base", "RBO advanced"]
    rows = [
        [str(order.cutoff), *_both(order.ktu, style), *_both(order.rbo, style)]
        for order in found.orders
    ]
    return Table("Rankings down to a cutoff", numbers(["cutoff", *heads]), rows)


def _both(pair: BaseAndAdvanced, style: Style) -> list[str]:
    return [number(one, style.decimals) for one in (pair.base, pair.advanced)]


HEADS = ("measure", "cutoff", "statistic", "base", "advanced", "value")


def rows(found: Reproduction, _style: Style) -> Iterator[Row]:
    """Yield the statistics of each measure, and the overlap of rankings at each cutoff."""
    yield HEADS
    for measure in found.measures:
        for name in ("original", "replicated", "rmse", "p"):
            pair = getattr(measure, name)
            yield [measure.measure, None, name, pair.base, pair.advanced, None]
        for name in ("effect_ratio", "delta_ri"):
            yield [measure.measure, None, name, None, None, getattr(measure, name)]
    for order in found.orders:
        for name, pair in (("ktu", order.ktu), ("rbo", order.rbo)):
            yield [None, order.cutoff, name, pair.base, pair.advanced, None]


REPRODUCTION = Printer[Reproduction](
    document=lambda found, _: document(found),
    rows=rows,
    blocks=blocks,
)


def look() -> "Look":
    """Return how the result shows itself."""
    from rankeval.output.looks import Look, in_html

    return Look(REPRODUCTION, in_html(blocks))
