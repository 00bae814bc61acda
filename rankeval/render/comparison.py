"""Comparisons: tables for the terminal, one line per pair for programs, and JSON."""

import csv
import json
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from itertools import groupby
from typing import Any

from rankeval import __version__
from rankeval.comparison import Comparison, Method, Pair, SystemsTest
from rankeval.render import escape
from rankeval.render.gate import TESTS
from rankeval.render.style import Style
from rankeval.render.text import Column, bold, columns, paragraph
from rankeval.stats import Correction, IntervalMethod
from rankeval.wording import count

SCHEMA = "rankeval-compare/1"
UNDEFINED = "-"
TOPICS_SHOWN = 10
SYSTEMS = {
    SystemsTest.TUKEY: "Tukey's HSD test",
    SystemsTest.RANDOMIZED_TUKEY: "randomized Tukey HSD test",
}
CORRECTIONS = {
    Correction.HOLM: "Holm's correction",
    Correction.BONFERRONI: "Bonferroni's correction",
    Correction.BENJAMINI_HOCHBERG: "Benjamini and Hochberg's correction",
    Correction.NONE: "no correction",
}
INTERVALS = {
    IntervalMethod.STUDENT_T: "Student's t",
    IntervalMethod.PERCENTILE: "percentile bootstrap",
    IntervalMethod.BCA: "BCa bootstrap",
}


def test_words(method: Method) -> str:
    """Name the test as a caption does."""
    test = method.test
    return SYSTEMS[test] if isinstance(test, SystemsTest) else TESTS[test]


test_words.__test__ = False  # type: ignore[attr-defined]


def method_words(comparison: Comparison) -> str:
    """Name the test, the correction and the interval in a sentence."""
    method = comparison.method
    said = [f"{test_words(method)}, two-sided"]
    if isinstance(method.test, SystemsTest):
        said.append("p-values hold for all pairs of a measure")
    else:
        said.append(
            f"{CORRECTIONS[method.corrected]} over {count(len(comparison.pairs), 'comparison')}"
        )
    if method.test is SystemsTest.TUKEY:
        said.append("its simultaneous intervals")
    else:
        said.append(f"{INTERVALS[method.interval]} interval")
    return f"{'; '.join(said)}; alpha {method.alpha:g}."


def table(
    comparison: Comparison, style: Style, *, by_topic: bool = False, power: bool = False
) -> Iterator[str]:
    """Print a table per measure and group, and what it stands on."""
    blocks = groupby(comparison.pairs, key=lambda pair: (pair.measure, pair.group))
    for number, ((measure, group), pairs) in enumerate(blocks):
        yield "\n" if number else ""
        yield from _block(comparison, measure, group, list(pairs), style, power=power)
    if by_topic:
        for pair in comparison.pairs:
            yield from _topics(pair, style)
    yield "\n"
    yield paragraph(method_words(comparison), style) + "\n"
    yield (
        paragraph(
            "W/T/L: topics on which the run is better, equal, worse; d_z: effect size, difference "
            "over its standard deviation.",
            style,
        )
        + "\n"
    )
    yield f"qrels: digest {comparison.digest}\n"


