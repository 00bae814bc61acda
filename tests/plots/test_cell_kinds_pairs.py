"""All pairs: p-values are those of a comparison and of scipy, shares are counted."""

from itertools import permutations

import numpy as np
import pytest
import scipy.stats

import rankeval
from tests.plots.conftest import panels
from tests.support.results import results, score

NAN = float("nan")


def test_p_values_are_those_of_a_comparison_of_all_pairs(example):
    found = example("pairs", "AP RR")
    method = rankeval.options.Method(all_pairs=True)
    expected = {
        (pair.measure, pair.baseline, pair.run): pair.p_value
        for pair in found.compare(None, method=method).pairs
    }

    rows = [row for one in panels("pairs", found) for row in one.records]

    assert len(rows) == 2 * len(expected)
    for row in rows:
        key = (row["measure"], row["a"], row["b"])
        other = (row["measure"], row["b"], row["a"])
        assert row["p_value"] == pytest.approx(expected.get(key, expected.get(other)), abs=1e-12)


def test_p_values_of_two_runs_are_scipys(example):
    found = example("pairs", "nDCG@10")
    pair = found.runs[:2]
    two = rankeval.evaluation.results.Results(found.qrels, found.settings, pair)

    (data,) = panels("pairs", two)

    expected = scipy.stats.ttest_rel(*(run.scores[0].values for run in pair)).pvalue
    assert data.layers[0].values[0, 1] == pytest.approx(expected, abs=1e-9)


def test_shares_are_of_the_topics_on_which_the_row_wins(example):
    found = example("pairs", "nDCG@10")
    values = {run.name: np.round(run.scores[0].values, 10) for run in found.runs}

    (data,) = panels("pairs", found)

    won = {(row["a"], row["b"]): row["won"] for row in data.records}
    assert won == {
        (a, b): pytest.approx(np.mean(values[a] > values[b]), abs=1e-9)
        for a, b in permutations(values, 2)
    }


def test_a_win_of_a_loss_is_a_lower_value():
    columns = {"a": [0.5, 0.5, NAN], "b": [0.1, 0.5, 0.7]}
    found = results(
        {run: [score("Unjudged@10", v, 0.0, loss=True)] for run, v in columns.items()}, "123"
    )

    (data,) = panels("pairs", found)

    won = data.layers[1].values
    assert (won[0, 1], won[1, 0]) == (0.0, 0.5)
