"""A comparison of runs in every format, and its schema."""

from collections.abc import Callable, Iterator
from dataclasses import asdict, replace
from functools import partial
from typing import TYPE_CHECKING

from rankeval.choices import Format
from rankeval.commands.compare.planning import Planning, missing_plan
from rankeval.commands.compare.reports import papers
from rankeval.commands.compare.reports.difference_tables import Parts
from rankeval.commands.compare.run_pairs import Pair
from rankeval.commands.compare.task import Comparison
from rankeval.output import escape
from rankeval.output.document_form import Document, headed, plain
from rankeval.output.printer import Printer
from rankeval.output.separated import csv_lines, tsv_lines
from rankeval.output.style import Style

if TYPE_CHECKING:
    from rankeval.output.looks import Look

SCHEMA = "rankeval-compare/1"
FIGURES = (
    *("topics_needed", "power_of_needed", "simulated_power_of_needed"),
    *("smallest", "power_of_smallest", "simulated_power_of_smallest"),
)


def document(comparison: Comparison, *, by_topic: bool = False, power: bool = False) -> Document:
    """Return everything that is known of a comparison; the topics that changed if asked for.

    `power` asks for the plans of many comparisons, which take long (`missing_plan`).
    """
    return headed(
        SCHEMA,
        {
            "qrels": {"digest": comparison.digest},
            "method": plain(
                {
                    **asdict(comparison.method),
                    "correction": comparison.method.corrected,
                    "interval_level": comparison.method.level_of,
                }
            ),
            "runs": [
                {"name": run.name, "path": run.path, "warnings": plain(run.warnings)}
                for run in comparison.runs
            ],
            "comparisons": list(records(comparison, by_topic=by_topic, power=power)),
            "anova": {name: plain(asdict(found)) for name, found in comparison.anova.items()},
        },
    )


def records(
    comparison: Comparison, *, by_topic: bool = False, power: bool = False
) -> Iterator[Document]:
    """Yield the facts of each pair of runs."""
    note = missing_plan(comparison.method, len(comparison.pairs), asked=power)
    return (_pair(pair, note, by_topic=by_topic) for pair in comparison.pairs)


def _pair(pair: Pair, note: str, *, by_topic: bool) -> Document:
    facts = asdict(pair)
    changes = facts.pop("changes")
    facts["summary"]["run_mean"] = facts["summary"].pop("candidate_mean")
    facts["planning"] = _planning(pair.planning, note)
    if by_topic:
        facts["topics"] = changes
    return plain(facts)


def _planning(found: Planning, note: str) -> Document:
    """Return the figures, or None for each and a note that tells why."""
    figures = dict.fromkeys(FIGURES) if note else {name: getattr(found, name) for name in FIGURES}
    return {
        "difference": found.difference,
        **figures,
        "alpha": found.alpha,
        "note": note or found.note,
    }


HEADS = (
    *("baseline", "run", "measure", "group", "topics", "baseline_mean", "run_mean"),
    *("difference", "relative", "wins", "ties", "losses", "test", "statistic", "p", "p_corrected"),
    *("low", "high", "cohens_dz", "hedges_gz", "glass_delta", "residual_effect"),
    *("planned_difference", "topics_needed", "smallest_difference", "one_sided"),
    *("margin", "p_equivalent", "p_equivalent_corrected"),
    *("p_worse", "p_practically_equal", "p_better"),
    *("power_of_needed", "power_of_smallest"),
    *("simulated_power_of_needed", "simulated_power_of_smallest"),
    *("interval_level", "level"),
)
TOPIC_HEADS = ("baseline", "run", "measure", "group", "topic", "baseline_value", "run_value")


def tsv(comparison: Comparison, style: Style, parts: Parts) -> Iterator[str]:
    """Print tab-separated values, a line per pair, or per topic that changed."""
    return tsv_lines(_rows(comparison, style, escape.tsv, parts))


