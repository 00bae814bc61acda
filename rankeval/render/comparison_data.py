"""Comparisons for programs: a line of TSV or CSV per pair, or per topic."""

from collections.abc import Callable, Iterator

from rankeval.render import escape
from rankeval.render.comparison import Parts
from rankeval.render.separated import csv_lines, tsv_lines
from rankeval.render.style import Style
from rankeval.tasks.compare.compare import Comparison
from rankeval.tasks.compare.pairs import Pair
from rankeval.tasks.compare.planning import missing_plan

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
