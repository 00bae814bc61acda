"""A comparison of runs in every format, and its schema."""

from collections.abc import Iterator
from dataclasses import asdict, replace
from functools import partial

from rankeval.choices import Format
from rankeval.commands.compare.planning import Planning, missing_plan
from rankeval.commands.compare.reports import papers
from rankeval.commands.compare.reports.difference_tables import Parts
from rankeval.commands.compare.run_pairs import Pair
from rankeval.commands.compare.task import Comparison
from rankeval.evaluation.shown_values import deviation
from rankeval.output.data_rows import Row
from rankeval.output.document_form import Document, fields_of, headed, plain
from rankeval.output.looks import Look, in_html
from rankeval.output.printer import Printer
from rankeval.output.style import Style

SCHEMA = "rankeval-compare/1"
FIGURES = ("topics_needed", "power_of_needed", "smallest", "power_of_smallest")


def document(comparison: Comparison, *, by_topic: bool = False, power: bool = False) -> Document:
    """Return everything that is known of a comparison; the topics that changed if asked for.

    `power` asks for the plans of many comparisons, which take long (`missing_plan`).
    """
    ranks = {
        name: plain({**asdict(test.friedman), "critical_difference": test.critical_difference})
        for name, test in comparison.ranks.items()
    }
    note = missing_plan(comparison.method, len(comparison.pairs), asked=power)
    return headed(
        SCHEMA,
        {
            "qrels": {"digest": comparison.digest},
            "method": plain(
                {**asdict(comparison.method), "correction": comparison.method.corrected}
            ),
            "runs": [plain(fields_of(run, "name", "path", "warnings")) for run in comparison.runs],
            "comparisons": [_pair(pair, note, by_topic=by_topic) for pair in comparison.pairs],
            "anova": {name: plain(asdict(found)) for name, found in comparison.anova.items()},
            **({"ranks": ranks} if ranks else {}),
        },
    )


def _pair(pair: Pair, note: str, *, by_topic: bool) -> Document:
    facts = asdict(pair)
    if not (pair.seeds or pair.baseline_seeds):
        del facts["seeds"], facts["baseline_seeds"]
    changes = facts.pop("changes")
    facts["summary"]["run_mean"] = facts["summary"].pop("candidate_mean")
    facts["planning"] = _planning(pair.planning, note)
    if by_topic:
        facts["topics"] = changes
    return plain(facts)


def _planning(found: Planning, note: str) -> Document:
    """Return the figures, or None for each and a note that says why."""
    figures = dict.fromkeys(FIGURES) if note else fields_of(found, *FIGURES)
    return {
        "difference": found.difference,
        **figures,
        "alpha": found.alpha,
        "note": note or found.note,
    }


POWERS = ("power_of_needed", "power_of_smallest")
HEADS = (
    *("baseline", "run", "measure", "group", "topics", "baseline_mean", "run_mean"),
    *("difference", "relative", "wins", "ties", "losses", "test", "statistic", "p", "p_corrected"),
    *("low", "high", "cohens_dz"),
    *("planned_difference", "topics_needed", "smallest_difference", "one_sided"),
    *("margin", "p_equivalent", "p_equivalent_corrected"),
    *("p_worse", "p_practically_equal", "p_better"),
    *POWERS,
    "level",
)
DEVIATIONS = ("baseline_deviation", "run_deviation")
TOPIC_HEADS = ("baseline", "run", "measure", "group", "topic", "baseline_value", "run_value")


def rows(comparison: Comparison, _style: Style, parts: Parts) -> Iterator[Row]:
    """Yield a row per pair, or per topic that changed."""
    seeded = any(pair.seeds or pair.baseline_seeds for pair in comparison.pairs)
    heads = (*HEADS, *DEVIATIONS) if seeded else HEADS
    yield [*TOPIC_HEADS, "difference"] if parts.by_topic else heads
    unplanned = missing_plan(comparison.method, len(comparison.pairs), asked=parts.power)
    for pair in comparison.pairs:
        names = pair.baseline, pair.run, pair.measure, pair.group or None
        if parts.by_topic:
            for change in pair.changes:
                values = change.baseline, change.run, change.difference
                yield [*names, change.topic, *values]
            continue
        s, equivalence, found = pair.summary, pair.equivalence, pair.posterior
        margins = equivalence or found
        plan = None if unplanned else pair.planning
        yield [
            *names,
            *(s.n_topics, s.baseline_mean, s.candidate_mean, s.difference, s.relative_difference),
            *(s.wins, s.ties, s.losses),
            *(comparison.method.test, pair.test.statistic if pair.test else None),
            *(pair.uncorrected, pair.p_value, pair.low, pair.high),
            *(pair.cohens_dz, pair.planning.difference),
            *((plan.topics_needed, plan.smallest) if plan else (None, None)),
            pair.one_sided,
            margins.margin if margins else None,
            *(equivalence.p_value if equivalence else None, pair.p_equivalent),
            *((found.worse, found.equal, found.better) if found else (None, None, None)),
            *((getattr(plan, name) for name in POWERS) if plan else [None] * len(POWERS)),
            pair.level,
            *(map(deviation, (pair.baseline_seeds, pair.seeds)) if seeded else ()),
        ]


def comparison_printer(parts: Parts) -> Printer[Comparison]:
    """Return the printer of the parts of a comparison that are asked for."""
    return Printer[Comparison](
        document=lambda found, _: document(found, by_topic=parts.by_topic, power=parts.power),
        rows=partial(rows, parts=parts),
        drawings={
            Format.TABLE: partial(papers.text, parts=parts),
            Format.MARKDOWN: partial(papers.markdown, parts=parts),
            Format.LATEX: partial(papers.latex, parts=parts),
        },
    )


def printer_with_page(parts: Parts, command: str) -> Printer[Comparison]:
    """Return the printer that also writes a page, which names the command line."""

    def page(comparison: Comparison, style: Style) -> Iterator[str]:
        return papers.comparison_page(comparison, style, parts, command)

    printer = comparison_printer(parts)
    return replace(printer, drawings={**printer.drawings, Format.HTML: page})


def look() -> Look:
    """Return how a comparison shows itself: by differences, p-values and intervals."""

    class DetailedLook(Look):
        """Its text has the details that the command prints with --details."""

        def text(self, result: Comparison) -> str:
            return Look.text(self._replace(printer=comparison_printer(detailed)), result)

    detailed = Parts(details=True)
    pieces = in_html(partial(papers.blocks, parts=detailed))
    return DetailedLook(comparison_printer(Parts()), pieces)