def csv_(comparison: Comparison, style: Style, parts: Parts) -> Iterator[str]:
    """Print comma-separated values, as for TSV."""
    return csv_lines(_rows(comparison, style, escape.csv, parts))


def _rows(
    comparison: Comparison, style: Style, safe: Callable[[str], str], parts: Parts
) -> Iterator[list[str]]:
    yield [*TOPIC_HEADS, "difference"] if parts.by_topic else list(HEADS)
    unplanned = missing_plan(comparison.method, len(comparison.pairs), asked=parts.power)
    for pair in comparison.pairs:
        names = [safe(name) for name in (pair.baseline, pair.run, pair.measure, pair.group)]
        if parts.by_topic:
            for one in pair.changes:
                values = (one.baseline, one.run, one.difference)
                yield [*names, safe(one.topic), *(style.number(value) for value in values)]
            continue
        s, e = pair.summary, pair.effects
        plan = None if unplanned else pair.planning
        yield [
            *names,
            str(s.n_topics),
            *(style.number(v) for v in (s.baseline_mean, s.candidate_mean, s.difference)),
            style.number(s.relative_difference),
            *(str(number) for number in (s.wins, s.ties, s.losses)),
            comparison.method.test,
            style.number(pair.test.statistic if pair.test else None),
            style.number(pair.uncorrected),
            *(style.number(v) for v in (pair.p_value, pair.low, pair.high)),
            *(style.number(v) for v in (e.cohens_dz, e.hedges_gz, e.glass_delta, e.residual)),
            style.number(pair.planning.difference),
            "" if plan is None or plan.topics_needed is None else str(plan.topics_needed),
            style.number(plan.smallest if plan else None),
            str(pair.one_sided),
            *(style.number(v) for v in _equivalence(pair)),
            *(style.number(v) for v in _posterior(pair)),
            style.number(plan.power_of_needed if plan else None),
            style.number(plan.power_of_smallest if plan else None),
            style.number(plan.simulated_power_of_needed if plan else None),
            style.number(plan.simulated_power_of_smallest if plan else None),
            comparison.method.level_of,
            style.number(pair.level),
        ]


def _equivalence(pair: Pair) -> tuple[float | None, ...]:
    found = pair.equivalence or pair.posterior
    p_value = pair.equivalence.p_value if pair.equivalence else None
    return (found.margin if found else None, p_value, pair.p_equivalent)


def _posterior(pair: Pair) -> tuple[float | None, ...]:
    found = pair.posterior
    return (None,) * 3 if found is None else (found.worse, found.equal, found.better)


def comparison_printer(parts: Parts) -> Printer[Comparison]:
    """Return the printer of the parts of a comparison that are asked for."""
    return Printer[Comparison](
        document=lambda found, _: document(found, by_topic=parts.by_topic, power=parts.power),
        records=lambda found, _: records(found, by_topic=parts.by_topic, power=parts.power),
        drawings={
            Format.TABLE: partial(papers.text, parts=parts),
            Format.TSV: partial(tsv, parts=parts),
            Format.CSV: partial(csv_, parts=parts),
            Format.MARKDOWN: partial(papers.markdown, parts=parts),
            Format.LATEX: partial(papers.latex, parts=parts),
        },
    )


def printer_with_page(parts: Parts, command: str) -> Printer[Comparison]:
    """Return the printer that also writes a page, which names the command line."""

    def page(comparison: Comparison, style: Style) -> Iterator[str]:
        from rankeval.commands.compare.reports.comparison_page import comparison_page

        return comparison_page(comparison, style, parts, command)

    printer = comparison_printer(parts)
    return replace(printer, drawings={**printer.drawings, Format.HTML: page})


def look() -> "Look":
    """Return how a comparison shows itself."""
    from rankeval.output.looks import Look, in_html

    parts = Parts()
    return Look(comparison_printer(parts), in_html(partial(papers.blocks, parts=parts)))