def _block(
    comparison: Comparison,
    measure: str,
    group: str,
    pairs: Sequence[Pair],
    style: Style,
    *,
    power: bool,
) -> Iterator[str]:
    first = pairs[0]
    over = count(first.summary.n_topics, "topic") + (
        f" of {escape.visible(group)}" if group else ""
    )
    less = "; less is better" if first.loss else ""
    yield bold(f"{escape.visible(measure)} ({over}{less})", style) + "\n"
    every = comparison.method.all_pairs
    rows = []
    if not every:
        mean = number(first.summary.baseline_mean, style.digits)
        rows.append([escape.visible(first.baseline), mean, *[""] * 6])
    for pair in pairs:
        s = pair.summary
        name = escape.visible(pair.run)
        rows.append(
            [
                f"{name} - {escape.visible(pair.baseline)}" if every else name,
                *([] if every else [number(s.candidate_mean, style.digits)]),
                signed(s.difference, style.digits),
                percent(s.relative_difference),
                f"{s.wins}/{s.ties}/{s.losses}",
                p_value(pair.p_value),
                interval(pair, style.digits),
                signed(pair.effects.cohens_dz, 2),
            ]
        )
    level = f"{1 - comparison.method.alpha:.12g}"
    layout = [
        Column("run", 8),
        *([] if every else [Column("mean", right=True)]),
        Column("diff", right=True),
        Column("rel", right=True),
        Column("W/T/L", right=True),
        Column("p", right=True),
        Column(f"{float(level):.0%} interval", right=True),
        Column("d_z", right=True),
    ]
    yield from columns(layout, rows, style)
    anova = comparison.anova.get(measure)
    if anova is not None and not group:
        f = "-" if anova.f_systems is None else f"{anova.f_systems:.2f}"
        yield (
            f"two-way ANOVA: F({anova.df_systems}, {anova.df_error}) = {f}, "
            f"p {_p_said(anova.p_systems)}\n"
        )
    if power:
        for pair in pairs:
            yield paragraph(_planned(pair, comparison.method, style), style) + "\n"


def _p_said(value: float) -> str:
    return "< 0.0001" if value < 0.0001 else f"= {value:.4f}"


def _planned(pair: Pair, method: Method, style: Style) -> str:
    plan = pair.planning
    who = f"{escape.visible(pair.run)} - {escape.visible(pair.baseline)}"
    if plan.smallest is None:
        return f"{who}: too few topics to plan from."
    smallest = number(plan.smallest, style.digits)
    said = f"{who}: {count(pair.summary.n_topics, 'topic')} show a difference of {smallest}"
    if plan.difference is not None:
        share = f" ({100 * method.difference:.12g}% of the mean)" if method.relative else ""
        needed = (
            count(plan.topics_needed, "topic")
            if plan.topics_needed is not None
            else "more than a million topics"
        )
        said += f"; one of {number(plan.difference, style.digits)}{share} takes {needed}"
    return f"{said} ({method.power:.0%} power)."


def _topics(pair: Pair, style: Style) -> Iterator[str]:
    where = f", {escape.visible(pair.group)}" if pair.group else ""
    title = f"{escape.visible(pair.measure)}{where}: topics that changed most"
    yield "\n" + bold(title, style) + "\n"
    if not pair.changes:
        yield f"{escape.visible(pair.run)} has the values of {escape.visible(pair.baseline)}\n"
        return
    layout = [
        Column("topic", 8),
        Column(escape.visible(pair.baseline), right=True),
        Column(escape.visible(pair.run), right=True),
        Column("diff", right=True),
    ]
    rows = [
        [
            escape.visible(one.topic),
            number(one.baseline, style.digits),
            number(one.run, style.digits),
            signed(one.difference, style.digits),
        ]
        for one in pair.changes[:TOPICS_SHOWN]
    ]
    yield from columns(layout, rows, style)
    more = len(pair.changes) - TOPICS_SHOWN
    if more > 0:
        yield f"and {count(more, 'topic')} more\n"


def number(value: float | None, digits: int) -> str:
    """Write a number, or that there is none."""
    return UNDEFINED if value is None else f"{value:z.{digits}f}"


def signed(value: float | None, digits: int) -> str:
    """Write a difference with its sign."""
    return UNDEFINED if value is None else f"{value:+z.{digits}f}"


def percent(value: float | None) -> str:
    """Write a relative difference."""
    return UNDEFINED if value is None else f"{100 * value:+z.1f}%"


def p_value(value: float) -> str:
    """Write a p-value to four decimals."""
    return "<0.0001" if value < 0.0001 else f"{value:.4f}"


def interval(pair: Pair, digits: int) -> str:
    """Write an interval."""
    if pair.low is None or pair.high is None:
        return UNDEFINED
    return f"[{pair.low:+z.{digits}f}, {pair.high:+z.{digits}f}]"


HEADS = (
    *("baseline", "run", "measure", "group", "topics", "baseline_mean", "run_mean"),
    *("difference", "relative", "wins", "ties", "losses", "test", "statistic", "p", "p_corrected"),
    *("low", "high", "cohens_dz", "hedges_gz", "glass_delta"),
    *("planned_difference", "topics_needed", "smallest_difference"),
)
TOPIC_HEADS = ("baseline", "run", "measure", "group", "topic", "baseline_value", "run_value")


