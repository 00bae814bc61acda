"""Means, differences from the baseline and mean ranks: a row for each run."""

from typing import Any

import numpy as np

from rankeval.base.wording import finite, p_words
from rankeval.errors import UsageError
from rankeval.evaluation.results import Results
from rankeval.plots.kinds import Choices
from rankeval.plots.rows import Rows, RunRow, groups_within
from rankeval.plots.selection import (
    ends_of_mean,
    mean_of,
    place_of,
    require_runs,
    score_of,
    seed_values,
    table_of,
)
from rankeval.stats import nemenyi


def ci(results: Results, measure: str, choices: Choices) -> Rows:
    """Return the mean of each run with Student's confidence interval.

    The intervals are those of single means: two that overlap say nothing of the difference of two
    runs on the same topics. For a system of several runs, the variance of topics and that of runs
    count. A topic without a value is left out of the run's mean.
    """
    level, rows = 1.0 - choices.alpha, {}
    for run in results.runs:
        score = score_of(run, measure)
        mean, (low, high) = finite(mean_of(score.values)), ends_of_mean(score, level)
        text = "undefined" if mean is None else f"{mean:.4f}"
        if low is not None and high is not None:
            text += f" [{low:.4f}, {high:.4f}]"
        numbers = {"measure": measure, "level": level, "mean": mean, "low": low, "high": high}
        seeds = tuple(seed_values(score).tolist())
        rows[run.name] = RunRow({"run": run.name, **numbers}, text, seeds=seeds)
    return Rows(measure, "mean", f"mean {measure}, {100 * level:g}% intervals", rows)


def forest(results: Results, _: str, choices: Choices) -> tuple[Rows, ...]:
    """Return the differences of each other run from the baseline, by default the first run.

    They are those of `results.compare`, with its intervals, its tests and its correction.
    """
    require_runs(results, 2)
    place = place_of(tuple(run.name for run in results.runs), choices.baseline)
    comparison = results.compare(results.runs[place].name, alpha=choices.alpha)
    return forest_of(comparison)


def forest_of(comparison: Any) -> tuple[Rows, ...]:
    """Return a panel for each measure of a comparison with a baseline, over all topics."""
    alpha, rows = comparison.method.alpha, dict[str, dict[str, RunRow]]()
    baseline = comparison.pairs[0].baseline
    for pair in comparison.pairs:
        if pair.group or pair.baseline != baseline:
            continue
        found = pair.summary
        numbers = {"run": pair.run, "baseline": baseline, "measure": pair.measure}
        ends = {"difference": found.difference, "low": pair.low, "high": pair.high}
        counts = {"wins": found.wins, "ties": found.ties, "losses": found.losses}
        text = "undefined" if found.difference is None else f"{found.difference:+.3f}"
        beside = " / ".join(f"{n:,}" for n in counts.values())
        sign = (1 if pair.gain > 0 else -1) if pair.is_shown(alpha) else 0
        row = RunRow({**numbers, **ends, **counts, "p": pair.p}, text, beside, sign)
        rows.setdefault(pair.measure, {})[pair.run] = row
    intervals = f"{100 * (1.0 - alpha):g}% intervals"
    if comparison.method.adjusts and len(comparison.runs) > 2:
        intervals = f"adjusted {intervals}"
    return tuple(
        Rows(
            *(measure, "difference", f"difference in {measure} from {baseline}, {intervals}"),
            *(of_runs, "wins / ties / losses", baseline),
        )
        for measure, of_runs in rows.items()
    )


def ranks(results: Results, measure: str, choices: Choices) -> Rows:
    """Return mean ranks, Nemenyi's critical difference, and the groups that it leaves together.

    Source: Demsar, "Statistical comparisons of classifiers over multiple data sets", JMLR 7, 2006.
    """
    table, alpha = table_of(results, measure, least_runs=2), choices.alpha
    test = nemenyi(-table.values if table.loss else table.values, alpha=alpha)
    friedman, critical = test.friedman, test.critical_difference
    if friedman.mean_ranks is None or critical is None:
        raise UsageError(f"{measure} is defined for all runs on no topic")
    order = np.argsort(friedman.mean_ranks, kind="stable")
    means = np.array(friedman.mean_ranks)[order]
    groups = groups_within(means, critical)
    facts = {"critical_difference": critical, "alpha": alpha}
    facts |= {"topics": friedman.n_topics, "friedman_p": friedman.p_f}
    rows = {}
    for i, (place, rank) in enumerate(zip(order.tolist(), means.tolist(), strict=True)):
        run = table.runs[place]
        of_run = " ".join(str(n) for n, (a, b) in enumerate(groups, 1) if a <= i <= b)
        numbers = {"run": run, "measure": measure, "mean_rank": rank, "groups": of_run, **facts}
        rows[run] = RunRow(numbers, f"{rank:>5.2f}")
    heading = (
        f"mean rank by {measure}; critical difference {critical:.2f} at alpha = {alpha:g}; "
        f"Friedman {p_words(friedman.p_f, alpha)}"
    )
    return Rows(measure, "mean_rank", heading, rows, width=critical)
