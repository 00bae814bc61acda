"""Differences from the baseline: their intervals are those of a comparison, and of scipy."""

import numpy as np
import pytest
import scipy.stats

import rankeval
from rankeval import Seeds, plots
from rankeval.errors import UsageError
from rankeval.plots.row_kinds import forest_of
from tests.plots.conftest import panel, panels
from tests.support.results import results, score

NAN = float("nan")


def differences_by_scipy(found, measure, alpha, n_intervals):
    """Means, Bonferroni's intervals and counts of wins, ties and losses against the first run."""
    values = {
        run.name: next(s.values for s in run.scores if s.measure == measure) for run in found.runs
    }
    first, *others = values
    for run in others:
        pairs = values[run] - values[first]
        interval = scipy.stats.ttest_rel(values[run], values[first]).confidence_interval(
            1 - alpha / n_intervals
        )
        counts = [int((np.sign(np.round(pairs, 10)) == sign).sum()) for sign in (1, 0, -1)]
        yield run, float(pairs.mean()), interval.low, interval.high, counts


@pytest.mark.parametrize("alpha", [0.05, 0.2])
def test_intervals_are_students_with_bonferronis_correction(example, alpha):
    found = example("forest", "AP nDCG@10")

    of_measures = panels("forest", found, alpha=alpha)

    assert [one.measure for one in of_measures] == ["AP", "nDCG@10"]
    for one in of_measures:
        expected = differences_by_scipy(found, one.measure, alpha, n_intervals=10)
        for row, (run, difference, low, high, counts) in zip(one.records, expected, strict=True):
            assert row["run"] == run
            assert [row["difference"], row["low"], row["high"]] == pytest.approx(
                [difference, low, high], abs=1e-9
            )
            assert [row["wins"], row["ties"], row["losses"]] == counts


def test_differences_are_those_of_a_comparison(example):
    found = example("forest", "AP nDCG@10 RR")

    pairs = found.compare().pairs
    rows = [row for one in panels("forest", found) for row in one.rows]

    assert len(rows) == len(pairs)
    for row, pair in zip(rows, pairs, strict=True):
        expected = (pair.run, pair.measure, pair.low, pair.high, pair.p_value)
        assert tuple(row.numbers[n] for n in ("run", "measure", "low", "high", "p")) == expected
        assert bool(row.sign) == pair.is_shown(0.05)


def test_a_comparison_by_another_method_keeps_its_intervals(example):
    found = example("forest", "AP")
    method = rankeval.options.Method(correction="none", alpha=0.1)
    comparison = found.compare(None, method=method)

    (drawn,) = forest_of(comparison)

    assert drawn.heading.endswith(", 90% intervals")
    assert [row["low"] for row in drawn.records] == [pair.low for pair in comparison.pairs]


def test_the_runs_of_systems_count_as_in_a_comparison():
    qrels = {f"q{i}": {"a": 1, "b": 1} for i in range(6)}

    def system(shift):
        return Seeds(
            [
                {
                    topic: {"a": (i * s + shift) % 3, "x": 1, "b": 0.5}
                    for i, topic in enumerate(qrels)
                }
                for s in (1, 2, 3)
            ]
        )

    runs = {"old": system(0), "new": system(1)}
    found = rankeval.evaluate(qrels, runs, "AP")

    (row,) = panel("forest", found).records

    (pair,) = found.compare().pairs
    assert (row["low"], row["high"]) == (pair.low, pair.high)
    assert row["low"] is not None


def test_a_win_of_a_loss_is_a_lower_value():
    columns = {"a": [0.5, 0.5, 0.5, NAN], "b": [0.1, 0.2, 0.5, 0.7]}
    found = results(
        {run: [score("Unjudged@10", v, 0.0, loss=True)] for run, v in columns.items()}, "1234"
    )

    (row,) = panel("forest", found).records

    assert (row["wins"], row["ties"], row["losses"]) == (2, 1, 0)
    assert row["difference"] == pytest.approx((-0.4 - 0.3) / 3)


def test_one_topic_has_a_difference_and_no_interval():
    found = results({run: [score("AP", [v], v)] for run, v in (("a", 0.25), ("b", 0.5))}, ["1"])

    (row,) = panel("forest", found).records

    assert row == {
        "run": "b",
        "baseline": "a",
        "measure": "AP",
        "difference": 0.25,
        "low": None,
        "high": None,
        "wins": 1,
        "ties": 0,
        "losses": 0,
        "p": 1.0,
    }


def test_the_baseline_is_one_of_the_runs(example):
    found = example("forest", "AP")

    assert panel("forest", found, baseline="lsa").baseline == "lsa"
    with pytest.raises(UsageError, match="baseline 'dense' is not among the runs"):
        panel("forest", found, baseline="dense")


def test_a_point_is_filled_where_the_test_shows_a_difference(example):
    pytest.importorskip("matplotlib")
    found = example("forest", "nDCG@10")

    ax = plots.draw("forest", found)

    filled = {
        line.get_gid(): line.get_markerfacecolor() != "#FFFFFF"
        for line in ax.get_lines()
        if (line.get_gid() or "").startswith("run")
    }
    rows = panel("forest", found).records
    assert filled == {f"run{i}": row["p"] < 0.05 for i, row in enumerate(rows)}
