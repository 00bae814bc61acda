"""Sorted means, with the groups of Tukey's test as statsmodels' parts make them."""

from itertools import combinations

import numpy as np
import pytest
import scipy.stats

from rankeval import plots
from tests.support.results import results, score

NAN = float("nan")


def critical_difference(table, alpha):
    """Tukey's critical difference from the residuals of topics and runs, with scipy's quantile."""
    n, m = table.shape
    residuals = table - table.mean(axis=0) - table.mean(axis=1, keepdims=True) + table.mean()
    freedom = (n - 1) * (m - 1)
    quantile = scipy.stats.studentized_range.ppf(1 - alpha, m, freedom)
    return quantile * np.sqrt((residuals**2).sum() / freedom / n)


@pytest.mark.parametrize("alpha", [0.05, 0.3])
def test_groups_hold_runs_within_tukeys_critical_difference(example, alpha):
    found = example("dots", "AP")
    table = np.column_stack([run.scores[0].values for run in found.runs])

    data = plots.dots_data(found, alpha=alpha)

    width = critical_difference(table, alpha)
    assert data.critical_difference == pytest.approx(width, rel=1e-6)
    assert data.means.tolist() == pytest.approx(sorted(table.mean(axis=0), reverse=True), abs=1e-9)
    groups = [set(row["groups"].split()) for row in data.rows()]
    for i, j in combinations(range(len(groups)), 2):
        assert bool(groups[i] & groups[j]) == (data.means[i] - data.means[j] <= width)


def test_the_lowest_mean_of_a_loss_comes_first():
    columns = {"a": [0.5, 0.7, 0.6], "b": [0.1, 0.2, NAN]}
    found = results(
        {run: [score("Unjudged@10", v, 0.0, loss=True)] for run, v in columns.items()}, "123"
    )

    data = plots.dots_data(found)

    assert data.runs == ("b", "a")
    assert data.means == pytest.approx([0.15, 0.6])
    assert data.n_topics == 2


def test_one_topic_tells_no_runs_apart():
    found = results({run: [score("AP", [v], v)] for run, v in (("a", 0.1), ("b", 0.9))}, ["1"])

    data = plots.dots_data(found)

    assert (data.critical_difference, data.groups) == (None, ((0, 1),))


def test_ranks_of_many_runs_have_a_row_for_each():
    pytest.importorskip("matplotlib")
    rng = np.random.default_rng(0)
    found = results(
        {f"run{i}": [score("AP", rng.uniform(0, 1, 20), 0.5)] for i in range(16)},
        [str(i) for i in range(20)],
    )

    ax = plots.ranks(found)

    named = [text.get_text() for text in ax.get_yticklabels()]
    assert named == list(plots.ranks_data(found).runs)
