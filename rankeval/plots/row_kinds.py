"""Means, differences from the baseline, mean ranks and ranks with intervals: a row for each run."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from rankeval.base.wording import count, finite, p_words
from rankeval.errors import UsageError
from rankeval.evaluation.results import Results
from rankeval.plots.kinds import Choices, InReports, Numbers
from rankeval.plots.rank_diagram import diagram_inches, draw_diagram
from rankeval.plots.row_form import Rows, RunRow, groups_within, register_rows
from rankeval.plots.selection import (
    by_measure,
    chosen_measure,
    ends_of_mean,
    mean_of,
    measure_names,
    place_of,
    score_of,
    seed_values,
    short_number,
    table_of,
    values_by_seed,
)
from rankeval.stats import (
    confidence_interval,
    nemenyi,
    paired_differences,
    summarize_differences,
)
from rankeval.stats.checked_arrays import Floats
from rankeval.stats.mean_tests import seeds_test
from rankeval.stats.rank_intervals import bootstrap_ranks


def ci_data(
    results: Results,
    measure: str | None = None,
    *,
    level: float = 0.95,
    best_first: bool = True,
) -> Rows:
    """Return the mean of each run with Student's confidence interval, the best run first.

    Without `best_first`, runs are in the order of the results.

    The intervals are those of single means. Two that overlap say nothing of the difference of the
    two runs on the same topics, which `rankeval compare` tests. For a system of several runs, the
    variance of topics and that of runs count.

    Edge cases
        - A topic without a value is left out of the run's mean.
        - No value at all: None, last.
    """
    name = chosen_measure(results, measure)
    rows = []
    for run in results.runs:
        score = score_of(run, name)
        mean = finite(mean_of(score.values))
        low, high = ends_of_mean(score, level)
        text = "undefined" if mean is None else f"{mean:.4f}"
        if low is not None and high is not None:
            text += f" [{low:.4f}, {high:.4f}]"
        numbers = {"measure": name, "level": level, "mean": mean, "low": low, "high": high}
        seeds = tuple(seed_values(score).tolist())
        rows.append(RunRow({"run": run.name, **numbers}, text, seeds=seeds))
    loss = score_of(results.runs[0], name).loss
    found = Rows(name, loss, "mean", f"mean {name}, {100 * level:g}% intervals", tuple(rows))
    if not best_first:
        return found
    order = np.argsort(found.values if loss else -found.values, kind="stable")
    return replace(found, of_runs=tuple(rows[i] for i in order))


def forest_data(
    results: Results,
    measure: str | None = None,
    *,
    baseline: str | None = None,
    alpha: float = 0.05,
    n_measures: int = 1,
) -> Rows:
    r"""Return the differences of each other run from the baseline, by default the first run.

    .. math:: \bar d \pm t_{n - 1}\left(1 - \frac{\alpha}{2 m}\right) \frac{s_d}{\sqrt n}

    with the differences d of n topics and m intervals, a run and a measure each: Student's
    intervals hold together with the level 1 - alpha by Bonferroni's correction, as those of
    `rankeval.compare`. `n_measures` is the number of measures that are compared. For a system of
    several runs, the variance of topics and that of runs count.

    Edge cases
        - A topic without a value for one of the two: left out of that difference.
        - Fewer than two topics: no interval.

    Source: Dunn, "Multiple comparisons among means", JASA 56, 1961.
    """
    table = table_of(results, measure, least_runs=2)
    at = place_of(table.runs, baseline)
    level = 1.0 - alpha / ((len(table.runs) - 1) * n_measures)
    rows = []
    for i, run in enumerate(table.runs):
        if i == at:
            continue
        summary = summarize_differences(table.values[:, at], table.values[:, i])
        if table.loss:
            summary = replace(summary, wins=summary.losses, losses=summary.wins)
        before, after = (values_by_seed(results, table, place) for place in (at, i))
        rows.append((run, summary, _ends(before, after, level)))
    return _forest(table.measure, table.runs[at], rows, 1.0 - alpha, loss=table.loss)


def _ends(before: Floats, after: Floats, level: float) -> tuple[float | None, float | None]:
    """Return the ends of the interval of a difference; (None, None) with fewer than two topics."""
    if before.shape[1] == after.shape[1] == 1:
        found = confidence_interval(paired_differences(before[:, 0], after[:, 0]), level=level)
        return found.low, found.high
    return seeds_test(before, after, level=level)[1] or (None, None)


def forest_of(comparison: Any) -> tuple[Rows, ...]:
    """Return a panel for each measure of a comparison with a baseline, over all topics.

    `comparison` is that of `rankeval.compare`: differences, intervals, wins, ties and losses are
    its own, whatever its method.
    """
    panels: dict[tuple[str, bool], list[Any]] = {}
    first = comparison.pairs[0].baseline
    for pair in comparison.pairs:
        if not pair.group and pair.baseline == first:
            row = (pair.run, pair.summary, (pair.low, pair.high))
            panels.setdefault((pair.measure, pair.loss), []).append(row)
    level, together = 1.0 - comparison.method.alpha, comparison.method.together
    return tuple(
        _forest(measure, first, rows, level, loss=loss, together=together)
        for (measure, loss), rows in panels.items()
    )


def _forest(
    measure: str,
    baseline: str,
    found: list[Any],
    level: float,
    *,
    loss: bool,
    together: bool = True,
) -> Rows:
    """Return a panel of runs, each with a summary of its differences and the ends of its interval.

    `together` is True if the intervals hold together, over all runs and measures.
    """
    rows = []
    for run, summary, (low, high) in found:
        above = 0 if low is None or high is None else int(low > 0) - int(high < 0)
        ends = {"difference": summary.difference, "low": low, "high": high}
        counts = {"wins": summary.wins, "ties": summary.ties, "losses": summary.losses}
        rows.append(
            RunRow(
                {"run": run, "baseline": baseline, "measure": measure, **ends, **counts},
                "undefined" if summary.difference is None else f"{summary.difference:+.3f}",
                " / ".join(f"{n:,}" for n in counts.values()),
                -above if loss else above,
            )
        )
    intervals = f"{100 * level:g}% {'simultaneous ' if together else ''}intervals"
    return Rows(
        measure,
        loss,
        "difference",
        f"difference in {measure} from {baseline}, {intervals}",
        tuple(rows),
        beside="wins / ties / losses",
        baseline=baseline,
    )


def ranks_data(results: Results, measure: str | None = None, *, alpha: float = 0.05) -> Rows:
    """Return mean ranks, Nemenyi's critical difference, and the groups that it leaves together.

    Source: Demsar, "Statistical comparisons of classifiers over multiple data sets", JMLR 7, 2006.
    """
    table = table_of(results, measure, least_runs=2)
    test = nemenyi(-table.values if table.loss else table.values, alpha=alpha)
    friedman, critical = test.friedman, test.critical_difference
    if friedman.mean_ranks is None or critical is None:
        raise UsageError(f"{table.measure} is defined for all runs on no topic")
    order = np.argsort(friedman.mean_ranks, kind="stable")
    ranks = np.array(friedman.mean_ranks)[order]
    groups = groups_within(ranks, critical)
    facts = {
        "critical_difference": critical,
        "alpha": alpha,
        "topics": friedman.n_topics,
        "friedman_p": friedman.p_f,
    }
    rows = []
    for i, (place, rank) in enumerate(zip(order.tolist(), ranks.tolist(), strict=True)):
        numbers = {"run": table.runs[place], "measure": table.measure, "mean_rank": rank}
        of_run = " ".join(str(n) for n, (a, b) in enumerate(groups, 1) if a <= i <= b)
        rows.append(RunRow({**numbers, "groups": of_run, **facts}, f"{rank:>5.2f}"))
    heading = (
        f"mean rank by {table.measure}; critical difference {critical:.2f} at alpha = {alpha:g}; "
        f"Friedman {p_words(friedman.p_f, alpha)}"
    )
    return Rows(
        table.measure,
        loss=True,
        value="mean_rank",
        heading=heading,
        of_runs=tuple(rows),
        of_ranks=True,
        width=critical,
    )


def _table_of_ranks(data: Rows) -> Iterator[Numbers]:
    first = data.of_runs[0].numbers
    yield Numbers(
        f"Mean ranks by {data.measure}; critical difference "
        f"{short_number(first['critical_difference'])} at alpha = {first['alpha']:g}; runs with a "
        "group in common do not differ significantly",
        ("Run", "Mean rank", "Groups"),
        tuple((row["run"], short_number(row["mean_rank"]), row["groups"]) for row in data.rows()),
    )


def rank_intervals_data(
    results: Results, measure: str | None = None, *, alpha: float = 0.05
) -> Rows:
    """Return the ranks that runs may have, by `rankeval.stats.bootstrap_ranks`, the best first.

    They are those of `rankeval.systems`, with intervals at the level 1 - alpha. UsageError for
    fewer than two runs, or two topics on which all runs have a value.
    """
    table = table_of(results, measure, least_runs=2)
    found = bootstrap_ranks(-table.values if table.loss else table.values, level=1.0 - alpha)
    if not found:
        whole = int((~np.isnan(table.values)).all(axis=1).sum())
        raise UsageError(
            f"{table.measure} is defined for all runs on {count(whole, 'topic')}",
            expected="two topics or more, of which samples are drawn",
        )
    rows = []
    for run, one in sorted(
        zip(table.runs, found, strict=True), key=lambda pair: (pair[1].rank, -pair[1].best)
    ):
        ends = {"rank": one.rank, "low": one.low, "high": one.high, "best": one.best}
        text = f"{one.rank} [{one.low}, {one.high}]"
        numbers = {"run": run, "measure": table.measure, **ends}
        rows.append(RunRow(numbers, text, f"{100 * one.best:.0f}%"))
    return Rows(
        table.measure,
        loss=True,
        value="rank",
        heading=f"rank by {table.measure}, {100 * (1.0 - alpha):g}% intervals",
        of_runs=tuple(rows),
        beside="chance to be best",
        note="Percent at the right: chance to be best over all topics that users might ask.",
        of_ranks=True,
    )


def _forests(results: Results, choices: Choices) -> Iterator[Rows]:
    how = {"baseline": choices.baseline, "alpha": choices.alpha}
    return by_measure(results, forest_data, n_measures=len(measure_names(results)), **how)


register_rows(
    "ci",
    lambda results, choices: by_measure(
        results, ci_data, level=1.0 - choices.alpha, best_first=choices.sort is None
    ),
    collections=True,
)
register_rows("forest", _forests)
register_rows(
    "ranks",
    lambda results, choices: by_measure(results, ranks_data, alpha=choices.alpha),
    draw_diagram,
    diagram_inches,
    InReports(
        1,
        "Mean ranks",
        "Mean ranks over topics, 1 being the best. Bars join runs that do not differ "
        "significantly by Nemenyi's test.",
        _table_of_ranks,
        runs=2,
    ),
    collections=True,
)
register_rows(
    "rank-intervals",
    lambda results, choices: by_measure(results, rank_intervals_data, alpha=choices.alpha),
)
