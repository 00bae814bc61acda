"""Distribution functions are scipy's."""

import pytest
import scipy.stats

from tests.plots.conftest import panel
from tests.support.results import results, score

NAN = float("nan")


def test_shares_are_scipys(example):
    found = example("ecdf", "AP")

    data = panel("ecdf", found)

    for run, line in zip(found.runs, data.lines, strict=True):
        expected = scipy.stats.ecdf(run.scores[0].values).cdf
        assert line.points[0] == pytest.approx(expected.quantiles, abs=1e-9)
        assert line.points[1] == pytest.approx(expected.probabilities, abs=1e-9)


def test_topics_without_a_value_are_left_out():
    found = results(
        {"a": [score("AP", [0.5, NAN, 0.25, 0.5], 0.4)], "b": [score("AP", [NAN] * 4, 0)]}
    )

    rows = list(panel("ecdf", found).records)

    assert [(row["run"], row["value"], row["share"]) for row in rows] == [
        ("a", 0.25, pytest.approx(1 / 3)),
        ("a", 0.5, 1.0),
    ]
