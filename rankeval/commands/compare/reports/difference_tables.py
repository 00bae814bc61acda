"""Comparisons as tables: one per measure, plans, and the topics that changed most."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from rankeval.base.frozen import frozen
from rankeval.base.wording import count, interval, number, p_value, percent, signed
from rankeval.commands.compare.planning import can_plan
from rankeval.commands.compare.reports.comparison_words import (
    COLUMNS,
    PROBABILITIES,
    anova_words,
    interval_head,
    interval_words,
    method_words,
    planning_words,
    rank_words,
)
from rankeval.commands.compare.run_pairs import Pair
from rankeval.commands.compare.task import Comparison
from rankeval.evaluation.conventions import topics_of
from rankeval.evaluation.shown_values import basis, deviation, spread
from rankeval.output.style import Style
from rankeval.output.tables import Block, Column, Table, numbers

TOPICS_SHOWN = 10
HALF_INTERVAL = len("[-0.1234,")
"""The width of an interval in two lines."""


@frozen
class Parts:
    """The parts of a comparison that are printed.

    details  the tables of differences, not only means and letters
    power    figures for planning
    by_topic topics that changed most
    anova    the analysis of variance of each measure, for three runs or more
    """

    details: bool = False
    power: bool = False
    by_topic: bool = False
    anova: bool = False


def everything(comparison: Comparison, style: Style, parts: Parts) -> Iterator[Block]:
    """Yield a table per measure and group, the method, and the digest of the judgments."""
    yield from differences(comparison, style)
    yield from further(comparison, style, parts)
    yield ""
    probabilities = comparison.method.gives_probabilities
    yield method_words(comparison, intervals=probabilities)
    if not probabilities:
        yield interval_words(comparison)
    yield COLUMNS
    yield from basis(comparison.runs)
    yield f"qrels: digest {comparison.digest}"


def further(comparison: Comparison, style: Style, parts: Parts) -> Iterator[Block]:
    """Yield mean ranks over collections; analyses of variance, plans and topics if asked for."""
    for measure, test in comparison.ranks.items():
        yield rank_words(measure, test, [run.name for run in comparison.runs])
    if parts.anova:
        for name, found in comparison.anova.items():
            if found.df_error:
                yield f"{name}: {anova_words(found, comparison.method.alpha)}"
    if parts.power:
        if can_plan(comparison.method) and not comparison.pairs[0].planning.seeded:
            yield plan(comparison, style)
        yield planning_words(comparison)
    if parts.by_topic:
        yield from topics(comparison, style)


def differences(comparison: Comparison, style: Style) -> Iterator[Block]:
    """Yield a table per measure and group of topics."""
    by_block = groupby(comparison.pairs, key=lambda pair: (pair.measure, pair.group))
    for _, pairs in by_block:
        yield _differences(comparison, list(pairs), style)


def _differences(comparison: Comparison, pairs: Sequence[Pair], style: Style) -> Table:
    first, every = pairs[0], comparison.method.all_pairs
    n_topics = sorted({pair.summary.n_topics for pair in pairs})
    whole = 0 if first.group else comparison.runs[0].judged
    over = topics_of(n_topics[-1], whole) + (f" of {first.group}" if first.group else "")
    if comparison.ranks:
        over = count(n_topics[-1], "collection")
    if len(n_topics) > 1:  # each pair over the topics that both have a value for
        over = f"{n_topics[0]} to {over}"
    less = "; less is better" if first.loss else ""
    heads = ["p"] if first.equivalence is None else ["p", "p equiv"]
    heads = heads if first.posterior is None else [*PROBABILITIES]
    rows = []
    if not every:
        means = {
            number(pair.summary.baseline_mean, style.decimals)
            + spread(deviation(pair.baseline_seeds), style.decimals)
            for pair in pairs
        }
        blank = [""] * (5 + len(heads))
        rows.append([first.baseline, means.pop() if len(means) == 1 else "", *blank])
    for pair in pairs:
        s = pair.summary
        of_seeds = spread(deviation(pair.seeds), style.decimals)
        rows.append(
            [
                *([pair_name(pair)] if every else [pair.run]),
                *([] if every else [number(s.candidate_mean, style.decimals) + of_seeds]),
                signed(s.difference, style.decimals),
                percent(s.relative_difference),
                f"{s.wins}/{s.ties}/{s.losses}",
                *_chances(pair, comparison.method.alpha),
                interval(pair.low, pair.high, style.decimals),
                signed(pair.cohens_dz, 2),
            ]
        )
    columns = [
        Column("run", 10),
        *numbers([] if every else ["mean"]),
        *numbers(["diff"]),
        Column("rel", right=True, spare=True),
        *numbers(["W/T/L", *heads]),
        Column(interval_head(comparison), HALF_INTERVAL, right=True),
        Column("d_z", right=True, spare=True),
    ]
    return Table(f"{first.measure} ({over}{less})", columns, rows)


def _chances(pair: Pair, alpha: float) -> list[str]:
    found = pair.posterior
    if found is not None:
        return [number(share, 4) for share in (found.worse, found.equal, found.better)]
    p_values = [pair.p_value] if pair.equivalence is None else [pair.p_value, pair.p_equivalent]
    return ["" if p is None else p_value(p, alpha) for p in p_values]


def pair_name(pair: Pair) -> str:
    """Return the names of the two runs as a difference: run - baseline."""
    return f"{pair.run} - {pair.baseline}"


def plan(comparison: Comparison, style: Style) -> Table:
    """Return a table of the difference that these topics can show, and the topics needed."""
    rows = []
    for pair in comparison.pairs:
        plan = pair.planning
        needed, takes = plan.topics_needed, "-"
        if needed is not None:
            takes = f"{needed:,}"
        elif plan.difference is not None and not plan.note:
            takes = "> 1,000,000"
        rows.append(
            [
                f"{pair.measure}{f', {pair.group}' if pair.group else ''}",
                pair_name(pair),
                str(pair.summary.n_topics),
                number(plan.smallest, style.decimals),
                number(plan.difference, style.decimals),
                takes,
            ]
        )
    layout = [
        Column("measure", 8),
        Column("runs", 8),
        *numbers(["topics", "can show", "to show", "needed"]),
    ]
    return Table("Topics and what they can show", layout, rows)


def topics(comparison: Comparison, style: Style) -> Iterator[Block]:
    """Yield a table per pair of the topics that changed most."""
    for pair in comparison.pairs:
        where = f", {pair.group}" if pair.group else ""
        title = f"{pair.measure}{where}: topics that changed most, {pair_name(pair)}"
        if not pair.changes:
            yield f"{title}: none, all values are the same."
            continue
        layout = [Column("topic", 8), *numbers(["baseline", "run", "diff"])]
        rows = [
            [
                change.topic,
                number(change.baseline, style.decimals),
                number(change.run, style.decimals),
                signed(change.difference, style.decimals),
            ]
            for change in pair.changes[:TOPICS_SHOWN]
        ]
        yield Table(title, layout, rows)
        more = len(pair.changes) - TOPICS_SHOWN
        if more > 0:
            yield f"and {count(more, 'topic')} more"