def tsv(comparison: Comparison, style: Style, *, by_topic: bool = False) -> Iterator[str]:
    """Print tab-separated values, a line per pair, or per topic that changed."""
    for row in _rows(comparison, style, escape.tsv, by_topic=by_topic):
        yield "\t".join(row) + "\n"


def csv_(comparison: Comparison, style: Style, *, by_topic: bool = False) -> Iterator[str]:
    """Print comma-separated values, as for TSV."""
    writer = csv.writer(_Echo(), lineterminator="\n")
    for row in _rows(comparison, style, escape.csv, by_topic=by_topic):
        yield writer.writerow(row)


class _Echo:
    """A file for csv.writer, whose writerow returns what this returns."""

    def write(self, text: str) -> str:
        return text


def _rows(
    comparison: Comparison, style: Style, safe: Callable[[str], str], *, by_topic: bool
) -> Iterator[list[str]]:
    yield [*TOPIC_HEADS, "difference"] if by_topic else list(HEADS)
    for pair in comparison.pairs:
        names = [safe(name) for name in (pair.baseline, pair.run, pair.measure, pair.group)]
        if by_topic:
            for one in pair.changes:
                values = (one.baseline, one.run, one.difference)
                yield [*names, safe(one.topic), *(_cell(value, style) for value in values)]
            continue
        s, e, plan = pair.summary, pair.effects, pair.planning
        yield [
            *names,
            str(s.n_topics),
            *(_cell(v, style) for v in (s.baseline_mean, s.candidate_mean, s.difference)),
            _cell(s.relative_difference, style),
            *(str(number) for number in (s.wins, s.ties, s.losses)),
            comparison.method.test,
            _cell(pair.test.statistic if pair.test else None, style),
            _cell(pair.test.p_value if pair.test else pair.p_value, style),
            *(_cell(v, style) for v in (pair.p_value, pair.low, pair.high)),
            *(_cell(v, style) for v in (e.cohens_dz, e.hedges_gz, e.glass_delta)),
            _cell(plan.difference, style),
            "" if plan.topics_needed is None else str(plan.topics_needed),
            _cell(plan.smallest, style),
        ]


def _cell(value: float | None, style: Style) -> str:
    return "" if value is None else f"{value:z.{style.digits}f}"


def json_document(
    comparison: Comparison, _style: Style, *, by_topic: bool = False
) -> Iterator[str]:
    """Print one object with full precision."""
    document = {
        "schema": SCHEMA,
        "rankeval": __version__,
        "qrels": {"digest": comparison.digest},
        "method": {**asdict(comparison.method), "correction": comparison.method.corrected},
        "runs": [
            {"name": run.name, "path": run.path, "warnings": list(run.warnings)}
            for run in comparison.runs
        ],
        "comparisons": [record(pair, by_topic=by_topic) for pair in comparison.pairs],
        "anova": {name: asdict(found) for name, found in comparison.anova.items()},
    }
    yield from json.JSONEncoder(indent=2, ensure_ascii=True, allow_nan=False).iterencode(
        _finite(document)
    )
    yield "\n"


def json_lines(comparison: Comparison, _style: Style, *, by_topic: bool = False) -> Iterator[str]:
    """Print one object per pair."""
    for pair in comparison.pairs:
        facts = _finite(record(pair, by_topic=by_topic))
        yield json.dumps(facts, ensure_ascii=True, allow_nan=False) + "\n"


def record(pair: Pair, *, by_topic: bool) -> dict[str, Any]:
    """A pair in the types that JSON knows."""
    facts = asdict(pair)
    changes = facts.pop("changes")
    facts["summary"]["run_mean"] = facts["summary"].pop("candidate_mean")
    if by_topic:
        facts["topics"] = changes
    return facts


def _finite(value: Any) -> Any:
    """The same with null for what is no number."""
    if isinstance(value, dict):
        return {name: _finite(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(one) for one in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
